"""Events as the REST interface tells them."""

from __future__ import annotations

from collections.abc import Mapping

from episodes.events.api import shapes
from episodes.events.models import EventNode
from memoryproject.rest.shapes import fill


def render_event(node: EventNode, users: Mapping[int, str]) -> shapes.EventShape:
    """One event; `users` are the tenant's own ids."""
    plot = node.read_plot()
    return fill(
        shapes.EventShape,
        node,
        event_id=str(node.pk),
        user_id=users[node.end_user_id],
        plot=None if plot is None else shapes.PlotExtractionShape.model_validate(plot.as_document()),
        refusals=[shapes.EventRefusal.model_validate(each) for each in node.refusals],
        is_edited=node.edit is not None,
        cost_usd=None if node.cost_usd is None else float(node.cost_usd),
    )
