"""Trust as text and JSON: what was agreed to, and what is different since."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from metier.diagnostics import printable
from metier.report.jsons import JSON_VERSION

if TYPE_CHECKING:
    from collections.abc import Iterator

    from metier.core.tree import Tree, TreeChange
    from metier.core.trust import TrustBook


def render_book(book: TrustBook) -> str:
    """One line for each folder and each skill that is trusted."""
    rows = [(each.since, "folder", path) for path, each in sorted(book.folders.items())]
    rows += [
        (each.since, "skill", path) for path, each in sorted(book.approvals.items())
    ]
    lines = [f"{since}  {kind:<6}  {_shown(path)}" for since, kind, path in rows]
    return "\n".join(lines) or "nothing is trusted"


def book_as_json(book: TrustBook) -> dict[str, Any]:
    """What `metier trust list --json` prints."""
    return {
        "version": JSON_VERSION,
        "folders": [
            {**each.stamp._asdict(), "since": each.since}
            for _, each in sorted(book.folders.items())
        ],
        "skills": [
            {"path": each.path, "digest": each.digest, "since": each.since}
            for _, each in sorted(book.approvals.items())
        ],
    }


def render_change(change: TreeChange, tree: Tree) -> str:
    """One line for each file that is new, changed or gone; what runs says so."""
    return "\n".join(_changed_lines(change, tree)) or "  nothing is different"


def _changed_lines(change: TreeChange, tree: Tree) -> Iterator[str]:
    entries = {entry.path: entry for entry in tree.entries}
    marks = [("+", p) for p in change.added] + [("~", p) for p in change.changed]
    for mark, path in sorted(marks, key=lambda pair: pair[1]):
        entry = entries[path]
        yield f"  {mark} {entry.kind.value:<10} {entry.size:>9,}  {_shown(path)}"
    for path in change.removed:
        yield f"  - {'':<10} {'':>9}  {_shown(path)}"


def _shown(path: str) -> str:
    return printable(path, limit=1000)
