"""Logs go to standard error, one JSON object a line, and never hold message texts."""

from memoryproject.environment import read_text
from memoryproject.log_format import build_logging, configure_structlog

LOG_LEVEL = read_text("LOG_LEVEL", "INFO").upper()
LOG_FORMAT = read_text("LOG_FORMAT", "json")

LOGGING = build_logging(level=LOG_LEVEL, log_format=LOG_FORMAT)
configure_structlog()
