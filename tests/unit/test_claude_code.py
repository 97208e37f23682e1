"""Claude Code: folders that are names, headers that may fail, a list under a budget."""

from __future__ import annotations

from pathlib import Path

import pytest

from metier.api import discover
from metier.core.document import DocumentReader
from metier.core.filling import prepare_values, render_appendix, render_template
from metier.core.references import find_file_references
from metier.core.substitution import Variable, substitution_of
from metier.core.templates import parse_template
from metier.errors import LoadError
from metier.library import Library
from metier.report.catalogs import catalog_notes
from metier.testing import Content, Link, MemoryFileSystem
from metier.world.dialects import load_dialect
from tests.conformance.loading import altered_dialect
from tests.inserting import OPEN, skill_with

CLAUDE = load_dialect("claude-code")
RULE = substitution_of(CLAUDE)
HEAD = "The following skills are available for use with the Skill tool:\n\n"
MINE, OURS = "/home/.claude/skills", "/proj/.claude/skills"


def library(
    files: dict[str, Content], *, cwd: str = "/proj", **variables: str
) -> Library:
    return discover(
        dialect="claude-code",
        cwd=cwd,
        home="/home",
        variables=variables,
        filesystem=MemoryFileSystem(files),
    )


def skill(header: str, body: str = "Do it.") -> str:
    return f"---\n{header}\n---\n\n{body}\n"


def listed(header: str, body: str = "Do it.") -> str:
    """The list of a single skill, from its name on."""
    found = library({f"{OURS}/pdf/SKILL.md": skill(header, body)})
    return found.catalog().removeprefix(HEAD)


def test_the_users_skills_are_listed_first_and_then_those_nearest_by():
    found = library(
        {
            "/proj/.git/HEAD": "",
            f"{OURS}/b/SKILL.md": skill("description: far"),
            f"{OURS}/A/SKILL.md": skill("description: far"),
            "/proj/pkg/.claude/skills/b/SKILL.md": skill("description: near"),
            f"{MINE}/c/SKILL.md": skill("description: mine"),
            "/.claude/skills/d/SKILL.md": skill("description: beyond"),
        },
        cwd="/proj/pkg",
    )
    text = "- c: mine\n- b: near\n- A: far\n- b: far"
    assert found.catalog() == HEAD + text
    assert found["b"].description == "near"


def test_what_holds_for_the_machine_comes_before_all():
    found = library(
        {
            "/etc/claude-code/.claude/skills/b/SKILL.md": skill("description: theirs"),
            f"{MINE}/a/SKILL.md": skill("description: mine"),
            f"{MINE}/b/SKILL.md": skill("description: mine"),
        }
    )
    assert found.catalog() == f"{HEAD}- b: theirs\n- a: mine\n- b: mine"


def test_outside_of_a_repository_all_folders_count_up_to_the_home():
    files: dict[str, Content] = {
        "/home/.claude/skills/a/SKILL.md": skill("description: mine"),
        "/home/x/.claude/skills/b/SKILL.md": skill("description: near"),
        "/.claude/skills/c/SKILL.md": skill("description: far"),
        "/proj/x/y": "",
    }
    assert library(files, cwd="/home/x").names == ("a", "b")
    assert library(files, cwd="/proj/x").names == ("a", "c")


def test_a_variable_moves_the_users_folder():
    files: dict[str, Content] = {
        "/cfg/skills/a/SKILL.md": skill("description: moved"),
        f"{MINE}/b/SKILL.md": skill("description: mine"),
    }
    found = library(files, CLAUDE_CONFIG_DIR="/cfg")
    assert found.names == ("a",)


def test_the_folder_is_the_name_and_the_header_a_label():
    found = library({f"{OURS}/a b/SKILL.md": skill("name: [x]\ndescription: d")})
    assert [(s.name, s.diagnostics) for s in found.skills] == [("a b", ())]


def test_skills_lie_one_folder_deep_in_any_folder_under_one_name():
    found = library(
        {
            f"{OURS}/.hidden/SKILL.md": skill("description: d"),
            f"{OURS}/a/skill.md": skill("description: d"),
            f"{OURS}/b/c/SKILL.md": skill("description: d"),
            f"{OURS}/SKILL.md": skill("description: d"),
            f"{OURS}/flat.md": skill("description: d"),
        }
    )
    assert found.names == (".hidden",)


def test_a_file_that_is_reached_twice_counts_once():
    found = library(
        {
            "/store/x/SKILL.md": skill("description: d"),
            f"{OURS}/b": Link("/store/x"),
            f"{OURS}/A/SKILL.md": Link("/store/x/SKILL.md"),
            f"{MINE}/z": Link("/store/x"),
        }
    )
    assert found.names == ("z",)
    lost = [(each.path, each.rule) for each in found.rejected]
    assert lost == [
        (f"{OURS}/A/SKILL.md", "file-repeated"),
        (f"{OURS}/b/SKILL.md", "file-repeated"),
    ]


