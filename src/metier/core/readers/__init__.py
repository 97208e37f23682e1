"""One module per way of reading a frontmatter: text in, fields out."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import field
from enum import Enum

from metier.core.nodes import Documents, Node
from metier.core.readers.lines import (
    read_first_colon,
    read_first_prefix,
    read_lines_and_lists,
    read_simple_map,
    read_trimmed_lines,
)
from metier.core.record import record
from metier.core.repair import Repair
from metier.core.scalars import ScalarSchema


class ReaderEngine(Enum):
    """What reads the text between the fences."""

    LIBYAML = "libyaml"
    # YAML as libyaml has it, of which the keys that the agent knows have their types.
    SERDE_YAML = "serde-yaml"
    # As `yaml.safe_load` reads it, with its types and its errors.
    PYYAML = "pyyaml"
    PYYAML_LIBYAML = "pyyaml-libyaml"  # with libyaml's parser, which differs in tabs
    # No flow style, anchors, tags or duplicates, and every scalar is a text.
    STRICT_YAML = "strict-yaml"
    # The same, of which only the texts at its top count; each key stands once.
    SERDE_VALUE = "serde-value"
    GO_YAML = "go-yaml"
    GOCCY_YAML = "goccy-yaml"
    JS_YAML_3 = "js-yaml-3"
    JS_YAML_4_1 = "js-yaml-4.1"
    # As VS Code reads the headers of its prompt files: it skips what it cannot read.
    VSCODE_YAML = "vscode-yaml"
    BUN_YAML = "bun-yaml"  # YAML 1.2 as `Bun.YAML` reads it
    NPM_YAML_2 = "npm-yaml-2"  # YAML 1.2 as npm's `yaml`, version 2, reads it
    FIRST_COLON = "first-colon"
    FIRST_PREFIX = "first-prefix"
    # Lines of `key: value` at any indent, the last one of a key counts, quotes stay;
    # below a key without a value, lines with a hyphen.
    LINES_AND_LISTS = "lines-and-lists"
    SIMPLE_MAP = "simple-map"
    TRIMMED_LINES = "trimmed-lines"


class DuplicateKeys(Enum):
    """What a key that stands twice in one map means."""

    REJECT = "reject"
    REJECT_KNOWN = "reject-known"  # the file is rejected if it is a known key
    WARN = "warn"  # the last one counts
    FIRST = "first"  # the first one counts
    LAST = "last"


class Recovery(Enum):
    """What happens when the header cannot be used as it is."""

    NONE = "none"
    # Where it is not YAML: each top-level field on its own, broken ones as text.
    FIELDS = "fields"
    # Where name or description is not a text, too: the two are looked for by line.
    NAME_AND_DESCRIPTION = "name-and-description"
    EMPTY = "empty"  # where it is not YAML it has no fields
    # The lines of `key: value` at the left edge give what YAML has no value for, and
    # all of it where it is not YAML; each value is a text, of a list or a map its JSON.
    TEXTS = "texts"
    # Where it is not YAML: lines cut at their first colon, the last of a name wins.
    LINES = "lines"
    # Where it is no map, too: lines of `key: value`, and a list or a map below a key
    # without a value, of which each line is indented by two blanks or more.
    TWO_LEVELS = "two-levels"


class Languages(Enum):
    """What a word behind the opening fence means."""

    IGNORE = "ignore"
    GRAY_MATTER = "gray-matter"  # yaml, json; js would be evaluated
    PYTHON_FRONTMATTER = "python-frontmatter"  # what stood in braces is JSON


class Shapeless(Enum):
    """What a header that is no map means: a text, or a list."""

    REJECT = "reject"  # the file is no skill
    EMPTY = "empty"  # no fields
    # It is rejected, and so is one of comments; one of blanks has no fields.
    REJECT_COMMENTS = "reject-comments"


class Bytes(Enum):
    """What a value with the tag `!!binary` is."""

    OBJECT = "object"  # none that a field of text takes
    TEXT = "text"  # the text that its base64 stands for


class RetryOn(Enum):
    """Which failures make an agent read the header again, rewritten."""

    SYNTAX = "syntax"  # it is not what the reader can read
    TYPES = "types"  # nor is it where a field is of the wrong type


class FieldShape(Enum):
    """What a struct makes of one of its fields."""

    TEXT = "text"  # of any scalar
    FLAG = "flag"  # true or false
    # What programs in JavaScript ask of what npm's `yaml` reads:
    STRING = "string"  # a string, or null
    BOOLEAN = "boolean"  # true, false or null
    LIST = "list"  # a list without a map in it, or null
    INNER_PATHS = "inner-paths"  # such a list of paths that do not lead out, or null
    TEXT_MAP = "text-map"  # from texts to texts
    TEXTS = "texts"  # a list, or a text that is split at its commas
    VALUE_MAP = "value-map"  # from texts to what JSON can say
    # What models of pydantic have, after validators of the agents' own:
    PYDANTIC_TEXT = "pydantic-text"  # a text, or null
    PYDANTIC_FLAG = "pydantic-flag"  # a boolean, or 1, "on", "f" and the like
    PYDANTIC_FLAG_OR_NULL = "pydantic-flag-or-null"  # `pydantic-flag`, or null
    ANY_MAP = "any-map"  # a map of anything, or null
    TEXT_OR_TEXTS = "text-or-texts"  # a text, a list of texts, or null
    TEXT_OR_LIST = "text-or-list"  # a text, a list of anything, or null
    GLOBS = "globs"  # a text split at commas, a list of anything, or null
    # A list, and unless `paths` names something, of texts.
    TRIGGERS = "triggers"
    # Unless `paths` names something, a list of maps with `name` and `description`.
    INPUTS = "inputs"


@record
class ReaderRule:
    """How an agent reads the header.

    A reader that puts it into a struct looks at its `known` keys alone; of these,
    `maps` are maps, with the keys in them whose values have to be scalars. One that
    hands the fields on as the arguments of a function fails on a key that is `reserved`
    for another argument, and on one that is no text. `types` are the keys whose values
    have to be of a shape, whatever is asked of them later.
    """

    engine: ReaderEngine
    schema: ScalarSchema = ScalarSchema.TEXT
    repair: Repair = Repair.NONE
    retry: Repair = Repair.NONE
    retry_on: RetryOn = RetryOn.SYNTAX
    duplicate_keys: DuplicateKeys = DuplicateKeys.REJECT
    recovery: Recovery = Recovery.NONE
    languages: Languages = Languages.IGNORE
    documents: Documents = Documents.ONE
    shapeless: Shapeless = Shapeless.REJECT
    bytes: Bytes = Bytes.OBJECT
    reserved: tuple[str, ...] = ()
    known: tuple[str, ...] = ()
    maps: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    types: dict[str, FieldShape] = field(default_factory=dict[str, FieldShape])


LINE_READERS: dict[ReaderEngine, Callable[[str], dict[str, Node]]] = {
    ReaderEngine.FIRST_COLON: read_first_colon,
    ReaderEngine.FIRST_PREFIX: read_first_prefix,
    ReaderEngine.LINES_AND_LISTS: read_lines_and_lists,
    ReaderEngine.SIMPLE_MAP: read_simple_map,
    ReaderEngine.TRIMMED_LINES: read_trimmed_lines,
}

PYTHON_ENGINES: frozenset[ReaderEngine] = frozenset(
    (ReaderEngine.PYYAML, ReaderEngine.PYYAML_LIBYAML)
)

# What every other engine reads alike, and these may not: a date, `0x_`, `=` and `<<`,
# numbers of 4,300 digits.
_UNLIKE_PYTHON = re.compile(
    r"\d{4}-\d\d?-\d|0[bx]_|[:\-\[,{]\s*(?:=|<<)\s*(?:[,\]}#\n]|\Z)"
    r"|(?<![0-9_])[0-9_]{4000}"
)
# A block scalar with blanks at its end, or one sign on the last line.
_UNLIKE_GOCCY = re.compile(r" (?:\n(?! )|\Z)|\n +\S\Z")
# A quoted text over several lines, whose `\r\n` is two line breaks to Bun.
_UNLIKE_BUN = re.compile(r"[\"'][^\r\n]*+\r")
# What may be a number of more than 64 bits, or one that is too large to be one.
_UNLIKE_SERDE_VALUE = re.compile(r"[0-9a-fA-F]{17}|[eE]\+?[0-9]{3}")
UNLIKE: dict[ReaderEngine, re.Pattern[str]] = {
    ReaderEngine.SERDE_VALUE: _UNLIKE_SERDE_VALUE,
    **dict.fromkeys(PYTHON_ENGINES, _UNLIKE_PYTHON),
    ReaderEngine.GOCCY_YAML: _UNLIKE_GOCCY,
    ReaderEngine.BUN_YAML: _UNLIKE_BUN,
}

# These refuse much of what all others read: the quick reader has no say.
SLOW_ENGINES = frozenset((ReaderEngine.STRICT_YAML,))

# These read a header without a line break at its end as if it had one.
CLOSING_ENGINES = frozenset((ReaderEngine.JS_YAML_3,))
