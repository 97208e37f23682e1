"""The parts of the documents that are made from the code.

Each function returns Markdown; a cog block in a document calls it, `make docs` writes
it down, and a test fails when what stands there is not what comes out.
"""

from __future__ import annotations

import ast
import dataclasses
import inspect
import re
import tokenize
import types
import typing
from collections.abc import Iterator, Mapping
from enum import Enum
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple

import click

from metier.core.dialect import Dialect, Evidence
from metier.core.mapping import Later
from metier.core.requirements import RequirementRules
from metier.core.roots import RootRule
from metier.core.rules import RULES
from metier.core.sidecar import SidecarRule
from metier.core.substitution import Substitution
from metier.report.hosts import HostRow
from metier.world.dialects import (
    DEFAULT_DIALECT,
    dialect_names,
    load_agreement,
    load_dialect,
)

# The tables that are built where they are used.
LATER = {
    "requirements": RequirementRules,
    "sidecar": SidecarRule,
    "substitution": Substitution,
}
SOURCE = Path(inspect.getfile(Dialect)).parents[1]
WIDTH = 80


# --- commands -----------------------------------------------------------------------


def command_names() -> tuple[str, ...]:
    from metier.cli import cli

    return tuple(cli.list_commands(click.Context(cli)))


def commands() -> str:
    """The help of every command."""
    return "\n\n".join(map(_command, command_names()))


def _command(name: str) -> str:
    command = command_of(name)
    context = click.Context(
        command,
        info_name=f"metier {name}",
        terminal_width=WIDTH,
        max_content_width=WIDTH,
        help_option_names=["-h", "--help"],
    )
    return f"## metier {name}\n\n```text\n{command.get_help(context)}\n```"


def command_of(name: str) -> click.Command:
    from metier.cli import cli

    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    return command


# --- rules --------------------------------------------------------------------------


def rules() -> str:
    """A table for each part of a dialect."""
    severities = severities_in_code()
    axes = dict.fromkeys(info.axis for info in RULES.values())
    parts: list[str] = []
    for axis in axes:
        rows = [
            (f"`{name}`", _severity(severities.get(name, set())), info.summary)
            for name, info in RULES.items()
            if info.axis == axis
        ]
        table = _table(("rule", "severity", "what it says"), rows)
        parts.append(f"## {axis}\n\n{table}")
    return "\n\n".join(parts)


_SEVERITIES = ("error", "warning", "info")


def _severity(found: set[str]) -> str:
    return " or ".join(each for each in _SEVERITIES if each in found) or "outcome"


def severities_in_code() -> Mapping[str, set[str]]:
    """The severities with which the code utters each rule."""
    found: dict[str, set[str]] = {}
    for path in SOURCE.rglob("*.py"):
        if path.name == "rules.py":
            continue
        tree = ast.parse(path.read_text("utf-8"))
        defaults = _default_severities(tree)
        for node in ast.walk(tree):
            if isinstance(node, ast.Call):
                for rule in _rules_in(node):
                    found.setdefault(rule, set()).update(_said_in(node, defaults))
            elif isinstance(node, ast.arguments):
                # The rule of an exception, which becomes an error where it is caught.
                for rule in _rules_of(node.defaults):
                    found.setdefault(rule, set()).add("error")
    return found


def _rules_in(call: ast.Call) -> Iterator[str]:
    given = [*call.args[:2], *(k.value for k in call.keywords if k.arg == "rule")]
    yield from _rules_of(given)
    for value in given:
        if isinstance(value, ast.JoinedStr) and _is_suffix(value):
            ending = ast.literal_eval(value.values[-1])
            yield from (rule for rule in RULES if rule.endswith(str(ending)))


def _rules_of(values: list[ast.expr]) -> Iterator[str]:
    """The rules that `values` name, also in `"this" if x else "that"`."""
    for value in values:
        arms = (value.body, value.orelse) if isinstance(value, ast.IfExp) else (value,)
        for arm in arms:
            if isinstance(arm, ast.Constant) and arm.value in RULES:
                yield str(arm.value)


