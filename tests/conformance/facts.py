"""The facts out of the systems' own test suites, and how metier answers each kind.

An answer has the keys of the fact's `expect`; where that says what a text contains,
the answer is the part of it that metier's text contains.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from metier.api import discover
from metier.core.permission import Ruleset, Withdrawal, is_match, parse_rules
from metier.core.references import find_file_references
from metier.core.selection import Links
from metier.core.skill import Skill
from metier.errors import LoadError, SkillNotFound
from metier.library import Library
from metier.testing import MemoryFileSystem, make_skill
from metier.world.dialects import load_dialect
from metier.world.files import ParsedFile, parse_file
from metier.world.filesystem import Reading
from tests.conformance.loading import altered_dialect, plant, system_facts
from tests.conformance.parsing import Pair, as_line, legible, reason

Fact = dict[str, Any]
Runner = Callable[[Fact, Path], Pair]

# The dialect that stands for the system of a fact.
DIALECTS = {
    "batuta": "batuta",
    "opencode": "opencode-spec",
    "opi": "opi",
    "shelley": "shelley",
}

# Facts about something else than the five dialects, and what that is.
LEFT_OUT: Mapping[str, str] = {
    # A later OpenCode: another dialect.
    "oc-no-description": "later",
    "oc-agents-skills": "later",
    "oc-global-agents": "later",
    "oc-claude-and-agents": "later",
    "oc-disable-claude": "later",
    "oc-disable-external": "later",
    "oc-dirs": "later",
    "oc-fmt-location-escaped": "later",
    "oc-tool-execute": "later",
    "oc-prompt-sorted": "later",
    "oc-weird-model-id": "later",
    # OpenCode's skills from a URL.
    "remote-name-traversal": "remote",
    "remote-file-traversal": "remote",
    "remote-file-absolute": "remote",
    "remote-cross-origin": "remote",
    "remote-nested-ok": "remote",
    "remote-version-refresh": "remote",
    "remote-atomic-update": "remote",
    "remote-misc": "remote",
    # OpenCode's branch `v2`.
    "v2-manual": "v2",
    "v2-flat": "v2",
    "v2-broken-yaml": "v2",
    "v2-bad-slash": "v2",
    "v2-sources-order": "v2",
    "v2-later-source-wins": "v2",
    "v2-worktree-over-parent": "v2",
    "v2-url-failure-isolated": "v2",
    "v2-hot-reload": "v2",
    "v2-registry": "v2",
    "v2-guidance": "v2",
    "v2-guidance-delta": "v2",
    "v2-permission-guidance": "v2",
    "v2-tool": "v2",
    # shelley since it has skills of its own and a command to print them.
    "shelley-parse-when": "newest",
    "shelley-filter-when": "newest",
    "shelley-builtins": "newest",
    "shelley-builtin-prompt": "newest",
    "shelley-extract-body": "newest",
    "shelley-find-builtin": "newest",
    "shelley-find-missing": "newest",
    "shelley-find-fs": "newest",
    "shelley-empty-suppresses-builtin": "newest",
    "shelley-malformed-shows-parse-error": "newest",
    "shelley-fs-overrides-builtin": "newest",
    "shelley-subagent-has-skills": "newest",
    # Another project's copy of shelley.
    "shelley-fork-claude-skills": "fork",
    "shelley-fork-repo-overrides-global": "fork",
}

_RUNNERS: dict[str, Runner] = {}


def runner_of(fact: Fact) -> Runner | None:
    """What answers this fact: a runner of its own, or that of its kind."""
    return _RUNNERS.get(fact["id"]) or _RUNNERS.get(f"{fact['system']} {fact['kind']}")


def facts_to_run() -> list[Fact]:
    """Every fact that is about one of the five dialects and has a runner."""
    return [f for f in system_facts() if f["id"] not in LEFT_OUT and runner_of(f)]


def answer(fact: Fact, folder: Path) -> Pair:
    """metier's answer and the recorded one; `folder` is empty and free to use."""
    runner = runner_of(fact)
    assert runner is not None
    return runner(fact, folder)


