"""The version of this installation, as `pyproject.toml` states it."""

from __future__ import annotations

import functools
import tomllib
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent / "pyproject.toml"


@functools.cache
def get_version() -> str:
    """For example 0.1.0."""
    with PROJECT.open("rb") as file:
        return str(tomllib.load(file)["project"]["version"])
