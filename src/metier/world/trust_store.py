"""The file that remembers what a person trusts: private, whole, and nowhere else.

It is believed only where nobody else can have written it: a regular file of mode 0600
in a folder of mode 0700, both ours. Whatever else it is, it denies.
"""

from __future__ import annotations

import errno
import fcntl
import os
import stat
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from posixpath import dirname, join

from metier.core.roots import Environment, absolute_path
from metier.core.trust import (
    EMPTY_BOOK,
    BookInvalid,
    TrustBook,
    parse_book,
    render_book,
)
from metier.diagnostics import Diagnostic, Diagnostics, Severity
from metier.errors import ConfigError
from metier.world.clock import read_clock

# Some 100,000 files in approved skills.
MAX_STORE = 16 * 1024 * 1024

_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_LOCK = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
_OTHERS = stat.S_IRWXG | stat.S_IRWXO


def store_path(environment: Environment) -> str | None:
    """Where the store is: below `$XDG_STATE_HOME`; None for somebody without a home."""
    state = environment.variables.get("XDG_STATE_HOME", "")
    if state.startswith("/"):
        return join(absolute_path(state, base="/"), "metier", "trust.json")
    if environment.home is None:
        return None
    return join(environment.home, ".local", "state", "metier", "trust.json")


@dataclass(frozen=True, slots=True, kw_only=True)
class TrustStore:
    """The store at `path`; `clock` dates what is written into it."""

    path: str
    clock: Callable[[], str] = read_clock

    def load(self) -> tuple[TrustBook, Diagnostics]:
        """What the file says; nothing at all where it cannot be believed."""
        try:
            return self._read(), ()
        except FileNotFoundError:
            return EMPTY_BOOK, ()
        except (OSError, BookInvalid) as error:
            return EMPTY_BOOK, (self._unsafe(error),)

    def lies_below(self, folder: str) -> bool:
        """Whether those who write into `folder` could write the store."""
        path = os.path.realpath(self.path)
        return path.startswith(folder.rstrip("/") + "/")

    def update(self, change: Callable[[TrustBook], TrustBook]) -> TrustBook:
        """Write what `change` makes of the book; `ConfigError` for a damaged one."""
        with self._locked():
            book, found = self.load()
            if found:
                raise ConfigError(f"{self.path}: {found[0].message}; {found[0].help}")
            changed = change(book)
            self._write(render_book(changed))
            return changed

    def _read(self) -> TrustBook:
        _check_private(os.stat(dirname(self.path)), "its folder")
        descriptor = os.open(self.path, _READ)
        try:
            found = os.fstat(descriptor)
            if not stat.S_ISREG(found.st_mode):
                raise BookInvalid("it is no regular file")
            _check_private(found, "it")
            with os.fdopen(descriptor, "rb", closefd=False) as file:
                data = file.read(MAX_STORE + 1)
        finally:
            os.close(descriptor)
        if len(data) > MAX_STORE:
            raise BookInvalid(f"it has more than {MAX_STORE:,} bytes")
        return parse_book(data)

    def _unsafe(self, error: Exception) -> Diagnostic:
        reason = str(error)
        if isinstance(error, OSError):
            reason = (error.strerror or reason).lower()
        return Diagnostic(
            rule="trust-store-unsafe",
            severity=Severity.ERROR,
            message=f"nothing is trusted, as the store cannot be believed: {reason}",
            path=self.path,
            help="give it mode 0600 and its folder 0700, or remove it and trust anew",
        )

    @contextmanager
    def _locked(self) -> Generator[None]:
        folder = dirname(self.path)
        os.makedirs(folder, mode=0o700, exist_ok=True)
        descriptor = os.open(f"{self.path}.lock", _LOCK, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            yield
        finally:
            os.close(descriptor)

    def _write(self, text: str) -> None:
        data = text.encode()
        if len(data) > MAX_STORE:
            raise ConfigError(f"{self.path}: more than {MAX_STORE:,} bytes to remember")
        new = f"{self.path}.new"
        # Only the holder of the lock writes: what lies there is of one who was killed.
        _remove(new)
        with os.fdopen(os.open(new, _NEW, 0o600), "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.rename(new, self.path)
        _sync_folder(dirname(self.path))


def _check_private(found: os.stat_result, what: str) -> None:
    if found.st_uid != os.geteuid():
        raise BookInvalid(f"{what} belongs to somebody else")
    if stat.S_IMODE(found.st_mode) & _OTHERS:
        raise BookInvalid(f"{what} is open to others")


def _remove(path: str) -> None:
    try:
        os.unlink(path)
    except OSError as error:
        if error.errno != errno.ENOENT:
            raise


def _sync_folder(path: str) -> None:
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