def _runs(*facts: str) -> Callable[[Runner], Runner]:
    """Answer the facts of these ids, or of these systems and kinds."""

    def register(runner: Runner) -> Runner:
        _RUNNERS.update(dict.fromkeys(facts, runner))
        return runner

    return register


# --- one file -------------------------------------------------------------------------


def _parse(system: str, text: str, *, folder: str = "folder") -> ParsedFile:
    path = f"/{folder}/SKILL.md"
    return parse_file(path, load_dialect(system), MemoryFileSystem({path: text}))


@_runs("opi parse", "batuta parse", "shelley parse")
def _run_parse(fact: Fact, _folder: Path) -> Pair:
    parsed = _parse(fact["system"], fact["input"]["SKILL.md"])
    expected = fact["expect"]
    return {key: _read(parsed, key, expected[key]) for key in expected}, expected


def _read(parsed: ParsedFile, key: str, expected: Any) -> Any:
    match key:
        case "error_kind":
            return reason(parsed.error, expected)
        case "body":
            return parsed.body
        case "body_contains":
            return _contained(expected, parsed.body or "")
        case _:
            return legible(as_line(parsed)[key])


def _contained(expected: str | list[str], text: str) -> str | list[str]:
    """What of `expected` stands in `text`."""
    if isinstance(expected, str):
        return expected if expected in text else ""
    return [each for each in expected if each in text]


@_runs("shelley-validate-name")
def _run_names(fact: Fact, _folder: Path) -> Pair:
    given = fact["input"]
    ours = {kind: {_verdict(name) for name in given[kind]} for kind in given}
    return ours, {kind: {verdict} for kind, verdict in fact["expect"].items()}


def _verdict(name: str) -> str:
    parsed = _parse("shelley", f"---\nname: {name}\ndescription: d\n---\n")
    return "rejected" if parsed.error else "accepted"


@_runs("batuta-error-display")
def _run_messages(fact: Fact, _folder: Path) -> Pair:
    texts = {
        "MissingFrontmatter": "no fence",
        "MissingName": "---\ndescription: d\n---\nbody\n",
        "MissingDescription": "---\nname: x\n---\nbody\n",
        "EmptyBody": "---\nname: x\ndescription: d\n---\n",
    }
    parsed = {kind: _parse("batuta", text) for kind, text in texts.items()}
    failing = FailingFileSystem({"/x/SKILL.md": ""})
    dialect = load_dialect("batuta")
    parsed["Io(boom)"] = parse_file("/x/SKILL.md", dialect, failing)
    words = {kind: text.split('"')[1] for kind, text in fact["expect"].items()}
    ours = {
        kind: _contained(word, parsed[kind].diagnostics[0].message)
        for kind, word in words.items()
    }
    return ours, words


class FailingFileSystem(MemoryFileSystem):
    """Whatever is read, the disk says `boom`."""

    def read_file(self, path: str, limit: int, links: Links) -> Reading:
        raise OSError(5, "boom", path)


# The version of the dialect rewrites a value with a colon before it reads it.
_REWRITTEN = ("occupation", "url", "time", "nested", "mixed")


@_runs("oc-frontmatter-fixture")
def _run_fixture(fact: Fact, _folder: Path) -> Pair:
    theirs = {k: None if v == "<absent>" else v for k, v in fact["expect"].items()}
    theirs |= {key: f"{theirs[key]}\n" for key in _REWRITTEN}
    fields = load_dialect("opencode-spec").fields
    other = {key: {"keys": [key], "type": "text"} for key in theirs}
    head = {"expect": "string", "presence": "required"}
    assert fields.other == {}
    dialect = altered_dialect(
        "opencode-spec", fields={"name": head, "description": head, "other": other}
    )
    path = "/x/SKILL.md"
    files = MemoryFileSystem({path: fact["input"]["SKILL.md"]})
    return dict(parse_file(path, dialect, files).fields), theirs


@_runs("opencode frontmatter")
def _run_no_frontmatter(fact: Fact, _folder: Path) -> Pair:
    parsed = _parse("opencode-spec", fact["input"]["SKILL.md"])
    head = {"name": parsed.name, "description": parsed.description}
    data = {key: value for key, value in head.items() if value is not None}
    unchanged = parsed.body == fact["input"]["SKILL.md"].strip()
    ours = {
        "data": data,
        "content.trim()": parsed.body,
        "content": "unchanged" if unchanged else parsed.body,
    }
    return {key: ours[key] for key in fact["expect"]}, fact["expect"]


