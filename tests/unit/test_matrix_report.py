"""A comparison as people and programs read it; each skill is there for one outcome."""
# ruff: noqa: E501 - the snapshots are as wide as what they show

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from html.parser import HTMLParser

import pytest
from inline_snapshot import snapshot

import metier
from metier.core.outcome import Outcome
from metier.matrix import Matrix
from metier.report.matrix.groups import Places, group_cells, mark_of
from metier.report.matrix.jsons import matrix_as_json
from metier.report.matrix.markdown import escape_markdown, render_markdown
from metier.report.matrix.pages import render_page
from metier.report.matrix.texts import render_answers, render_matrix
from metier.testing import Content, MemoryFileSystem, make_skill
from metier.world.assets import read_asset

SKILLS = "/proj/.agents/skills"
PLACES = Places("/proj", "/home")
AGENTS = ("agentskills", "batuta", "codex", "gemini-cli", "opi", "roo-code", "shelley")
FILES: dict[str, Content] = {
    f"{SKILLS}/pdf/SKILL.md": make_skill("pdf", "Fills PDF forms"),
    f"{SKILLS}/cut/SKILL.md": "---\nname: cut\ndescription: >-\n  All of it\n---\nDo it.\n",
    f"{SKILLS}/a:b/SKILL.md": make_skill("a:b", "Has a colon"),
    f"{SKILLS}/bad/SKILL.md": "---\nname: bad\n---\n",
    f"{SKILLS}/bare/SKILL.md": "---\n---\n",
    f"{SKILLS}/hidden/SKILL.md": make_skill(
        "hidden", "By hand", fields={"disable-model-invocation": True}
    ),
    f"{SKILLS}/README.md": "# Skills\n",
    "/home/.agents/skills/pdf/SKILL.md": make_skill("pdf", "Older"),
}


def compare(
    files: dict[str, Content], *dialects: str, roots: list[str] | None = None
) -> Matrix:
    memory = MemoryFileSystem(files)
    memory.make_folder("/home")
    memory.make_folder("/proj")
    return metier.compare(
        dialects=dialects or AGENTS,
        roots=roots,
        cwd="/proj",
        home="/home",
        variables={},
        filesystem=memory,
    )


@pytest.fixture(scope="module")
def matrix() -> Matrix:
    return compare(FILES, roots=[SKILLS, "/home/.agents/skills"])


# --- text -----------------------------------------------------------------------------


def test_text_tells_for_each_skill_who_makes_something_else_of_it(matrix: Matrix):
    assert render_matrix(matrix, places=PLACES, width=60) == snapshot("""\
x a:b  .agents/skills/a:b/SKILL.md: 4 of 7
  renamed         gemini-cli
                  name-rewritten: `a:b` becomes `a-b`
  dropped         opi, roo-code, shelley
                  name-invalid: `name` has characters that may not be
x bad  .agents/skills/bad/SKILL.md: 0 of 7
  dropped         agentskills, batuta, codex, gemini-cli,
                  opi, roo-code, shelley
                  description-missing: `description` is missing
x bare  .agents/skills/bare/SKILL.md: 0 of 7
  dropped         agentskills
                  description-missing: `description` is missing
  dropped         batuta, roo-code, shelley
                  name-missing: `name` is missing
  dropped         codex
                  frontmatter-missing: no frontmatter: the first line is not `---`
  dropped         gemini-cli, opi
                  frontmatter-unclosed: the closing `---` does not stand alone on its line
x cut  .agents/skills/cut/SKILL.md: 6 of 7
  truncated       batuta, shelley
                  description-shortened: 2 of 9 characters are read
  dropped         opi
                  host-aborts: one bad file stops the discovery of all: `a:b` holds characters other than a-z, 0-9 and `-`, in /proj/.agents/skills/a:b/SKILL.md
x hidden  .agents/skills/hidden/SKILL.md: 6 of 7
  hidden          agentskills
  dropped         opi
                  host-aborts: one bad file stops the discovery of all: `a:b` holds characters other than a-z, 0-9 and `-`, in /proj/.agents/skills/a:b/SKILL.md
x pdf  .agents/skills/pdf/SKILL.md: 3 of 7
  shadowed        batuta, gemini-cli, roo-code
                  last-wins, higher-precedence: /home/.agents/skills/pdf/SKILL.md counts instead
  dropped         opi
                  host-aborts: one bad file stops the discovery of all: `a:b` holds characters other than a-z, 0-9 and `-`, in /proj/.agents/skills/a:b/SKILL.md
x pdf  ~/.agents/skills/pdf/SKILL.md: 5 of 7
  shadowed        agentskills
                  first-wins: /proj/.agents/skills/pdf/SKILL.md counts instead
  dropped         opi
                  host-aborts: one bad file stops the discovery of all: `a:b` holds characters other than a-z, 0-9 and `-`, in /proj/.agents/skills/a:b/SKILL.md
- .agents/skills/README.md: no header, no skill
0 of 7 skills are portable to all 7 agents\
""")


