"""Reading what was handed over back into its parts."""

from __future__ import annotations

import re
from collections.abc import Callable
from string import Formatter

from metier.core.activation import ActivationRule, ResourceList
from metier.core.envelope import on_its_lines, reopen
from metier.core.escaping import Escape, unescape_xml
from metier.core.record import record


@record
class Envelope:
    """What stood in the text of an activation."""

    name: str
    body: str
    directory: str
    resources: ResourceList


def parse_envelope(output: str, rule: ActivationRule) -> Envelope | None:
    """The parts of `output`; None for a text that this agent did not hand over so.

    Only an agent whose rule names an `envelope` keeps them apart in every case.
    """
    if not rule.envelope:
        return None
    found = re.fullmatch(_pattern_of(rule.output), output, re.DOTALL)
    if found is None:
        return None
    parts = found.groupdict(default="")
    return Envelope(
        name=_unescape_for(rule)(parts.get("name", "")),
        body=reopen(parts.get("body", ""), rule.envelope),
        directory=on_its_lines(reopen(parts.get("directory", ""), rule.envelope)),
        resources=_parse_resources(parts.get("resources", ""), rule),
    )


# A body may hold the words around it: what stands last is the envelope's.
_FIELDS = {"body": ".*", "resources": ".*?"}
_LINE = "[^\n]*"


def _pattern_of(template: str) -> str:
    pattern = ""
    seen: set[str] = set()
    for text, name, _, _ in Formatter().parse(template):
        pattern += re.escape(text)
        if name in seen:
            pattern += f"(?P={name})"
        elif name is not None:
            pattern += f"(?P<{name}>{_FIELDS.get(name, _LINE)})"
            seen.add(name)
    return pattern


def _parse_resources(text: str, rule: ActivationRule) -> ResourceList:
    listed = text.removeprefix(rule.resources_before)
    listed = listed.removesuffix(rule.resources_after)
    items = re.findall(_pattern_of(rule.resource_item), listed)
    read = _unescape_for(rule)
    paths = tuple(read(each) for each in items)
    cut = rule.resources_cut.format(count=len(paths))
    return ResourceList(paths=paths, is_cut=bool(cut) and listed.endswith(cut))


def _unescape_for(rule: ActivationRule) -> Callable[[str], str]:
    return _unescape_line if rule.escape is Escape.XML else str


def _unescape_line(text: str) -> str:
    return unescape_xml(text.replace("&#10;", "\n"))
