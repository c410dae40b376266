"""Events as the REST interface tells them."""

from __future__ import annotations

from collections.abc import Mapping

from episodes.events.api import shapes
from episodes.events.models import EventNode


def render_event(node: EventNode, users: Mapping[int, str]) -> shapes.EventShape:
    """One event; `users` are the tenant's own ids."""
    plot = node.read_plot()
    return shapes.EventShape(
        event_id=str(node.pk),
        conversation_id=node.conversation_id,
        user_id=users[node.end_user_id],
        state=node.state,
        triggered_by=node.triggered_by,
        first_seq=node.first_seq,
        last_seq=node.last_seq,
        npc_ids=list(node.npc_ids),
        title=node.title,
        display_text=node.display_text,
        tokens=node.tokens,
        plot=None if plot is None else shapes.PlotExtractionShape.model_validate(plot.as_document()),
        refusals=[shapes.EventRefusal.model_validate(each) for each in node.refusals],
        is_edited=node.edit is not None,
        is_hidden=node.is_hidden,
        rev=node.rev,
        proposer=node.proposer,
        model=node.model,
        language=node.language,
        tries=node.tries,
        error_code=node.error_code,
        error_detail=node.error_detail,
        input_tokens=node.input_tokens,
        output_tokens=node.output_tokens,
        cost_usd=None if node.cost_usd is None else float(node.cost_usd),
        created_at=node.created_at,
        updated_at=node.updated_at,
        archived_at=node.archived_at,
    )