def _is_suffix(value: ast.JoinedStr) -> bool:
    """Whether it is `f"{key}-missing"`."""
    if len(value.values) != 2 or not isinstance(value.values[1], ast.Constant):
        return False
    return re.fullmatch("-[a-z-]+", str(value.values[1].value)) is not None


def _said_in(call: ast.Call, defaults: Mapping[str, str]) -> set[str]:
    words = [*call.args[1:], *(keyword.value for keyword in call.keywords)]
    names = {n for each in words for n in _severity_words(each)}
    if names:
        return names
    function = call.func.id if isinstance(call.func, ast.Name) else ""
    if function in ("YamlError", "refuse"):
        return {"error"}
    if function in ("_error", "error_at", "warning_at"):
        return {function.removeprefix("_").removesuffix("_at")}
    return {defaults[function]} if function in defaults else {"error", "warning"}


def _severity_words(node: ast.expr) -> Iterator[str]:
    for each in ast.walk(node):
        if isinstance(each, ast.Attribute) and isinstance(each.value, ast.Name):
            if each.value.id == "Severity":
                yield each.attr.lower()
        elif isinstance(each, ast.Name) and each.id == "_INFO":
            yield "info"
        elif isinstance(each, ast.Name) and each.id == "_severity":
            yield from ("error", "warning")


def _default_severities(tree: ast.Module) -> Mapping[str, str]:
    """The functions whose `severity` has a default."""
    found: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            for argument, default in zip(
                node.args.kwonlyargs, node.args.kw_defaults, strict=True
            ):
                if argument.arg == "severity" and isinstance(default, ast.Attribute):
                    found[node.name] = default.attr.lower()
    return found


# --- the axes of a dialect ----------------------------------------------------------


class Axis(NamedTuple):
    """A key of a dialect file, and what it may hold."""

    key: str
    type: Any
    default: Any

    @property
    def enum(self) -> type[Enum] | None:
        kind = _inner(self.type)
        return kind if isinstance(kind, type) and issubclass(kind, Enum) else None


def axes(cls: type[Any] = Dialect, prefix: str = "") -> Iterator[Axis]:
    """Every key of a dialect file, tables of tables included."""
    hints = typing.get_type_hints(cls)
    for each in dataclasses.fields(cls):
        hint = hints[each.name]
        key = f"{prefix}{each.name}"
        inner = LATER.get(key) if hint is Later else _inner(hint)
        if dataclasses.is_dataclass(inner):
            assert isinstance(inner, type)
            yield from axes(inner, f"{key}{_mark(hint)}.")
        else:
            has_factory = each.default_factory is not dataclasses.MISSING
            yield Axis(key, hint, None if has_factory else each.default)


def _mark(hint: Any) -> str:
    origin = typing.get_origin(hint)
    if origin is tuple:
        return "[]"
    return ".NAME" if origin is dict else ""


def _inner(hint: Any) -> Any:
    origin = typing.get_origin(hint)
    if origin in (types.UnionType, typing.Union):
        return _inner(next(a for a in typing.get_args(hint) if a is not type(None)))
    if origin is tuple:
        return _inner(typing.get_args(hint)[0])
    if origin is dict:
        return _inner(typing.get_args(hint)[1])
    return hint


def axis_values() -> str:
    """Each closed set of values: the keys that hold it, the words, their meanings."""
    keys: dict[type[Enum], list[str]] = {}
    for axis in axes():
        if axis.enum is not None:
            keys.setdefault(axis.enum, []).append(axis.key)
    return "\n\n".join(_values(enum, where) for enum, where in keys.items())


def _values(enum: type[Enum], keys: list[str]) -> str:
    where = ", ".join(f"`{key}`" for key in keys)
    rows = [(f"`{each.value}`", meaning_of(each)) for each in enum]
    about = f"{inspect.cleandoc(enum.__doc__ or '')} {_defaults(enum, keys)}"
    return f"### {where}\n\n{about}\n\n{_table(('value', 'meaning'), rows)}"


