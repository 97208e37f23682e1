"""The one place that joins the core with the world: folders to a library."""

from __future__ import annotations

import gc
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from os import PathLike, fspath
from posixpath import basename, dirname, join, splitext
from typing import TYPE_CHECKING

from metier.core.activation import is_reached
from metier.core.dialect import Dialect
from metier.core.document import MAX_FILE, Document, DocumentReader
from metier.core.fields import Consequence, KeySource, TextRule
from metier.core.lengths import clip_text
from metier.core.names import is_alike
from metier.core.record import record
from metier.core.resolve import Copies, FailurePolicy, resolve
from metier.core.roots import (
    Config,
    ConfigRule,
    Environment,
    Root,
    config_folder,
    explicit_roots,
    plan_roots,
)
from metier.core.selection import FlatName, Links, Visits
from metier.core.skill import Candidate, Origin, Rejection, Skill, key_of
from metier.diagnostics import (
    Diagnostic,
    Diagnostics,
    Position,
    Severity,
    printable,
)
from metier.errors import ConfigError
from metier.library import Library
from metier.world.config import load_config
from metier.world.files import too_large
from metier.world.filesystem import FileSystem, Reading, read_linked
from metier.world.findings import describe_error, find_bar, limit_finding
from metier.world.scan import Identity, Walk, scan_root

if TYPE_CHECKING:
    from metier.core.sidecar import SidecarRule
    from metier.runtime.trust import Gate, View
    from metier.world.sights import Sought

# 90 % of real files are smaller, and the closing fence stands within the first 4 KiB
# in 99.96 % of them. Warm, 16 KiB cost no more to read than 4.
HEAD_SIZE = 16 * 1024

RootLike = str | PathLike[str] | tuple[str | PathLike[str], int]


