"""The scan of roots before which a gate stands."""

from __future__ import annotations

import errno
import os
from posixpath import basename
from typing import TYPE_CHECKING

from metier.core.selection import Links
from metier.diagnostics import Diagnostic, Severity
from metier.engine import Collector, Engine
from metier.runtime.trust import Access, Admission, View
from metier.world.filesystem import FileSystem, Reading
from metier.world.scan import Identity

if TYPE_CHECKING:
    from metier.core.roots import Root
    from metier.core.skill import Skill
    from metier.core.tree import Tree


class GuardedCollector(Collector):
    """Makes skills only of bytes that were approved, rejections of all others."""

    def __init__(self, engine: Engine, view: View) -> None:
        super().__init__(engine)
        self.view = view
        self.notes.extend(view.notes)
        self.admission = Admission(Access.CLOSED)
        self.tree: Tree | None = None
        self.unread = UnreadFiles(engine.filesystem)
        # A link from a project to a folder of the user's must not count as its visit.
        self.visited_by = {access: set[Identity]() for access in Access}
        self.files_by = {access: set[str]() for access in Access}

    def scan(self, root: Root) -> None:
        self.admission = self.view.admission(root)
        access = self.admission.access
        self.visited = self.visited_by[access]
        self.files = self.files_by[access]
        is_open = access is Access.OPEN
        self.filesystem = self.engine.filesystem if is_open else self.unread
        super().scan(root)

    def read_beside(self, skill: Skill, path: str) -> bytes | None:
        if self.tree is None:
            return super().read_beside(skill, path)
        return self.tree.read(path)

    def visit(self, path: str, directory: str, reading: Reading) -> None:
        self.tree = None
        if self.admission.access is Access.OPEN:
            super().visit(path, directory, reading)
            return
        tree, finding, _ = self.view.judge(path, self.origin.root, self.admission)
        if tree is None:
            if finding is not None:
                self.fail(path, finding.located(path))
            return
        self.tree, data = tree, tree.read(basename(path))
        if data is None:
            self.fail(path, _outside(path))
        else:
            super().visit(path, directory, Reading(data, len(data)))


def _outside(path: str) -> Diagnostic:
    return Diagnostic(
        rule="skill-unbound",
        severity=Severity.WARNING,
        message="its file is a link that leads out of the skill",
        path=path,
        help="put the file itself there",
    )


class UnreadFiles:
    """A file system whose files can be found and not read."""

    def __init__(self, files: FileSystem) -> None:
        self._files = files
        self.list_folder = files.list_folder
        self.is_directory = files.is_directory
        self.is_link = files.is_link
        self.exists = files.exists
        self.identity = files.identity
        self.mark = files.mark
        self.stamp = files.stamp
        self.read_tree = files.read_tree
        self.read_below = files.read_below

    def read_file(self, path: str, limit: int, links: Links) -> Reading:  # noqa: ARG002
        if links is Links.IGNORE and self.is_link(path):
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), path)
        if self.is_directory(path):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)
        if not self.exists(path):
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)
        return Reading(b"", 0)
