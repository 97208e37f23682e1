"""The model of what a dialect says about fields: types, limits, consequences."""

from __future__ import annotations

from dataclasses import field
from enum import Enum

from metier.core.record import record


class Expect(Enum):
    """What a field that wants text makes of another type."""

    STRING = "string"  # anything else rejects the file
    AS_WRITTEN = "as-written"  # any scalar as its source reads; null is empty
    SCALAR = "scalar"  # any scalar as its source reads; null counts as not there
    # What JavaScript takes for false counts as not there; anything else rejects.
    STRING_OR_FALSY = "string-or-falsy"
    STRING_OR_NULL = "string-or-null"  # null counts as not there; anything else rejects
    STRING_OR_ABSENT = "string-or-absent"  # anything else counts as not there
    TOLERANT = "tolerant"  # any scalar as its source reads, with a warning
    # Any scalar as JavaScript's `String` writes it; null, lists and maps count as not
    # there.
    JS_TEXT = "js-text"
    # Anything but a map, written likewise; null counts as not there, a map rejects.
    JS_STRING = "js-string"
    PYTHON_TEXT = "python-text"  # anything, as Python's `str` writes it: `True`, `None`
    # A string, or `!!binary` that is UTF-8; anything else rejects the file.
    PYDANTIC_TEXT = "pydantic-text"


class Falsity(Enum):
    """What becomes of a value that Python takes for false: 0, false, an empty list."""

    VALUE = "value"  # it is a value like any other
    ABSENT = "absent"  # it counts as not there


class Presence(Enum):
    """Whether a field, or the body, has to be there."""

    OPTIONAL = "optional"
    REQUIRED = "required"  # may be empty
    NON_EMPTY = "non-empty"
    NON_BLANK = "non-blank"  # nor may it be white space alone, as JavaScript has it
    NON_WHITE = "non-white"  # nor may it be white space alone, as Unicode has it


class Unit(Enum):
    """What a length counts."""

    CHARACTERS = "characters"
    UTF16 = "utf-16"  # as JavaScript has it: one above U+FFFF is two
    BYTES = "bytes"


class Consequence(Enum):
    """What happens to a skill that breaks a rule."""

    REJECT = "reject"
    WARN = "warn"
    IGNORE = "ignore"
    CUT = "cut"  # what is too long is cut, anything else is a warning
    RENAME = "rename"  # the name of its folder takes the place of another one


class Charset(Enum):
    """Which names are allowed."""

    ANY = "any"
    LOWER_ASCII = "lower-ascii"  # a-z, 0-9 and hyphens, anywhere
    LOWER_UNICODE = "lower-unicode"  # letters, digits, single inner hyphens
    LOWER_HYPHENATED = "lower-hyphenated"  # a-z, 0-9, single inner hyphens
    ASCII = "ascii"  # a-z, A-Z, 0-9 and hyphens, anywhere
    LOWER_BETWEEN = "lower-between"  # a-z, 0-9, and hyphens but at the ends
    NO_SLASH = "no-slash"  # anything but `/`
    WORDS = "words"  # letters and digits of any script, and `_`, `:`, `.`, `-`
    HYPHENATED = "hyphenated"  # a-z, A-Z, 0-9, single inner hyphens
    # As Python's `isalnum` has it, once composed (NFKC), with single inner hyphens.
    LOWER_ALNUM_NFKC = "lower-alnum-nfkc"


class Likeness(Enum):
    """When a name and its folder's are the same."""

    EXACT = "exact"
    FOLDED = "folded"  # in any letter case, as Unicode folds single characters
    COMPOSED = "composed"  # once both are composed (NFKC)


class NameDefault(Enum):
    """Where a name comes from when the file states none."""

    NONE = "none"
    DIRECTORY = "directory"
    TRIMMED_DIRECTORY = "trimmed-directory"  # its ends are trimmed as those of a name
    DIRECTORY_IF_ABSENT = "directory-if-absent"  # one that is empty stays empty
    # The last part of the key, hyphens as blanks, each word with a capital.
    TITLED_KEY = "titled-key"
    ALWAYS_DIRECTORY = "always-directory"  # the folder, whatever the file states


class FromBody(Enum):
    """What of the body serves as a description where the header has none."""

    NONE = "none"  # nothing
    FIRST_PARAGRAPH = "first-paragraph"  # up to an empty line
    FIRST_LINE = "first-line"  # that is neither blank nor `---`
    # The first line that is not blank, without the signs of a heading, and cut wherever
    # it has to be; also where the header has a blank one.
    FIRST_HEADING = "first-heading"
    # The first paragraph that is not all headings, without those, on one line; also
    # where the header has a blank one.
    PROSE = "prose"


