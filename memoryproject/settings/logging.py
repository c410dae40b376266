"""Logs go to standard error, one line an event, and never hold message texts."""

from memoryproject.environment import read_text

LOG_LEVEL = read_text("LOG_LEVEL", "INFO").upper()

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "handlers": {"console": {"class": "logging.StreamHandler"}},
    "root": {"handlers": ["console"], "level": LOG_LEVEL},
}