@record
class Engine:
    """A dialect in an environment, over a file system."""

    dialect: Dialect
    environment: Environment
    filesystem: FileSystem
    gate: Gate | None = None
    make_reader: Callable[[Dialect], DocumentReader] = DocumentReader

    def discover(self, roots: Sequence[RootLike] | None = None) -> Library:
        """Scan the dialect's folders, or the ones given instead of them."""
        view = self.gate.look() if self.gate else None
        planned, notes = self.plan(roots, view)
        collector = self._collector(view)
        rule, failure = self.dialect.precedence, self.dialect.failure
        with _no_cycles_sought():
            for root in planned:
                collector.scan(root)
            resolution = resolve(
                collector.candidates,
                rule,
                failure,
                fatal=self.dialect.fatal,
                locate=self._locate,
            )
        skills = resolution.skills
        if roots is None:
            skills = self._without_disabled(skills, view)
        return Library(
            dialect=self.dialect,
            environment=self.environment,
            filesystem=self.filesystem,
            roots=planned,
            skills=skills,
            shadowed=resolution.shadowed,
            rejected=resolution.rejected,
            notes=(*notes, *collector.notes, *resolution.diagnostics),
            aborted_by=resolution.aborted_by,
            links=collector.links,
            rescan=lambda: self.discover(roots),
            seek=lambda: self.seek(roots),
            gate=self.gate,
        )

    def seek(self, roots: Sequence[RootLike] | None = None) -> Sought:
        """Everything that decides about the skills, whether it is there or not."""
        from metier.world.sights import Sought

        files = (self.gate.store.path,) if self.gate and self.gate.store else ()
        if roots is not None:
            return Sought(self._given(roots), files)
        view = self.gate.look() if self.gate else None
        rule, config = self.dialect.config, Config()
        if rule:
            config, _ = self._configure(rule, view)
            folder = config_folder(rule, self.environment)
            files = (*files, join(folder, rule.path)) if folder else files
        rules = tuple(replace(each, group=None) for each in self.dialect.roots)
        planned = plan_roots(
            rules,
            self.environment,
            is_directory=lambda _: True,
            config_rule=rule,
            config=config,
        )
        return Sought(planned, files)

    def _locate(self, path: str) -> str:
        """Where the file at `path` really is."""
        try:
            return self.filesystem.stamp(path).path
        except OSError:  # it went just now
            return path

    def _collector(self, view: View | None) -> Collector:
        if view is None:
            return Collector(self)
        from metier.runtime.guard import GuardedCollector

        return GuardedCollector(self, view)

    def plan(
        self, roots: Sequence[RootLike] | None = None, view: View | None = None
    ) -> tuple[tuple[Root, ...], Diagnostics]:
        """The folders that would be scanned, in order."""
        if roots is not None:
            return self._explicit(roots)
        config, found = Config(), ()
        if self.dialect.config:
            config, found = self._configure(self.dialect.config, view)
        closed: dict[str, Diagnostic] = {}
        planned = plan_roots(
            self.dialect.roots,
            self.environment,
            is_directory=lambda path: self._is_folder(path, closed),
            config_rule=self.dialect.config,
            config=config,
        )
        return planned, (*found, *closed.values())

    def _is_folder(self, path: str, closed: dict[str, Diagnostic]) -> bool:
        """Whether `path` is a folder; what bars the way to it is put in `closed`."""
        if self.filesystem.is_directory(path):
            return True
        bar = find_bar(path, self.filesystem)
        if bar is not None:
            closed[bar.path or path] = bar
        return False

    def _without_disabled(
        self, skills: tuple[Skill, ...], view: View | None
    ) -> tuple[Skill, ...]:
        """`skills`, of which those are switched off that a configuration names."""
        rule = self.dialect.config
        if rule is None or rule.disabled is None:
            return skills
        from metier.core.switches import switch_off

        names = self._configure(rule, view)[0].disabled
        return tuple(switch_off(each, names, rule.disabled) for each in skills)

    def _configure(
        self, rule: ConfigRule, view: View | None
    ) -> tuple[Config, Diagnostics]:
        is_project = rule.variable is None
        objection = view.config_objection() if view and is_project else None
        if objection is not None:
            path = f"{self.environment.cwd}/{rule.path}"
            is_there = self.filesystem.exists(path)
            return Config(), (objection.located(path),) if is_there else ()
        return load_config(rule, self.environment, self.filesystem)

    def _explicit(
        self, roots: Sequence[RootLike]
    ) -> tuple[tuple[Root, ...], Diagnostics]:
        given = self._given(roots)
        present = tuple(r for r in given if self.filesystem.is_directory(r.path))
        missing = tuple(self._missing(r.path) for r in given if r not in present)
        return present, missing

    def _missing(self, path: str) -> Diagnostic:
        is_there = self.filesystem.exists(path)
        return find_bar(path, self.filesystem) or Diagnostic(
            rule="folder-unreadable",
            severity=Severity.WARNING,
            message="not a folder" if is_there else "there is no such folder",
            path=path,
        )

    def _given(self, roots: Sequence[RootLike]) -> tuple[Root, ...]:
        if isinstance(roots, str):  # a list of its letters, to a type checker
            raise ConfigError("`roots` are several folders: put it into a list")
        pairs = [root if isinstance(root, tuple) else (root, None) for root in roots]
        default = self.dialect.explicit_precedence
        return explicit_roots(
            tuple((fspath(p), default if n is None else n) for p, n in pairs),
            select="explicit" if "explicit" in self.dialect.selections else "default",
            cwd=self.environment.cwd,
            label=self.dialect.explicit_label,
        )


