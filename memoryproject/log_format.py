"""How log lines look: structlog and the standard library in one format, without what people wrote."""

from __future__ import annotations

import logging
import sys
import traceback
from typing import Any

import structlog
from django.core.exceptions import ImproperlyConfigured
from structlog.typing import EventDict, Processor

TALKATIVE_ERRORS = ("django.db", "psycopg", "pydantic", "jsonschema", "openai", "rest_framework")
"""Errors from these modules quote the rows, documents or prompts that they are about."""


def add_error(_logger: Any, _name: str, event: EventDict) -> EventDict:
    """Replaces ``exc_info`` by the error's type, its place, and its words where they quote nobody."""
    exc_info = event.pop("exc_info", None)
    if exc_info is True:
        error = sys.exc_info()[1]
    elif isinstance(exc_info, tuple):
        error = exc_info[1]
    else:
        error = exc_info if isinstance(exc_info, BaseException) else None
    if error is not None:
        event["error"] = describe_error(error)
        event["stack"] = [
            f"{frame.filename}:{frame.lineno} {frame.name}" for frame in traceback.extract_tb(error.__traceback__)
        ]
    return event


def describe_error(error: BaseException) -> str:
    """The error's type, and its message unless that may quote stored or sent texts."""
    kind = type(error)
    name = f"{kind.__module__}.{kind.__qualname__}"
    bases = {base.__module__ for base in kind.__mro__}
    if isinstance(error, UnicodeError) or any(base.startswith(TALKATIVE_ERRORS) for base in bases):
        sqlstate = getattr(error, "sqlstate", None) or getattr(error.__cause__, "sqlstate", None)
        return f"{name} ({sqlstate})" if sqlstate else name
    return f"{name}: {error}"


SHARED_PROCESSORS: list[Processor] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    add_error,
    structlog.processors.UnicodeDecoder(),
]


def configure_structlog() -> None:
    """structlog hands its events to the standard library's handlers."""
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *SHARED_PROCESSORS,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )


def build_logging(*, level: str, log_format: str) -> dict[str, Any]:
    """The ``LOGGING`` setting for a level name and a format (``json`` or ``console``)."""
    if level not in logging.getLevelNamesMapping():
        raise ImproperlyConfigured(f"LOG_LEVEL must be a level such as INFO or WARNING, not {level!r}")
    if log_format == "json":
        renderer: Processor = structlog.processors.JSONRenderer(ensure_ascii=False)
    elif log_format == "console":
        renderer = structlog.dev.ConsoleRenderer(colors=False)
    else:
        raise ImproperlyConfigured(f"LOG_FORMAT must be json or console, not {log_format!r}")
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "structured": {
                "()": structlog.stdlib.ProcessorFormatter,
                "processors": [structlog.stdlib.ProcessorFormatter.remove_processors_meta, renderer],
                "foreign_pre_chain": SHARED_PROCESSORS,
            }
        },
        "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "structured"}},
        "root": {"handlers": ["console"], "level": level},
        "loggers": {
            "django": {"handlers": [], "level": "INFO", "propagate": True},
            "django.db.backends": {"level": "WARNING"},
            "django.server": {"handlers": [], "level": "WARNING", "propagate": True},
            "django.request": {"level": "ERROR"},
            "httpx": {"level": "WARNING"},
            "openai": {"level": "WARNING"},
            "celery.app.trace": {"level": "CRITICAL"},
            "celery.worker.strategy": {"level": "WARNING"},
            "psycopg.pool": {"level": "ERROR"},
        },
    }
