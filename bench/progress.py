"""What a long benchmark has found so far, one JSON line each, so that a run that was killed goes on behind it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


class Progress:
    """Answers by key; without a file, of this run only. A line cut off by a kill is left out."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._known: dict[str, Any] = {}
        if path is not None and path.exists():
            for line in path.read_text(encoding="utf-8").splitlines():
                try:
                    row = json.loads(line)
                except json.JSONDecodeError:
                    continue
                self._known[row["key"]] = row["value"]

    def get(self, key: str) -> Any:
        """What was found under the key; None for nothing yet."""
        return self._known.get(key)

    def add(self, key: str, value: Any) -> None:
        """Keeps what was found, on disk before the next step."""
        self._known[key] = value
        if self._path is None:
            return
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"key": key, "value": value}, ensure_ascii=False) + "\n")