def _defaults(enum: type[Enum], keys: list[str]) -> str:
    found = {a.key: a.default for a in axes() if a.enum is enum and a.key in keys}
    words = {key: _default_word(value) for key, value in found.items()}
    if len(set(words.values())) == 1:
        word = next(iter(words.values()))
        return f"{word[0].upper()}{word[1:]}."
    return f"{'; '.join(f'`{key}`: {word}' for key, word in words.items())}."


def _default_word(value: Any) -> str:
    if isinstance(value, Enum):
        return f"default: `{value.value}`"
    return "required" if value is dataclasses.MISSING else "default: none"


def meaning_of(member: Enum) -> str:
    """What a value means: the comment beside it in the code, or the words below."""
    name = f"{type(member).__name__}.{member.name}"
    meaning = _MEANINGS.get(name) or _comments(type(member)).get(member.name)
    if meaning is None:
        raise LookupError(f"{name} has no meaning: add one to {__name__}")
    return meaning


def _comments(enum: type[Enum]) -> Mapping[str, str]:
    found: dict[str, str] = {}
    above: list[str] = []
    source = inspect.cleandoc(inspect.getsource(enum))
    name = ""
    for token in tokenize.generate_tokens(StringIO(source).readline):
        if token.type == tokenize.NAME and not name:
            name = token.string
        elif token.type == tokenize.COMMENT:
            words = token.string.removeprefix("#").strip()
            if name:
                found[name] = words
            else:
                above.append(words)
        elif token.type in (tokenize.NEWLINE, tokenize.NL):
            if name and above:
                found.setdefault(name, " ".join(above))
            above = above if not name else []
            name = ""
    return found


