"""Pages of events: a list, each one with its states, a conversation's events on a time line."""

from episodes.events.admin import nodes, proposals

__all__ = ["nodes", "proposals"]
