"""Libraries, accounts and files as JSON."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

    from metier.accounts import Account
    from metier.core.catalog import Catalog
    from metier.core.roots import Root
    from metier.core.triggers import Match
    from metier.library import Library

JSON_VERSION = 1


def render_json(value: Any, *, indent: int | None = 2) -> str:
    """`value` as JSON in UTF-8; a byte that was not UTF-8 becomes U+FFFD."""
    import json

    if indent is None:
        text = json.dumps(value, ensure_ascii=False)
    else:
        from io import StringIO

        # `dumps` would keep each of millions of pieces until the last one is there.
        written = StringIO()
        json.dump(value, written, ensure_ascii=False, indent=indent)
        text = written.getvalue()
    try:
        text.encode()
    except UnicodeEncodeError:
        return re.sub("[\ud800-\udfff]", _without_surrogate, text)
    return text


def _without_surrogate(found: re.Match[str]) -> str:
    is_raw_byte = "\udc80" <= found[0] <= "\udcff"
    return "\ufffd" if is_raw_byte else f"\\u{ord(found[0]):04x}"


def library_as_json(library: Library, accounts: Iterable[Account]) -> dict[str, Any]:
    """What `metier list --json` prints."""
    return {
        "version": JSON_VERSION,
        "dialect": library.dialect.name,
        "cwd": library.environment.cwd,
        "roots": [_root_as_json(root) for root in library.roots],
        "skills": [_account_as_json(account) for account in accounts],
        "diagnostics": [found.as_json() for found in library.diagnostics],
    }


def _root_as_json(root: Root) -> dict[str, Any]:
    return {
        "path": root.path,
        "scope": root.scope.value,
        "precedence": root.precedence,
    }


def _account_as_json(account: Account) -> dict[str, Any]:
    return {
        **account_as_json(account),
        "description": account.description,
        "diagnostics": [
            found.located(account.path).as_json() for found in account.diagnostics
        ],
    }


def account_as_json(account: Account) -> dict[str, Any]:
    """One candidate and what happened to it."""
    root = account.root
    return {
        "name": account.name,
        "path": account.path,
        "root": root.path,
        "scope": root.scope.value,
        "precedence": root.precedence,
        "status": account.status.value,
        "rule": account.rule,
        "because": account.because,
        "source": account.source,
    }


def catalog_as_json(
    catalog: Catalog, dialect: str, *, asked: int | None = None
) -> dict[str, Any]:
    """What `metier catalog --json` prints; the tokens are estimates.

    `asked` are the tokens that the caller allowed.
    """
    return {
        "version": JSON_VERSION,
        "dialect": dialect,
        "text": catalog.text,
        "shown": list(catalog.shown),
        "cut": {
            "trimmed": list(catalog.trimmed),
            "names_only": list(catalog.bare),
            "omitted": list(catalog.omitted),
        },
        "tokens": {"estimate": catalog.tokens, "budget": asked},
        "budget": _budget_as_json(catalog),
    }


def _budget_as_json(catalog: Catalog) -> dict[str, Any] | None:
    budget = catalog.budget
    if budget is None:
        return None
    return {
        "amount": budget.amount,
        "measure": budget.measure.value,
        "origin": budget.origin.value,
        "used": catalog.size,
    }


def match_as_json(match: Match) -> dict[str, Any]:
    """What `metier match --json` prints."""
    return {
        "match": match.winner,
        "scores": [
            {"name": score.name, "score": score.score, "because": score.because}
            for score in match.scores
        ],
    }
