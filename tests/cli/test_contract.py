"""What other programs rely on: commands, JSON, exit codes, and what goes where."""
# ruff: noqa: E501 - the snapshots are as wide as what they show

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import NoneType
from typing import Any

import pytest
from inline_snapshot import snapshot

from metier.cli import run
from metier.testing import make_skill
from metier.world import dialects

PDF = ".agents/skills/pdf/SKILL.md"
SKILLS = {
    PDF: make_skill(
        "pdf", "Fills PDF forms", body="Read @forms.md, then run !`date`.\n"
    ),
    ".agents/skills/manual/SKILL.md": make_skill(
        "manual", "By hand only", fields={"disable-model-invocation": True}
    ),
    ".agents/skills/broken/SKILL.md": "no frontmatter\n",
    ".claude/skills/pdf/SKILL.md": make_skill("pdf", "Another one"),
}

TEXT = (str,)
TEXT_OR_NULL = (str, NoneType)
NUMBER_OR_NULL = (int, NoneType)
DIAGNOSTIC = {
    "rule": TEXT,
    "severity": TEXT,
    "message": TEXT,
    "path": TEXT_OR_NULL,
    "line": NUMBER_OR_NULL,
    "column": NUMBER_OR_NULL,
    "span": (list, NoneType),
    "help": TEXT_OR_NULL,
    "source": TEXT_OR_NULL,
}
CANDIDATE = {
    "name": TEXT_OR_NULL,
    "path": TEXT,
    "root": TEXT,
    "scope": TEXT,
    "precedence": (int,),
    "status": TEXT,
    "rule": TEXT,
    "because": TEXT,
    "source": TEXT_OR_NULL,
}
CELL = {
    "dialect": TEXT,
    "outcome": TEXT,
    "status": TEXT,
    "name": TEXT_OR_NULL,
    "rule": TEXT,
    "because": TEXT,
    "path": TEXT_OR_NULL,
    "source": TEXT_OR_NULL,
}
LISTED = {**CANDIDATE, "description": TEXT_OR_NULL, "diagnostics": (list,)}
PARSED = {
    "path": TEXT,
    "ok": (bool,),
    "error": TEXT_OR_NULL,
    "name": TEXT_OR_NULL,
    "description": TEXT_OR_NULL,
    "when_to_use": TEXT_OR_NULL,
    "allowed_tools": (str, list, NoneType),
    "disable_model_invocation": (bool, NoneType),
    "license": TEXT_OR_NULL,
    "compatibility": TEXT_OR_NULL,
    "metadata": (dict, NoneType),
    "body_bytes": NUMBER_OR_NULL,
    "body_sha256": TEXT_OR_NULL,
    "diagnostics": (list,),
}


@dataclass(frozen=True)
class Told:
    """What one call said."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Metier = Callable[..., Told]


def write(folder: Path, content: dict[str, str]) -> None:
    for path, text in content.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, "utf-8")


@pytest.fixture
def metier(
    world: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Metier:
    """Run a command line; paths in what it says are those below `/W`."""
    monkeypatch.setenv("COLUMNS", "100")

    def call(*arguments: str) -> Told:
        code = run(list(arguments))
        said = capfd.readouterr()
        out, err = (text.replace(str(world), "/W") for text in said)
        return Told(code, out, err)

    return call


@pytest.fixture
def workspace(project: Path) -> Path:
    """A project with a skill, one for people only, one that lost and a broken one."""
    write(project, SKILLS)
    return project


def assert_shape(value: dict[str, Any], shape: dict[str, tuple[type, ...]]) -> None:
    assert value.keys() == shape.keys()
    wrong = {k: v for k, v in value.items() if type(v) not in shape[k]}
    assert wrong == {}


# --- what each command prints for people ----------------------------------------------


def test_list_shows_every_candidate(workspace: Path, metier: Metier):
    assert metier("list").out == snapshot("""\
o manual    (manual only) By hand only
+ pdf       Fills PDF forms
- pdf       /W/project/.claude/skills/pdf/SKILL.md: /W/project/.agents/skills/pdf/SKILL.md counts instead (first-wins)
x (broken)  /W/project/.agents/skills/broken/SKILL.md: no frontmatter: the first line is not `---` (frontmatter-missing)
agentskills: 1 loaded, 1 hidden, 1 shadowed, 1 rejected, in 2 folders
""")


def test_catalog_prints_the_bytes_and_nothing_else(workspace: Path, metier: Metier):
    assert metier("catalog") == snapshot(
        Told(
            code=0,
            out="""\
