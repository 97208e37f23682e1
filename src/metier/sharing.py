"""Many agents, one reading: what several scans of the same folders have in common.

A comparison asks every dialect about the same files. Each folder is listed once, each
file read once, and parsed once for each distinct way of reading; what an agent then
makes of it is its own. The memory lasts as long as one comparison: nothing that was
remembered gets into a library that somebody loads from later.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from metier.core.document import MAX_FILE, Document, DocumentReader, reading_of
from metier.core.selection import Links
from metier.engine import HEAD_SIZE, Engine

if TYPE_CHECKING:
    from collections.abc import Sequence

    from metier.core.dialect import Dialect
    from metier.core.roots import Environment
    from metier.core.tree import Tree
    from metier.core.trust import Stamp
    from metier.engine import RootLike
    from metier.library import Library
    from metier.world.filesystem import Entry, FileSystem, Mark, Reading

T = TypeVar("T")


class SharedScan:
    """One environment and its files, looked at with the eyes of many agents."""

    def __init__(self, environment: Environment, filesystem: FileSystem) -> None:
        self.environment = environment
        self.files = RememberedFiles(filesystem)
        self._readers: list[tuple[object, RememberingReader]] = []

    def discover(
        self, dialect: Dialect, roots: Sequence[RootLike] | None = None
    ) -> Library:
        """What the agent of `dialect` has here."""
        engine = Engine(
            dialect=dialect,
            environment=self.environment,
            filesystem=self.files,
            make_reader=self.reader_of,
        )
        return engine.discover(roots)

    def reader_of(self, dialect: Dialect) -> RememberingReader:
        """The reader that all dialects share which read as this one does."""
        reading = reading_of(dialect)
        # Compared and not looked up: the tables of a dialect have no hash.
        for known, reader in self._readers:
            if known == reading:
                return reader
        reader = RememberingReader(dialect)
        self._readers.append((reading, reader))
        return reader

    def read(self, path: str, dialect: Dialect) -> Document | None:
        """What the file says to `dialect`, without a folder to lend it a name.

        None where the file cannot be read.
        """
        reader = self.reader_of(dialect)
        try:
            data, size = self.files.read_file(path, HEAD_SIZE, Links.FOLLOW)
            if size > len(data):
                document = reader.read_head(data, directory="")
                if document is not None or size > MAX_FILE:
                    return document
                data = self.files.read_file(path, MAX_FILE, Links.FOLLOW).data
        except OSError:
            return None
        return reader.read(data, directory="")

    def real_path(self, path: str) -> str:
        """Where the file at `path` really is; a broken link is where it stands."""
        try:
            return self.files.stamp(path).path
        except OSError:
            folder, _, name = path.rpartition("/")
            return f"{self.real_path(folder)}/{name}" if folder else path


class RememberingReader(DocumentReader):
    """Reads what it was not shown before."""

    __slots__ = ("_heads", "_wholes")

    def __init__(self, dialect: Dialect) -> None:
        super().__init__(dialect)
        self._heads: dict[tuple[bytes, str], Document | None] = {}
        self._wholes: dict[tuple[bytes, str], Document] = {}

    def read(self, data: bytes, *, directory: str) -> Document:
        key = data, directory
        if key not in self._wholes:
            self._wholes[key] = super().read(data, directory=directory)
        return self._wholes[key]

    def read_head(self, head: bytes, *, directory: str) -> Document | None:
        key = head, directory
        if key not in self._heads:
            self._heads[key] = super().read_head(head, directory=directory)
        return self._heads[key]


class RememberedFiles:
    """A file system that is asked each question once; it says no again, too."""

    def __init__(self, files: FileSystem) -> None:
        self._files = files
        self._known: dict[tuple[object, ...], Any] = {}

    def list_folder(self, path: str) -> list[Entry]:
        return self._ask(self._files.list_folder, path)

    def read_file(self, path: str, limit: int, links: Links) -> Reading:
        # What is no link reads alike for those who follow links and those who do not.
        if links is Links.IGNORE and not self.is_link(path):
            links = Links.FOLLOW
        return self._ask(self._files.read_file, path, limit, links)

    def read_below(self, folder: str, path: str, limit: int) -> Reading:
        return self._ask(self._files.read_below, folder, path, limit)

    def is_directory(self, path: str) -> bool:
        return self._ask(self._files.is_directory, path)

    def is_link(self, path: str) -> bool:
        return self._ask(self._files.is_link, path)

    def exists(self, path: str) -> bool:
        return self._ask(self._files.exists, path)

    def identity(self, path: str) -> tuple[int, int]:
        return self._ask(self._files.identity, path)

    def count_names(self, path: str) -> int:
        return self._ask(self._files.count_names, path)

    def mark(self, path: str) -> Mark:
        return self._ask(self._files.mark, path)

    def stamp(self, path: str) -> Stamp:
        return self._ask(self._files.stamp, path)

    def read_tree(self, path: str, within: Stamp, only: str | None = None) -> Tree:
        return self._ask(self._files.read_tree, path, within, only)

    def _ask(self, question: Callable[..., T], *about: object) -> T:
        key = question.__name__, *about
        if key not in self._known:
            self._known[key] = _answer(question, about)
        answer = self._known[key]
        if isinstance(answer, OSError):
            # Each time anew: a traceback grows with every place that it passes.
            raise answer.with_traceback(None)
        return answer


def _answer(question: Callable[..., T], about: tuple[object, ...]) -> T | OSError:
    try:
        return question(*about)
    except OSError as error:
        return error
