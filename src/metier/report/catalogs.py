"""What did not fit into a catalog, in sentences."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from metier.core.budget import Measure

if TYPE_CHECKING:
    from metier.core.catalog import Catalog

_UNITS = {
    Measure.ESTIMATED_TOKENS: "tokens (estimated)",
    Measure.QUARTER_BYTES: "tokens of four bytes",
    Measure.CHARACTERS: "characters",
    Measure.UTF16: "UTF-16 code units",
    Measure.BYTES: "bytes",
    Measure.COLUMNS: "columns",
}


def catalog_notes(catalog: Catalog) -> Iterator[str]:
    """A line for each kind of cut, and one where it did not help."""
    cuts = (
        (catalog.trimmed, "with a shortened description"),
        (catalog.bare, "by name only"),
        (catalog.omitted, "left out"),
    )
    for names, what in cuts:
        if names:
            yield f"{len(names)} skill{'s' * (len(names) != 1)} {what}"
    budget = catalog.budget
    if budget is None:
        return
    unit = _UNITS[budget.measure]
    if catalog.size > budget.amount:
        yield f"even so it takes {catalog.size:,} of {budget.amount:,} {unit}"