@pytest.mark.parametrize(
    ("header", "text"),
    [
        ("description: Use when: asked", "Use when: asked"),
        ("description: before --- after", "before"),
        ("description: 1.50", "1.5"),
        ("description: one\ndescription: two", "two"),
        ("description: !important thing", "thing"),
        ("description: [a, b]", "Do it."),
        ("description: @a\nmetadata:\n\tk: v", "@a"),
        ("description: - a", "Do it."),
        ('description: "a', "Do it."),
        ("- a", "Do it."),
        ("description: ' '", "Do it."),
        ("description: d\nwhen_to_use: ' asked '", "d -  asked "),
        ("when_to_use: 0", "Do it. - 0"),
        ("description: d\nwhen-to-use: asked", "d"),
        ("paths: '**'", "Do it."),
        ("disable-model-invocation: yes", "Do it."),
        ("user-invocable: false", "Do it."),
    ],
)
def test_what_stands_behind_a_name_in_the_list(header: str, text: str):
    assert listed(header) == f"- pdf: {text}"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("# Reads PDFs\n\nWell.", "Reads PDFs"),
        ("\ufeff---\ndescription: d\n---\n", "---"),
        ("---\ndescription: d\n", "---"),
        ("", "Skill"),
        ("x" * 101, "x" * 97 + "..."),
    ],
)
def test_a_file_without_a_header_is_its_first_line(text: str, shown: str):
    found = library({f"{OURS}/pdf/SKILL.md": text})
    assert found.catalog() == f"{HEAD}- pdf: {shown}"
    rules = {each.rule for each in found["pdf"].diagnostics}
    assert "description-missing" in rules


def test_a_header_that_is_not_yaml_is_told_and_nothing_is_lost():
    found = library({f"{OURS}/pdf/SKILL.md": skill("description: - a")})
    assert [each.rule for each in found["pdf"].diagnostics] == [
        "frontmatter-dropped",
        "description-missing",
    ]
    assert found.read_body(found["pdf"]) == "Do it.\n"


def test_what_else_was_noticed_about_such_a_file_stays():
    text = {"decoding": "warn", "byte_order_mark": "keep"}
    reader = DocumentReader(altered_dialect("claude-code", text=text))
    document = reader.read(b"---\nx: - \xff\n---\nbody", directory="pdf")
    assert document.description == "body"
    assert [each.rule for each in document.diagnostics] == [
        "text-not-utf8",
        "frontmatter-dropped",
        "description-missing",
    ]


def test_a_description_is_cut_in_utf16_and_halves_are_no_characters():
    text = "\U0001f600" * 768
    assert listed(f"description: {text}") == f"- pdf: {text}"
    cut = "\U0001f600" * 767 + "\ufffd\u2026"
    assert listed(f"description: {text}a") == f"- pdf: {cut}"


def test_a_skill_with_paths_waits_for_a_file():
    found = library({f"{OURS}/pdf/SKILL.md": skill("description: d\npaths: '*.pdf'")})
    assert [each.rule for each in found.rejected] == ["paths-waiting"]
    (account,) = found.why("pdf")
    assert account.because == "it waits until a file is read that matches `*.pdf`"


def test_a_skill_that_the_model_may_not_invoke_is_out_of_its_list():
    header = "description: d\ndisable-model-invocation: 'true'"
    assert listed(header) == ""


def test_a_skill_may_be_kept_from_people():
    files: dict[str, Content] = {
        f"{OURS}/{name}/SKILL.md": skill(f"description: d\nuser-invocable: {flag}")
        for name, flag in (("a", "true"), ("b", "false"), ("c", "yes"))
    }
    assert [each.name for each in library(files).invocable] == ["a"]


def test_a_file_above_a_million_bytes_is_no_skill():
    text = skill("description: d")
    fits = text + "x" * (1_000_000 - len(text))
    found = library({f"{OURS}/a/SKILL.md": fits, f"{OURS}/b/SKILL.md": fits + "x"})
    assert found.names == ("a",)
    assert [each.rule for each in found.rejected] == ["file-too-large"]


def test_a_hundredth_of_the_window_holds_the_list_and_the_agents_own_skills():
    files: dict[str, Content] = {
        f"{OURS}/s{i}/SKILL.md": skill(f"description: {'x' * 1000}{i}")
        for i in range(6)
    }
    found = library(files)
    assert found.render(window=1_000_000).bare == ()
    catalog = found.render(window=200_000)
    assert catalog.bare == ("s3", "s4", "s5")
    assert catalog.text.endswith("2\n- s3\n- s4\n- s5")
    assert catalog.text == found.catalog()
    assert list(catalog_notes(catalog)) == ["3 skills by name only"]
    tight = found.render(budget=100)
    assert list(catalog_notes(tight))[-1].endswith("of 400 columns")


