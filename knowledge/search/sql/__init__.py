"""Raw queries, one a file."""

from __future__ import annotations

import functools
from pathlib import Path


@functools.cache
def read_query(path: Path) -> str:
    """The query of a file without its comments."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return "\n".join(line for line in lines if not line.lstrip().startswith("--"))
