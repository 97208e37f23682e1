"""The model of what a dialect inserts into a body: arguments, variables, files, output.

Everything here is off unless a dialect says otherwise: an agent that hands a body over
as it stands has no table.
"""

from __future__ import annotations

from dataclasses import field
from enum import Enum
from functools import lru_cache
from typing import TYPE_CHECKING

from metier.core.fields import Trim, Unit
from metier.core.record import record

if TYPE_CHECKING:
    from metier.core.dialect import Dialect
    from metier.core.mapping import Later


class Applies(Enum):
    """On whose call arguments, files or commands are filled in."""

    ALWAYS = "always"  # anybody's
    SLASH = "slash"  # only a person's, who invokes the skill with `/name`
    TOOL = "tool"  # only the model's


class Placeholder(Enum):
    """What stands for an argument."""

    ALL = "all"  # `$ARGUMENTS`: the arguments as they were typed
    INDEX = "index"  # `$ARGUMENTS[N]`: one of them, counted from `index_base`
    POSITION = "position"  # `$N`: one of them, counted from `position_base`
    NAME = "name"  # `$name`, for the names that the skill declares, by their order


class Splitting(Enum):
    """How the arguments are told apart."""

    BLANKS = "blanks"  # at white space; quotes are characters like any other
    SHELL = "shell"  # quotes group and a backslash escapes, as in a shell
    # Double quotes group; apostrophes and backslashes are characters like any other.
    DOUBLE_QUOTES = "double-quotes"
    # The same, and so do single quotes that start a word; an empty word is none.
    LEADING_QUOTES = "leading-quotes"
    # A quoted run, and a run without blanks and quotes, is one each; a quote without
    # its partner is dropped.
    RUNS = "runs"
    # The words of the first command, had the arguments been typed into a shell: what
    # ends it ends them. Within double quotes backslashes stay, and a quote without its
    # partner is a letter of a word that goes on to the end.
    COMMAND = "command"


class Unbalanced(Enum):
    """What a quote without its partner does, where quotes group."""

    ERROR = "error"  # the skill is not handed over
    REST = "rest"  # it groups all that follows


class Last(Enum):
    """What the highest `$N` of a body stands for."""

    ONE = "one"  # its own argument, like any other
    REST = "rest"  # its argument and all that follow


class Missing(Enum):
    """What becomes of a placeholder for an argument that was not given."""

    EMPTY = "empty"  # nothing stands there
    VERBATIM = "verbatim"  # it stays as it is written


class End(Enum):
    """What may stand behind a placeholder."""

    ANYTHING = "anything"
    NO_WORD = "no-word"  # neither a letter of ASCII nor a digit nor `_`


class Naming(Enum):
    """How far a `$name` goes."""

    LONGEST = "longest"  # over letters, digits, `_` and `-`, as many as there are
    # No further than a declared name, which may hold any sign, where no `[`, letter of
    # ASCII, digit or `_` stands behind it; a number is no name.
    DECLARED = "declared"


class DollarEscape(Enum):
    """How a placeholder is written that shall stay."""

    NONE = "none"  # it cannot be
    # `\$1` is `$1`; behind two backslashes, which stay, the placeholder counts.
    BACKSLASH = "backslash"


class Variable(Enum):
    """What a variable in a body stands for; one that is not known stays as written."""

    SKILL_DIRECTORY = "skill-directory"
    PROJECT_DIRECTORY = "project-directory"
    SESSION_ID = "session-id"
    EFFORT = "effort"
    PLUGIN_ROOT = "plugin-root"
    PLUGIN_DATA = "plugin-data"


class FileInsert(Enum):
    """What becomes of a reference to a file, as `references.files` finds it."""

    NONE = "none"  # it stays text
    ATTACH = "attach"  # it stays, and the file is handed over beside the text
    INLINE = "inline"  # the content of the file stands in its place


class FileBase(Enum):
    """Where a reference to a file starts."""

    SKILL = "skill"  # the skill's folder
    PROJECT = "project"  # the root of the project; only where a policy opens it


class CommandSyntax(Enum):
    """Where ``!`command` `` is a command."""

    NONE = "none"
    ANYWHERE = "anywhere"
    ONE_LINE = "one-line"  # anywhere, but not over the end of a line
    # At the start of a line or behind white space, and not over the end of a line.
    AFTER_BLANK = "after-blank"
    # The same, and over the end of a line; blank is what JavaScript takes for it, and
    # nothing but blanks is no command.
    AFTER_BLANK_LINES = "after-blank-lines"


class CommandBlocks(Enum):
    """Whether a fenced block is a command."""

    NONE = "none"
    BANG = "bang"  # one whose opening fence is followed by `!`
    BANG_ANYWHERE = "bang-anywhere"  # what stands between "```!" and the next "```"


class Inert(Enum):
    """What is documentation, so that no command in it is run."""

    FENCES = "fences"  # fenced blocks; one that is never closed goes to the end
    CODE = "code"  # inline code
    # What stands on its line behind an odd number of backquotes by themselves.
    ODD_BACKQUOTES = "odd-backquotes"
    LONG_CODE = "long-code"  # inline code between two backquotes or more
    # From three backquotes to the next three, or to the end, and from one to the next
    # one, wherever they stand: not as Markdown has it.
    BACKQUOTES = "backquotes"


class CommandEscape(Enum):
    """How a command is written that shall not be run."""

    NONE = "none"  # it cannot be
    BACKSLASH = "backslash"  # ``\!`command` `` is ``!`command` ``


