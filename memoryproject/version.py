"""The version of this installation, as `pyproject.toml` states it."""

from __future__ import annotations

import functools
import tomllib

from django.conf import settings


@functools.cache
def get_version() -> str:
    """For example 0.1.0."""
    with (settings.BASE_DIR / "pyproject.toml").open("rb") as file:
        return str(tomllib.load(file)["project"]["version"])