@contextmanager
def _no_cycles_sought() -> Generator[None]:
    """A scan makes no reference cycles, and many values that live on.

    The collector would look at all of them again and again: a tenth of the time.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


class Collector:
    """Takes files from the walks and makes candidates of them."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.dialect = engine.dialect
        self.filesystem = engine.filesystem
        self.candidates: list[Candidate] = []
        self.notes: list[Diagnostic] = []
        self.visited: set[Identity] = set()
        self.files: set[str] = set()  # where they are told apart, by their real paths
        self.links: dict[str, dict[str, str]] = {}
        self.keys = self.dialect.fields.key.source
        self.sidecar = _sidecar_of(self.dialect)
        self.has_copies = self.dialect.precedence.copies is not Copies.KEEP
        self.heed(self.dialect)

    def heed(self, dialect: Dialect) -> None:
        """Judge what comes next by the rules of `dialect`."""
        self.heeded = dialect
        self.reader = self.engine.make_reader(dialect)
        self.match = dialect.fields.name.directory_match
        self.likeness = dialect.fields.name.directory_likeness
        self.clips = _clipping_rule(dialect)

    def scan(self, root: Root) -> None:
        heeded = self.dialect.for_selection(root.select)
        if heeded is not self.heeded:
            self.heed(heeded)
        self.origin = Origin(root, heeded)
        self.selection = self.dialect.selections[root.select]
        self.left = self.selection.max_skills
        is_stem = self.selection.flat_name is not FlatName.FOLDER
        self.lends = is_stem or self.keys is KeySource.PATH
        walk = Walk(
            filesystem=self.filesystem,
            selection=self.selection,
            head=HEAD_SIZE,
            visit=self.visit,
            fail=self.fail,
            note=self.hear,
            visited=self.visited,
            links=self.links.setdefault(root.path, {}),
        )
        scan_root(root.path, walk)

    def fail(self, path: str, diagnostic: Diagnostic) -> None:
        self.candidates.append(
            Rejection(path, self.origin, diagnostic.rule, (diagnostic,))
        )

    def hear(self, finding: Diagnostic) -> None:
        """Keep a finding; a root that cannot be listed may be what stops the agent."""
        is_root = finding.path == self.origin.root.path
        is_closed = is_root and finding.rule == "folder-unreadable"
        if is_closed and self.dialect.failure is FailurePolicy.ABORT_ALL:
            self.fail(self.origin.root.path, replace(finding, severity=_ERROR))
        else:
            self.notes.append(finding)

    def visit(self, path: str, directory: str, reading: Reading) -> None:
        if self.selection.visits is Visits.FILE_ONCE and self.is_repeated(path):
            self.fail(path, _repeated(path))
            return
        if self.left == 0:
            message = f"more than {self.selection.max_skills:,} skills in one root"
            self.fail(path, replace(limit_finding(message, path), severity=_ERROR))
            return
        if self.lends:
            directory = self.lent_name(path, directory)
        document = self.read(path, directory, reading)
        name, description, is_hidden, error, diagnostics, header, key = document
        if (
            error is None
            and name != directory
            and self.match is not _IGNORE
            and not is_alike(name or "", directory, self.likeness)
        ):
            finding = _mismatch(name or "", directory, self.match)
            diagnostics = (*diagnostics, finding)
            error = finding.rule if self.match is Consequence.REJECT else None
        origin = self.origin
        if error is not None:
            rejection = Rejection(path, origin, error, diagnostics, name)
            self.candidates.append(rejection)
            return
        name = name or ""
        self.left = self.left and self.left - 1
        if description and self.clips:
            description = clip_text(description, self.clips, path)
        skill = Skill(name, description, path, origin, header, is_hidden, diagnostics)
        if self.keys is not KeySource.NAME:
            place = key_of(path, origin.root.path)
            skill = replace(skill, alias=key or place)
            if not is_reached(skill, self.dialect.activation):
                found = (*diagnostics, _unreachable(skill))
                skill = replace(skill, diagnostics=found)
        if self.has_copies:
            skill = replace(skill, content=self.digest_of(path, reading))
        self.candidates.append(self.beside(skill) if self.sidecar else skill)

    def is_repeated(self, path: str) -> bool:
        """Whether the file was found before, under this path or another one."""
        real = self.filesystem.stamp(path).path
        known = real in self.files
        self.files.add(real)
        return known

    def digest_of(self, path: str, reading: Reading) -> str | None:
        """The digest of a whole file, None where it is gone by now."""
        from hashlib import sha256

        data, size = reading
        if size > len(data):
            try:
                links = self.selection.file_links
                data = self.filesystem.read_file(path, MAX_FILE, links).data
            except OSError:
                return None
        return sha256(data).hexdigest()

    def beside(self, skill: Skill) -> Candidate:
        """What becomes of a skill by the file that its author put beside it."""
        from metier.core.sidecar import read_sidecar

        rule = self.sidecar
        data = self.read_beside(skill, rule.path) if rule else None
        if data is None or rule is None:
            return skill
        is_hidden, is_excluded, finding = read_sidecar(data, rule)
        if finding is None:
            return skill
        found = (*skill.diagnostics, finding)
        if is_excluded:
            return Rejection(skill.path, skill.origin, finding.rule, found, skill.name)
        is_hidden = is_hidden or skill.is_hidden
        return replace(skill, is_hidden=is_hidden, diagnostics=found)

    def read_beside(self, skill: Skill, path: str) -> bytes | None:
        """The file at `path` below the folder of `skill`, None where there is none."""
        from metier.core.sidecar import MAX_SIDECAR

        path = f"{skill.directory}/{path}"
        try:
            return self.filesystem.read_file(path, MAX_SIDECAR, Links.FOLLOW).data
        except OSError:
            return None

    def lent_name(self, path: str, directory: str) -> str:
        """What the place of a file calls it: its folder, or what the dialect says."""
        root = self.origin.root.path
        if self.keys is KeySource.PATH:
            return key_of(path, root)
        if self.selection.flat_name is FlatName.PATH:
            return splitext(path[len(root.rstrip("/")) + 1 :])[0]
        is_flat = dirname(path) == root and basename(path) not in self.selection.names
        return splitext(basename(path))[0] if is_flat else directory

    def read(self, path: str, directory: str, reading: Reading) -> Document:
        """The head of one file; what was read is enough but for a few."""
        data, size = reading
        most = self.selection.max_bytes or MAX_FILE
        if size > most:
            finding = too_large(size, most)
            return Document(None, None, error=finding.rule, diagnostics=(finding,))
        if size > len(data):
            document = self.reader.read_head(data, directory=directory)
            if document is not None:
                return document
            try:
                links = self.selection.file_links
                data = read_linked(self.engine.filesystem, path, MAX_FILE, links).data
            except OSError as error:
                finding = describe_error(path, error)
                return Document(None, None, error=finding.rule, diagnostics=(finding,))
        return self.reader.read(data, directory=directory)


