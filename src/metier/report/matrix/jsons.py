"""A comparison as plain values, for `--json`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from metier.core.outcome import Outcome
from metier.report.jsons import JSON_VERSION

if TYPE_CHECKING:
    from metier.core.dialect import Dialect
    from metier.matrix import Cell, Matrix, Row


def matrix_as_json(matrix: Matrix) -> dict[str, Any]:
    """What `metier matrix --json` prints."""
    return {
        "version": JSON_VERSION,
        "agents": [_agent_as_json(each) for each in matrix.dialects],
        "skills": [_row_as_json(row) for row in matrix.skills],
        "strays": [row.found for row in matrix.rows if row.is_stray],
        "portable": len(matrix.portable),
        "diagnostics": [note.as_json() for note in matrix.notes],
    }


def _agent_as_json(dialect: Dialect) -> dict[str, Any]:
    return {
        "dialect": dialect.name,
        "title": dialect.title,
        "version": dialect.version,
        "evidence": dialect.evidence.value,
    }


def _row_as_json(row: Row) -> dict[str, Any]:
    return {
        "name": row.name,
        "path": row.path,
        "found": row.found,
        "description": row.description,
        "portable": row.is_portable,
        "counts": {each.value: row.count(each) for each in Outcome},
        "cells": {cell.dialect: cell_as_json(cell) for cell in row.cells},
    }


def cell_as_json(cell: Cell) -> dict[str, Any]:
    """What became of a file in one agent."""
    return {
        "dialect": cell.dialect,
        "outcome": cell.outcome.value,
        "status": cell.account.status.value if cell.account else "absent",
        "name": cell.name,
        "rule": cell.rule,
        "because": cell.because,
        "path": cell.path,
        "source": cell.source,
    }