# The values whose name says enough where the code stands around it, and not here.
_MEANINGS = {
    "End.ANYTHING": "anything, or nothing",
    "Copies.KEEP": "each of them counts, also where they are the same",
    "LineEnds.KEEP": "each stays as it is",
    "Likeness.EXACT": "the same characters",
    "Meeting.AS_FOUND": "in the order in which they were found",
    "Place.DEVELOPER_MESSAGE": "a message of the developer, at the start",
    "ReaderEngine.GOCCY_YAML": "YAML as goccy/go-yaml reads it",
    "ScalarSchema.SERDE_YAML": "the scalars of serde_yaml",
    "SidecarType.LIST": "a list",
    "Streams.STDOUT": "what it printed on the standard output",
    "Action.ALLOW": "the skill is handed over",
    "Action.ASK": "a person is asked first; with nobody to ask, the answer is no",
    "Action.DENY": "the skill is not there for the model",
    "Base.CWD": "the working directory",
    "Base.GIT_ROOT": "the root of the repository, or the working directory outside of "
    "one",
    "Base.HOME": "the home folder",
    "Base.XDG_CONFIG": "`$XDG_CONFIG_HOME`, or `.config` in the home folder",
    "FieldOrder.AS_WRITTEN": "as they stand in the header",
    "Trim.JAVA_WHITE_SPACE": "white space as Java's `trim` has it",
    "Trim.JS_WHITE_SPACE": "white space as JavaScript's `trim` has it",
    "Trim.NONE": "nothing",
    "Trim.WHITE_SPACE": "Unicode white space, as Go and Rust have it",
    "ByteOrderMark.KEEP": "it stays, so that the file does not start with `---`",
    "ByteOrderMark.STRIP": "one is taken off, silently",
    "ByteOrderMark.STRIP_ALL": "any number of them is taken off, silently",
    "ByteOrderMark.WARN": "one is taken off, with a warning",
    "Case.EXACT": "letter by letter",
    "Case.INSENSITIVE": "`Skill.MD` is `skill.md`",
    "Charset.ANY": "any text",
    "Collision.FIRST_WINS": "the one that was found first",
    "Collision.HIGHER_PRECEDENCE": "the one whose root has the higher `precedence`",
    "Collision.KEEP_ALL": "both stay",
    "Collision.LAST_WINS": "the one that was found last",
    "CommandSyntax.ANYWHERE": "anywhere in the body",
    "CommandSyntax.NONE": "nowhere",
    "CommandBlocks.NONE": "no",
    "Consequence.IGNORE": "nothing: the rule is not checked",
    "Consequence.REJECT": "the skill is rejected",
    "Consequence.WARN": "the skill is loaded, with a warning",
    "Content.BODY": "the instructions below the frontmatter",
    "DuplicateKeys.LAST": "the last one counts, silently",
    "DuplicateKeys.REJECT": "the file is rejected",
    "DuplicateKeys.WARN": "the last one counts, with a warning",
    "Effect.NONE": "nothing",
    "EntryOrder.BY_NAME": "from the first name to the last",
    "Escape.GO_HTML": "as Go's `html.EscapeString`: `&#34;` and `&#39;` for quotes",
    "Escape.NONE": "as they are",
    "Escape.XML": "so that an XML parser gives them back",
    "Evidence.DOCUMENTATION": "read in its documentation",
    "Extent.HEAD": "the frontmatter",
    "Extent.WHOLE": "all of it, so that a bad byte in the body rejects the file",
    "FailurePolicy.ABORT_ALL": "the agent gives up and has no skills at all",
    "FailurePolicy.SKIP": "it is skipped, the others are loaded",
    "FieldType.FLAG": "true or false",
    "FieldType.TEXT": "a text",
    "FieldType.TEXT_MAP": "a map of texts",
    "Hidden.ENTER": "they are searched like any other",
    "Hidden.SKIP": "they are not searched",
    "KeyPick.FIRST_LISTED": "the one that the dialect lists first",
    "KeyPick.LAST_WRITTEN": "the one that stands last in the file",
    "FenceStyle.CLOSED_LINES": "`---` alone on its line, and a line break behind the "
    "closing one",
    "FenceStyle.GRAY_MATTER": "as gray-matter 4: a language may stand behind the "
    "opening one, any line that starts with `---` closes",
    "FenceStyle.TOLERANT_LINES": "`---` alone on its line; blank lines before and "
    "blanks behind are warnings",
    "Languages.IGNORE": "nothing",
    "Links.FOLLOW": "they are followed, but never to one of their own parents",
    "Links.IGNORE": "they are passed over",
    "LoneReturn.KEEP": "no, it is one line",
    "LoneReturn.LINE_END": "yes, with a warning",
    "Matcher.NONE": "not at all",
    "Matcher.TWO_TOKENS": "the first skill by name of whose `when_to_use` two words "
    "of four bytes or more stand in the turn",
    "Matcher.WORD_OVERLAP": "the skill that is named as `/name` or `$name`, else the "
    "one that shares the most telling words with the turn, if they are enough",
    "NameDefault.DIRECTORY": "the folder that holds the file",
    "NameDefault.NONE": "nowhere",
    "Mentions.NONE": "no",
    "Names.ENUM": "it lists the names that may be asked for",
    "Names.FREE": "any text",
    "Nested.DESCEND": "yes",
    "Order.FARTHEST_FIRST": "from the top down to the working directory",
    "Order.NEAREST_FIRST": "from the working directory upwards",
    "OutputTrim.NONE": "nothing",
    "Overflow.NAMES_ONLY": "skills lose their description, from the last one on, as "
    "many as needed",
    "Overflow.OMIT_LAST": "skills are left out, from the last one on, as many as "
    "needed",
    "Overflow.TRIM_DESCRIPTIONS": "all descriptions are cut to one length, the longest "
    "that fits",
    "Pick.EVERY": "each is a skill",
    "Place.SYSTEM_PROMPT": "in the system prompt",
    "Place.TOOL_DESCRIPTION": "in the description of the `skill` tool",
    "Presence.NON_EMPTY": "it must be there, with a text in it",
    "Presence.OPTIONAL": "it may be absent",
    "Quoting.PLAIN": "not at all",
    "ReaderEngine.FIRST_COLON": "lines of `key: value` at any indent, quotes taken "
    "off, the last one of a key counts",
    "ReaderEngine.FIRST_PREFIX": "for each field the first line that starts with "
    "`key:`, at any indent",
    "ReaderEngine.GO_YAML": "YAML as Go's yaml.v3 has it",
    "ReaderEngine.JS_YAML_3": "YAML as js-yaml 3 has it",
    "ReaderEngine.LIBYAML": "YAML as libyaml has it",
    "ReaderEngine.SIMPLE_MAP": "lines of `key: value`, and maps of one level below a "
    "key without a value",
    "ReaderEngine.TRIMMED_LINES": "lines of `key: value` at any indent, the last one "
    "of a key counts",
    "ReaderEngine.JS_YAML_4_1": "YAML as js-yaml 4.0 and 4.1 have it",
    "Recovery.NONE": "the file is rejected",
    "Rewriting.NONE": "nothing",
    "ReferenceSyntax.AT_PATH_ASCII_UNIQUE": "`@path` up to an ASCII blank, each path "
    "once",
    "ReferenceSyntax.AT_PATH_UNICODE": "`@path` up to a blank of any kind, every "
    "mention",
    "ReferenceSyntax.NONE": "nothing does",
    "Reload.EACH_TURN": "before every turn",
    "Reload.RESTART": "when it is started again",
    "Reload.WATCH": "when a file changes",
    "Repair.COLON_BLOCK_GO": "a value with a colon in it becomes a block, in every "
    "file; `$1` and `$NAME` expand, as in a Go template",
    "Repair.COLON_BLOCK_JS": "a value with a colon in it becomes a block, in every "
    "file but for lines that end in a carriage return",
    "Repair.NONE": "not at all",
    "Resources.LISTED": "their paths are listed, at most 100",
    "Resources.UNLISTED": "they are not",
    "RootFile.IGNORE": "nothing: only folders below the root hold skills",
    "RootName.CHECKED": "they do: a root with a skipped name is not searched",
    "RootName.FREE": "they do not",
    "SameFile.COLLIDES": "it collides with itself, like any two with one name",
    "SameFile.ONCE": "it is one skill",
    "ScalarSchema.BUN": "those of YAML 1.2 (core schema), with signs before any number",
    "ScalarSchema.CORE": "those of YAML 1.2 (core schema)",
    "ScalarSchema.YAML_1_1": "those of YAML 1.1, as PyYAML has them",
    "ScalarSchema.JS_YAML_4_1": "those of js-yaml 4.0 and 4.1",
    "ScalarSchema.GO_YAML": "those of Go's yaml.v3",
    "ScalarSchema.JS_YAML_3": "those of js-yaml 3",
    "Scope.ADMIN": "the administrator's, for everybody on the machine",
    "Scope.CONFIG": "named by a configuration",
    "Scope.EXPLICIT": "named by the caller, with `--root` or `roots=`",
    "Scope.PROJECT": "the project's",
    "Scope.SYSTEM": "the agent's own, which it brings along",
    "Scope.USER": "the user's",
    "ShellSyntax.BANG_BACKTICK": "``!`command` ``",
    "ShellSyntax.NONE": "nothing does",
    "Slash.NAME": "yes",
    "Slash.NONE": "no",
    "Sorting.DISCOVERY": "as they were found",
    "Sorting.NAME": "by name",
    "Stop.GIT_ROOT": "the root of the repository, or the working directory outside of "
    "one",
    "Stop.GIT_ROOT_OR_TOP": "the root of the repository, or `/` outside of one",
    "Suggestions.OFFERED": "yes",
    "Suggestions.SILENT": "no",
    "Tie.ERROR": "the agent gives up",
    "Tie.FIRST_WINS": "the one that was found first counts",
    "Tie.LAST_WINS": "the one that was found last counts",
    "Unit.BYTES": "bytes of UTF-8",
    "Unit.CHARACTERS": "characters",
    "Unlisted.OMIT": "they are left out",
    "Utf16.DECODE": "either byte order, with a warning",
    "Utf16.IGNORE": "no",
    "Utf16.LITTLE_ENDIAN": "the little-endian one only, with a warning",
    "Variable.EFFORT": "how hard the model is told to think, where the caller says it",
    "Variable.PLUGIN_DATA": "the folder for what a plugin keeps, where the caller says "
    "it",
    "Variable.PLUGIN_ROOT": "the folder of the plugin, where the caller says it",
    "Variable.PROJECT_DIRECTORY": "the root of the repository, or the working "
    "directory outside of one",
    "Variable.SESSION_ID": "the name of the session, where the caller says it",
    "Variable.SKILL_DIRECTORY": "the folder that holds the skill file",
}