def test_text_names_the_few_and_counts_the_others():
    own = compare(FILES, "agentskills", "batuta", "opi", "spring-ai", "codex")
    told = render_matrix(own, places=PLACES, width=80)
    assert told.splitlines()[-5:] == snapshot(
        [
            "  loaded          codex",
            "  shadowed        agentskills",
            "                  first-wins: /proj/.agents/skills/pdf/SKILL.md counts instead",
            "  not looked for  the other 3",
            "0 of 7 skills are portable to all 5 agents",
        ]
    )


def test_a_skill_that_all_have_takes_a_line():
    only = {f"{SKILLS}/pdf/SKILL.md": FILES[f"{SKILLS}/pdf/SKILL.md"]}
    told = render_matrix(compare(only, "codex", "gemini-cli"), places=PLACES, width=80)
    assert told.splitlines() == [
        "+ pdf  .agents/skills/pdf/SKILL.md: all 2",
        "1 of 1 skill is portable to codex and gemini-cli",
    ]
    told = render_matrix(compare(only, "codex"), places=PLACES, width=80)
    assert told.splitlines()[-1] == "1 of 1 skill is portable to codex"


def test_names_are_wrapped_and_never_cut(matrix: Matrix):
    lines = render_matrix(matrix, places=PLACES, width=1).splitlines()
    assert "  dropped         agentskills," in lines
    assert "                  batuta," in lines


def test_marks_tell_portable_from_cut_and_from_lost():
    rows = compare(FILES, "agentskills", "gemini-cli", "batuta", roots=[SKILLS]).skills
    assert {row.path.split("/")[-2]: mark_of(row) for row in rows} == {
        "a:b": "x",
        "bad": "x",
        "bare": "x",
        "cut": "!",
        "hidden": "+",
        "pdf": "+",
    }


def test_groups_of_one_reason_are_one():
    files = {**FILES, "/home/.claude/skills/pdf/SKILL.md": make_skill("pdf", "Oldest")}
    own = compare(files, "agentskills", "roo-code", "gemini-cli")
    row = next(row for row in own.rows if row.found.startswith("/home/.agents"))
    (group,) = group_cells(row)
    assert (group.outcome, group.rules, group.agents) == (
        Outcome.SHADOWED,
        ("first-wins", "higher-precedence", "last-wins"),
        ("agentskills", "roo-code", "gemini-cli"),
    )


def test_answers_have_a_line_for_each_agent(matrix: Matrix):
    assert render_answers(matrix.answers("a:b")) == snapshot("""\
agentskills  loaded          /proj/.agents/skills/a:b/SKILL.md
batuta       loaded          /proj/.agents/skills/a:b/SKILL.md
codex        loaded          /proj/.agents/skills/a:b/SKILL.md
gemini-cli   renamed         name-rewritten: `a:b` becomes `a-b` (/proj/.agents/skills/a:b/SKILL.md)
opi          dropped         name-invalid: `a:b` holds characters other than a-z, 0-9 and `-` (/proj/.agents/skills/a:b/SKILL.md)
roo-code     dropped         name-invalid: `a:b` is not a-z and 0-9 with single hyphens between them (/proj/.agents/skills/a:b/SKILL.md)
shelley      dropped         name-invalid: `a:b` is not lower-case letters and digits with single hyphens between them (/proj/.agents/skills/a:b/SKILL.md)\
""")


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("/proj/a/b", "a/b"),
        ("/projects/a", "/projects/a"),
        ("/home/a", "~/a"),
        ("/elsewhere", "/elsewhere"),
        ("/proj/a\n\u202eb", r"a\n\u202eb"),
    ],
)
def test_paths_are_shown_from_where_one_stands(path: str, shown: str):
    assert PLACES.shown(path) == shown
    assert Places("/", None).shown("/a/b") == "a/b"


# --- Markdown -------------------------------------------------------------------------


