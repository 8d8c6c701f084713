"""Traces of requests, of the tasks that they queue and of queries, for a collector of OpenTelemetry."""

from collections.abc import Sequence

from opentelemetry import trace
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.instrumentation.celery import CeleryInstrumentor
from opentelemetry.instrumentation.django import DjangoInstrumentor
from opentelemetry.instrumentation.psycopg import PsycopgInstrumentor
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter, SpanExportResult
from opentelemetry.trace import Status

# Addresses of pages have names and tokens, and so have queries; a route and the name of a span have none.
SENT = frozenset(
    {
        "http.method",
        "http.request.method",
        "http.route",
        "http.status_code",
        "http.response.status_code",
        "celery.action",
        "celery.state",
        "celery.task_name",
        "messaging.destination",
        "db.system",
    }
)


class OnlyHarmless(SpanExporter):
    """Sends spans without what people have written and what names them. Their events have texts of errors."""

    def __init__(self, exporter: SpanExporter) -> None:
        self._exporter = exporter

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        """Send spans, and return whether that succeeded."""
        return self._exporter.export([_harmless(span) for span in spans])

    def shutdown(self) -> None:
        """Send nothing more."""
        self._exporter.shutdown()

    def force_flush(self, timeout_millis: int = 30_000) -> bool:
        """Send what waits."""
        return self._exporter.force_flush(timeout_millis)


def start(exporter: SpanExporter | None = None) -> None:
    """Send traces, as the variables of OpenTelemetry (`OTEL_…`) say, until the process ends."""
    provider = TracerProvider(resource=Resource.create({"service.name": "novaluna"}))
    provider.add_span_processor(BatchSpanProcessor(OnlyHarmless(exporter or OTLPSpanExporter())))
    trace.set_tracer_provider(provider)
    DjangoInstrumentor().instrument()
    CeleryInstrumentor().instrument()
    PsycopgInstrumentor().instrument()


def _harmless(span: ReadableSpan) -> ReadableSpan:
    attributes = {name: value for name, value in (span.attributes or {}).items() if name in SENT}
    return ReadableSpan(
        span.name,
        context=span.context,
        parent=span.parent,
        resource=span.resource,
        attributes=attributes,
        kind=span.kind,
        status=Status(span.status.status_code),
        start_time=span.start_time,
        end_time=span.end_time,
        instrumentation_scope=span.instrumentation_scope,
    )
