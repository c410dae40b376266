"""What art cards and suggestions take and answer by REST."""

from __future__ import annotations

from typing import Annotated, NotRequired

from typing_extensions import TypedDict

from episodes.models import TagSource
from memoryproject.json_schema import load_schema
from memoryproject.rest.pages import NEXT_CURSOR
from memoryproject.rest.typed_dicts import Time, deprecated, member
from npcs.profiles.core.forms import describe_body

CARD_BODY = describe_body("artcard")
SENT = load_schema("artcard")["examples"][0]


class Entities(TypedDict):
    """Who and what is in a picture."""

    npc: Annotated[list[str], member(["npc_LiShen"])]
    location: Annotated[list[str], member(["loc_moon_bridge"])]


class Style(TypedDict):
    """How it is drawn."""

    preset: Annotated[str | None, member("ukiyo-e-modern")]
    seed: Annotated[int | None, member(12345)]


class Moderation(TypedDict):
    """What the studio's moderation said."""

    safe: Annotated[bool, member(True)]


class ArtCard(TypedDict):
    """A picture in words."""

    id: Annotated[int, member(5)]
    image_id: Annotated[str, member("img_8f3c")]
    scene_id: Annotated[str, member("scn_042")]
    campaign_id: Annotated[str | None, member("camp_123", "Null: shown for every scene of that id.")]
    cdn_url: Annotated[str, member("https://cdn.example/img_8f3c.webp")]
    prompt_text: Annotated[str, member("moonlit bridge, mist, ronin with scar on left cheek")]
    entities: Entities
    visual_tags: Annotated[list[str], member(["scar-left-cheek", "moonlight", "mist", "blue-gold", "katana"])]
    added_tags: Annotated[list[str], member([], "Must-have markers that were missing.")]
    tag_source: Annotated[str, member("given", choices=TagSource.values)]
    style: Style
    moderation: Moderation
    created_at: Annotated[Time, member("2025-08-27T11:42:05Z")]


class Embedding(TypedDict):
    """A vector as it was sent."""

    model: Annotated[str, member("text-embedding-3-large")]
    dims: Annotated[int, member(4)]
    vec: Annotated[list[float], member([0.0125, -0.25, 0.5, 0.0625])]


class WholeArtCard(ArtCard):
    """A picture in words, with its vector."""

    embedding: Annotated[Embedding | None, member(description="Null: none was sent.")]


class KeptCard(TypedDict):
    """What came of a card."""

    created: Annotated[bool, member(False, "False for a repeat.")]
    dropped_tags: Annotated[list[str], member([], "Given tags that found no place beside the must-haves.")]
    degraded: Annotated[list[str], member([])]
    card: ArtCard


class ArtCardList(TypedDict):
    """Cards, newest first."""

    data: list[ArtCard]
    next_cursor: Annotated[int | None, member(None, NEXT_CURSOR)]
    cards: NotRequired[Annotated[list[ArtCard], deprecated("data")]]
    next_before: NotRequired[Annotated[int | None, deprecated("next_cursor")]]


class ArtHit(TypedDict):
    """A card that was found."""

    score: Annotated[float, member(0.91)]
    card: ArtCard


class ArtSearch(TypedDict):
    """Cards, best first."""

    query: Annotated[str, member("a ronin on a misty bridge")]
    hits: list[ArtHit]
    degraded: Annotated[list[str], member([], "What the search had to do without; empty when all went well.")]


class BannedMarker(TypedDict):
    """A tag that no picture of its owner may carry."""

    tag: Annotated[str, member("smile")]
    kind: Annotated[str, member("npc", choices=("npc", "location"))]
    owner: Annotated[str, member("npc_LiShen")]


class ArtSuggestion(TypedDict):
    """What the next picture of a scene should carry."""

    scene_id: Annotated[str, member("scn_042")]
    visual_tags: Annotated[
        list[str], member(["scar-left-cheek", "moonlight", "mist", "blue-gold", "katana"], "Must-haves first.")
    ]
    must_have: Annotated[list[str], member(["scar-left-cheek"])]
    banned: list[BannedMarker]
    style: Style
    entities: Entities
    image_ids: Annotated[list[str], member(["img_8f3c"], "The cards that it rests on, nearest first.")]