def test_after_a_compaction_the_beginning_of_each_skill_comes_back():
    files: dict[str, Content] = {
        f"{OURS}/{name}/SKILL.md": skill("description: d", f"{name} " * 6_000)
        for name in ("one", "two", "six")
    }
    found = library(files)
    ledger = found.ledger()
    tool = found.tool(ledger=ledger)
    (key,) = tool.schema["required"]
    for name in ("one", "two", "six", "one"):
        tool.call({key: name})
    back = ledger.reinject()
    assert (back.whole, back.cut) == ((), ("one", "two", "six"))
    assert (back.tokens <= 25_000, back.budget) == (True, 25_000)
    assert ledger.reinject(11_000).cut == ("one", "six")


# --- handing over --------------------------------------------------------------------


def filled(body: str, arguments: str = "", names: tuple[str, ...] = ()) -> str:
    """What becomes of a body; the commands in it stand in angle brackets."""
    template = parse_template(body, RULE, names=names)
    known = {Variable.SKILL_DIRECTORY: "/s", Variable.PROJECT_DIRECTORY: "/p"}
    values, problem = prepare_values(template, RULE, arguments, known)
    assert problem is None
    outputs = [f"<{command.source}>" for command in template.commands]
    text = render_template(template, values, outputs=outputs)
    return text + render_appendix(template, RULE, arguments)


@pytest.mark.parametrize(
    ("body", "arguments", "text"),
    [
        ("$ARGUMENTS", "a 'b c'", "a 'b c'"),
        ("$ARGUMENTS", "", ""),
        ("$ARGUMENTS_X $ARGUMENTS1", "a", "a_X a1"),
        ("$ARGUMENTS[1] $ARGUMENTS[01] $ARGUMENTS[7]", "a b", "b b "),
        ("$0$1 $2", "a 'b c'", "ab c "),
        ("$1, $1a $1_ $01", "a b", "b, $1a $1_ b"),
        ("costs $5", "", "costs "),
        ("\\$0 \\\\$0 $$0", "a", "$0 \\\\a $a"),
        ("no place", "a b", "no place\n\nARGUMENTS: a b"),
        ("no place", "", "no place"),
        ("${CLAUDE_SKILL_DIR} ${CLAUDE_PROJECT_DIR} ${X}", "", "/s /p ${X}"),
    ],
)
def test_arguments_are_filled_in(body: str, arguments: str, text: str):
    assert filled(body, arguments) == text


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("$a $b-c", "one two-c"),
        ("$ab $a_ $a[0] \\$a", "$ab $a_ $a[0] $a\n\nARGUMENTS: one two three"),
        ("$\u00e9+ $1", "three two"),
        ("none", "none\n\nARGUMENTS: one two three"),
    ],
)
def test_declared_names_stand_for_arguments(body: str, text: str):
    names = ("a", "2", "b", "\u00e9+")
    assert filled(body, "one two three", names) == text


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("!`a`\n- !`b` c!`d`", "<a>\n- <b> c!`d`"),
        ("!`a\nb`", "<a\nb>"),
        ("x `!`a`` `b !`c` d` `e` !`f`", "x `!`a`` `b !`c` d` `e` <f>"),
        ("`a\n!`b`", "`a\n<b>"),
        ("``a !`b` ``", "``a <b> ``"),
        ("```sh\n!`a`\n```", "```sh\n<a>\n```"),
        ("x ```!\n  a\nb\n``` y", "x <a\nb> y"),
        ("```!a``` ```! ``` ```!b", "<a> ```! ``` ```!b"),
        (
            "x\ufeff!`a` \x85!`b` \x1c!`c` \u2028!`d`",
            "x\ufeff<a> \x85!`b` \x1c!`c` \u2028<d>",
        ),
        ("!`\xa0a \n` !` ` !`\ufeff` ```!\n\n a \n\n```", "<a> !` ` !`\ufeff` <a>"),
    ],
)
def test_commands_stand_behind_blanks_and_between_fences(body: str, text: str):
    assert filled(body) == text


