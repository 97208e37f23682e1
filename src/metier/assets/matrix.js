"use strict";
// The page is complete without this: it sorts, filters, and opens what is folded. What
// is chosen stands in the address behind `#`, so that a view can be sent to somebody:
//   #q=pdf&outcome=dropped,renamed&agent=codex,opi&sort=-agent:codex&open=0,3
(() => {
  const RANKS = [
    "loaded", "hidden", "truncated", "renamed", "shadowed", "dropped", "not-looked-for",
  ];
  const AVAILABLE = RANKS.slice(0, 4);
  const form = document.querySelector(".tools");
  const table = document.querySelector("table.matrix");
  const empty = document.querySelector(".empty");
  const names = new Intl.Collator("en", { numeric: true });

  const rows = [...table.tBodies].map((body) => ({
    body,
    index: Number(body.dataset.index),
    name: body.querySelector(".name").textContent,
    path: body.querySelector("th .path").textContent,
    find: body.querySelector("th").textContent.toLowerCase(),
    cells: new Map(
      [...body.querySelectorAll(".cell")].map((cell) => [
        cell.dataset.agent,
        { cell, rank: RANKS.findIndex((each) => cell.classList.contains(each)) },
      ]),
    ),
    toggle: body.querySelector(".name"),
  }));
  const agents = [...form.querySelectorAll('[name="agent"]')];
  const outcomes = [...form.querySelectorAll('[name="outcome"]')];

  // --- the state, and its place in the address --------------------------------------

  const listed = (text) => new Set((text || "").split(",").filter(Boolean));
  const all = (boxes) => new Set(boxes.map((each) => each.value));

  function read() {
    const given = new URLSearchParams(location.hash.slice(1));
    const known = (boxes, key) =>
      boxes.map((each) => each.value).filter((each) => listed(given.get(key)).has(each));
    const asked = known(agents, "agent");
    return {
      q: given.get("q") || "",
      outcome: new Set(known(outcomes, "outcome")),
      agent: asked.length ? new Set(asked) : all(agents),
      sort: given.get("sort") || "file",
      open: listed(given.get("open")),
    };
  }

  function write(state) {
    const parts = [];
    const add = (key, value) => {
      const text = encodeURIComponent(value).replace(/%2C|%3A/g, decodeURIComponent);
      if (text) parts.push(`${key}=${text}`);
    };
    add("q", state.q);
    add("outcome", [...state.outcome].join());
    add("agent", state.agent.size < agents.length ? [...state.agent].join() : "");
    add("sort", state.sort === "file" ? "" : state.sort);
    add("open", [...state.open].join());
    const hash = parts.length ? `#${parts.join("&")}` : location.pathname + location.search;
    try {
      history.replaceState(null, "", hash);
    } catch {
      // A page out of a sandbox has no history: it works all the same.
    }
  }

  // --- what the state means ---------------------------------------------------------

  const seen = (row) => [...row.cells].filter(([agent]) => state.agent.has(agent));
  const having = (row) =>
    seen(row).filter(([, each]) => AVAILABLE.includes(RANKS[each.rank])).length;

  function matches(row) {
    const words = state.q.toLowerCase().split(/\s+/).filter(Boolean);
    if (!words.every((word) => row.find.includes(word))) return false;
    if (!state.outcome.size) return true;
    return seen(row).some(([, each]) => state.outcome.has(RANKS[each.rank]));
  }

  function order(key) {
    if (key === "skill") return (a, b) => names.compare(a.name, b.name);
    if (key === "agents") return (a, b) => having(b) - having(a);
    if (key.startsWith("agent:")) {
      const rank = (row) => row.cells.get(key.slice(6))?.rank ?? 0;
      return (a, b) => rank(a) - rank(b);
    }
    return (a, b) => a.index - b.index;
  }

  function sort() {
    const isDown = state.sort.startsWith("-");
    const key = isDown ? state.sort.slice(1) : state.sort;
    const compare = order(key);
    const sorted = [...rows].sort(
      (a, b) => (isDown ? compare(b, a) : compare(a, b)) || a.index - b.index,
    );
    table.append(...sorted.map((row) => row.body));
    for (const head of table.tHead.querySelectorAll("th")) {
      const button = [...head.querySelectorAll("button")].find(
        (each) => each.dataset.sort === key,
      );
      if (button) head.setAttribute("aria-sort", isDown ? "descending" : "ascending");
      else head.removeAttribute("aria-sort");
      for (const each of head.querySelectorAll("button"))
        each.classList.toggle("sorted", each === button);
    }
  }

  function showAgents() {
    for (const each of document.querySelectorAll("[data-agent]"))
      each.hidden = !state.agent.has(each.dataset.agent);
    for (const group of document.querySelectorAll(".group"))
      group.hidden = ![...group.querySelectorAll("li")].some((each) => !each.hidden);
  }

  function showRow(row) {
    const cells = seen(row);
    row.body.hidden = !matches(row);
    const have = document.createElement("b");
    have.textContent = having(row);
    row.body.querySelector(".count").replaceChildren(have, ` of ${cells.length}`);
    const bar = row.body.querySelector(".bar");
    bar.setAttribute("viewBox", `0 0 ${cells.length} 1`);
    let start = 0;
    [...bar.children].forEach((part, rank) => {
      const width = cells.filter(([, each]) => each.rank === rank).length;
      part.setAttribute("x", start);
      part.setAttribute("width", width);
      start += width;
    });
    const isOpen = state.open.has(String(row.index));
    row.toggle.setAttribute("aria-expanded", isOpen);
    row.body.classList.toggle("open", isOpen);
  }

  function showTools() {
    if (document.activeElement !== form.elements.q) form.elements.q.value = state.q;
    for (const each of outcomes) each.checked = state.outcome.has(each.value);
    for (const each of agents) each.checked = state.agent.has(each.value);
    const choices = [...form.elements.sort.options].map((each) => each.value);
    form.elements.sort.value = choices.includes(state.sort) ? state.sort : "";
    const shown = rows.filter((row) => !row.body.hidden).length;
    form.elements.shown.value =
      (shown === rows.length ? "" : `${shown} of `) +
      (rows.length === 1 ? "1 skill" : `${rows.length} skills`);
    empty.hidden = shown > 0;
    form.querySelector("summary").textContent =
      state.agent.size < agents.length
        ? `Agents: ${state.agent.size} of ${agents.length}`
        : "Agents";
    for (const each of outcomes) {
      const count = rows.flatMap(seen).filter(([, cell]) => RANKS[cell.rank] === each.value);
      each.parentElement.querySelector("b").textContent = count.length;
      each.parentElement.classList.toggle("none", !count.length);
    }
  }

  function show() {
    showAgents();
    rows.forEach(showRow);
    sort();
    showTools();
  }

  function change(values) {
    Object.assign(state, values);
    write(state);
    show();
  }

  // --- what people do ---------------------------------------------------------------

  const chosen = (boxes) =>
    new Set(boxes.filter((each) => each.checked).map((each) => each.value));

  form.addEventListener("input", (event) => {
    if (event.target.name === "q") change({ q: event.target.value });
    if (event.target.name === "sort") change({ sort: event.target.value });
    if (event.target.name === "outcome") change({ outcome: chosen(outcomes) });
    if (event.target.name === "agent") {
      const picked = chosen(agents);
      change({ agent: picked.size ? picked : all(agents) });
    }
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", (event) => {
    event.preventDefault();
    form.elements.q.value = "";
    change({ q: "", outcome: new Set(), agent: all(agents), sort: "file" });
  });

  table.tHead.addEventListener("click", (event) => {
    const key = event.target.closest("button")?.dataset.sort;
    if (!key) return;
    // What is worst in an agent is what one looks for there.
    const first = key.startsWith("agent:") ? `-${key}` : key;
    const second = first.startsWith("-") ? key : `-${key}`;
    change({ sort: state.sort === first ? second : first });
  });

  table.addEventListener("click", (event) => {
    const body = event.target.closest("tbody");
    const cell = event.target.closest(".cell");
    const isToggle = event.target.closest(".name");
    if (!body || !(cell || isToggle)) return;
    const open = new Set(state.open);
    if (cell || !open.has(body.dataset.index)) open.add(body.dataset.index);
    else open.delete(body.dataset.index);
    change({ open });
    for (const each of body.querySelectorAll("li"))
      each.classList.toggle("hit", cell?.dataset.agent === each.dataset.agent);
  });

  const menu = form.querySelector(".menu");
  document.addEventListener("click", (event) => {
    if (!menu.contains(event.target)) menu.open = false;
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !menu.open) return;
    menu.open = false;
    menu.querySelector("summary").focus();
  });
  window.addEventListener("hashchange", () => {
    state = read();
    show();
  });

  let state = read();
  document.documentElement.classList.add("js");
  show();
})();