<available_skills>
<skill>
<name>pdf</name>
<description>Fills PDF forms</description>
<location>/W/project/.agents/skills/pdf/SKILL.md</location>
</skill>
</available_skills>\
""",
            err="",
        )
    )


def test_load_prints_what_the_tool_returns(workspace: Path, metier: Metier):
    assert metier("load", "pdf") == snapshot(
        Told(
            code=0,
            out="""\
<skill_content name="pdf">
Read @forms.md, then run !`date`.

Skill directory: /W/project/.agents/skills/pdf
Relative paths in this skill are relative to the skill directory.
</skill_content>\
""",
            err="",
        )
    )


def test_why_tells_of_every_candidate(workspace: Path, metier: Metier):
    assert metier("why", "pdf").out == snapshot("""\
+ pdf: loaded
  file    /W/project/.agents/skills/pdf/SKILL.md
  root    /W/project/.agents/skills (project, precedence 1)
  rule    loaded: found in project folder /W/project/.agents/skills
  source  agentskills/agentskills@69ef37e:docs/client-implementation/adding-skills-support.mdx (where to scan)

- pdf: shadowed
  file    /W/project/.claude/skills/pdf/SKILL.md
  root    /W/project/.claude/skills (project, precedence 1)
  rule    first-wins: /W/project/.agents/skills/pdf/SKILL.md counts instead
  source  agentskills/agentskills@69ef37e:docs/client-implementation/adding-skills-support.mdx (name collisions)
""")


def test_why_tells_the_rule_that_rejects(workspace: Path, metier: Metier):
    assert metier("why", "broken").out == snapshot("""\
x (broken): rejected
  file    /W/project/.agents/skills/broken/SKILL.md
  root    /W/project/.agents/skills (project, precedence 1)
  rule    frontmatter-missing: no frontmatter: the first line is not `---`
  source  agentskills/agentskills@69ef37e:docs/client-implementation/adding-skills-support.mdx (parsing)
  /W/project/.agents/skills/broken/SKILL.md:1:1: error: no frontmatter: the first line is not `---` [frontmatter-missing]
    help: start the file with `---`, `name:`, `description:` and `---`
""")


def test_why_asks_every_agent(workspace: Path, metier: Metier):
    told = metier("why", "pdf", "--dialect", "all").out
    lines = [" ".join(line.split()) for line in told.splitlines()]
    five = ("batuta", "brutus", "opencode-spec", "opi", "shelley")
    assert [line for line in lines if line.startswith(five)] == snapshot(
        [
            "batuta loaded /W/project/.claude/skills/pdf/SKILL.md",
            "brutus loaded /W/project/.claude/skills/pdf/SKILL.md",
            "opencode-spec loaded /W/project/.claude/skills/pdf/SKILL.md",
            "opi not looked for folder-not-searched: no folder of this agent leads there",
            "shelley not looked for file-passed-over: /W/project is searched, but folders whose name starts with a dot are not searched",
        ]
    )


def test_match_prints_the_name_and_says_why_beside_it(workspace: Path, metier: Metier):
    assert metier("match", "fill in this PDF form") == snapshot(
        Told(code=0, out="pdf\n", err="because: pdf, fill, form\n")
    )


def test_refs_prints_what_stands_where(workspace: Path, metier: Metier):
    assert metier("refs", PDF) == snapshot(
        Told(
            code=0,
            out="""\
.agents/skills/pdf/SKILL.md:6:6: @forms.md
.agents/skills/pdf/SKILL.md:6:26: !`date`
""",
            err="",
        )
    )


def test_parse_prints_a_verdict_for_each_file(workspace: Path, metier: Metier):
    assert metier("parse", PDF, ".agents/skills/broken/SKILL.md") == snapshot(
        Told(
            code=1,
            out="""\
.agents/skills/pdf/SKILL.md: ok
.agents/skills/broken/SKILL.md: frontmatter-missing
""",
            err="""\
.agents/skills/broken/SKILL.md:1:1: error: no frontmatter: the first line is not `---` [frontmatter-missing]
    help: start the file with `---`, `name:`, `description:` and `---`
