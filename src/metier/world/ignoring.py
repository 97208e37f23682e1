"""The walk of agents that obey ignore files: what these name is passed over.

What is hidden, and what the selection skips, is passed over as well, files included.
"""

from __future__ import annotations

from metier.core.ignore_rules import MAX_RULES, IgnoreRules
from metier.core.selection import Links
from metier.diagnostics import Diagnostic, Severity
from metier.world.filesystem import Entry, Kind
from metier.world.findings import limit_finding
from metier.world.scan import Walk, Walker

# The longest real ones are a tenth of it.
MAX_IGNORE_FILE = 256 * 1024


class IgnoringWalker(Walker):
    """One walk, depth first, that reads the ignore files of each folder it enters."""

    __slots__ = ("rules",)

    def __init__(self, walk: Walk) -> None:
        super().__init__(walk)
        self.rules = IgnoreRules()

    def _read_entries(
        self, folder: str, entries: list[Entry], depth: int, device: int
    ) -> None:
        self._read_rules(folder, entries)
        names = self.selection.names
        skills = [e for e in entries if e[0] in names and self._keeps(folder, e)]
        if self._ends(self._choose(folder, skills, depth), depth):
            kept = skills  # what lies beside it is not looked at
        else:
            others = (e for e in entries if e[0] not in names)
            kept = sorted([*skills, *(e for e in others if self._keeps(folder, e))])
        super()._read_entries(folder, kept, depth, device)

    def _read_rules(self, folder: str, entries: list[Entry]) -> None:
        present = {name for name, _, _ in entries}
        for name in self.selection.ignore_files:
            if name not in present:
                continue
            path = f"{folder}/{name}"
            try:
                read = self.filesystem.read_file(path, MAX_IGNORE_FILE, Links.FOLLOW)
            except OSError:
                continue
            text = read.data.decode("utf-8", "replace")
            self.rules.add(text, self._below_root(folder), path)
            if self.rules.is_full:
                self.walk.note(limit_finding(f"more than {MAX_RULES:,} rules", path))

    def _below_root(self, path: str) -> str:
        return path[len(self.root) :].lstrip("/")

    def _keeps(self, folder: str, entry: Entry) -> bool:
        name, kind, _ = entry
        if self._skips(name):
            return False
        path = f"{folder}/{name}"
        is_skill = name in self.selection.names
        is_folder = kind is Kind.FOLDER or (
            kind is Kind.LINK and self.filesystem.is_directory(path)
        )
        if not is_skill and not is_folder and not self._is_flat(folder, name):
            return True
        source = self.rules.find(self._below_root(path), is_folder=is_folder)
        if source is not None:
            self._tell(path, source, is_folder=is_folder)
        return source is None

    def _is_flat(self, folder: str, name: str) -> bool:
        suffix = self.selection.flat_suffix
        return suffix is not None and folder == self.root and name.endswith(suffix)

    def _tell(self, path: str, source: str, *, is_folder: bool) -> None:
        found = Diagnostic(
            rule="path-ignored",
            severity=Severity.INFO if is_folder else Severity.ERROR,
            message=f"passed over, as `{self._below_root(source)}` says",
            path=path,
            help="take it out of the ignore file",
        )
        if is_folder:
            self.walk.note(found)
        else:
            self.walk.fail(path, found)
