"""The walk level by level: what is nearer to the root is found first.

Each folder is entered once, under the path that reaches it first. So a link may lead
anywhere, up as well: where the walk has been, it does not go again.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from metier.world.filesystem import Entry
from metier.world.findings import limit_finding
from metier.world.scan import Identity, LimitReached, Walk, Walker


class LevelWalker(Walker):
    """One walk, breadth first, within the agent's own bounds."""

    __slots__ = ("queue", "seen")

    def __init__(self, walk: Walk) -> None:
        super().__init__(walk)
        self.queue: deque[tuple[str, int, Identity]] = deque()
        self.seen: set[Identity] = set()

    def start(self, root: str) -> None:
        super().start(root)
        while self.queue:
            super()._enter(*self.queue.popleft())

    def _identities_above(self, root: str) -> Iterator[Identity]:  # noqa: ARG002
        return iter(())

    def _enter(self, folder: str, depth: int, identity: Identity) -> None:
        """Remember a folder for its level."""
        if identity in self.seen:
            return
        most = self.selection.max_folders
        if most is not None and len(self.seen) == most:
            self.walk.note(limit_finding(f"more than {most:,} folders", folder))
            return
        self.seen.add(identity)
        self.queue.append((folder, depth, identity))

    def _read_entries(
        self, folder: str, entries: list[Entry], depth: int, device: int
    ) -> None:
        most = self.selection.max_entries
        if most is None or self.entries <= most:
            super()._read_entries(folder, entries, depth, device)
            return
        kept = entries[: len(entries) - (self.entries - most)]
        super()._read_entries(folder, kept, depth, device)
        raise LimitReached(f"more than {most:,} files and folders")
