"""The events of a ledger for OpenTelemetry: what happened in a trace, and counted.

    from metier.adapters.opentelemetry import Telemetry

    ledger = skills.ledger(on_event=Telemetry())

It needs the extra `opentelemetry`. Within a span that is being recorded an event is an
event of that span; outside of one it is a span of its own. No text of a skill and no
message is sent, only names, digests, sizes and reasons.
"""

from __future__ import annotations

from dataclasses import fields
from enum import Enum
from typing import TYPE_CHECKING, cast

from metier import __version__
from metier.adapters import missing
from metier.core.events import (
    Activated,
    Changed,
    Reinjected,
    Reloaded,
    ResourceRead,
    ScriptRan,
    kind_of,
)

try:
    from opentelemetry import metrics, trace
except ModuleNotFoundError as error:
    raise missing("opentelemetry", error) from error

if TYPE_CHECKING:
    from opentelemetry.metrics import MeterProvider
    from opentelemetry.trace import TracerProvider

    from metier.core.events import Event

AttributeValue = str | int | float | tuple[str, ...]

_SCOPE = "metier"
# What an event is about goes into a span, not into the series of a metric: names and
# digests are without number.
_COUNTED = ("by", "cause", "media_type", "sandbox")
# For a model, and not for those who read a trace.
_UNTOLD = frozenset(("message",))


class Telemetry:
    """Makes spans, span events and metrics of the events of a ledger."""

    def __init__(
        self,
        *,
        tracer_provider: TracerProvider | None = None,
        meter_provider: MeterProvider | None = None,
    ) -> None:
        self._tracer = trace.get_tracer(_SCOPE, __version__, tracer_provider)
        meter = metrics.get_meter(_SCOPE, __version__, meter_provider)
        self._events = meter.create_counter(
            "metier.skill.events",
            unit="{event}",
            description="What happened to the skills of an agent",
        )
        self._tokens = meter.create_histogram(
            "metier.skill.tokens",
            unit="{token}",
            description="Estimated tokens that were handed over to a model",
        )
        self._bytes = meter.create_histogram(
            "metier.resource.size",
            unit="By",
            description="Bytes of the files of skills that were handed over",
        )
        self._seconds = meter.create_histogram(
            "metier.script.duration",
            unit="s",
            description="How long the scripts of skills ran",
        )

    def __call__(self, event: Event) -> None:
        """Take one event."""
        kind, told = kind_of(event), attributes_of(event)
        name = f"metier.skill.{kind}"
        span = trace.get_current_span()
        if span.is_recording():
            span.add_event(name, told)
        else:
            with self._tracer.start_as_current_span(name, attributes=told):
                pass
        self._count(event, kind)

    def _count(self, event: Event, kind: str) -> None:
        told = attributes_of(event)
        keys = (f"metier.{key}" for key in _COUNTED)
        series = {"metier.event": kind, **{k: told[k] for k in keys if k in told}}
        self._events.add(1, series)
        if isinstance(event, (Activated, Changed, Reloaded, Reinjected)):
            self._tokens.record(event.tokens, series)
        if isinstance(event, ResourceRead):
            self._bytes.record(event.size, series)
        if isinstance(event, ScriptRan):
            self._seconds.record(event.seconds, series)


def attributes_of(event: Event) -> dict[str, AttributeValue]:
    """The members of an event as OpenTelemetry takes them."""
    told: dict[str, AttributeValue] = {}
    for each in fields(event):
        value = getattr(event, each.name)
        if each.name not in _UNTOLD and value is not None:
            told[f"metier.{each.name}"] = _plain(value)
    return told


def _plain(value: object) -> AttributeValue:
    if isinstance(value, Enum):
        return str(value.value)
    if isinstance(value, (int, float)):
        return value
    if isinstance(value, tuple):
        return tuple(map(str, cast("tuple[object, ...]", value)))
    # A byte that was not UTF-8 cannot be sent.
    return str(value).encode("utf-8", "replace").decode()
