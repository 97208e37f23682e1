"""The gate before the skills of a project: which count, and with which bytes.

A skill of a project counts where a person trusts the folder and has approved what the
skill holds. Until then no file of it is parsed. What is handed over comes out of the
tree whose digest was compared, so that nothing can change in between.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import Enum
from posixpath import basename, dirname, join
from typing import TYPE_CHECKING, NamedTuple

from metier.core.roots import Scope, Trust, plan_roots
from metier.core.selection import Case, is_flat
from metier.core.trust import (
    EMPTY_BOOK,
    Approval,
    Stamp,
    Standing,
    TrustBook,
    TrustedFolder,
)
from metier.diagnostics import Diagnostic, Diagnostics, Severity, printable
from metier.errors import ConfigError

if TYPE_CHECKING:
    from metier.core.dialect import Dialect
    from metier.core.roots import Environment, Root
    from metier.core.selection import Selection
    from metier.core.skill import Rejection, Skill
    from metier.core.tree import Tree, TreeChange
    from metier.library import Library
    from metier.world.filesystem import FileSystem
    from metier.world.trust_store import TrustStore

# What is nobody's but the user's and the machine's: no project can change it.
_OWN = frozenset((Scope.USER, Scope.SYSTEM, Scope.ADMIN))


class Access(Enum):
    """What a scan may do in a root."""

    OPEN = "open"  # read it
    BOUND = "bound"  # read trees, and take those that were approved
    CLOSED = "closed"  # say what lies there, and read nothing


class Admission(NamedTuple):
    """What may be done in a root; `within` is the folder that nothing may leave."""

    access: Access
    within: Stamp | None = None
    finding: Diagnostic | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What a person is asked to trust: a folder, or a skill with all that it holds."""

    path: str
    standing: Standing
    stamp: Stamp | None = None
    tree: Tree | None = None
    change: TreeChange | None = None


class Judgement(NamedTuple):
    """The approved tree of a skill, or why there is none, and what to ask then."""

    tree: Tree | None = None
    finding: Diagnostic | None = None
    question: Question | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Gate:
    """Which skills of a project count, by a mode and by what a store remembers."""

    mode: Trust
    store: TrustStore | None
    filesystem: FileSystem
    environment: Environment
    dialect: Dialect
    # What a person agreed to until this process ends: paths with digests.
    _once: set[tuple[str, str]] = field(default_factory=set[tuple[str, str]])

    def look(self) -> View:
        """What holds at this moment."""
        workspace = self.stamp(self.environment.git_root or self.environment.cwd)
        book, notes = self._load(workspace)
        own = self._own_folders()
        return View(gate=self, book=book, workspace=workspace, own=own, notes=notes)

    def stamp(self, path: str) -> Stamp | None:
        """Which folder `path` leads to; None where it leads to none."""
        try:
            return self.filesystem.stamp(path)
        except OSError:
            return None

    def _own_folders(self) -> frozenset[str]:
        rules = tuple(r for r in self.dialect.roots if r.scope in _OWN)
        is_directory = self.filesystem.is_directory
        roots = plan_roots(rules, self.environment, is_directory=is_directory)
        return frozenset(root.path for root in roots)

    def _load(self, workspace: Stamp | None) -> tuple[TrustBook, Diagnostics]:
        if self.store is None:
            return EMPTY_BOOK, (_unsafe("there is no home folder to remember it in"),)
        if workspace and self.store.lies_below(workspace.path):
            reason = "the store lies inside of the workspace"
            return EMPTY_BOOK, (_unsafe(reason, self.store.path),)
        return self.store.load()

    def open(self, skill: Skill) -> Judgement:
        """What `skill` holds now; empty for one that is read as it is."""
        view = self.look()
        admission = view.admission(skill.root)
        return view.judge(skill.path, skill.root, admission)

    def questions(self, library: Library) -> Iterator[Question]:
        """What has to be trusted before everything in `library` counts."""
        view = self.look()
        stamps = {each.path: each for each in view.holders(library.roots)}
        for stamp in stamps.values():
            standing = view.book.standing_of(stamp)
            if standing is not Standing.KNOWN:
                yield Question(path=stamp.path, standing=standing, stamp=stamp)
        for rejection in library.untrusted:
            judged = view.inspect(rejection)
            if judged.question:
                yield judged.question

    def accept(self, questions: Iterable[Question]) -> None:
        """Remember that a person agreed, to exactly what was in the questions."""
        if self.store is None:
            raise ConfigError("there is no home folder in which to remember trust")
        since = self.store.clock()

        def write(book: TrustBook) -> TrustBook:
            for each in questions:
                book = _agreed(book, each, since)
            return book

        self.store.update(write)

    def accept_once(self, question: Question) -> None:
        """Agree to this content of a skill until the process ends."""
        if question.tree is not None:
            self._once.add((question.path, question.tree.digest))

    def is_accepted(self, path: str, tree: Tree, book: TrustBook) -> bool:
        """Whether a person agreed to this content."""
        if (path, tree.digest) in self._once:
            return True
        return book.standing_of_tree(path, tree) is Standing.KNOWN


