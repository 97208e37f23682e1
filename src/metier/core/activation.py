"""What an agent hands over when a skill is asked for, and what it says if not."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import field, replace
from enum import Enum
from typing import TYPE_CHECKING

from metier.core.activation_record import NO_RECORD, RecordRule, render_record
from metier.core.envelope import close_proof, on_one_line
from metier.core.escaping import ESCAPES, Escape, escape_json, escape_xml
from metier.core.fields import Trim
from metier.core.judging import trim_text
from metier.core.record import record
from metier.core.resolve import spelled
from metier.core.roots import Scope
from metier.core.skill import Skill
from metier.core.text import JS_WHITE_SPACE

if TYPE_CHECKING:
    from metier.core.inserts import CommandRun
    from metier.core.resources import Resource


class Means(Enum):
    """How a skill's text gets to the model."""

    TOOL = "tool"  # the model calls a tool
    FILE = "file"  # the model reads the file at the location it was given
    INJECT = "inject"  # the host puts the body into the context
    CALL = "call"  # the embedding program asks for the body


class Content(Enum):
    """What is handed over."""

    BODY = "body"
    FILE = "file"  # the file as it is, frontmatter included
    PYTHON_TEXT = "python-text"  # the same, but every line ends in a line feed


class Lookup(Enum):
    """How the skill is found that a model asks for."""

    KEY = "key"  # by what it is known by
    # By the path of its folder below a root, of the last root first, whatever it is
    # known by; the file has to be called `lookup_file`, to the letter.
    PATH = "path"
    # By its name, that of its folder, or the path of its folder below the root; two
    # that fit are too many, where there is a text for what is `ambiguous`.
    NAME_OR_FOLDER = "name-or-folder"
    # By its name, or else by what is behind the last colon in it; slashes before the
    # name, and white space around them, count for nothing. Of two that fit in the same
    # way one that is offered counts, else they are too many.
    LAST_PART = "last-part"


class Resources(Enum):
    """Whether the files beside the skill are listed."""

    UNLISTED = "unlisted"
    LISTED = "listed"
    DRAWN = "drawn"  # as a tree of lines, the skill file and the folders included


class Quoting(Enum):
    """How an unknown name is quoted in the error."""

    PLAIN = "plain"
    GO = "go"  # as Go's %q
    JSON = "json"  # as within the quotes of a text in JSON, and so are all others


class Names(Enum):
    """What the tool's schema says about names."""

    FREE = "free"
    ENUM = "enum"


class Concealed(Enum):
    """What a model gets that asks for a skill which it is not offered."""

    NOT_FOUND = "not-found"  # what it gets for a name that does not exist
    REFUSED = "refused"  # the agent's own words for that
    LOADED = "loaded"  # the skill: it is out of sight, not out of reach


class Slash(Enum):
    """Whether a person can invoke a skill by a turn that starts with `/name`."""

    NONE = "none"
    NAME = "name"
    SPACED_NAME = "spaced-name"  # the same; what is behind the blank stays as it is
    SKILL_NAME = "skill-name"  # by one that starts with `/skill:name`
    # By `/name` in lower case, where hyphens stand for all that is no letter, no digit
    # and none of `_.:@`; where nothing else is left, by `/skill-command-` and a digest.
    HYPHENATED_NAME = "hyphenated-name"


class Mentions(Enum):
    """Whether a person can invoke a skill by its name within a turn."""

    NONE = "none"
    # By `$name`, outside of code and quotations; where two skills have the name, only
    # as the text of a link to the file of one of them.
    DOLLAR_NAME = "dollar-name"
    # By `/name` behind white space, outside of code; at the start in any letter case.
    SLASH_NAME = "slash-name"


class NameOrder(Enum):
    """In which order an error names the skills that there are."""

    LISTED = "listed"  # that of the catalog
    SORTED = "sorted"  # by the characters of the names
    LOCALE = "locale"  # as JavaScript's `localeCompare` has it


class Suggestions(Enum):
    """Whether an error names a similar skill."""

    SILENT = "silent"
    OFFERED = "offered"


