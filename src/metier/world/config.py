"""The configuration file of a project, as far as it is about skills."""

from __future__ import annotations

import os
from posixpath import join

from metier.core.nodes import Mapping, Node, Scalar, Sequence, YamlError, target_of
from metier.core.roots import Config, ConfigRule, Environment, config_folder
from metier.core.scalars import Kind, ScalarSchema, is_true, kind_of
from metier.core.selection import Links
from metier.diagnostics import Diagnostic, Diagnostics, Severity, printable
from metier.world.filesystem import FileSystem, reason_of

_MAX_CONFIG = 64 * 1024


def load_config(
    rule: ConfigRule, environment: Environment, filesystem: FileSystem
) -> tuple[Config, Diagnostics]:
    """What the file says; nothing where there is no file."""
    folder = config_folder(rule, environment)
    if folder is None:
        return Config(), ()
    path = join(folder, rule.path)
    try:
        data, size = filesystem.read_file(path, _MAX_CONFIG, Links.FOLLOW)
    except FileNotFoundError:
        return Config(), ()
    except OSError as error:
        return Config(), (_invalid(path, reason_of(error)),)
    if size > len(data):
        return Config(), (_invalid(path, f"larger than {_MAX_CONFIG:,} bytes"),)
    return _parse_config(data, rule, path)


def _parse_config(
    data: bytes, rule: ConfigRule, path: str
) -> tuple[Config, Diagnostics]:
    from metier.core.yaml_events import Documents, parse_events

    try:
        root = parse_events(data.decode(), documents=Documents.ONE)
    except (YamlError, UnicodeDecodeError) as error:
        return Config(), (_invalid(path, f"not valid YAML: {error}"),)
    section = _entries(_entries(root).get(rule.section))
    flags = (flag for flag in rule.flags if _is_set(section.get(flag)))
    paths = _texts(section.get(rule.extra_paths) if rule.extra_paths else None)
    found = tuple(
        _invalid(path, f"`{printable(each)}` is no path")
        for each in paths
        if not _is_path(each)
    )
    usable = tuple(filter(_is_path, paths))
    names = _texts(section.get(rule.disabled) if rule.disabled else None)
    off = frozenset(name.strip() for name in names)
    return Config(flags=frozenset(flags), extra_paths=usable, disabled=off), found


def _is_path(text: str) -> bool:
    """Whether the system could have it: YAML can spell a NUL, and half a pair."""
    try:
        return b"\0" not in os.fsencode(text)
    except UnicodeEncodeError:
        return False


def _entries(node: Node | None) -> dict[str, Node]:
    node = target_of(node) if node else None
    if not isinstance(node, Mapping):
        return {}
    return {k.text: v for k, v in node.entries if isinstance(k, Scalar)}


def _is_set(node: Node | None) -> bool:
    node = target_of(node) if node else None
    return isinstance(node, Scalar) and is_true(node.text)


def _texts(node: Node | None) -> tuple[str, ...]:
    node = target_of(node) if node else None
    if isinstance(node, Scalar):
        return () if kind_of(node, ScalarSchema.CORE) is Kind.NULL else (node.text,)
    if not isinstance(node, Sequence):
        return ()
    items = (target_of(each) for each in node.items)
    return tuple(each.text for each in items if isinstance(each, Scalar))


def _invalid(path: str, reason: str) -> Diagnostic:
    return Diagnostic(
        rule="config-invalid",
        severity=Severity.WARNING,
        message=f"the configuration is ignored: {reason}",
        path=path,
    )