def _sidecar_of(dialect: Dialect) -> SidecarRule | None:
    if not dialect.sidecar.values:
        return None
    from metier.core.sidecar import sidecar_of

    return sidecar_of(dialect)


def _clipping_rule(dialect: Dialect) -> TextRule | None:
    rule = dialect.fields.description
    return rule if rule.clipped else None


_IGNORE = Consequence.IGNORE
_ERROR = Severity.ERROR


def _unreachable(skill: Skill) -> Diagnostic:
    return Diagnostic(
        rule="key-unreachable",
        severity=Severity.WARNING,
        message=f"listed as `{printable(skill.key)}`, and not found by that",
        position=Position(1, 1),
        help="the agent looks for a folder of that path, and `SKILL.md` in it",
    )


def _repeated(path: str) -> Diagnostic:
    return Diagnostic(
        rule="file-repeated",
        severity=Severity.INFO,
        message="the file was already found under another path",
        path=path,
    )


def _mismatch(name: str, directory: str, match: Consequence) -> Diagnostic:
    rejects = match is Consequence.REJECT
    return Diagnostic(
        rule="name-not-directory",
        severity=Severity.ERROR if rejects else Severity.WARNING,
        message=f"`{printable(name)}` stands in a folder called "
        f"`{printable(directory)}`",
        position=Position(1, 1),
        help="give both the same name",
    )
