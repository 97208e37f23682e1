"""A body is cut into segments first, and values are put in after."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from metier.core.filling import (
    Prepared,
    Values,
    prepare_values,
    render_appendix,
    render_template,
)
from metier.core.references import ReferenceSyntax
from metier.core.substitution import (
    VERBATIM,
    CommandBlocks,
    CommandRule,
    Missing,
    Placeholder,
    Substitution,
    Variable,
    substitution_of,
)
from metier.core.templates import (
    Argument,
    Caller,
    Command,
    FileInsertion,
    Template,
    Text,
    Value,
    parse_template,
)
from metier.diagnostics import Span
from metier.world.dialects import load_dialect
from tests.unit.test_substitution import rule

CLAUDE, GOOSE, OPENCODE = rule("claude-code"), rule("goose"), rule("opencode")
SKILL = {Variable.SKILL_DIRECTORY: "/s/pdf"}


def fill(
    body: str,
    arguments: str,
    using: Substitution,
    *,
    names: Sequence[str] = (),
    caller: Caller = Caller.PERSON,
) -> str:
    """What comes out, with `<command>` for the output of a command."""
    template = parse_template(body, using, names=names, caller=caller)
    values, problem = prepare_values(template, using, arguments, SKILL)
    assert problem is None
    outputs = [f"<{command.source}>" for command in template.commands]
    text = render_template(template, values, outputs=outputs)
    return text + render_appendix(template, using, arguments)


def test_a_body_is_cut_into_segments_that_know_where_they_stand():
    body = "Fix $0 in ${CLAUDE_SKILL_DIR}, @notes.md:\n!`git log $ARGUMENTS`\n"
    template = parse_template(
        body, CLAUDE, references=ReferenceSyntax.AT_PATH_UNICODE, caller=Caller.MODEL
    )
    verbatim = Missing.VERBATIM
    position = Argument(Placeholder.POSITION, 0, "$0", Span(4, 6), verbatim)
    everything = Argument(Placeholder.ALL, 0, "$ARGUMENTS", Span(52, 62), verbatim)
    directory = Value(Variable.SKILL_DIRECTORY, "${CLAUDE_SKILL_DIR}", Span(10, 29))
    parts = (Text("git log ", Span(44, 52)), everything)
    assert template.segments == (
        Text("Fix ", Span(0, 4)),
        position,
        Text(" in ", Span(6, 10)),
        directory,
        Text(", ", Span(29, 31)),
        FileInsertion("notes.md:", "@notes.md:", Span(31, 41)),
        Text("\n", Span(41, 42)),
        Command("git log $ARGUMENTS", parts, Span(42, 63)),
        Text("\n", Span(63, 64)),
    )
    assert list(template.arguments) == [position, everything]
    assert [each.path for each in template.files] == ["notes.md:"]


@pytest.mark.parametrize(
    ("body", "arguments", "using", "expected"),
    [
        # Claude Code counts from 0, keeps what is not there, and takes escapes.
        ("$0 and $1", "'search bar' React", CLAUDE, "search bar and React"),
        ("$ARGUMENTS[1]", "a b", CLAUDE, "b"),
        ("$2 stays", "a", CLAUDE, "$2 stays"),
        ("raw: $ARGUMENTS", '"a b" c', CLAUDE, 'raw: "a b" c'),
        (r"\$1.00 and \$ARGUMENTS, $0", "x", CLAUDE, "$1.00 and $ARGUMENTS, x"),
        (r"\\$0", "x", CLAUDE, r"\\x"),
        (r"\$HOME $0", "x", CLAUDE, r"\$HOME x"),
        ("Do it.", "now", CLAUDE, "Do it.\n\nARGUMENTS: now"),
        ("Do it.", "  ", CLAUDE, "Do it."),
        ("in ${CLAUDE_SKILL_DIR}", "", CLAUDE, "in /s/pdf"),
        ("${CLAUDE_SESSION_ID}", "", CLAUDE, "${CLAUDE_SESSION_ID}"),
        ("$0", "it's mine", CLAUDE, "its mine"),
        # goose counts $N from 1 and $ARGUMENTS[N] from 0; what is not there is empty.
        ("$1/$2", "alpha beta", GOOSE, "alpha/beta"),
        ("[$5][$0][$ARGUMENTS[9]]", "one", GOOSE, "[][][]"),
        ("$ARGUMENTS[0]", "one two", GOOSE, "one"),
        ("$ARGUMENTS[abc]", "x y", GOOSE, "x y[abc]"),
        ("$1 $2", "it's C:\\x", GOOSE, "it's C:\\x"),
        ("raw=$ARGUMENTS pos=$1", '"a b" c', GOOSE, 'raw="a b" c pos=a b'),
        ("$ARGUMENTSX", "a", GOOSE, "$ARGUMENTSX\n\nARGUMENTS: a"),
        ("$99999999999999999999", "a", GOOSE, ""),
        ("$$ and $", "a", GOOSE, "$$ and $\n\nARGUMENTS: a"),
        # OpenCode gives the rest to the highest number.
        ("$1: $2", "a b c d", OPENCODE, "a: b c d"),
        ("$2", "a", OPENCODE, ""),
        ("$1", "say \"hello world\" 'x y'", OPENCODE, "say hello world x y"),
        ("$1|$2", "[Image 1] b", OPENCODE, "[Image 1]|b"),
        ("Do it.", "now", OPENCODE, "Do it.\n\nnow"),
        # One placeholder is not found in another's value.
        ("$0 $1", "'$1' '$0'", CLAUDE, "$1 $0"),
        ("$ARGUMENTS", "$ARGUMENTS !`rm` ${CLAUDE_SKILL_DIR} @x", CLAUDE, ...),
        # Nothing is filled in where a table says nothing.
        ("$1 $ARGUMENTS !`ls`", "a", VERBATIM, "$1 $ARGUMENTS !`ls`"),
    ],
)
def test_each_agent_counts_and_quotes_in_its_own_way(
    body: str, arguments: str, using: Substitution, expected: str
):
    expected = arguments if expected is ... else expected
    assert fill(body, arguments, using) == expected


def test_a_declared_name_stands_for_the_argument_at_its_place():
    names = ("component", "from", "my-arg", "late")
    body = "$component $from $my-arg [$late] $other"
    assert fill(body, "A b 'c d'", GOOSE, names=names) == "A b 'c [d'] $other"
    assert fill(body, "A b 'c d'", CLAUDE, names=names) == "A b c d [] $other"


def test_a_name_that_is_not_declared_is_no_placeholder():
    assert fill("$missing", "x", GOOSE) == "$missing\n\nARGUMENTS: x"


def test_a_name_that_is_declared_twice_is_the_first():
    assert fill("$a", "x y", GOOSE, names=("a", "a")) == "x"


def test_the_default_dialect_fills_in_what_a_person_types():
    default = substitution_of(load_dialect("agentskills"))
    body = "Fix $ARGUMENTS, not $1 nor !`ls`"
    assert fill(body, "it", default) == "Fix it, not $1 nor !`ls`"
    assert fill(body, "it", default, caller=Caller.MODEL) == body


@pytest.mark.parametrize(
    ("arguments", "body", "problem"),
    [
        ('"open', "$1", 'the arguments have a " without its partner'),
        ('"open', "$ARGUMENTS", 'the arguments have a " without its partner'),
        ('"open', "nothing to fill in", None),
    ],
)
def test_a_quote_without_its_partner_matters_where_there_is_a_placeholder(
    arguments: str, body: str, problem: str | None
):
    template = parse_template(body, GOOSE)
    assert prepare_values(template, GOOSE, arguments, {}).problem == problem


def commands(body: str, using: str, caller: Caller = Caller.PERSON) -> list[str]:
    template = parse_template(body, rule(using), caller=caller)
    return [command.source for command in template.commands]


@pytest.mark.parametrize(
    ("body", "using", "found"),
    [
        ("!`a` x!`b` (!`c`)\n!`d`", "claude-code", ["a", "d"]),
        ("!`a` x!`b` (!`c`)\n!`d`", "opencode", ["a", "b", "c", "d"]),
        ("!`a\nb`", "claude-code", []),
        ("!`a\nb`", "opencode", ["a\nb"]),
        ("!`a\nb`", "hermes", []),
        ("!``  !` ", "opencode", []),
        ("```!\nls\nwc\n```\nend", "claude-code", ["ls\nwc\n"]),
        ("```!\nls", "claude-code", ["ls"]),
        ("```!\nls $0\n!`x`\n```", "claude-code", ["ls $0\n!`x`\n"]),
        ("```sh\n!`a`\n```\n!`b`", "claude-code", ["a", "b"]),
        ("```sh\n!`a`\n```\n!`b`", "kilo-code", ["b"]),
        ("~~~\n!`a`\n~~~ x\n!`b`\n~~~\n!`c`", "kilo-code", ["c"]),
        ("``!`a` `` !`b`", "kilo-code", ["b"]),
        ("```\n!`never closed`", "kilo-code", []),
        ("`code` !`a` `!` !`b`", "openhands", ["a", "b"]),
        ("`code !`a` !`b`", "openhands", []),
        ("an open ` \n \n!`a` `", "openhands", ["a"]),
        ("\\!`a` !`b`", "openhands", ["b"]),
        ("!`a`", "goose", []),
    ],
)
def test_each_agent_finds_commands_in_its_own_places(
    body: str, using: str, found: list[str]
):
    assert commands(body, using) == found


def test_an_escaped_command_loses_its_backslash_and_is_not_run():
    assert fill("\\!`a` !`b`", "", rule("openhands")) == "!`a` <b>"


def test_commands_can_belong_to_one_caller_only():
    assert commands("!`a`", "opencode", Caller.MODEL) == []
    assert commands("!`a`", "opencode", Caller.PERSON) == ["a"]
    assert commands("!`a`", "kilo-code", Caller.MODEL) == ["a"]


def test_the_text_around_a_block_keeps_its_line_ends():
    body = "before\n```!\nls\n```\nafter\n"
    assert fill(body, "", CLAUDE) == "before\n<ls\n>\nafter\n"


def test_blocks_can_be_commands_where_nothing_else_is():
    only_blocks = Substitution(commands=CommandRule(blocks=CommandBlocks.BANG))
    template = parse_template("!`a`\n```!\nb\n```", only_blocks)
    assert [command.source for command in template.commands] == ["b\n"]


def test_a_reference_in_a_command_is_no_reference():
    template = parse_template(
        "!`cat @a` @b", CLAUDE, references=ReferenceSyntax.AT_PATH_UNICODE
    )
    assert [each.path for each in template.files] == ["b"]


def test_a_lone_sign_is_no_reference():
    template = parse_template(
        "@ me", CLAUDE, references=ReferenceSyntax.AT_PATH_UNICODE
    )
    assert template.files == ()


def test_the_content_of_a_file_takes_its_place_where_there_is_one():
    template = parse_template(
        "@a and @b", CLAUDE, references=ReferenceSyntax.AT_PATH_UNICODE
    )
    rendered = render_template(template, Values(), contents=["<a>", None])
    assert rendered == "<a> and @b"


def test_an_empty_body_has_no_segments():
    template = parse_template("", CLAUDE)
    assert template == Template(body="", segments=(), fills_arguments=True)
    assert prepare_values(template, CLAUDE, "", {}) == Prepared(Values())
