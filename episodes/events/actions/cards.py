"""The card of an event, rendered anew whenever its data, its edits or its template change."""

from __future__ import annotations

from episodes.events.actions.passages import index_event, unindex_events
from episodes.events.core.cards import choose_template, render_card
from episodes.events.core.plot import make_title, shorten_title
from episodes.events.models import EventNode, EventPolicy
from knowledge.text.tokens import count_tokens

CARD_FIELDS = ("title", "display_text", "tokens")


def render_event(node: EventNode, policy: EventPolicy) -> bool:
    """Whether the card of a shown event changed; the row is not saved. What a person wrote as a card stays."""
    plot = node.read_plot()
    if plot is None:
        return False
    before = (node.title, node.display_text)
    edit = node.edit or {}
    node.title = shorten_title(edit.get("title") or make_title(plot))
    node.display_text = edit.get("content") or render_card(plot, choose_template(node.language, policy.templates))
    node.tokens = count_tokens(node.display_text)
    return before != (node.title, node.display_text)


def publish_event(node: EventNode) -> None:
    """The event in the index as it stands, or out of it where it is hidden. Call it in the transaction that saves."""
    plot = node.read_plot()
    if plot is None or node.is_hidden:
        unindex_events([node.pk])
    else:
        index_event(node, plot)