class CommandFailure(Enum):
    """What a command that fails does."""

    ABORT = "abort"  # the skill is not handed over
    NOTE = "note"  # the text `failed` stands in its place
    OUTPUT = "output"  # nothing: what it printed stands there
    # What it printed stands there, and where that is nothing the text `failed`.
    OUTPUT_OR_NOTE = "output-or-note"


class CommandFolder(Enum):
    """Where a command is run."""

    PROJECT = "project"  # in the working directory of the agent
    SKILL = "skill"  # in the skill's folder


class OutputTrim(Enum):
    """What is taken off the output of a command."""

    NONE = "none"
    LINE_ENDS = "line-ends"  # line feeds at its end
    END = "end"  # white space at its end
    BOTH = "both"  # white space at both ends
    # Blank lines at its start and white space at its end, as JavaScript has it.
    BLANK_LINES = "blank-lines"


class Streams(Enum):
    """What counts of the two that a command writes to."""

    STDOUT = "stdout"
    STDOUT_OR_STDERR = "stdout-or-stderr"  # stderr where there is nothing on stdout
    BOTH = "both"  # stdout, and behind it the text `stderr` where there is any
    MERGED = "merged"  # all that it writes, in the order in which it does


class OutputReading(Enum):
    """How what a command printed becomes text."""

    UTF_8 = "utf-8"  # what is no UTF-8 is U+FFFD
    # As Python reads text: every line ends in a line feed, and a command that prints
    # what is no UTF-8 counts as one that could not be run. The status of one that a
    # signal ended is the number of the signal, below 0.
    PYTHON_TEXT = "python-text"


class Repeats(Enum):
    """How often a command is run that stands in a body more than once."""

    EACH = "each"  # every time
    ONCE = "once"  # once, and it counts once


@record
class FileRule:
    """What a dialect does with references to files."""

    insert: FileInsert = FileInsert.NONE
    applies: Applies = Applies.ALWAYS
    base: FileBase = FileBase.SKILL


@record
class CommandRule:
    """What a dialect does with commands in a body.

    None is ever run without a policy that allows it. `command_trim` is taken off the
    ends of a command, `trim` off those of its output, and `silent` stands for one that
    is empty then. A status of 1 is no failure where a command ends with one of
    `answering`, names of programs or of programs and what they are told to do.

    `failed` knows `{command}`, `{written}` with its marks, `{status}`, `{error}` and
    `{reason}`, which is the error without the white space at its ends; so does
    `unrunnable`, which takes its place, if it is stated, for a command that could not
    be run at all. `timed_out` knows `{command}` and `{seconds}`, `stderr` knows
    `{error}`. Where a failure hands nothing over, `unrunnable` and `aborted` say why,
    if stated; `aborted` knows `{written}` and what was `{said}`, as in `stderr`.

    An output longer than `max_output` is cut, with `cut` behind it. If `preview` is
    stated, that takes its place: it knows the `{size}` and the `{beginning}`, which is
    `max_preview` UTF-16 units at most, whole lines where that is more than half of
    them, and `preview_cut` behind it where there is more. A bound of 0 is no bound of
    the dialect's; the policy's own always hold.
    """

    syntax: CommandSyntax = CommandSyntax.NONE
    applies: Applies = Applies.ALWAYS
    blocks: CommandBlocks = CommandBlocks.NONE
    inert: tuple[Inert, ...] = ()
    escape: CommandEscape = CommandEscape.NONE
    command_trim: Trim = Trim.NONE
    failure: CommandFailure = CommandFailure.ABORT
    folder: CommandFolder = CommandFolder.PROJECT
    reading: OutputReading = OutputReading.UTF_8
    streams: Streams = Streams.STDOUT
    repeats: Repeats = Repeats.EACH
    trim: OutputTrim = OutputTrim.END
    shell: str = "sh"
    disabled: str = "[shell command execution disabled by policy]"
    untrusted: str = "[shell command execution disabled by policy]"
    failed: str = "[command failed with status {status}: {command}]"
    unrunnable: str = ""
    aborted: str = ""
    answering: tuple[str, ...] = ()
    timed_out: str = "[command stopped after {seconds} s: {command}]"
    stderr: str = "[stderr]\n{error}"
    silent: str = ""
    cut: str = "\n[output cut]"
    preview: str = ""
    preview_cut: str = ""
    max_preview: int = 0
    over_limit: str = "[command limit reached]"
    max_commands: int = 0
    max_output: int = 0
    output_unit: Unit = Unit.BYTES
    timeout: int = 0


@record
class Substitution:
    """What one agent fills in when it hands a body over.

    `append` is put behind a body that used no argument, with `{arguments}` for them.
    """

    applies: Applies = Applies.ALWAYS
    placeholders: tuple[Placeholder, ...] = ()
    splitting: Splitting = Splitting.BLANKS
    unbalanced: Unbalanced = Unbalanced.ERROR
    position_base: int = 1
    index_base: int = 0
    last: Last = Last.ONE
    all_end: End = End.NO_WORD
    position_end: End = End.ANYTHING
    naming: Naming = Naming.LONGEST
    missing_argument: Missing = Missing.EMPTY
    missing_name: Missing = Missing.EMPTY
    escape: DollarEscape = DollarEscape.NONE
    append: str = ""
    variables: dict[str, Variable] = field(default_factory=dict[str, Variable])
    files: FileRule = field(default_factory=FileRule)
    commands: CommandRule = field(default_factory=CommandRule)


VERBATIM = Substitution()


def substitution_of(dialect: Dialect) -> Substitution:
    """What `dialect` fills in; `DialectError` where its table makes no sense."""
    return _build(dialect.substitution)


@lru_cache
def _build(table: Later) -> Substitution:
    return table.build(Substitution)
