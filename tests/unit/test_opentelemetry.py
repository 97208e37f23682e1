"""The events of a ledger, as the real OpenTelemetry SDK receives them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import HistogramDataPoint, InMemoryMetricReader
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from metier import __version__
from metier.adapters.opentelemetry import Telemetry, attributes_of
from metier.core.events import Cause, Invoker, Refused, ScriptRan
from metier.core.tree import digest_text
from metier.library import Library
from metier.testing import make_skill
from tests.making import SKILLS, library


class Backend:
    """Everything that was sent."""

    def __init__(self) -> None:
        self.exporter = InMemorySpanExporter()
        self.tracers = TracerProvider()
        self.tracers.add_span_processor(SimpleSpanProcessor(self.exporter))
        self.reader = InMemoryMetricReader()
        self.meters = MeterProvider(metric_readers=[self.reader])

    def telemetry(self) -> Telemetry:
        return Telemetry(tracer_provider=self.tracers, meter_provider=self.meters)

    def spans(self) -> list[tuple[str, Mapping[str, Any]]]:
        found = self.exporter.get_finished_spans()
        return [(span.name, dict(span.attributes or {})) for span in found]

    def points(self, metric: str) -> list[tuple[Mapping[str, Any], Any]]:
        """The series of one metric, each with its sum."""
        data = self.reader.get_metrics_data()
        assert data is not None
        return [
            (dict(point.attributes or {}), _total(point))
            for resource in data.resource_metrics
            for scope in resource.scope_metrics
            for each in scope.metrics
            if each.name == metric
            for point in each.data.data_points
        ]


def _total(point: Any) -> Any:
    return point.sum if isinstance(point, HistogramDataPoint) else point.value


@pytest.fixture
def backend() -> Backend:
    return Backend()


def skills() -> Library:
    return library(
        {
            f"{SKILLS}/pdf/SKILL.md": make_skill("pdf", "Fills"),
            f"{SKILLS}/pdf/form.txt": "A form.",
        }
    )


def test_outside_of_a_span_an_event_is_a_span_of_its_own(backend: Backend):
    found = skills()
    ledger = found.ledger(on_event=backend.telemetry(), clock=lambda: "noon")
    output = found.tool(ledger=ledger).call({"name": "pdf"}).output
    assert backend.spans() == [
        (
            "metier.skill.activated",
            {
                "metier.name": "pdf",
                "metier.at": "noon",
                "metier.by": "model",
                "metier.path": f"{SKILLS}/pdf/SKILL.md",
                "metier.digest": digest_text(output),
                "metier.tokens": ledger.entries[0].tokens,
            },
        )
    ]
    scope = backend.exporter.get_finished_spans()[0].instrumentation_scope
    assert scope is not None
    assert (scope.name, scope.version) == ("metier", __version__)


def test_within_a_span_it_is_an_event_of_that_span(backend: Backend):
    found = skills()
    ledger = found.ledger(on_event=backend.telemetry())
    tracer = backend.tracers.get_tracer("agent")
    with tracer.start_as_current_span("turn"):
        found.tool(ledger=ledger).call({"name": "pdf"})
        ledger.reinject(0)
    (span,) = backend.exporter.get_finished_spans()
    assert [event.name for event in span.events] == [
        "metier.skill.activated",
        "metier.skill.reinjected",
    ]
    assert dict(span.events[1].attributes or {})["metier.omitted"] == ("pdf",)


def test_what_happened_is_counted(backend: Backend):
    found = skills()
    ledger = found.ledger(on_event=backend.telemetry())
    tool = found.tool(ledger=ledger)
    for name in ("pdf", "pdf", "pdf", "nix"):
        tool.call({"name": name})
    reading = {"skill": "pdf", "path": "form.txt"}
    found.resource_tool(ledger=ledger).call(reading)
    by = {"metier.by": "model"}
    read = {"metier.event": "resource-read", "metier.media_type": "text/plain"}
    assert backend.points("metier.skill.events") == [
        ({"metier.event": "activated", **by}, 1),
        ({"metier.event": "repeated", **by}, 2),
        ({"metier.event": "refused", **by, "metier.cause": "unknown"}, 1),
        (read, 1),
    ]
    assert backend.points("metier.skill.tokens") == [
        ({"metier.event": "activated", **by}, ledger.entries[0].tokens)
    ]
    assert backend.points("metier.resource.size") == [(read, 7)]


def test_no_message_and_no_broken_text_is_sent():
    event = Refused(
        name="\udcff", at="", by=Invoker.PERSON, cause=Cause.FAILURE, message="secret"
    )
    assert attributes_of(event) == {
        "metier.name": "?",
        "metier.at": "",
        "metier.by": "person",
        "metier.cause": "failure",
    }


@pytest.mark.parametrize("code", [0, None])
def test_a_script_is_measured(backend: Backend, code: int | None):
    event = ScriptRan(
        name="pdf", at="", script="a.sh", exit_code=code, seconds=0.5, sandbox="none"
    )
    backend.telemetry()(event)
    ((_, told),) = backend.spans()
    assert told["metier.seconds"] == 0.5
    assert told.get("metier.exit_code") == code
    series = {"metier.event": "script-ran", "metier.sandbox": "none"}
    assert backend.points("metier.script.duration") == [(series, 0.5)]


def test_without_a_provider_it_asks_for_the_global_one():
    found = skills()
    ledger = found.ledger(on_event=Telemetry())
    assert not found.tool(ledger=ledger).call({"name": "pdf"}).is_error