class CutAt(Enum):
    """Where a text that is too long ends, if it was taken from the body."""

    LENGTH = "length"  # where it is too long
    SENTENCE = "sentence"  # behind its last whole sentence, or its last whole word


class Rewriting(Enum):
    """What is done to a text before it is judged."""

    NONE = "none"
    FILE_NAME = "file-name"  # what Windows has in no file name becomes a hyphen
    NO_TAGS = "no-tags"  # all from a `<` to the next `>` goes
    SINGLE_LINE = "single-line"  # each run of white space becomes one blank


class Trim(Enum):
    """What is taken off the ends of a text before it is judged, a body or a command."""

    NONE = "none"
    WHITE_SPACE = "white-space"
    PYTHON_WHITE_SPACE = "python-white-space"  # as Python's `strip` has it
    JS_WHITE_SPACE = "js-white-space"
    JAVA_WHITE_SPACE = "java-white-space"


class Quotes(Enum):
    """What becomes of quotes that a reader left around a text."""

    KEEP = "keep"  # they stay
    STRIP = "strip"  # one pair is taken off; one that stands alone is a pair
    STRIP_ALL = "strip-all"  # the blanks around them first, then any number of them


class Measured(Enum):
    """What of a text has the length that is limited."""

    TRIMMED = "trimmed"  # what is left of it once its ends are trimmed
    UNTRIMMED = "untrimmed"  # all of it, as it is written
    COMPOSED = "composed"  # trimmed and composed (NFKC)


class FieldType(Enum):
    """What an optional field holds."""

    TEXT = "text"
    JS_TEXT = "js-text"  # anything, as JavaScript's `String` writes it, untrimmed
    STRING = "string"  # a string; anything else is not there
    WORDS = "words"  # split at commas and spaces
    BLANK_WORDS = "blank-words"  # a list, or a text split at white space
    TOOLS = "tools"  # a text or a list, parentheses kept together
    PHRASES = "phrases"  # a list, or a text split at commas outside of brackets
    FLAG = "flag"
    JS_FLAG = "js-flag"  # true, or the text `true` written just so
    WORD_FLAG = "word-flag"  # `true` or `false`; anything else counts as not there
    EXACT_FLAG = "exact-flag"  # `true` or `false` in small letters, likewise
    BOOLEAN = "boolean"  # true or false; anything else, quoted words too, is not there
    # `true`, `1`, `yes`, `on` or the contrary, in any case; anything else, likewise.
    ANSWER = "answer"
    # The same, but the words `true` and `false`, so written, count too.
    BOOLEAN_OR_WORD = "boolean-or-word"
    # A boolean, or the contrary of one under any key but the first; null counts as
    # not there.
    OFF_SWITCH = "off-switch"
    TEXT_MAP = "text-map"
    # As programs in Python take what PyYAML makes of a field:
    PYTHON_TEXT = "python-text"  # a string, or `!!binary` that is UTF-8
    TRIMMED_TEXT = "trimmed-text"  # a string that is more than blanks, without those
    PYDANTIC_FLAG = "pydantic-flag"  # a boolean, or 1, "on", "f" and the like
    SPLIT = "split"  # a text split at white space, and nothing else
    # A text split at white space, or a list of texts.
    SPLIT_OR_TEXTS = "split-or-texts"
    # A text split at white space, or a list of anything, as `str` writes it.
    SPLIT_OR_WRITTEN = "split-or-written"
    TEXTS = "texts"  # a list of texts
    # The strings in a list that are not empty; where there is no list, a string under
    # any key but the first.
    STRINGS = "strings"
    GLOBS = "globs"  # a text split at commas, or a list of anything, as `str` writes it
    WRITTEN_MAP = "written-map"  # a map of anything, as `str` writes it
    WRITTEN = "written"  # anything, as `str` writes it, without the blanks around it
    # A list of anything, or one thing alone, as `str` writes it.
    WRITTEN_LIST = "written-list"
    WORDS_OR_TEXTS = "words-or-texts"  # split at commas and blanks, or a list of texts
    STATED = "stated"  # a flag: whether there is such a key
    # A list, or a text split at commas outside of braces; `{a,b}` stands for both, and
    # what matches every file for nothing.
    PATTERNS = "patterns"