PRINTING = "head -c {} /dev/zero | tr '\\0' x"


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("echo hi", "hi"),
        ("echo er >&2", "er"),
        ("echo 1; echo 2 >&2; echo 3", "1\n2\n3"),
        ("true", "(Bash completed with no output)"),
        ("printf ' \\n\\n  x  \\n\\n'", "  x"),
        ("printf '\\033[31mred\\033[0m\\r\\n'", "\x1b[31mred\x1b[0m"),
        ("grep x /dev/null", "(Bash completed with no output)"),
        ("nosuch; true", "bash: line 1: nosuch: command not found"),
        (PRINTING.format(30_000), "x" * 30_000),
        (
            PRINTING.format(40 * 1024),
            "<persisted-output>\nOutput too large (40KB).\n\nPreview (first 2KB):\n"
            + "x" * 2000
            + "\n...\n</persisted-output>",
        ),
    ],
)
def test_what_a_command_says_stands_in_its_place(
    tmp_path: Path, command: str, said: str
):
    found = skill_with(
        f"a !`{command}` b\n```!\n{command}\n```\n", CLAUDE, cwd=tmp_path, folder=MINE
    )
    assert found.load("x", policy=OPEN).body == f"a {said} b\n{said}\n"


@pytest.mark.parametrize(
    ("body", "arguments", "words"),
    [
        ("a !` exit $0` b", "1", 'failed for pattern "!` exit 1`":'),
        (
            "```!\nls; echo er >&2; exit 3\n```",
            "",
            'failed for pattern "```!\nls; echo er >&2; exit 3\n```": [stderr]\ner',
        ),
        (
            "!`nosuch`",
            "",
            (
                'failed for pattern "!`nosuch`": [stderr]\n'
                "bash: line 1: nosuch: command not found"
            ),
        ),
        (
            "!`eval $0`",
            "ls",
            (
                'permission check failed for pattern "!`eval ls`": '
                "the shell might read an argument as code"
            ),
        ),
    ],
)
def test_a_command_that_fails_hands_nothing_over(
    tmp_path: Path, body: str, arguments: str, words: str
):
    found = skill_with(body, CLAUDE, cwd=tmp_path, folder=MINE)
    with pytest.raises(LoadError) as caught:
        found.load("x", arguments=arguments, policy=OPEN)
    assert str(caught.value) == f"Shell command {words}"
    (finding,) = caught.value.diagnostics
    assert finding.rule == "run-command-failed"
    assert finding.message.startswith("the command `")


def test_a_command_of_several_lines_gets_its_arguments(tmp_path: Path):
    body = "```!\nprintf '%s\\n' $0 >&2\necho \"$1\" $#\n```\n"
    found = skill_with(body, CLAUDE, cwd=tmp_path, folder=MINE)
    loaded = found.load("x", arguments="'a  b' \"$(id)\"", policy=OPEN)
    assert loaded.body == "a  b\n$(id) 0\n"


def test_files_are_named_behind_blanks():
    text = '@a.md, (@b) x@c `@d` @"e f" @a.md @g#L1 @~/h/ @\xa0@i)'
    found = find_file_references(text, CLAUDE.references.files)
    assert [each.path for each in found] == ["a.md", "e f", "g", "~/h", "i"]
    assert [text[each.span.start : each.span.end] for each in found][:2] == [
        "@a.md",
        '@"e f"',
    ]


def test_what_a_model_gets_and_what_it_is_told():
    found = library(
        {
            f"{OURS}/a/SKILL.md": skill("description: d", "  Do $ARGUMENTS."),
            f"{OURS}/b/SKILL.md": skill("disable-model-invocation: true"),
        }
    )
    tool = found.tool()
    assert (tool.name, tool.names) == ("Skill", ("a",))
    assert tool.schema["properties"].keys() == {"skill", "args"}
    given = tool.call({"skill": "a", "args": "it"})
    assert given.output == f"Base directory for this skill: {OURS}/a\n\nDo it.\n"
    assert given.title == "Launching skill: a"
    assert tool.call({"skill": "c"}).output == "Unknown skill: c"
    assert tool.call({"skill": "b"}).output == (
        "Skill b cannot be used with Skill tool due to disable-model-invocation"
    )


@pytest.mark.parametrize(
    ("header", "is_asked"),
    [
        ("description: d", False),
        ("allowed-tools: Read", True),
        ("allowed-tools:", False),
        ("disallowed-tools: [Read]", True),
        ("hooks: {Stop: [a]}", True),
        ("model: haiku", False),
    ],
)
def test_a_person_is_asked_about_a_skill_that_brings_tools(header: str, is_asked: bool):
    found = library({f"{OURS}/a/SKILL.md": skill(header)})
    asked: list[str] = []
    tool = found.tool(ask=lambda request: bool(asked.append(request.name)))
    assert tool.call({"skill": "a"}).is_error is is_asked
    assert asked == ["a"] * is_asked
    ruled = found.tool(permission={"Skill": {"a": "allow"}}, ask=None)
    assert not ruled.call({"skill": "a"}).is_error
