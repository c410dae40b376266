"""What events told: words of a talk that repeat it are no source of another event."""

from __future__ import annotations

import datetime as dt
from uuid import UUID

from episodes.events.models import SHOWN_STATES, EventNode

MAX_TOLD = 200
"""Events whose words are looked for, the newest: what packs told of late."""


def list_told_texts(*, tenant_id: int, end_user_id: int, but: UUID, before: dt.datetime) -> list[str]:
    """The summaries and details of a player's other events. One query.

    What was made `before` the last message was said could be recalled in it; what was made later only repeats the talk.
    """
    rows = EventNode.objects.filter(
        tenant_id=tenant_id, end_user_id=end_user_id, state__in=SHOWN_STATES, created_at__lte=before
    )
    texts: list[str] = []
    for node in rows.exclude(pk=but).order_by("-created_at").only("plot", "edit")[:MAX_TOLD]:
        plot = node.read_plot()
        if plot is not None:
            texts += [text for text in (plot.summary, plot.details) if text]
    return texts