class Effect(Enum):
    """What a flag, or a text that is absent, does to its skill."""

    NONE = "none"
    # The model is not offered a skill whose flag is set, or whose list is not empty.
    HIDES = "hides"
    # It is offered only where one such flag is set, or one such list is not empty.
    LISTS = "lists"
    BARS_PEOPLE = "bars-people"  # only the model may invoke it, where the flag is false
    ADMITS_PEOPLE = "admits-people"  # a person may, only where the flag is set
    # Neither the model nor a person has it where the field, an off-switch, is off.
    DISABLES = "disables"
    # Neither the model nor a person has it before a file is read that matches.
    WAITS = "waits"
    # Neither has it where the list is not empty, and holds none of `within`.
    CONFINES = "confines"


@record
class TextRule:
    """How `name` or `description` is read and judged.

    `others` are the keys that are tried next. What is cut ends with `ellipsis`. What is
    taken `from_body` has no more than `max_from_body` characters; where that is empty
    too, `last_resort` is the text. The optional field `appended` is put behind a
    description, with `appendix` between them. Where there is a text for what is
    `clipped`, a text that is too long becomes its both ends with that between them; it
    knows `{path}`.
    """

    expect: Expect
    others: tuple[str, ...] = ()
    falsity: Falsity = Falsity.VALUE
    quotes: Quotes = Quotes.KEEP
    presence: Presence
    charset: Charset = Charset.ANY
    max_length: int | None = None
    unit: Unit = Unit.CHARACTERS
    when_invalid: Consequence = Consequence.REJECT
    ellipsis: str = ""
    clipped: str = ""
    default: NameDefault = NameDefault.NONE
    from_body: FromBody = FromBody.NONE
    max_from_body: int | None = None
    cut_at: CutAt = CutAt.LENGTH
    last_resort: str = ""
    appended: str | None = None
    appendix: str = ""
    directory_match: Consequence = Consequence.IGNORE
    directory_likeness: Likeness = Likeness.EXACT
    absence: Effect = Effect.NONE
    trim: Trim = Trim.NONE
    measured: Measured = Measured.TRIMMED
    rewriting: Rewriting = Rewriting.NONE


class KeyPick(Enum):
    """Which of several spellings of one field counts."""

    FIRST_LISTED = "first-listed"
    LAST_WRITTEN = "last-written"


@record
class FieldRule:
    """How one optional field is read, under any of its keys.

    Where there are `choices`, another text, or a value that is none, rejects the file.
    """

    keys: tuple[str, ...]
    type: FieldType
    quotes: Quotes = Quotes.KEEP
    pick: KeyPick = KeyPick.FIRST_LISTED
    max_length: int | None = None
    unit: Unit = Unit.CHARACTERS
    choices: tuple[str, ...] = ()
    when_invalid: Consequence = Consequence.REJECT
    effect: Effect = Effect.NONE
    within: tuple[str, ...] = ()
    other_types: Consequence = Consequence.IGNORE  # what a value does of another type


@record
class BodyRule:
    """How the body is handed over.

    `request` is put behind a body that waits for values: that of a skill with `inputs`
    and without `paths`, where it lists one of them or holds a `${name}`.
    """

    trim: Trim = Trim.NONE
    request: str = ""
    presence: Presence = Presence.OPTIONAL


class KeySource(Enum):
    """What a skill is known by, and asked for."""

    NAME = "name"  # its name
    # The path of its folder below the root; for a file in the root that is `root`.
    PATH = "path"


@record
class KeyRule:
    """What tells two skills apart; the text in the header field `field` comes first."""

    source: KeySource = KeySource.NAME
    field: str | None = None


_ABOUT_MODELS = (Effect.HIDES, Effect.LISTS)


@record
class FieldRules:
    """Everything a dialect says about fields; `unknown` are the keys not listed."""

    name: TextRule
    description: TextRule
    key: KeyRule = field(default_factory=KeyRule)
    body: BodyRule = field(default_factory=BodyRule)
    unknown: Consequence = Consequence.IGNORE
    other: dict[str, FieldRule] = field(default_factory=dict[str, FieldRule])

    def deciding(self) -> tuple[tuple[str, FieldRule], ...]:
        """The optional fields that decide about a skill: its fate or its showing."""
        return tuple(
            (name, rule)
            for name, rule in self.other.items()
            if rule.max_length is not None or rule.choices or rule.effect in _DECIDING
        )


_DECIDING = (*_ABOUT_MODELS, Effect.DISABLES, Effect.WAITS, Effect.CONFINES)