def test_markdown_is_the_whole_grid():
    some = compare(FILES, "agentskills", "gemini-cli", "batuta", roots=[SKILLS])
    assert render_markdown(some, places=PLACES) == snapshot("""\
| skill | file | agentskills | gemini-cli | batuta |
| --- | --- | --- | --- | --- |
| a:b | .agents/skills/a:b/SKILL.md | loaded | renamed: `name-rewritten` | loaded |
| bad | .agents/skills/bad/SKILL.md | dropped: `description-missing` | dropped: `description-missing` | dropped: `description-missing` |
| bare | .agents/skills/bare/SKILL.md | dropped: `description-missing` | dropped: `frontmatter-unclosed` | dropped: `name-missing` |
| cut | .agents/skills/cut/SKILL.md | loaded | loaded | truncated: `description-shortened` |
| hidden | .agents/skills/hidden/SKILL.md | hidden | loaded | loaded |
| pdf | .agents/skills/pdf/SKILL.md | loaded | loaded | loaded |

3 of 6 skills are portable to all 3 agents.

No header, no skill: .agents/skills/README.md.\
""")


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("a|b", r"a\|b"),
        ("`x` <b> &amp; [l](u)", r"\`x\` \<b\> \&amp; \[l\](u)"),
        ("*_~$@!#\\", r"\*\_\~\$\@\!\#\\"),
        ("plain-name", "plain-name"),
    ],
)
def test_what_markdown_would_take_for_a_sign_is_escaped(text: str, escaped: str):
    assert escape_markdown(text) == escaped


def test_a_hostile_name_stays_in_its_cell():
    files: dict[str, Content] = {f"{SKILLS}/x/SKILL.md": make_skill("a | b\n| c", "d")}
    some = compare(files, "agentskills")
    assert render_markdown(some, places=PLACES).splitlines()[2:] == [
        r"| a \| b\\n\| c | .agents/skills/x/SKILL.md | loaded |",
        "",
        "1 of 1 skill is portable to agentskills.",
    ]


# --- JSON -----------------------------------------------------------------------------


def test_json_has_every_cell_of_every_skill(matrix: Matrix):
    value = matrix_as_json(matrix)
    assert [each["dialect"] for each in value["agents"]] == list(AGENTS)
    assert (value["portable"], value["strays"]) == (0, [f"{SKILLS}/README.md"])
    assert all(tuple(skill["cells"]) == AGENTS for skill in value["skills"])
    pdf = next(each for each in value["skills"] if each["name"] == "pdf")
    assert pdf["path"] == pdf["found"] == f"{SKILLS}/pdf/SKILL.md"
    assert sum(pdf["counts"].values()) == len(AGENTS)
    assert pdf["cells"]["codex"] == {
        "dialect": "codex",
        "outcome": "loaded",
        "status": "loaded",
        "name": "pdf",
        "rule": "loaded",
        "because": f"found in explicit folder {SKILLS}",
        "path": f"{SKILLS}/pdf/SKILL.md",
        "source": matrix.dialects[2].source_of("roots"),
    }


# --- HTML -----------------------------------------------------------------------------

_VOID = frozenset(("input", "meta", "rect", "br", "img"))


@dataclass
class Element:
    """A tag, and what stands in it."""

    tag: str
    attributes: dict[str, str | None]
    text: str = ""
    children: list[Element] = field(default_factory=list)

    def all(self, tag: str, kind: str = "") -> Iterator[Element]:
        for each in self.children:
            classes = (each.attributes.get("class") or "").split()
            if each.tag == tag and (not kind or kind in classes):
                yield each
            yield from each.all(tag, kind)

    def first(self, tag: str, kind: str = "") -> Element:
        return next(self.all(tag, kind))

    @property
    def content(self) -> str:
        return self.text + "".join(each.content for each in self.children)