# --- folders --------------------------------------------------------------------------


def _observed(library: Library, fact: Fact, root: Path) -> Pair:
    expected = fact["expect"]
    return {key: _observe(library, key, expected[key]) for key in expected}, expected


def _observe(library: Library, key: str, expected: Any) -> Any:
    text = library.catalog()
    match key:
        case "names":
            return sorted(library.names)
        case "count":
            return len(library)
        case "fields":
            return [[n, key, _attribute(library[n], key)] for n, key, _ in expected]
        case "location_endswith":
            return [[n, end] for n, end in expected if library[n].path.endswith(end)]
        case "error_kind":
            assert library.aborted_by is not None
            return reason(library.aborted_by.rule, expected)
        case "equals" | "format_for_prompt":
            return text
        case "prompt_not_contains":
            return [each for each in expected if each not in text]
        case _ if key.endswith("contains"):
            return _contained(expected, text)
        case _:
            raise AssertionError(f"`{key}` is not observed yet")


def _attribute(skill: Skill, key: str) -> Any:
    return skill.root.precedence if key == "layer_precedence" else getattr(skill, key)


@_runs("opi discover", "opi prompt")
def _run_layers(fact: Fact, folder: Path) -> Pair:
    return _observed(_opi_library(fact, folder), fact, folder)


@_runs("opi auto")
def _run_offered(fact: Fact, folder: Path) -> Pair:
    offered = _opi_library(fact, folder).offered
    return {"names": [skill.name for skill in offered]}, fact["expect"]


def _opi_library(fact: Fact, folder: Path) -> Library:
    plant(folder, fact["input"]["tree"])
    layers = [layer.split(":") for layer in fact["input"]["layers(dir:precedence)"]]
    roots = [(folder / path, int(precedence)) for path, precedence in layers]
    return discover(dialect="opi", roots=roots)


@_runs("opi-registry-empty")
def _run_no_roots(fact: Fact, folder: Path) -> Pair:
    return _observed(discover(dialect="opi", roots=[]), fact, folder)


@_runs("opi-registry-get-missing")
def _run_missing(fact: Fact, _folder: Path) -> Pair:
    name = fact["input"]["get"]
    library = discover(dialect="opi", roots=[])
    ours = {"result": library.get(name), f"load_body({name})": _body(library, name)}
    return ours, fact["expect"]


def _body(library: Library, name: str) -> str | None:
    try:
        return library.load(name).output
    except SkillNotFound:
        return None
    except LoadError:
        return "Err(Io)"


@_runs("opi-load-body")
def _run_load_body(fact: Fact, folder: Path) -> Pair:
    plant(folder, {"skills/lazy/SKILL.md": fact["input"]["SKILL.md"]})
    library = discover(dialect="opi", roots=[folder / "skills"])
    expected = fact["expect"]["body_contains"]
    body = _body(library, "lazy") or ""
    return {"body_contains": _contained(expected, body)}, fact["expect"]


@_runs("opi-load-body-deleted")
def _run_load_deleted(fact: Fact, folder: Path) -> Pair:
    plant(folder, {"skills/gone/SKILL.md": make_skill("gone", "d")})
    library = discover(dialect="opi", roots=[folder / "skills"])
    (folder / "skills/gone/SKILL.md").unlink()
    return {"load_body": _body(library, "gone")}, fact["expect"]


@_runs("opi-package-skill-metadata-only")
def _run_package(fact: Fact, folder: Path) -> Pair:
    files = {key.removeprefix("package "): v for key, v in fact["input"].items()}
    plant(folder, files)
    root = folder / "vendor/metadata-suite/skills"
    return _observed(discover(dialect="opi", roots=[root]), fact, folder)


@_runs("batuta load")
def _run_one_folder(fact: Fact, folder: Path) -> Pair:
    plant(folder, fact["input"]["tree"])
    root = folder / fact["input"]["arg"]
    return _observed(discover(dialect="batuta", roots=[root]), fact, folder)