@record
class ActivationRule:
    """The texts around a skill that was asked for.

    `output` knows `{name}`, `{key}`, `{description}`, `{source}`, `{directory}`,
    `{described}`, `{said}`, `{path}`, `{below}` the root, `{place}`, `{project}`,
    `{body}` and `{resources}`;
    `odd_output` takes its place for a key that is no XML name, `project_output` for a
    skill of a project, where there is one; `{project}` is the folder to which the
    skill's root belongs. `invoked` knows `{output}`, `{name}` and the `{arguments}`
    that a person gave. `described` knows the `{description}`, `said` the `{arguments}`;
    where there are none, nothing stands for them.
    `resource_item` knows `{path}`, below the skill's folder, `{absolute}` and `{name}`,
    `resources_before` knows `{directory}`. Where the resources are drawn, that knows
    `{cut}` too, which is `resources_cut` or nothing, and what is in `closed_folders` is
    not drawn.
    `tool_description` knows `{catalog}` and `{offered}`, which is itself a template of
    `{names}`, each an `offered_item`, and nothing where no skill is offered;
    `trim` is taken off the ends of the body first. The walk for resources ends where
    it has found `max_walked` of them, and leaves out `closed_folders` and files that
    are called as in `unlisted`.
    `unknown` knows `{name}` and `{available}`, `repeated` knows `{name}`, `ambiguous`
    also `{count}`, `{names}` as they are compared, and `{paths}`; `ambiguous_hidden`
    takes its place where none of them is offered. `hidden_refused` knows the `{name}`
    that was asked for, and the `{key}` of the skill. Where there are no names,
    `unknown_empty` takes the place of `unknown`, and where nothing is left of the one
    that was asked for `nameless`, if they are stated. A `record` takes the place of all
    `output`.
    """

    means: Means
    content: Content = Content.BODY
    title: str = "{name}"
    output: str = "{body}"
    described: str = ""
    said: str = ""
    odd_output: str = ""
    project_output: str = ""
    record: RecordRule = NO_RECORD
    trim: Trim = Trim.NONE
    invoked: str = "{output}"
    invoked_bare: str = "{output}"
    lookup: Lookup = Lookup.KEY
    lookup_file: str = "SKILL.md"
    escape: Escape = Escape.NONE
    text_escape: Escape = Escape.NONE  # of the description, the folders and the path
    body_escape: Escape = Escape.NONE
    neutralized: str = ""  # the tag whose `<` is `&lt;` in the body
    resources: Resources = Resources.UNLISTED
    resources_before: str = ""
    resource_item: str = "{path}"
    resource_between: str = ""
    max_resources: int | None = None
    max_walked: int | None = None
    unlisted: tuple[str, ...] = ()
    closed_folders: tuple[str, ...] = ()
    resources_cut: str = ""
    resources_after: str = ""
    envelope: str = ""  # the tag that the body must not be able to close
    tool_name: str = "skill"
    tool_description: str = "{catalog}"
    offered: str = ""
    offered_item: str = "{name}"
    parameter_name: str = "name"
    parameter_description: str = "The skill identifier"
    arguments_name: str = ""  # a parameter for what the model says to the skill
    arguments_description: str = "Optional arguments for the skill"
    names: Names = Names.FREE
    hidden: Concealed = Concealed.NOT_FOUND
    hidden_refused: str = "skill `{name}` is not for the model to load"
    unknown: str = "skill `{name}` not found, available: {available}"
    unknown_none: str = "none"
    unknown_item: str = "{name}"
    unknown_between: str = ", "
    max_unknown: int | None = None
    ambiguous: str = ""
    ambiguous_hidden: str = ""
    nameless: str = ""
    unknown_empty: str = ""
    unknown_order: NameOrder = NameOrder.LISTED
    load_failed: str = "failed to load skill: {error}"
    repeated: str = (
        "The skill `{name}` is active already and has not changed: follow the "
        "instructions that you were given."
    )
    quoting: Quoting = Quoting.PLAIN
    suggestions: Suggestions = Suggestions.SILENT
    slash: Slash = Slash.NONE
    mentions: Mentions = Mentions.NONE


@record
class ResourceList:
    """The files beside a skill, and whether there are more than are listed."""

    paths: tuple[str, ...] = ()
    is_cut: bool = False
    drawing: str = ""


