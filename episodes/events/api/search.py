"""`users/{id}/events/search`: what a player remembers with the asker, by words, by meaning, and by who was named."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from episodes.events.api import shapes
from episodes.events.api.rendering import render_event
from episodes.events.selectors.event_filters import EventFilters
from episodes.events.selectors.expansion import expand_question
from episodes.events.selectors.nodes import get_events_by_id, list_external_ids
from episodes.events.selectors.readers import make_graph_reader
from episodes.events.selectors.recall import MAX_K, embed_event_query, recall_events
from episodes.events.selectors.talks import list_recent_texts
from knowledge.canon.selectors.search import MAX_QUERY_LENGTH, check_query
from knowledge.errors import EmptyQuery, QueryTooLong
from memoryproject.rest.operations import operation
from memoryproject.rest.parameters import MAX_ID, NumberParameter, Parameters, TextParameter
from memoryproject.rest.shapes import answer, fill
from tenancy.api.users import USER_ID
from tenancy.api.views import MachineView
from tenancy.errors import UnknownEndUser
from tenancy.selectors import get_end_user

PARAMETERS = Parameters(
    (
        TextParameter(
            "q", "What is asked.", "that thing at the tavern", MAX_QUERY_LENGTH, is_required=True, is_prose=True
        ),
        NumberParameter("k", "How many at most.", 5, 1, MAX_K, default=5),
        TextParameter("npc_id", "Only what this NPC took part in.", "npc_miron", 120),
        NumberParameter("conversation_id", "Whose last talk a vague question points into.", 7, 1, MAX_ID),
    )
)


class EventSearchView(MachineView):
    """`users/{user_id}/events/search`."""

    @operation(
        "events_search",
        "Events",
        shapes.FoundEvents,
        UnknownEndUser,
        EmptyQuery,
        QueryTooLong,
        path=(USER_ID,),
        parameters=PARAMETERS,
    )
    def get(self, request: Request, user_id: str) -> Response:
        """Recall events.

        Of a player in the world. A question that only points is about the last names of the talk.
        """
        values = self.values
        check_query(values["q"])
        world_id = self.world_id
        user = get_end_user(tenant_id=self.caller.tenant_id, external_id=user_id)
        filters = EventFilters(
            tenant_id=user.tenant_id,
            end_user_id=user.pk,
            world_id=world_id,
            is_any_world=world_id is None,
            npc_id=values.get("npc_id"),
            conversation_id=values.get("conversation_id"),
            graph=make_graph_reader(tenant_id=user.tenant_id, world_id=world_id, npc_id=values.get("npc_id")),
        )
        talk = list_recent_texts(
            tenant_id=user.tenant_id,
            end_user_id=user.pk,
            conversation_id=filters.conversation_id,
            world_id=filters.world_id,
        )
        found = recall_events(
            filters, query=values["q"], talk=talk, embed=embed_event_query, expand=expand_question, limit=values["k"]
        )
        nodes = get_events_by_id([hit.id for hit in found.hits])
        users = list_external_ids(list(nodes.values()))
        return answer(
            shapes.FoundEvents(
                query=values["q"],
                is_vague=found.reference.is_vague,
                pointed_at=[each.name for each in found.reference.pointed_at],
                data=[
                    fill(
                        shapes.FoundEvent,
                        hit,
                        keyword_score=hit.parts.bm25,
                        vector_score=hit.parts.vector,
                        event=render_event(nodes[hit.id], users),
                    )
                    for hit in found.hits
                    if hit.id in nodes
                ],
                degraded=list(found.degraded),
            )
        )