class Page(HTMLParser):
    """A page as a tree; a tag that closes another one than the last is an error."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open = [Element("", {})]
        self.feed(text)
        self.close()
        (self.root,) = self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, dict(attrs))
        self.open[-1].children.append(element)
        if tag not in _VOID:
            self.open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open[-1].children.append(Element(tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop().tag == tag

    def handle_data(self, data: str) -> None:
        self.open[-1].text += data


def page_of(matrix: Matrix) -> Element:
    text = render_page(
        matrix,
        places=PLACES,
        style=read_asset("matrix.css"),
        script=read_asset("matrix.js"),
    )
    return Page(text).root


def test_the_page_is_the_whole_grid(matrix: Matrix):
    page = page_of(matrix)
    heads = [each.attributes["data-agent"] for each in page.all("th", "agent")]
    assert heads == list(AGENTS)
    bodies = list(page.all("tbody"))
    assert len(bodies) == len(matrix.skills)
    for body, row in zip(bodies, matrix.skills, strict=True):
        cells = list(body.all("td", "cell"))
        assert [cell.attributes["data-agent"] for cell in cells] == list(AGENTS)
        assert [cell.content for cell in cells] == [c.outcome.value for c in row.cells]
        told = [each.content for each in body.all("li")]
        assert sorted(told) == sorted(AGENTS)


def test_the_page_tells_the_rule_and_the_reason(matrix: Matrix):
    body = next(b for b in page_of(matrix).all("tbody") if "a:b" in b.content)
    group = next(body.all("section", "renamed"))
    assert [each.content for each in group.all("code")] == ["name-rewritten"]
    assert [each.content for each in group.all("bdi")] == ["`a:b` becomes `a-b`"]
    assert [each.content for each in group.all("li")] == ["gemini-cli"]


def test_the_page_needs_nothing_from_elsewhere(matrix: Matrix):
    page = page_of(matrix)
    tags = {each.tag for each in page.all("link")} | {e.tag for e in page.all("img")}
    assert tags == set()
    style, script = page.first("style").content, page.first("script").content
    addresses = re.findall(r"https?://[^'\"\s)]+", style + script)
    assert set(addresses) == {"http://www.w3.org/2000/svg"}
    assert "@import" not in style
    assert set(re.findall(r"url\(\"([a-z]+:[a-z/+]+),", style)) == {
        "data:image/svg+xml"
    }


def test_the_policy_of_the_page_runs_its_own_script_alone(matrix: Matrix):
    page = page_of(matrix)
    policy = next(
        str(each.attributes["content"])
        for each in page.all("meta")
        if each.attributes.get("http-equiv") == "Content-Security-Policy"
    )
    for tag in ("script", "style"):
        digest = sha256(page.first(tag).content.encode()).digest()
        assert f"{tag}-src 'sha256-{b64encode(digest).decode()}'" in policy
    assert policy.startswith("default-src 'none'; ")
    handlers = {n for e in page.all("td") for n in e.attributes if n.startswith("on")}
    styles = [e for e in page.all("td") if "style" in e.attributes]
    assert (handlers, styles) == (set(), [])


HOSTILE = (
    "</script><script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "' autofocus onfocus='alert(1)",
    "</style><!--",
    "</title>&lt;b&gt;",
    "\u202eevil\u2066",
    "a\x07b\x00c",
    "line\nline\u2028line",
)


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_is_shown_and_is_nothing_else(text: str):
    files: dict[str, Content] = {
        f"{SKILLS}/x/SKILL.md": make_skill(text, text),
        f"{SKILLS}/{text.replace('/', '')}/SKILL.md": "no header",
    }
    plain: dict[str, Content] = {
        f"{SKILLS}/x/SKILL.md": make_skill("x", "d"),
        f"{SKILLS}/y/SKILL.md": "no header",
    }
    hostile = page_of(compare(files, "codex", "agentskills"))
    harmless = page_of(compare(plain, "codex", "agentskills"))
    for tag in ("script", "style", "img", "title", "input", "b", "td", "th", "tbody"):
        assert len(list(hostile.all(tag))) == len(list(harmless.all(tag)))
    shown = hostile.first("tbody").content + list(hostile.all("tbody"))[1].content
    assert re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u202e\u2066]", shown) is None
    names = {name for each in hostile.all("td") for name in each.attributes}
    assert names <= {"role", "class", "data-agent", "title", "colspan"}


def test_every_sign_of_the_page_has_a_word_and_a_shape(matrix: Matrix):
    style = read_asset("matrix.css")
    signs = dict(re.findall(r"\n\.([\w-]+) \{[^}]*--sign: ([^;]+;)", style))
    kinds = [each.value.replace(" ", "-") for each in Outcome]
    assert sorted(signs) == sorted(kinds)
    assert len(set(signs.values())) == len(kinds)
    chips = [
        each.first("span").content for each in page_of(matrix).all("label", "chip")
    ]
    assert chips == [each.value for each in Outcome]


def test_the_script_ranks_the_outcomes_as_the_core_does():
    script = read_asset("matrix.js")
    ranks = re.findall(
        r'"([a-z-]+)"', script.partition("RANKS = [")[2].partition("]")[0]
    )
    assert ranks == [each.value.replace(" ", "-") for each in Outcome]
    assert "RANKS.slice(0, 4)" in script
    assert [each.is_available for each in Outcome] == [True] * 4 + [False] * 3


def test_the_page_tells_what_is_no_skill(matrix: Matrix):
    assert page_of(matrix).first("footer").content == (
        "No header, no skill: .agents/skills/README.md"
    )
    without = compare({f"{SKILLS}/x/SKILL.md": make_skill("x", "d")}, "codex")
    assert list(page_of(without).all("footer")) == []


def test_many_agents_have_narrow_columns():
    every = metier.compare(
        roots=[SKILLS], cwd="/proj", home="/home", filesystem=MemoryFileSystem(FILES)
    )
    wide = "matrix many" if len(every.dialects) > 20 else "matrix"
    assert page_of(every).first("table").attributes["class"] == wide