""",
        )
    )


# --- JSON -----------------------------------------------------------------------------


def test_list_json_has_the_keys_of_the_contract(workspace: Path, metier: Metier):
    listed = metier("list", "--json").json
    assert_shape(
        listed,
        {
            "version": (int,),
            "dialect": TEXT,
            "cwd": TEXT,
            "roots": (list,),
            "skills": (list,),
            "diagnostics": (list,),
        },
    )
    assert listed["version"] == 1
    for root in listed["roots"]:
        assert_shape(root, {"path": TEXT, "scope": TEXT, "precedence": (int,)})
    for skill in listed["skills"]:
        assert_shape(skill, LISTED)
    for diagnostic in listed["diagnostics"]:
        assert_shape(diagnostic, DIAGNOSTIC)


def test_list_json_holds_all_candidates_the_loaded_first(
    workspace: Path, metier: Metier
):
    skills = metier("list", "--json").json["skills"]
    assert [(skill["status"], skill["name"], skill["path"]) for skill in skills] == [
        ("hidden", "manual", "/W/project/.agents/skills/manual/SKILL.md"),
        ("loaded", "pdf", "/W/project/.agents/skills/pdf/SKILL.md"),
        ("shadowed", "pdf", "/W/project/.claude/skills/pdf/SKILL.md"),
        ("rejected", None, "/W/project/.agents/skills/broken/SKILL.md"),
    ]


def test_list_json_gives_absolute_paths_from_a_relative_folder(
    workspace: Path, metier: Metier
):
    skills = metier("list", "--json", "--cwd", ".").json["skills"]
    assert {skill["path"].startswith("/W/project/") for skill in skills} == {True}


def test_catalog_json_has_the_text_and_a_report(workspace: Path, metier: Metier):
    text = metier("catalog").out
    told = metier("catalog", "--json").json
    assert_shape(told.pop("tokens"), {"estimate": (int,), "budget": NUMBER_OR_NULL})
    assert told == {
        "version": 1,
        "dialect": "agentskills",
        "text": text,
        "shown": ["pdf"],
        "cut": {"trimmed": [], "names_only": [], "omitted": []},
        "budget": None,
    }


def test_a_budget_cuts_the_catalog_and_says_what_went(workspace: Path, metier: Metier):
    told = metier("catalog", "--json", "--budget", "1").json
    assert (told["shown"], told["cut"]["omitted"]) == ([], ["pdf"])
    assert told["tokens"]["budget"] == 1


def test_a_window_counts_for_an_agent_that_takes_a_share(
    workspace: Path, metier: Metier
):
    assert metier("catalog", "--window", "10").out == metier("catalog").out
    shipped = Path(dialects.__file__).parent.parent / "dialects" / "agentskills.toml"
    share = "[catalog.budget]\nshare = 0.1\n"
    (workspace / "own.toml").write_text(f"{shipped.read_text()}\n{share}", "utf-8")
    asked = ("catalog", "--dialect", "own.toml", "--window")
    assert metier(*asked, "10000").out == metier("catalog").out
    told = metier(*asked, "10")
    assert (told.code, "pdf" in told.out) == (0, False)
    assert told.err == (
        "1 skill left out\neven so it takes 19 of 1 tokens (estimated)\n"
    )


def test_load_json_has_the_output_beside_its_place(workspace: Path, metier: Metier):
    output = metier("load", "pdf").out
    assert metier("load", "pdf", "--json").json == {
        "version": 1,
        "dialect": "agentskills",
        "name": "pdf",
        "title": "Loaded skill: pdf",
        "output": output,
        "directory": "/W/project/.agents/skills/pdf",
        "path": "/W/project/.agents/skills/pdf/SKILL.md",
    }


def test_match_json_has_the_match_and_the_scores(workspace: Path, metier: Metier):
    told = metier("match", "fill in this PDF form", "--json").json
    assert_shape(told, {"match": TEXT_OR_NULL, "scores": (list,)})
    assert told["match"] == "pdf"
    for score in told["scores"]:
        assert_shape(score, {"name": TEXT, "score": (float,), "because": TEXT})


def test_match_json_has_null_for_no_match(workspace: Path, metier: Metier):
    told = metier("match", "sing a song", "--json")
    assert (told.code, told.json["match"]) == (1, None)


def test_why_json_has_every_candidate(workspace: Path, metier: Metier):
    told = metier("why", "pdf", "--json").json
    assert (told["version"], told["dialect"], told["name"]) == (1, "agentskills", "pdf")
    assert [each["status"] for each in told["candidates"]] == ["loaded", "shadowed"]
    for candidate in told["candidates"]:
        assert_shape(candidate, CANDIDATE)


def test_why_json_has_a_row_for_every_agent(workspace: Path, metier: Metier):
    told = metier("why", "pdf", "--json", "--dialect", "all").json
    assert_shape(told, {"version": (int,), "name": TEXT, "agents": (list,)})
    for row in told["agents"]:
        assert_shape(row, CELL)


def test_refs_json_has_spans_of_the_file(workspace: Path, metier: Metier):
    told = metier("refs", PDF, "--json").json
    text = SKILLS[PDF]
    path, command = text.index("@forms.md"), text.index("!`date`")
    assert told == {
        "version": 1,
        "dialect": "agentskills",
        "path": PDF,
        "files": [
            {"path": "forms.md", "line": 6, "column": 6, "span": [path, path + 9]}
        ],
        "commands": [
            {"command": "date", "line": 6, "column": 26, "span": [command, command + 7]}
        ],
    }


@pytest.mark.parametrize("dialect", ["brutus", "opencode-spec"])
def test_refs_counts_the_lines_of_the_file_where_the_agent_rewrites_it(
    dialect: str, project: Path, metier: Metier
):
    text = "---\nname: x\ndescription: With: a colon\n---\n@forms.md\n"
    write(project, {"SKILL.md": text})
    (found,) = metier("refs", "--dialect", dialect, "--json", "SKILL.md").json["files"]
    assert (found["line"], found["span"][0]) == (5, text.index("@"))


def test_parse_json_has_a_line_for_each_file_in_order(workspace: Path, metier: Metier):
    files = [".agents/skills/broken/SKILL.md", PDF, "none/SKILL.md"]
    told = metier("parse", "--json", *files)
    lines = [json.loads(line) for line in told.out.splitlines()]
    assert [(line["path"], line["ok"]) for line in lines] == [
        (files[0], False),
        (files[1], True),
        (files[2], False),
    ]
    for line in lines:
        assert_shape(line, PARSED)
        for diagnostic in line["diagnostics"]:
            assert_shape(diagnostic, DIAGNOSTIC)


def test_parse_json_has_null_for_what_the_dialect_does_not_read(
    workspace: Path, metier: Metier
):
    line = metier("parse", "--json", "--dialect", "brutus", PDF).json
    unread = ("when_to_use", "allowed_tools", "disable_model_invocation", "license")
    assert {line[key] for key in (*unread, "compatibility", "metadata")} == {None}
    assert line["body_bytes"] == len("Read @forms.md, then run !`date`.")


def test_a_file_that_nobody_may_read_has_its_line_like_the_others(
    workspace: Path, metier: Metier, monkeypatch: pytest.MonkeyPatch
):
    (workspace / "no.md").symlink_to(workspace)
    monkeypatch.setattr(os, "access", lambda *_: False)
    told = metier("parse", "--json", "no.md", PDF)
    lines = [json.loads(line) for line in told.out.splitlines()]
    assert [(line["path"], line["ok"]) for line in lines] == [
        ("no.md", False),
        (PDF, True),
    ]
    assert (told.code, metier("refs", "no.md").code) == (1, 1)


def test_parse_leaves_the_rule_about_the_folder_to_list(project: Path, metier: Metier):
    write(project, {".skills/folder/SKILL.md": make_skill("name", "d")})
    shelley = ("--dialect", "shelley", "--json")
    assert metier("parse", *shelley, ".skills/folder/SKILL.md").json["ok"] is True
    (listed,) = metier("list", *shelley).json["skills"]
    assert (listed["status"], listed["rule"]) == ("rejected", "name-not-directory")


def test_parse_reads_paths_of_any_bytes_from_stdin(project: Path):
    path = os.fsencode(project) + b"/caf\xe9.md"
    Path(os.fsdecode(path)).write_text(make_skill("x", "d"), "utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "metier", "parse", "--stdin-list", "--json"],
        input=path + b"\n\n",
        capture_output=True,
        check=False,
        env={**os.environ, "PYTHONIOENCODING": "utf-8:strict"},
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["name"] == "x"


def test_parse_says_where_a_list_on_stdin_names_no_file(
    metier: Metier, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(sys, "stdin", None)
    told = metier("parse", "--stdin-list", "--json")
    assert (told.code, told.out, told.err) == (3, "", "")


# --- exit codes, and which stream -----------------------------------------------------

FINE = [
    ["list"],
    ["list", "--json"],
    ["catalog"],
    ["load", "pdf"],
    ["match", "fill in this PDF form"],
    ["why", "pdf"],
    ["why", PDF],
    ["why", "pdf", "--dialect", "all"],
    ["refs", PDF],
    ["parse", PDF],
    ["--help"],
    ["list", "--help"],
    ["--version"],
]
NOT_FOUND = [
    ["load", "no-such-skill"],
    ["match", "sing a song"],
    ["why", "no-such-skill"],
    ["refs", "no-such-file"],
]
USAGE = [
    [],
    ["no-such-command"],
    ["list", "--no-such-option"],
    ["load"],
    ["parse"],
    ["catalog", "--budget", "-1"],
    ["catalog", "--window", "-1"],
    ["list", "--color", "sometimes"],
    ["list", "--dialect", "no-such-dialect"],
    ["list", "--dialect", "no-such-file.toml"],
    ["list", "--dialect", "wrong.toml"],
    ["list", "--dialect", "broken.toml"],
    *[
        [*command, "--dialect", "all"]
        for command in (["list"], ["catalog"], ["load", "pdf"], ["match", "x"])
    ],
    ["parse", PDF, "--dialect", "all"],
    ["refs", PDF, "--dialect", "all"],
]
AS_TYPED = " ".join


@pytest.mark.parametrize("arguments", FINE, ids=AS_TYPED)
def test_what_is_found_is_on_stdout(
    arguments: list[str], workspace: Path, metier: Metier
):
    told = metier("-q", *arguments)
    assert (told.code, told.err) == (0, "")
    assert told.out != ""


@pytest.mark.parametrize("arguments", NOT_FOUND, ids=AS_TYPED)
def test_what_is_not_found_exits_with_1_and_leaves_stdout_empty(
    arguments: list[str], workspace: Path, metier: Metier
):
    told = metier(*arguments)
    assert (told.code, told.out) == (1, "")


@pytest.mark.parametrize("arguments", USAGE, ids=AS_TYPED)
def test_a_wrong_call_exits_with_2_and_says_so_on_stderr(
    arguments: list[str], workspace: Path, metier: Metier
):
    write(workspace, {"wrong.toml": "name = 3\n", "broken.toml": "name =\n"})
    told = metier(*arguments)
    assert (told.code, told.out) == (2, "")
    assert "rror" in told.err


def test_a_file_that_is_no_skill_exits_with_1(workspace: Path, metier: Metier):
    assert metier("parse", PDF, ".agents/skills/broken/SKILL.md").code == 1


@pytest.mark.parametrize("output", [[], ["--json"]], ids=["text", "json"])
def test_list_exits_with_3_where_there_is_nothing(output: list[str], metier: Metier):
    assert metier("list", *output).code == 3


def test_findings_are_on_stderr_and_silence_can_be_asked_for(
    workspace: Path, metier: Metier
):
    assert "frontmatter-missing" in metier("list", "-v").err
    assert metier("list", "-q", "-v").err == ""


def test_an_unknown_name_is_told_in_the_words_of_the_dialect(
    workspace: Path, metier: Metier
):
    told = metier("load", "pfd", "--dialect", "opencode-spec")
    assert (told.code, told.out, told.err) == (
        1,
        "",
        'Skill "pfd" not found. Available skills: pdf\n',
    )


def test_the_default_dialect_offers_a_similar_name(workspace: Path, metier: Metier):
    assert metier("load", "pfd").err.endswith("; did you mean `pdf`?\n")


def test_an_unknown_dialect_is_answered_with_the_known_ones(metier: Metier):
    told = metier("list", "--dialect", "nope")
    assert told.err.startswith("error: unknown dialect `nope`\n")
    assert "opencode-spec" in told.err


@pytest.mark.parametrize(
    "arguments",
    [["list"], ["list", "-v"], ["list", "--json"], ["catalog"], ["load", "x"]],
    ids=AS_TYPED,
)
def test_where_the_agent_gives_up_its_reason_is_told_once(
    arguments: list[str], project: Path, metier: Metier
):
    write(project, {".opi/skills/x/SKILL.md": "no frontmatter\n"})
    told = metier("--dialect", "opi", *arguments)
    assert told.code == 1
    assert told.err.count("error: no frontmatter") == 1


def test_what_the_agent_gives_up_on_is_still_listed(project: Path, metier: Metier):
    write(project, {".opi/skills/x/SKILL.md": "no frontmatter\n"})
    (skill,) = metier("--dialect", "opi", "list", "--json").json["skills"]
    assert (skill["status"], skill["rule"]) == ("rejected", "frontmatter-missing")


# --- options --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "option",
    [["--dialect", "brutus"], ["--cwd", ".claude"], ["--home", "."], ["--json"]],
    ids=AS_TYPED,
)
def test_a_global_option_may_stand_on_either_side(
    option: list[str], workspace: Path, metier: Metier
):
    assert metier(*option, "list") == metier("list", *option)


def test_the_option_behind_the_command_has_the_last_word(
    workspace: Path, metier: Metier
):
    told = metier("--dialect", "opi", "-q", "list", "--dialect", "agentskills", "-v")
    assert "agentskills: 1 loaded" in told.out
    assert "frontmatter-missing" in told.err


def test_home_replaces_the_folders_of_the_old_home(
    world: Path, metier: Metier, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(world / "home"))
    write(world / "new", {".config/opencode/skill/x/SKILL.md": make_skill("x", "d")})
    told = metier("list", "--json", "--dialect", "opencode-spec", "--home", "../new")
    (skill,) = told.json["skills"]
    assert skill["path"] == "/W/new/.config/opencode/skill/x/SKILL.md"


def test_root_replaces_the_folders_of_the_dialect(workspace: Path, metier: Metier):
    told = metier("list", "--json", "--root", ".claude/skills").json
    assert [root["path"] for root in told["roots"]] == ["/W/project/.claude/skills"]
    (skill,) = told["skills"]
    assert (skill["description"], skill["scope"]) == ("Another one", "explicit")


@pytest.mark.parametrize(
    ("roots", "winner"),
    [
        (["a:1", "b:2"], "of b"),
        (["a:2", "b:1"], "of a"),
        (["b:1", "a:2"], "of a"),
    ],
    ids=str,
)
def test_root_takes_a_precedence(
    roots: list[str], winner: str, project: Path, metier: Metier
):
    for folder in "ab":
        write(project, {f"{folder}/x/SKILL.md": make_skill("x", f"of {folder}")})
    given = [word for root in roots for word in ("--root", root)]
    told = metier("list", "--json", "--dialect", "opi", *given).json
    loaded = [s["description"] for s in told["skills"] if s["status"] == "loaded"]
    assert loaded == [winner]
    numbers = {root["path"][-1]: root["precedence"] for root in told["roots"]}
    assert numbers == {root[0]: int(root[-1]) for root in roots}


def test_a_root_that_is_not_there_is_told(metier: Metier):
    told = metier("list", "--root", "nowhere")
    assert (told.code, "there is no such folder" in told.err) == (3, True)


def test_a_root_that_is_a_file_is_told(workspace: Path, metier: Metier):
    told = metier("list", "--root", PDF)
    assert (told.code, told.err) == (
        3,
        f"/W/project/{PDF}: warning: not a folder [folder-unreadable]\n",
    )


@pytest.mark.parametrize("name", ["-lead", "-q7", "-json"])
def test_a_name_may_start_with_a_hyphen(name: str, project: Path, metier: Metier):
    path = ".agents/skills/odd/SKILL.md"
    write(project, {path: make_skill(name, "odd", body="Odd.\n")})
    plain = metier("load", name, "-q")
    assert (plain.err, plain.code) == ("", 0)
    assert plain.out == metier("load", "--", name).out
    assert metier("why", name).out.startswith(f"! {name}: loaded")


def test_two_of_them_are_mistyped_options(workspace: Path, metier: Metier):
    told = metier("load", "-lead", "-cwd")
    assert (told.code, told.out) == (2, "")
    assert "No such option" in told.err


@pytest.mark.parametrize("name", ["pdf", PDF, ".agents/skills/pdf"])
def test_why_takes_a_name_a_file_or_its_folder(
    name: str, workspace: Path, metier: Metier
):
    assert "+ pdf: loaded" in metier("why", name).out


@pytest.mark.parametrize("dialect", ["codex", "all"])
def test_why_takes_a_path_from_where_the_agent_is(
    dialect: str, workspace: Path, metier: Metier, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir("/")
    there = ("--cwd", str(workspace), "--dialect", dialect)
    assert metier("why", PDF, *there).code == 0


@pytest.mark.parametrize("command", ["catalog", "load", "match", "why"])
def test_every_command_about_skills_takes_roots(
    command: str, workspace: Path, metier: Metier
):
    words = {"catalog": [], "load": ["pdf"], "match": ["pdf Another one"]}
    told = metier(command, *words.get(command, ["pdf"]), "--root", ".claude/skills")
    assert told.code == 0
    assert "/W/project/.agents" not in told.out


def test_color_is_only_for_those_who_ask(workspace: Path, metier: Metier):
    assert "\x1b[" not in metier("list", "-v").err
    assert "\x1b[" in metier("list", "-v", "--color", "always").err
