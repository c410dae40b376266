"""One line on a terminal that says how far a command is; silent in logs and pipes."""

from __future__ import annotations

import time
from typing import TextIO

SECONDS_BETWEEN = 0.2


class ProgressLine:
    """Overwrites itself on a terminal. Elsewhere it writes a line every ten seconds."""

    def __init__(self, stream: TextIO, *, quiet: bool = False) -> None:
        self._stream = stream
        self._quiet = quiet
        self._terminal = stream.isatty()
        self._next = 0.0
        self._shown = ""

    def __call__(self, step: str, done: int, total: int | None) -> None:
        """Show that so much of a step is done."""
        now = time.monotonic()
        if self._quiet or (now < self._next and done != total):
            return
        self._next = now + (SECONDS_BETWEEN if self._terminal else 10.0)
        text = f"{done:,}{f' of {total:,}' if total is not None else ''} {step}"
        if self._terminal:
            self._stream.write("\r" + text.ljust(len(self._shown)))
            self._shown = text
        else:
            self._stream.write(text + "\n")
        self._stream.flush()

    def clear(self) -> None:
        """Leave the line empty for what is written next."""
        if self._terminal and self._shown:
            self._stream.write("\r" + " " * len(self._shown) + "\r")
            self._stream.flush()
            self._shown = ""