def plain_keys() -> str:
    """The keys that hold a text, a number or a list."""
    rows = [
        (f"`{axis.key}`", _type_name(axis.type), _default(axis.default))
        for axis in axes()
        if axis.enum is None
    ]
    return _table(("key", "holds", "default"), rows)


def _type_name(hint: Any) -> str:
    origin = typing.get_origin(hint)
    if origin is tuple:
        return "list of texts"
    if origin is dict:
        return "table of texts"
    return {str: "text", int: "number", float: "number"}[_inner(hint)]


def _default(value: Any) -> str:
    if value is dataclasses.MISSING:
        return "required"
    if value in ((), "", None):
        return "none"
    if isinstance(value, tuple):
        return ", ".join(f"`{each}`" if each else "the base itself" for each in value)
    return f"`` {value} ``" if "`" in str(value) else f"`{value}`"


# --- the dialects that come with metier ---------------------------------------------


def dialects() -> str:
    """One section for each."""
    names = sorted(dialect_names(), key=lambda name: (name != DEFAULT_DIALECT, name))
    return "\n\n".join(_dialect(load_dialect(name)) for name in names)


def _dialect(dialect: Dialect) -> str:
    roots = [
        (where, each.scope.value, str(each.precedence), f"`{each.select}`")
        for each in dialect.roots
        for where in root_paths(each)
    ]
    sources = [(f"`{axis}`", source) for axis, source in dialect.sources.items()]
    parts = (
        f"## {dialect.name}",
        f"{dialect.title}, {dialect.version}. Evidence: {dialect.evidence.value}.",
        "".join(f"- {_sentence(note)}\n" for note in dialect.notes).rstrip(),
        _table(("root", "scope", "precedence", "selection"), roots),
        f"<details><summary>Sources of {dialect.name}</summary>",
        _table(("axis", "source"), sources),
        "</details>",
    )
    return "\n\n".join(part for part in parts if part)


