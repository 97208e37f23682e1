"""The steps by which a catalog that is too large is made to fit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from metier.core.catalog import Overflow

if TYPE_CHECKING:
    from metier.core.catalog_sheet import Sheet

# A description that is cut to less says nothing: the name alone is better.
_SHORTEST_DESCRIPTION = 40


def _trim_descriptions(sheet: Sheet) -> None:
    """Cut all descriptions to the longest common length that fits."""
    low = _SHORTEST_DESCRIPTION
    high = max(len(row.description) for row in sheet.rows)
    while low < high:
        middle = (low + high + 1) // 2
        _trim_to(sheet, middle)
        if sheet.total() <= sheet.most:
            low = middle
        else:
            high = middle - 1
    _trim_to(sheet, low)


def _trim_to(sheet: Sheet, length: int) -> None:
    for row in sheet.rows:
        row.trim(length)


def _names_only(sheet: Sheet) -> None:
    total = sheet.total()
    for row in reversed(sheet.rows):
        if total <= sheet.most:
            return
        if row.is_omitted:
            continue
        total -= row.cost
        row.is_bare, row.is_trimmed = True, False
        row.write(sheet.rule.bare_item or sheet.rule.item, "")
        total += row.cost


def _omit_last(sheet: Sheet) -> None:
    total = sheet.total()
    for row in reversed(sheet.rows):
        if total <= sheet.most:
            return
        if not row.is_omitted:
            row.is_omitted = True
            total -= row.cost


def _share_room(sheet: Sheet) -> None:
    rows = [row for row in sheet.rows if not row.is_omitted]
    prices = [row.costs() for row in rows]
    for row in rows:
        row.show(0)
    room = sheet.most - sheet.total()
    if room >= 0:
        for row, share in zip(rows, _shares(prices, room), strict=True):
            row.show(share)


def _shares(prices: Sequence[Sequence[int]], room: int) -> list[int]:
    """How many characters each gets, where each in turn takes one that fits."""
    shares = [0] * len(prices)
    taken = -1
    while taken:
        taken = 0
        for index, price in enumerate(prices):
            share = shares[index]
            if share + 1 < len(price) and price[share + 1] - price[share] <= room:
                room -= price[share + 1] - price[share]
                shares[index] = share + 1
                taken += 1
    return shares


def _first_lines(sheet: Sheet) -> None:
    for row in sheet.rows:
        row.show_first_line()


def _omit_misfits(sheet: Sheet) -> None:
    room = sheet.most - sheet.total() + sum(row.cost for row in sheet.rows)
    for row in sheet.rows:
        row.is_omitted = row.is_omitted or row.cost > room
        room -= 0 if row.is_omitted else row.cost


def _restore_fitting(sheet: Sheet) -> None:
    rows = [row for row in sheet.rows if not row.is_omitted]
    for row in rows:
        row.show(0)
    room = sheet.most - sheet.total()
    for row in rows:
        bare = row.cost
        row.show(len(row.description))
        if row.cost - bare > room:
            row.show(0)
        room -= row.cost - bare


def _short_form(sheet: Sheet) -> None:
    sheet.is_short = True
    rows = [row for row in sheet.rows if not row.is_omitted]
    for row in rows:
        row.show(0)
    room = sheet.most - sheet.rule.short_form.reserve - sheet.total()
    for row in reversed(rows):
        if room >= 0:
            return
        row.is_omitted = True
        room += row.cost


STEPS: dict[Overflow, Callable[[Sheet], None]] = {
    Overflow.TRIM_DESCRIPTIONS: _trim_descriptions,
    Overflow.NAMES_ONLY: _names_only,
    Overflow.OMIT_LAST: _omit_last,
    Overflow.SHARE_ROOM: _share_room,
    Overflow.FIRST_LINES: _first_lines,
    Overflow.OMIT_MISFITS: _omit_misfits,
    Overflow.RESTORE_FITTING: _restore_fitting,
    Overflow.SHORT_FORM: _short_form,
}
