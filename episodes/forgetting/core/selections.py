"""What a player asks to be forgotten."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import Any, Literal


@dataclass(frozen=True, slots=True)
class Selection:
    """Which of a user's messages: all, those said in a time (from inclusive, to exclusive), or these."""

    scope: Literal["all", "range", "messages"]
    sent_from: dt.datetime | None = None
    sent_to: dt.datetime | None = None
    message_ids: tuple[int, ...] = ()
    world_id: int | None = None
    """Only in conversations of that world; None: in all of the tenant."""

    def describe(self) -> dict[str, Any]:
        """What a receipt keeps of it: no word of any message."""
        if self.scope != "range":
            return {"scope": self.scope}
        times = {"from": self.sent_from, "to": self.sent_to}
        return {"scope": "range", **{name: time.isoformat() for name, time in times.items() if time is not None}}