def _sentence(note: str) -> str:
    return f"{note[0].upper()}{note[1:]}."


_BASES = {
    "cwd": "`{path}`",
    "walk-up": "`{path}`, and in the parents up to {stop}",
    "repository": "`{path}` in the root of the repository",
    "git-root": "`{path}` in the root of the repository, or here outside of one",
    "home": "`~/{path}`",
    "xdg-config": "`~/.config/{path}`",
    "machine": "`/{path}`",
}
_STOPS = {
    "git-root": "the root of the repository",
    "git-root-or-top": "the root of the repository, or up to `/`",
    "git-root-or-home": "the root of the repository, or up to `/`, but below the home",
}


def root_paths(rule: RootRule) -> Iterator[str]:
    """Where each of its paths is, in words."""
    condition = _condition(rule)
    for path in rule.paths:
        if rule.variable:
            yield f"{_below_variable(rule, path)}{condition}"
            continue
        where = _BASES[rule.base.value].format(
            path=path or ".", stop=_STOPS[rule.stop.value]
        )
        yield f"{where}{condition}"


def _below_variable(rule: RootRule, path: str) -> str:
    where = f"`${rule.variable}{path and f'/{path}'}`"
    if rule.otherwise is None:
        return where
    return f"{where}; where that is not set, `{rule.otherwise}{path and f'/{path}'}`"