@record
class Activation:
    """A skill that was handed over: `output` to the model, its parts to a program.

    `tree_digest` is that of all that the skill holds, where that was approved. Where
    it `is_repeated`, `output` only says that the model has the instructions already.
    `attachments` are files that go to the model beside it, `runs` the commands that
    were run for it.
    """

    name: str
    title: str
    output: str
    directory: str
    path: str
    body: str = ""
    resources: ResourceList = field(default_factory=ResourceList)
    tree_digest: str | None = None
    is_hidden: bool = False
    is_repeated: bool = False
    attachments: tuple[Resource, ...] = ()
    runs: tuple[CommandRun, ...] = ()


def render_activation(
    skill: Skill,
    body: str,
    rule: ActivationRule,
    *,
    resources: ResourceList = ResourceList(),
    place: str = "",
    arguments: str = "",
) -> Activation:
    """The exact text that the agent's tool returns for `skill`.

    `place` is its folder, from the working directory where it is below that;
    `arguments` are what was said to the skill.
    """
    write = ESCAPES[rule.text_escape]
    description = close_proof(write(skill.description or ""), rule.envelope)
    said = close_proof(arguments.strip(JS_WHITE_SPACE), rule.envelope)
    texts = {
        "name": _escaped(skill.name, rule),
        "key": _escaped(skill.key, rule),
        "description": description,
        "described": description and rule.described.format(description=description),
        "said": said and rule.said.format(arguments=said),
        "source": skill.root.source,
        "directory": _enveloped_path(write(skill.directory), rule.envelope),
        "project": write(skill.root.project),
        "path": _enveloped_path(write(skill.path), rule.envelope),
        "below": skill.path.removeprefix(f"{skill.root.path}/"),
        "place": _enveloped_path(place or skill.directory, rule.envelope),
        "body": close_proof(_written_body(body, rule), rule.envelope),
        "resources": _render_resources(
            resources, skill.directory, _escaped(skill.name, rule), rule
        ),
    }
    if rule.record.entries:
        output = render_record(skill, rule.record, texts, resources.paths)
    else:
        output = _template_for(skill, rule).format(**texts)
    return Activation(
        name=skill.key,
        title=rule.title.format(name=skill.name, key=skill.key),
        output=output,
        directory=skill.directory,
        path=skill.path,
        body=body,
        resources=resources,
        is_hidden=skill.is_hidden,
    )


def _template_for(skill: Skill, rule: ActivationRule) -> str:
    if rule.odd_output and not _XML_NAME.fullmatch(skill.key):
        return rule.odd_output
    is_of_project = skill.root.scope is Scope.PROJECT
    return (is_of_project and rule.project_output) or rule.output


def _written_body(body: str, rule: ActivationRule) -> str:
    body = ESCAPES[rule.body_escape](trim_text(body, rule.trim))
    if rule.neutralized:
        for sign in ("<", "</"):
            tag = f"{sign}{rule.neutralized}"
            body = body.replace(tag, f"&lt;{tag[1:]}")
    return body


def render_repeated(activation: Activation, rule: ActivationRule) -> Activation:
    """What goes to a model that has these very instructions already."""
    output = rule.repeated.format(name=on_one_line(activation.name))
    return replace(activation, output=output, is_repeated=True)


def escape_attribute(text: str) -> str:
    """`text` on one line, so that an XML parser gives it back."""
    # In an attribute a line feed would turn into a blank; in a list it would be one
    # file more.
    return escape_xml(text).replace("\n", "&#10;")


_XML_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")


def _escaped(text: str, rule: ActivationRule) -> str:
    if rule.escape is Escape.XML:
        return escape_attribute(text)
    return ESCAPES[rule.escape](text)


def _enveloped_path(path: str, tag: str) -> str:
    """`path` as it can stand on a line of the envelope."""
    return close_proof(on_one_line(path), tag) if tag else path


def _render_resources(
    resources: ResourceList, directory: str, name: str, rule: ActivationRule
) -> str:
    if rule.resources is Resources.DRAWN:
        cut = rule.resources_cut if resources.is_cut else ""
        before = rule.resources_before.format(directory=directory, cut=cut)
        return f"{before}{resources.drawing}{rule.resources_after}"
    is_cut = bool(resources.is_cut and rule.resources_cut)
    if not resources.paths and not is_cut:
        return ""
    items = [
        rule.resource_item.format(
            path=_escaped(path, rule),
            absolute=_escaped(f"{directory}/{path}", rule),
            name=name,
        )
        for path in resources.paths
    ]
    if is_cut:
        items.append(rule.resources_cut.format(count=len(items)))
    listed = rule.resource_between.join(items)
    before = rule.resources_before.format(directory=directory)
    return f"{before}{listed}{rule.resources_after}"