def _agreed(book: TrustBook, question: Question, since: str) -> TrustBook:
    if question.stamp is not None:
        return book.with_folder(TrustedFolder(stamp=question.stamp, since=since))
    if question.tree is None:
        return book
    approval = Approval(
        path=question.path,
        digest=question.tree.digest,
        entries=question.tree.entries,
        since=since,
    )
    return book.with_approval(approval)


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """What the gate saw when it looked: one view for one scan, or for one skill."""

    gate: Gate
    book: TrustBook
    workspace: Stamp | None
    own: frozenset[str]
    notes: Diagnostics

    def admission(self, root: Root) -> Admission:
        """What may be done in `root`."""
        holder = self._holder_of(root)
        if holder is None:
            return Admission(Access.OPEN)
        finding = self._objection(holder)
        if finding is not None:
            return Admission(Access.CLOSED, holder, finding)
        if self.gate.mode is Trust.WORKSPACE:
            return Admission(Access.OPEN)
        return Admission(Access.BOUND, holder)

    def config_objection(self) -> Diagnostic | None:
        """Why the configuration file of the project is not to be read."""
        return self._objection(self.workspace) if self.workspace else None

    def holders(self, roots: Iterable[Root]) -> Iterator[Stamp]:
        """The folders that have to be trusted for `roots` to count."""
        if self.workspace is not None:
            yield self.workspace
        for root in roots:
            holder = self._holder_of(root)
            if holder is not None:
                yield holder

    def _holder_of(self, root: Root) -> Stamp | None:
        """The folder on whose trust a root depends; None for one of the user's own."""
        # By its text: a link to a folder of the user's is one that may change.
        if root.scope in _OWN or root.path in self.own:
            return None
        stamp = self.gate.stamp(root.path)
        if stamp is None:
            return None  # there is nothing to read
        if self.workspace and is_below(stamp.path, self.workspace.path):
            return self.workspace
        # What the caller names outside of the workspace is the caller's word.
        return None if root.scope is Scope.EXPLICIT else stamp

    def _objection(self, holder: Stamp) -> Diagnostic | None:
        shown = printable(holder.path, limit=1000)
        if self.gate.mode is Trust.NONE:
            return _finding("workspace-untrusted", "skills of a project do not count")
        match self.book.standing_of(holder):
            case Standing.KNOWN:
                return None
            case Standing.CHANGED:
                message = f"{shown} is another folder than the one that was trusted"
                return _finding("workspace-changed", message, help=_ADD)
            case _:
                message = f"nobody trusts {shown}"
                return _finding("workspace-untrusted", message, help=_ADD)

    def judge(self, path: str, root: Root, admission: Admission) -> Judgement:
        """Whether the skill file at `path` counts, and all that belongs to it."""
        if admission.access is Access.OPEN:
            return Judgement()
        if admission.access is Access.CLOSED or admission.within is None:
            return Judgement(finding=admission.finding)
        place = place_of(path, self.gate.dialect.selections[root.select])
        return self._compare(place, admission.within)

    def inspect(self, rejection: Rejection) -> Judgement:
        """What there is to approve in a file that does not count yet."""
        root = rejection.root
        holder = self._holder_of(root)
        if holder is None:
            return Judgement()
        place = place_of(rejection.path, self.gate.dialect.selections[root.select])
        return self._compare(place, holder)

    def _compare(self, place: Place, within: Stamp) -> Judgement:
        files = self.gate.filesystem
        try:
            folder = files.stamp(place.folder).path
            tree = files.read_tree(place.folder, within, place.only)
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            message = f"what the skill holds cannot be approved: {reason}"
            return Judgement(finding=_finding("skill-unbound", message))
        path = join(folder, place.only) if place.only else folder
        if self.gate.is_accepted(path, tree, self.book):
            return Judgement(tree=tree)
        return self._ask_about(path, tree)

    def _ask_about(self, path: str, tree: Tree) -> Judgement:
        standing = self.book.standing_of_tree(path, tree)
        if standing is Standing.UNKNOWN:
            message = "nobody has approved what the skill holds"
            finding = _finding("skill-unapproved", message, help=_SHOW)
        else:
            message = "the skill is not what was approved"
            finding = _finding("skill-changed", message, help=_SHOW)
        change = self.book.change_of(path, tree)
        question = Question(path=path, standing=standing, tree=tree, change=change)
        return Judgement(finding=finding, question=question)


class Place(NamedTuple):
    """What belongs to a skill: a folder, or one file of it, and the skill file."""

    folder: str
    only: str | None
    file: str


def place_of(path: str, selection: Selection) -> Place:
    """The folder of a skill file; a flat one is a skill without a folder."""
    name = basename(path)
    plain = name.lower() if selection.case is Case.INSENSITIVE else name
    alone = plain not in selection.names and is_flat(name, selection)
    return Place(dirname(path), name if alone else None, name)


def find_store(environment: Environment) -> TrustStore | None:
    """The store of the person whose environment it is."""
    from metier.world.trust_store import TrustStore, store_path

    path = store_path(environment)
    return None if path is None else TrustStore(path=path)


def is_below(path: str, folder: str) -> bool:
    """Whether `path` is `folder` or lies in it; both are real paths."""
    return path == folder or path.startswith(folder.rstrip("/") + "/")


_ADD = "if you know who wrote it, `metier trust add`"
_SHOW = "read what is different with `metier trust show`, then `metier trust add`"


def _finding(rule: str, message: str, *, help: str | None = None) -> Diagnostic:
    # A warning: an error would make some agents give up on all skills.
    return Diagnostic(rule=rule, severity=Severity.WARNING, message=message, help=help)


def _unsafe(reason: str, path: str | None = None) -> Diagnostic:
    return Diagnostic(
        rule="trust-store-unsafe",
        severity=Severity.ERROR,
        message=f"nothing is trusted: {reason}",
        path=path,
        help="name another folder in `XDG_STATE_HOME`",
    )
