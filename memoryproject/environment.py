"""Reads environment variables into typed values, with errors that name the variable."""

from __future__ import annotations

import os

from django.core.exceptions import ImproperlyConfigured

TRUE_WORDS = frozenset({"1", "true", "yes", "on"})
FALSE_WORDS = frozenset({"0", "false", "no", "off", ""})
MAX_NUMBER = 1e9


def read_text(name: str, default: str = "") -> str:
    """The variable's value without surrounding blanks, or the default when it is unset."""
    return os.environ.get(name, default).strip()


def read_raw_text(name: str) -> str:
    """The variable's value with its blanks, or nothing when it is unset."""
    return os.environ.get(name, "")


def read_choice(name: str, default: str, choices: tuple[str, ...]) -> str:
    """The variable as one of the choices; other words are refused."""
    word = read_text(name) or default
    if word not in choices:
        raise ImproperlyConfigured(f"{name} must be one of {', '.join(choices)}, not {word!r}")
    return word


def read_bool(name: str, default: bool) -> bool:
    """The variable as a truth value; words other than the known ones are refused."""
    if name not in os.environ:
        return default
    word = os.environ[name].strip().lower()
    if word in TRUE_WORDS:
        return True
    if word in FALSE_WORDS:
        return False
    raise ImproperlyConfigured(f"{name} must be true or false, not {word!r}")


def read_int(name: str, default: int, *, at_least: int = 0, at_most: int | None = None) -> int:
    """The variable as a whole number within the bounds."""
    text = os.environ.get(name, "").strip()
    if not text:
        return default
    try:
        value = int(text)
    except ValueError as error:
        raise ImproperlyConfigured(f"{name} must be a whole number, not {text!r}") from error
    if value < at_least:
        raise ImproperlyConfigured(f"{name} must be at least {at_least}, not {value}")
    if at_most is not None and value > at_most:
        raise ImproperlyConfigured(f"{name} must be at most {at_most}, not {value}")
    return value


def read_float(name: str, default: float, *, at_least: float = 0.0, at_most: float = MAX_NUMBER) -> float:
    """The variable as a number within the bounds, and no more than a clock can wait for."""
    text = os.environ.get(name, "").strip()
    if not text:
        return default
    try:
        value = float(text)
    except ValueError as error:
        raise ImproperlyConfigured(f"{name} must be a number, not {text!r}") from error
    if not value >= at_least:
        raise ImproperlyConfigured(f"{name} must be at least {at_least}, not {text}")
    if value > at_most:
        raise ImproperlyConfigured(f"{name} must be at most {at_most:.10g}, not {text}")
    return value


def read_list(name: str, default: tuple[str, ...] = ()) -> list[str]:
    """The variable's comma-separated items, blanks and empty items left out."""
    if name not in os.environ:
        return list(default)
    return [item.strip() for item in os.environ[name].split(",") if item.strip()]