@_runs("batuta discover", "batuta registry")
def _run_workspace(fact: Fact, folder: Path) -> Pair:
    return _observed(_batuta_library(fact, folder), fact, folder)


@_runs("batuta match")
def _run_match(fact: Fact, folder: Path) -> Pair:
    match = _batuta_library(fact, folder).match(fact["input"]["turn"])
    return {"match": match.winner}, fact["expect"]


def _batuta_library(fact: Fact, folder: Path) -> Library:
    plant(folder, fact["input"]["tree"])
    cwd = folder / fact["input"]["arg"]
    return discover(dialect="batuta", cwd=cwd, home=folder / "nobody")


@_runs("batuta-registry-crud")
def _run_registry(fact: Fact, folder: Path) -> Pair:
    name = fact["input"]["register"]
    library = _registered(folder, make_skill(name, "d"))
    found = "some" if library.get(name) else None
    ours = {
        "len": len(library),
        f"resolve({name})": found,
        "names": list(library.names),
        "resolve(nonexistent)": library.get("nonexistent"),
    }
    return ours, fact["expect"]


@_runs("batuta-registry-replace")
def _run_replacement(fact: Fact, folder: Path) -> Pair:
    texts = [make_skill("twice", f"the {which} one") for which in ("first", "second")]
    library = _registered(folder, *texts)
    ours = {"len": len(library), "description": library["twice"].description}
    return ours, fact["expect"]


def _registered(folder: Path, *texts: str) -> Library:
    plant(folder, {f"{n}/x.md": text for n, text in enumerate(texts)})
    return discover(
        dialect="batuta", roots=[folder / str(n) for n in range(len(texts))]
    )


# --- shelley's folders ----------------------------------------------------------------


def _plant_shelley(fact: Fact, folder: Path) -> list[Path]:
    """The fact's tree; the folders that the fact is about, as paths."""
    links = fact["input"].get("symlinks") or {}
    linked = {path: {"link": f"/ROOT/{target}"} for path, target in links.items()}
    plant(folder, {**fact["input"]["tree"], **linked})
    return [folder / each for each in fact["input"].get("args", []) if each]


@_runs("shelley discover")
def _run_direct(fact: Fact, folder: Path) -> Pair:
    roots = _plant_shelley(fact, folder)
    return _observed(discover(dialect="shelley", roots=roots), fact, folder)


@_runs("shelley tree")
def _run_walk(fact: Fact, folder: Path) -> Pair:
    cwd, *repository = _plant_shelley(fact, folder)
    _make_repositories(repository)
    roots = [{"base": "git-root", "scope": "project", "select": "tree"}]
    dialect = altered_dialect("shelley", roots=roots)
    library = discover(dialect=dialect, cwd=cwd, home=folder / "nobody")
    return _observed(library, fact, folder)


@_runs("shelley collect")
def _run_collect(fact: Fact, folder: Path) -> Pair:
    cwd, *repository = _plant_shelley(fact, folder)
    _make_repositories(repository)
    library = discover(dialect="shelley", cwd=cwd, home=folder / "home")
    return _observed(library, fact, folder)


@_runs("shelley projectdirs")
def _run_project_folders(fact: Fact, folder: Path) -> Pair:
    cwd, *repository = _plant_shelley(fact, folder)
    _make_repositories(repository)
    library = discover(dialect="shelley", cwd=cwd, home=folder / "nobody")
    return {"dirs": _folders(library, folder)}, fact["expect"]


@_runs("shelley defaultdirs")
def _run_default_folders(fact: Fact, folder: Path) -> Pair:
    _plant_shelley(fact, folder)
    (folder / "elsewhere").mkdir()
    home = folder / "home"
    library = discover(dialect="shelley", cwd=folder / "elsewhere", home=home)
    return {"dirs": _folders(library, folder)}, fact["expect"]


def _make_repositories(folders: Iterable[Path]) -> None:
    for folder in folders:
        (folder / ".git").mkdir()


def _folders(library: Library, folder: Path) -> list[str]:
    """The folders whose children are looked at, without the walk through the tree."""
    roots = [root for root in library.roots if root.select == "default"]
    return [Path(root.path).relative_to(folder).as_posix() for root in roots]


