"""`metier trust`: whom a person trusts, told and changed."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from posixpath import basename
from typing import Any

import click

from metier.cli.discovery import look
from metier.cli.options import GlobalOptions, global_options
from metier.cli.output import write_findings, write_line, write_note
from metier.core.roots import Trust
from metier.core.trust import Standing, TrustBook
from metier.diagnostics import printable
from metier.errors import ConfigError
from metier.library import Library
from metier.report.jsons import JSON_VERSION, render_json
from metier.report.trust import book_as_json, render_book, render_change
from metier.runtime.trust import Gate, Question, is_below
from metier.world.trust_store import TrustStore


@click.group("trust", invoke_without_command=True)
@global_options
@click.pass_context
def command(context: click.Context, options: GlobalOptions) -> int:
    """Say which folders and skills you trust; without a word more: `trust status`.

    A project's skills get to a model, under `--trust stored`, where you trust the
    folder and have approved what each skill holds, to the byte. What you agreed to is
    remembered in a file of your own, outside of every project.
    """
    context.obj = options
    return context.invoke(status) if context.invoked_subcommand is None else 0


@command.command("status")
@global_options
def status(options: GlobalOptions) -> int:
    """Tell what of this workspace is trusted; exit 1 where something waits."""
    library, gate = _gated(options)
    waiting = tuple(gate.questions(library))
    if options.json:
        write_line(render_json(_status_as_json(library, gate, waiting)))
        return 1 if waiting else 0
    for each in waiting:
        write_line(_told(each))
    unbound = _tell_unbound(library, options)
    if not waiting and not unbound:
        write_line("nothing waits for your trust")
    write_findings(library.notes, options)
    return 1 if waiting or unbound else 0


@command.command("list")
@global_options
def list_trusted(options: GlobalOptions) -> int:
    """List everything that you have ever agreed to and not taken back."""
    book = _book(_store(_gated(options)[1]), options)
    if options.json:
        write_line(render_json(book_as_json(book)))
    else:
        write_line(render_book(book))
    return 0


@command.command("show")
@click.argument("names", nargs=-1)
@global_options
def show(options: GlobalOptions, names: Sequence[str]) -> int:
    """Show what waits: each file that is new, changed or gone since you agreed.

    NAMES are folders of skills, by name or by path; without any, all are shown.
    """
    library, gate = _gated(options)
    chosen = _chosen(gate.questions(library), names)
    for each in chosen:
        write_line(_told(each))
        if each.tree is not None and each.change is not None:
            write_line(render_change(each.change, each.tree))
    return _unless_found(chosen, names, options)


@command.command("add")
@click.argument("names", nargs=-1)
@global_options
def add(options: GlobalOptions, names: Sequence[str]) -> int:
    """Trust this workspace, and approve its skills as they are now.

    NAMES are folders of skills, by name or by path; without any, all are approved.
    What you agree to is what was read just then: `trust show` it first.
    """
    library, gate = _gated(options)
    chosen = _chosen(gate.questions(library), names)
    gate.accept(chosen)
    for each in chosen:
        write_line(f"trusted: {_path(each.path)}")
    if names:
        return _unless_found(chosen, names, options)
    return 1 if _tell_unbound(library.refresh(), options) else 0


@command.command("remove")
@click.argument("names", nargs=-1)
@global_options
def remove(options: GlobalOptions, names: Sequence[str]) -> int:
    """Take trust back: of this workspace with all its skills, or of NAMES.

    NAMES are folders of skills, by name or by path, or whole workspaces by path.
    """
    _, gate = _gated(options)
    store = _store(gate)
    removed: list[str] = []

    def without(book: TrustBook) -> TrustBook:
        for path in _paths_in(book, gate, names):
            after = book.without(path)
            removed.extend(sorted(_known(book) - _known(after)))
            book = after
        return book

    store.update(without)
    for path in removed:
        write_line(f"not trusted any more: {_path(path)}")
    return _unless_found(removed, names, options)


# --- what they share ----------------------------------------------------------------


def _gated(options: GlobalOptions) -> tuple[Library, Gate]:
    library = look(options, trust=Trust.STORED)
    if library.gate is None:
        raise ConfigError("there is no gate")  # `Trust.STORED` is one
    return library, library.gate


def _store(gate: Gate) -> TrustStore:
    if gate.store is None:
        raise ConfigError("there is no home folder in which to remember trust")
    return gate.store


def _book(store: TrustStore, options: GlobalOptions) -> TrustBook:
    book, found = store.load()
    write_findings(found, options)
    return book


def _chosen(questions: Iterable[Question], names: Sequence[str]) -> list[Question]:
    """The questions about `names`, and the folders that these depend on."""
    found = list(questions)
    if not names:
        return found
    about = [each for each in found if each.tree and _is_named(each.path, names)]
    return [each for each in found if each.stamp] + about if about else []


def _is_named(path: str, names: Sequence[str]) -> bool:
    return basename(path) in names or _is_spelled(path, names)


def _is_spelled(path: str, names: Sequence[str]) -> bool:
    return path in (os.path.realpath(name) for name in names if "/" in name)


def _paths_in(book: TrustBook, gate: Gate, names: Sequence[str]) -> list[str]:
    workspace = gate.look().workspace
    here = workspace.path if workspace else ""
    if not names:
        return [here] if here else []
    # A name without a path is one of this workspace, not of all that there are.
    return sorted(
        path
        for path in _known(book)
        if _is_spelled(path, names) or (is_below(path, here) and _is_named(path, names))
    )


def _tell_unbound(library: Library, options: GlobalOptions) -> bool:
    """Whether there are skills that nobody can approve; says why."""
    found = [each for each in library.untrusted if each.rule == "skill-unbound"]
    for each in found:
        write_findings((d.located(each.path) for d in each.diagnostics), options)
    return bool(found)


def _known(book: TrustBook) -> set[str]:
    return {*book.folders, *book.approvals}


def _unless_found(
    found: Sequence[Any], names: Sequence[str], options: GlobalOptions
) -> int:
    if found or not names:
        return 0
    quoted = ", ".join(f"`{printable(name)}`" for name in names)
    write_note(f"nothing of the kind is called {quoted}", options)
    return 1


def _path(path: str) -> str:
    return printable(path, limit=1000)


_STANDINGS = {
    Standing.UNKNOWN: "not trusted",
    Standing.CHANGED: "changed",
}


def _told(question: Question) -> str:
    kind = "folder" if question.stamp else "skill"
    word = _STANDINGS.get(question.standing, question.standing.value)
    digest = f" ({question.tree.digest})" if question.tree else ""
    return f"{word}: {kind} {_path(question.path)}{digest}"


def _status_as_json(
    library: Library, gate: Gate, waiting: Iterable[Question]
) -> dict[str, Any]:
    view = gate.look()
    return {
        "version": JSON_VERSION,
        "store": gate.store.path if gate.store else None,
        "workspace": view.workspace.path if view.workspace else None,
        "waiting": [_question_as_json(each) for each in waiting],
        "loaded": [skill.path for skill in library],
    }


def _question_as_json(question: Question) -> dict[str, Any]:
    change = question.change
    return {
        "kind": "folder" if question.stamp else "skill",
        "path": question.path,
        "standing": question.standing.value,
        "digest": question.tree.digest if question.tree else None,
        "added": list(change.added) if change else [],
        "changed": list(change.changed) if change else [],
        "removed": list(change.removed) if change else [],
    }