def _condition(rule: RootRule) -> str:
    if rule.group:
        return f"; only the first that exists of the group `{rule.group}`"
    if rule.unless_variables:
        names = " or ".join(f"`${name}`" for name in rule.unless_variables)
        return f"; not if {names} is set"
    return f"; not if `{rule.unless_flag}` is configured" if rule.unless_flag else ""


def dialect_table() -> str:
    """The dialects, and in how many recorded cases each one agrees."""
    measured = load_agreement()
    rows: list[tuple[str, ...]] = []
    for name in sorted(dialect_names(), key=lambda n: (n != DEFAULT_DIALECT, n)):
        dialect = load_dialect(name)
        row = HostRow(dialect, measured.get(name, {}))
        cells = ("not measured", _UNMEASURED[dialect.evidence])
        if row.total:
            cells = (f"{row.agreed:,} of {row.total:,}", row.cases)
        rows.append((f"`{name}`", f"{dialect.title}, {dialect.version}", *cells))
    return _table(("dialect", "whose rules", "agrees in", "measured on"), rows)


# Why there is no number.
_UNMEASURED = {
    Evidence.SPECIFICATION: "a document has no answers to compare with",
    Evidence.RECORDED: "there are no recorded answers",
    Evidence.SOURCE: "read in its source, not run",
    Evidence.DOCUMENTATION: "read in its documentation, not run",
}


# --- limits -------------------------------------------------------------------------

# Where each constant stands, how it is written, and what it bounds.
LIMITS = (
    ("metier.core.document", "MAX_FILE", "bytes", "a skill file that is read"),
    ("metier.core.nodes", "MAX_HEADER", "characters", "a frontmatter that is read"),
    ("metier.world.dialects", "MAX_DIALECT", "bytes", "a dialect that is read"),
    (
        "metier.core.nodes",
        "MAX_DEPTH",
        "levels",
        "nesting of YAML; aliases are not expanded",
    ),
    (
        "metier.core.selection",
        "MAX_DEPTH",
        "folders",
        "between a root and a skill file, where the dialect says nothing else",
    ),
    ("metier.world.scan", "MAX_ENTRIES", "entries", "files and folders under one root"),
    (
        "metier.world.scan",
        "MAX_LINKED_FOLDERS",
        "folders",
        "reached through links under one root",
    ),
    (
        "metier.engine",
        "HEAD_SIZE",
        "bytes",
        "read of a file in a scan; more where that is not enough",
    ),
    ("metier.runtime.handover", "MAX_RESOURCES", "files", "listed beside a skill"),
    (
        "metier.core.resources",
        "MAX_RESOURCE",
        "bytes",
        "in a file of a skill that is read",
    ),
    ("metier.core.resources", "PAGE_SIZE", "bytes", "of it that a model gets at once"),
    ("metier.world.trees", "MAX_TREE_BYTES", "bytes", "in a skill that is approved"),
    ("metier.world.trees", "MAX_TREE_FILE", "bytes", "in one file of it"),
    ("metier.world.trees", "MAX_TREE_ENTRIES", "entries", "files and folders in it"),
    ("metier.world.trees", "MAX_TREE_DEPTH", "folders", "between it and a file in it"),
    ("metier.world.trust_store", "MAX_STORE", "bytes", "in the store of trust"),
    ("metier.core.script_arguments", "MAX_ARGUMENTS", "arguments", "of a script"),
    ("metier.core.script_arguments", "MAX_ARGUMENT", "bytes", "in one of them"),
    (
        "metier.core.shell_scripts",
        "MAX_COMMAND",
        "characters",
        "of a command in a body that arguments are put into",
    ),
)


def limits() -> str:
    """The table of the bounds, with the values of today."""
    from importlib import import_module

    rows = [
        (f"`{module}.{name}`", f"{getattr(import_module(module), name):,} {unit}", what)
        for module, name, unit, what in LIMITS
    ]
    return _table(("constant", "value", "bounds"), rows)


def _table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    lines = [head, tuple("---" for _ in head), *rows]
    cells = ([cell.replace("|", "\\|") for cell in line] for line in lines)
    return "\n".join(f"| {' | '.join(line)} |" for line in cells)
