"""Times as all APIs write them."""

from __future__ import annotations

from datetime import datetime
from typing import overload


@overload
def render_time(time: datetime) -> str: ...
@overload
def render_time(time: datetime | None) -> str | None: ...
def render_time(time: datetime | None) -> str | None:
    """RFC 3339, in UTC."""
    return None if time is None else time.isoformat().replace("+00:00", "Z")
