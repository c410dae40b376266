"""The queries of the queue, one a file."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path


@lru_cache
def load_query(name: str) -> str:
    """The statement of a file beside this one."""
    return (Path(__file__).parent / f"{name}.sql").read_text(encoding="utf-8")