@_runs("shelley-system-prompt-any-cwd")
def _run_from_anywhere(fact: Fact, folder: Path) -> Pair:
    _plant_shelley(fact, folder)
    (folder / "unrelated").mkdir()
    home = folder / "HOME"
    library = discover(dialect="shelley", cwd=folder / "unrelated", home=home)
    return _observed(library, fact, folder)


@_runs("shelley-prompt-xml")
def _run_prompt(fact: Fact, _folder: Path) -> Pair:
    (name, description, path), _ = fact["input"]["skills"]
    root = Path(path).parents[1].as_posix()
    files = MemoryFileSystem({path: make_skill(name, description)})
    library = discover(dialect="shelley", roots=[root], filesystem=files)
    wanted = [text.replace("PATH", path) for text in fact["expect"]["seed contains"]]
    return _contained(wanted, library.catalog()), wanted


@_runs("shelley-prompt-empty")
def _run_empty_prompt(fact: Fact, _folder: Path) -> Pair:
    return {"xml": discover(dialect="shelley", roots=[]).catalog()}, fact["expect"]


# --- OpenCode -------------------------------------------------------------------------


@_runs("opencode discover")
def _run_worktree(fact: Fact, folder: Path) -> Pair:
    assert fact["input"]["flags"] == []
    tree = fact["input"]["tree (w=worktree, h=home)"]
    plant(folder, tree, ["w/.git/", "h/"])
    cwd = folder / fact["input"]["cwd"]
    library = discover(dialect="opencode-spec", cwd=cwd, home=folder / "h")
    return _observed(library, fact, folder)


@_runs("oc-require-missing")
def _run_unknown(fact: Fact, _folder: Path) -> Pair:
    library = discover(dialect="opencode-spec", roots=[])
    expected = fact["expect"]["message_contains"]
    message = str(library.not_found(fact["input"]["name"]))
    return _contained(expected, message), expected


@_runs("opencode refs")
def _run_references(fact: Fact, _folder: Path) -> Pair:
    text = fact["input"]["text"]
    paths = {
        dialect: [
            found.path
            for found in find_file_references(
                text, load_dialect(dialect).references.files
            )
        ]
        for dialect in ("brutus", "opencode-spec")
    }
    return paths, dict.fromkeys(paths, fact["expect"])


def _rules(config: Mapping[str, object], home: str | None = None) -> Ruleset:
    ruleset, found = parse_rules(config, home=home)
    assert found == ()
    return ruleset


@_runs("opencode evaluate")
def _run_permission(fact: Fact, _folder: Path) -> Pair:
    given = fact["input"]
    decision = _rules(given["config"]).evaluate(given["permission"], given["pattern"])
    return decision.action.value, fact["expect"]


@_runs("opencode wildcard")
def _run_wildcard(fact: Fact, _folder: Path) -> Pair:
    return is_match(fact["input"]["string"], fact["input"]["pattern"]), fact["expect"]


@_runs("opencode fromConfig")
def _run_expansion(fact: Fact, _folder: Path) -> Pair:
    patterns = fact["input"]["patterns"]
    ruleset = _rules({"edit": dict.fromkeys(patterns, "allow")}, home="HOME")
    expanded = [rule.pattern for rule in ruleset.rules]
    pairs = zip(patterns, expanded, strict=True)
    ours = {given: "unchanged" if given == got else got for given, got in pairs}
    return ours, fact["expect"]


# The fact states its rule in words; these are the cases of it.
_WITHDRAWN = [
    ({"*": "deny"}, True),
    ({"*": "deny", "x": "allow"}, False),
    ({"*": "deny", "hidden": "deny"}, False),
    ({"hidden": "deny", "*": "deny"}, True),
    ({"hidden": "deny"}, False),
    ({"*": "ask"}, False),
    ({}, False),
]


@_runs("opencode disabled")
def _run_withdrawal(_fact: Fact, _folder: Path) -> Pair:
    ours = [
        _rules({"skill": config}).is_withdrawn("skill", withdrawal=Withdrawal.LAST_RULE)
        for config, _ in _WITHDRAWN
    ]
    return ours, [withdrawn for _, withdrawn in _WITHDRAWN]
