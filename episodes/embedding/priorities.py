"""What goes first when vectors are made: talk, batches of it, or what a tenant has beyond its share."""

from __future__ import annotations

from knowledge.search.backlog_queue import PRIORITY_BACKLOG

PRIORITY_HIGH, PRIORITY_NORMAL, PRIORITY_RECOVERY = 0, 3, PRIORITY_BACKLOG
"""A message just said, a batch, a tenant's backlog. Source: seed 002, fixes 9 and 14."""
PRIORITIES = {PRIORITY_HIGH: "high", PRIORITY_NORMAL: "normal", PRIORITY_RECOVERY: "recovery"}
"""As metrics name them. No other task has these priorities: what waits under them is enrichment."""
