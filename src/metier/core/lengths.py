"""How long a text is, and its start, in the unit that an agent counts."""

from __future__ import annotations

from metier.core.fields import TextRule, Unit


def length_of(value: str, unit: Unit) -> int:
    """How long `value` is, counted in `unit`."""
    if unit is Unit.CHARACTERS or value.isascii():
        return len(value)
    if unit is Unit.UTF16:
        return len(value) + sum(char > "\uffff" for char in value)
    return len(value.encode("utf-8", "surrogateescape"))


def start_of(value: str, most: int, unit: Unit) -> str:
    """As much of `value` as `most` of `unit` hold."""
    match unit:
        case Unit.CHARACTERS:
            return value[:most]
        case Unit.UTF16:
            units = value.encode("utf-16-le", "surrogatepass")
            # Half a character goes out as the sign for one that is broken.
            return units[: 2 * most].decode("utf-16-le", "replace")
        case _:  # Unit.BYTES
            return value.encode()[:most].decode("utf-8", "ignore")


def clip_text(text: str, rule: TextRule, path: str) -> str:
    """`text` within its limit: both of its ends, and the notice between them."""
    most = rule.max_length
    if most is None or len(text) <= most:
        return text
    notice = rule.clipped.format(path=path)[:most]
    left = most - len(notice)
    head, tail = left - left // 2, left // 2
    return text[:head] + notice + (text[-tail:] if tail else "")
