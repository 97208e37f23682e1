"""Which files under a root are skills, as values; the walk itself is in `world`."""

from __future__ import annotations

from enum import Enum

from metier.core.record import record


class Case(Enum):
    """How a file name is compared."""

    EXACT = "exact"
    INSENSITIVE = "insensitive"


class Hidden(Enum):
    """What happens to folders whose name starts with a dot."""

    ENTER = "enter"
    SKIP = "skip"


class Links(Enum):
    """What happens to symbolic links."""

    FOLLOW = "follow"
    # Within bounds alone: of the root, or for a file of its folder.
    CONTAINED = "contained"
    IGNORE = "ignore"


class HardLinks(Enum):
    """What happens to a skill file that has more names than one, by hard links."""

    READ = "read"  # it is a file like any other
    IGNORE = "ignore"  # it is passed over


class RootFile(Enum):
    """What a skill file directly in the root means."""

    IGNORE = "ignore"
    ALSO = "also"  # one skill among others
    FILE = "file"  # the same, unless it is a link
    ONLY = "only"  # the root is itself the skill, nothing else is looked for


class Nested(Enum):
    """Whether skills are looked for below a skill."""

    DESCEND = "descend"
    # Not where the skill is a file, or a link to one: nor is anything beside it taken.
    STOP = "stop"


class Visits(Enum):
    """What a folder that was reached before means."""

    ONCE = "once"  # read once, whichever path led there
    ONCE_IN_ROOT = "once-in-root"  # the same, but for each root anew
    # Read again, but no skill file counts twice, be it linked or below a link.
    FILE_ONCE = "file-once"
    EACH_PATH = "each-path"  # read again, but for a link to one of its own parents


class Pick(Enum):
    """What two skill files in one folder mean."""

    FIRST = "first"  # the first of the names counts
    EVERY = "every"


class FlatName(Enum):
    """Which name the place of a file lends it that lies directly in the root."""

    FOLDER = "folder"  # that of the root
    STEM = "stem"  # its own, without the suffix
    PATH = "path"  # its path below the root, without the suffix


class FlatReach(Enum):
    """Where a file is a skill by its suffix."""

    ROOT = "root"  # directly in the root
    ANYWHERE = "anywhere"  # in any folder that is entered


class EntryOrder(Enum):
    """In which order the entries of one folder are looked at."""

    BY_NAME = "by-name"
    # The skill files first, then the folders from the last name to the first.
    BY_NAME_REVERSED = "by-name-reversed"
    BY_LOCALE = "by-locale"  # as JavaScript's `localeCompare` has it
    # As their paths sort, where that of a folder has a slash behind its name.
    BY_PATH = "by-path"


class Traversal(Enum):
    """In which order the folders below a root are entered."""

    DEPTH_FIRST = "depth-first"  # all that is in a folder, before the next one
    BREADTH_FIRST = "breadth-first"  # level by level, each folder once


class Paths(Enum):
    """Under which path a file that was reached through a link is known."""

    AS_FOUND = "as-found"  # that of the link
    REAL = "real"  # that of what the link leads to
    REAL_FILE = "real-file"  # the same, but it is the link that lends a name
    REAL_ROOT = "real-root"  # below the real path of the root, that of the link


class RootName(Enum):
    """Whether the rules for folder names also hold for the root's own."""

    FREE = "free"
    CHECKED = "checked"


# A tree of skills nests to 5 in practice; 16 bounds a hostile one.
MAX_DEPTH = 16


@record
class Selection:
    """How the files under one kind of root are chosen.

    `under` narrows the search to these subfolders of the root; `max_depth` counts
    the folders between the root and the file. `skip` are folders that are not entered,
    `skip_in_skill` those that are not where they lie beside a skill file. A folder
    `inner` of the root takes its place where a folder in it holds a skill file.
    `max_folders` and `max_entries` are the agent's own bounds of one root, where it
    goes breadth first; of the folders in one folder it looks into the first
    `max_candidates`, of the skills of one root it takes the first `max_skills`, and no
    file of more than `max_bytes`.
    What `ignore_files` say is passed over: their syntax is that of `.gitignore`, as
    npm's `ignore` reads it, but below the root a pattern without a slash is about its
    own folder alone.
    Files called as in `flat_except` are no skills by their suffix, in lower case where
    case is all the same for these, and neither are those called as in `closed_by`, in
    any letter case: a folder right below the root that holds one of them is not
    entered. Nor is one, anywhere, in whose name is one of the `skip_characters`.
    """

    names: tuple[str, ...] = ("SKILL.md",)
    pick: Pick = Pick.FIRST
    case: Case = Case.EXACT
    under: tuple[str, ...] = ()
    inner: str | None = None
    max_depth: int = MAX_DEPTH
    flat_suffix: str | None = None
    flat_case: Case = Case.EXACT
    flat_name: FlatName = FlatName.FOLDER
    flat_reach: FlatReach = FlatReach.ROOT
    flat_except: tuple[str, ...] = ()
    closed_by: tuple[str, ...] = ()
    root_file: RootFile = RootFile.ALSO
    hidden: Hidden = Hidden.ENTER
    skip: tuple[str, ...] = ()
    skip_characters: str = ""
    ignore_files: tuple[str, ...] = ()
    skip_in_skill: tuple[str, ...] = ()
    root_name: RootName = RootName.FREE
    root_link: Links = Links.FOLLOW
    directory_links: Links = Links.FOLLOW
    file_links: Links = Links.FOLLOW
    hard_links: HardLinks = HardLinks.READ
    nested: Nested = Nested.DESCEND
    visits: Visits = Visits.EACH_PATH
    entry_order: EntryOrder = EntryOrder.BY_NAME
    traversal: Traversal = Traversal.DEPTH_FIRST
    paths: Paths = Paths.AS_FOUND
    max_folders: int | None = None
    max_entries: int | None = None
    max_candidates: int | None = None
    max_skills: int | None = None
    max_bytes: int | None = None


def is_skipped(name: str, selection: Selection) -> bool:
    """Whether a folder of that name is not entered."""
    if name in selection.skip:
        return True
    if selection.hidden is Hidden.SKIP and name[:1] == ".":
        return True
    unread = selection.skip_characters
    return bool(unread) and any(map(name.__contains__, unread))


def is_flat(name: str, selection: Selection) -> bool:
    """Whether a file of that name, directly in the root, is a skill by its suffix."""
    suffix = selection.flat_suffix
    if suffix is None:
        return False
    if selection.flat_case is Case.INSENSITIVE:
        name = name.lower()
    if name == suffix or name in selection.flat_except:
        return False
    return name.endswith(suffix) and name.lower() not in selection.closed_by
