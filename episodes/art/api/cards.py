"""Art cards: keeping them, listing them, reading one, and what the next picture of a scene should carry."""

from __future__ import annotations

from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from episodes.art.actions.cards import KeptCard, prepare_card, record_card
from episodes.art.api import shapes
from episodes.art.selectors.cards import ArtSuggestion, get_card, list_cards, suggest_art
from episodes.campaigns.api.shapes import PLAY_ID
from episodes.errors import ArtCardTaken, InvalidArtCard, MarkerConflict, UnknownArtCard, UnknownCampaign
from episodes.models import ArtCard
from knowledge.canon.selectors.search import MAX_QUERY_LENGTH
from knowledge.errors import EmptyQuery, QueryTooLong
from memoryproject.rest.operations import operation, reply
from memoryproject.rest.pages import page_by_number, render_page
from memoryproject.rest.parameters import MAX_ID, NumberParameter, Parameters, TextParameter
from memoryproject.rest.schemas import BODY_CODES, IDEMPOTENCY_HEADER, WORLD_CODES
from memoryproject.rest.shapes import cut_page, fill
from memoryproject.times import render_time
from npcs.errors import UnknownNpc
from tenancy.actions.idempotency import Answer
from tenancy.api.views import MachineView

LIST_PARAMETERS = Parameters(
    (
        TextParameter("scene_id", "Only pictures of this scene.", "scn_042", 200),
        TextParameter(
            "campaign_id",
            "Only what is shown in this campaign: its pictures, and those of no campaign.",
            "camp_123",
            120,
            pattern=PLAY_ID["pattern"],
        ),
        *page_by_number(was="before"),
    )
)
CARD_ID = NumberParameter("card_id", "The `id` of the card, as the list and its keeping tell it.", 5, 1, MAX_ID)
SUGGEST_PARAMETERS = Parameters(
    (
        TextParameter("scene_id", "The scene.", "scn_042", 200, is_required=True),
        TextParameter(
            "query",
            "What the next picture shows: cards that show it count, too.",
            "a ronin on a misty bridge",
            MAX_QUERY_LENGTH,
            is_prose=True,
        ),
        TextParameter(
            "campaign_id",
            "Its campaign: pictures of other campaigns are left out.",
            "camp_123",
            120,
            pattern=PLAY_ID["pattern"],
        ),
    )
)


class ArtCardsView(MachineView):
    """`art-cards`."""

    scopes = {"GET": "read", "POST": "engine"}

    @operation("art_cards_list", "Art", shapes.ArtCardList, WORLD_CODES, parameters=LIST_PARAMETERS)
    def get(self, request: Request) -> Response:
        """List art cards."""
        values = self.values
        world = self.get_world()
        limit = values["limit"]
        cards = list_cards(
            tenant_id=world.tenant_id,
            world_id=world.world_id,
            scene_id=values.get("scene_id"),
            campaign_id=values.get("campaign_id"),
            before=values.get("cursor"),
            limit=limit + 1,
        )
        page, cursor = cut_page(cards, limit)
        data = [render_card(card) for card in page]
        return Response(render_page(data, cursor, was="cards", next_was="next_before"))

    @operation(
        "art_cards_write",
        "Art",
        {200: reply(shapes.KeptCard, "It was kept before."), 201: reply(shapes.KeptCard, "It is kept.", created=True)},
        BODY_CODES,
        WORLD_CODES,
        InvalidArtCard,
        MarkerConflict,
        UnknownNpc,
        UnknownCampaign,
        ArtCardTaken,
        headers=(IDEMPOTENCY_HEADER,),
        body=shapes.CARD_BODY,
        sent={"card": shapes.SENT},
    )
    def post(self, request: Request) -> Response:
        """Keep an art card.

        Tags get one form; must-have markers of the NPCs and places are added, banned ones refused. An embedding is
        kept as it is, and told with the one card only. The same card again changes nothing.
        """
        world = self.get_world()
        draft = prepare_card(request.data)

        def write() -> Answer:
            kept = record_card(tenant_id=world.tenant_id, world_id=world.world_id, draft=draft)
            return Answer(201 if kept.created else 200, render_kept(kept, draft.degraded))

        return self.idempotent_response(world, request.data, write)


class ArtCardView(MachineView):
    """`art-cards/{card_id}`."""

    scopes = {"GET": "read"}

    @operation(
        "art_cards_get", "Art", reply(shapes.WholeArtCard, "The card."), WORLD_CODES, UnknownArtCard, path=(CARD_ID,)
    )
    def get(self, request: Request, card_id: int) -> Response:
        """Read an art card with its embedding."""
        world = self.get_world()
        card = get_card(tenant_id=world.tenant_id, world_id=world.world_id, card_id=card_id)
        return Response(render_whole_card(card))


class ArtSuggestionView(MachineView):
    """`art-cards/suggest`."""

    scopes = {"GET": "read"}

    @operation(
        "art_cards_suggest",
        "Art",
        reply(shapes.ArtSuggestion, "Tags and style."),
        WORLD_CODES,
        EmptyQuery,
        QueryTooLong,
        parameters=SUGGEST_PARAMETERS,
    )
    def get(self, request: Request) -> Response:
        """Suggest tags and style for the next picture of a scene.

        From the safe cards of the scene and of its people and places, as its cards and its summaries name them:
        must-have markers first, banned ones listed. A scene that nothing was told of gets an empty suggestion.
        """
        values = self.values
        world = self.get_world()
        found = suggest_art(tenant_id=world.tenant_id, world_id=world.world_id, **values)
        return Response(render_suggestion(found))


def render_card(card: ArtCard) -> shapes.ArtCard:
    """A card in the form of `schemas/artcard.schema.json`, with what came of its tags and without its vector."""
    return fill(
        shapes.ArtCard,
        card,
        id=card.pk,
        campaign_id=card.campaign_id or None,
        entities={"npc": card.npc_ids, "location": card.location_ids},
        style={"preset": card.style_preset, "seed": card.style_seed},
        moderation={"safe": card.is_safe},
        created_at=render_time(card.made_at),
    )


def render_whole_card(card: ArtCard) -> dict[str, Any]:
    """A card with its vector."""
    vec = card.embedding_vec
    embedding = None if vec is None else {"model": card.embedding_model, "dims": len(vec), "vec": vec}
    return {**render_card(card), "embedding": embedding}


def render_kept(kept: KeptCard, degraded: tuple[str, ...]) -> dict[str, Any]:
    """What came of a card."""
    return {
        "created": kept.created,
        "dropped_tags": list(kept.dropped_tags),
        "degraded": list(degraded),
        "card": render_card(kept.card),
    }


def render_suggestion(found: ArtSuggestion) -> shapes.ArtSuggestion:
    """Tags and style for the next picture."""
    return fill(
        shapes.ArtSuggestion,
        found,
        visual_tags=list(found.tags),
        banned=[{"tag": tag, "kind": kind, "owner": owner} for tag, kind, owner in found.banned],
        style={"preset": found.preset, "seed": found.seed},
        entities={"npc": list(found.npc_ids), "location": list(found.location_ids)},
    )
