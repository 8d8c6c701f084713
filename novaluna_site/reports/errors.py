"""Errors for Sentry, or a server that speaks its language, such as GlitchTip."""

from collections.abc import Mapping
from typing import Any

from novaluna_site import request_ids

# What is sent of a report, of the error in it and of a place in the code. The text of an error is not:
# databases and mail servers write values there.
OF_EVENT = (
    "event_id",
    "timestamp",
    "level",
    "platform",
    "logger",
    "release",
    "environment",
    "sdk",
)
OF_ERROR = ("type", "module")
OF_FRAME = ("filename", "function", "module", "lineno", "in_app", "context_line")
# These name what failed by a pattern. An address without a route is what somebody wrote, such as a token.
PATTERNS = ("route", "task")
OUR_LOGGERS = ("accounts", "games", "novaluna_site")


def start(dsn: str, **options: Any) -> None:
    """Report errors and what is logged as one to this address, until the process ends."""
    import sentry_sdk

    sentry_sdk.init(
        dsn,
        before_send=only_harmless,  # type: ignore[arg-type]  # it takes and returns more general types
        # Else these would be sent beside the reports, past `before_send`.
        auto_session_tracking=False,
        send_client_reports=False,
        enable_metrics=False,
        # Removed anyway; so they are not collected.
        max_breadcrumbs=0,
        max_request_body_size="never",
        include_local_variables=False,
        send_default_pii=False,
        **options,
    )


def only_harmless(event: Mapping[str, Any], _hint: Mapping[str, Any]) -> dict[str, Any]:
    """Return a report without anything that a person has written or that names one."""
    errors = event.get("exception", {}).get("values", ())
    report = _part(event, OF_EVENT)
    report["exception"] = {"values": [_error(error) for error in errors]}
    if event.get("transaction_info", {}).get("source") in PATTERNS:
        report |= _part(event, ("transaction",))
    # A message of ours has placeholders, for values that are not sent. Others may have the values in it.
    if str(event.get("logger", "")).partition(".")[0] in OUR_LOGGERS:
        report["logentry"] = _part(event.get("logentry", {}), ("message",))
    # With it, the host finds the rest in the log of the site.
    report["tags"] = {"request": request_ids.current.get()}
    return report


def _error(error: Mapping[str, Any]) -> dict[str, Any]:
    frames = (error.get("stacktrace") or {}).get("frames", ())
    return _part(error, OF_ERROR) | {"stacktrace": {"frames": [_part(frame, OF_FRAME) for frame in frames]}}


def _part(values: Mapping[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    return {name: values[name] for name in names if values.get(name) is not None}