def is_reached(skill: Skill, rule: ActivationRule) -> bool:
    """Whether the agent finds a skill by the key under which it lists it."""
    if rule.lookup is Lookup.KEY:
        return True
    return skill.path == f"{skill.root.path}/{skill.key}/{rule.lookup_file}"


def render_unknown(name: str, names: Sequence[str], rule: ActivationRule) -> str:
    """The agent's own words for a name that it does not know."""
    if rule.nameless and not bare_name(name, rule):
        return rule.nameless
    quote = _QUOTINGS[rule.quoting]
    names = _in_order(names, rule.unknown_order)
    available = _told(names[: rule.max_unknown], rule) or rule.unknown_none
    template = rule.unknown if names else rule.unknown_empty or rule.unknown
    return template.format(name=quote(name), available=available)


def bare_name(name: str, rule: ActivationRule) -> str:
    """What is looked for where `name` is asked for."""
    if rule.lookup is not Lookup.LAST_PART:
        return name
    return name.strip(JS_WHITE_SPACE).lstrip("/")


def _in_order(names: Sequence[str], order: NameOrder) -> Sequence[str]:
    match order:
        case NameOrder.LISTED:
            return names
        case NameOrder.SORTED:
            return sorted(names)
        case _:  # NameOrder.LOCALE
            from metier.core.collation import locale_key

            return sorted(names, key=locale_key)


def render_ambiguous(name: str, rivals: Sequence[Skill], rule: ActivationRule) -> str:
    """The agent's own words for a name that stands for several skills."""
    quote = _QUOTINGS[rule.quoting]
    are_hidden = all(each.is_hidden for each in rivals)
    template = (are_hidden and rule.ambiguous_hidden) or rule.ambiguous
    return template.format(
        name=quote(name),
        count=len(rivals),
        names=_told([_compared(each) for each in rivals], rule),
        paths=_told([each.path for each in rivals], rule),
    )


def render_refused(name: str, skill: Skill, rule: ActivationRule) -> str:
    """The agent's own words for a skill that it keeps back."""
    quote = escape_json if rule.quoting is Quoting.JSON else str
    return rule.hidden_refused.format(name=quote(name), key=quote(skill.key))


def _compared(skill: Skill) -> str:
    return spelled(skill.key, skill.origin.dialect.precedence)


def _told(words: Sequence[str], rule: ActivationRule) -> str:
    quote = escape_json if rule.quoting is Quoting.JSON else str
    items = (rule.unknown_item.format(name=quote(word)) for word in words)
    return rule.unknown_between.join(items)


_GO_ESCAPES = {
    "\a": "\\a",
    "\b": "\\b",
    "\f": "\\f",
    "\n": "\\n",
    "\r": "\\r",
    "\t": "\\t",
    "\v": "\\v",
    "\\": "\\\\",
    '"': '\\"',
}


def render_invoked(activation: Activation, arguments: str, rule: ActivationRule) -> str:
    """What a person gets who asks for a skill, with or without arguments."""
    template = rule.invoked if arguments else rule.invoked_bare
    return template.format(
        output=activation.output,
        name=activation.name,
        quoted=_QUOTINGS[rule.quoting](activation.name),
        arguments=arguments,
    )


def quote_go(text: str) -> str:
    """`text` as Go's `%q` writes it."""
    return '"' + "".join(_quote_go_char(char) for char in text) + '"'


_QUOTINGS: dict[Quoting, Callable[[str], str]] = {
    Quoting.PLAIN: str,
    Quoting.GO: quote_go,
    Quoting.JSON: escape_json,
}


def _quote_go_char(char: str) -> str:
    if char in _GO_ESCAPES:
        return _GO_ESCAPES[char]
    code = ord(char)
    if 0xDC80 <= code <= 0xDCFF:  # a byte that was not UTF-8
        return f"\\x{code - 0xDC00:02x}"
    if char.isprintable():
        return char
    if code < 0x80:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
