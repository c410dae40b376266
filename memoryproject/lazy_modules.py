"""Libraries that take long to import, imported at their first use.

A module that needs one for a few calls names it so, and types it as usual:

    if TYPE_CHECKING:
        import openai
    else:
        openai = LazyModule("openai")

The web process imports them on a thread of its own after its start (`import_now`), so that no request waits.
"""

from __future__ import annotations

import importlib
import sys
from typing import Any

LAZY = ("openai", "py3langid.langid")
"""What requests may need; `ir_measures` serves golden runs alone."""


class LazyModule:
    """Stands for a module until one of its names is asked for. Safe among threads: Python's import lock holds."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, attribute: str) -> Any:
        return getattr(sys.modules.get(self._name) or importlib.import_module(self._name), attribute)

    def __repr__(self) -> str:
        return f"<lazy module {self._name!r}>"


def import_now() -> None:
    """Every library of `LAZY` is imported."""
    for name in LAZY:
        importlib.import_module(name)
