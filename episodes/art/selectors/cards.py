"""Reads of art cards, each within its tenant and world."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db.models import Q, QuerySet

from episodes.art.core import MAX_TAGS, Markers, list_must_haves
from episodes.art.selectors.search import search_art
from episodes.errors import UnknownArtCard
from episodes.models import ArtCard, CampaignState, EpisodicSummary, Scene
from knowledge.canon.core.names import list_place_slugs
from knowledge.canon.selectors.documents import list_publications
from knowledge.canon.selectors.releases import resolve_release
from knowledge.errors import UnknownAlias, UnknownDomain
from npcs.profiles.core.markers import normalise_tags
from npcs.profiles.selectors.profiles import list_markers

LORE = "lore"
CARDS_READ = 20
SUMMARIES_READ = 20
SCENE_WEIGHT, PLACE_WEIGHT, NPC_WEIGHT = 4, 2, 1


@dataclass(frozen=True, slots=True)
class ArtSuggestion:
    """What the next picture of a scene should carry, may not carry, and how it should be drawn."""

    scene_id: str
    tags: tuple[str, ...]
    must_have: tuple[str, ...]
    banned: tuple[tuple[str, str, str], ...]
    """Tag, kind of its owner, owner."""
    preset: str | None
    seed: int | None
    npc_ids: tuple[str, ...]
    location_ids: tuple[str, ...]
    image_ids: tuple[str, ...]
    """The cards that it rests on, nearest first."""


def get_card(*, tenant_id: int, world_id: int, card_id: int) -> ArtCard:
    """The card whole, with its vector. One query. Raises UnknownArtCard."""
    card: ArtCard | None = (
        ArtCard.objects.filter(tenant_id=tenant_id, world_id=world_id, pk=card_id).defer(None).first()
    )
    if card is None:
        raise UnknownArtCard(f"There is no art card {card_id}.")
    return card


def list_cards(
    *,
    tenant_id: int,
    world_id: int,
    scene_id: str | None = None,
    campaign_id: str | None = None,
    before: int | None = None,
    limit: int = 50,
) -> tuple[ArtCard, ...]:
    """The cards of a scene, or of the world, newest first, without their vectors. One query.

    With a campaign those that are shown in it: its own, and those of no campaign.
    """
    rows = _shown_in(campaign_id, ArtCard.objects.living().filter(tenant_id=tenant_id, world_id=world_id))
    if scene_id is not None:
        rows = rows.filter(scene_id=scene_id)
    if before is not None:
        rows = rows.filter(pk__lt=before)
    return tuple(rows.order_by("-pk")[:limit])


def collect_markers(
    *, tenant_id: int, world_id: int, npc_ids: Sequence[str], location_ids: Sequence[str]
) -> tuple[Markers, ...]:
    """The markers of people and places, NPCs first. At most three queries.

    A place has markers where it names a live article of lore, by its slug or as `loc_moon_bridge` does `moon-bridge`,
    with the fields `visual_must_have` and `visual_banned`; of an article that is a secret they are used, too: pictures
    must not contradict it.
    """
    people = [
        Markers("npc", each.npc_id, each.must_have, each.banned)
        for each in list_markers(tenant_id=tenant_id, world_id=world_id, npc_ids=npc_ids)
    ]
    return (*people, *_list_place_markers(world_id, location_ids))


def find_scene(*, tenant_id: int, world_id: int, scene_id: str, campaign_id: str | None = None) -> Scene | None:
    """The scene that the engine's id names, with its campaign; None while nothing was told of it. One query.

    Scenes of two campaigns may share an id: without a campaign it is the one that was opened last.
    """
    rows = Scene.objects.select_related("campaign", "party").filter(
        tenant_id=tenant_id, campaign__tenant_id=tenant_id, campaign__world_id=world_id, external_id=scene_id
    )
    if campaign_id is not None:
        rows = rows.filter(campaign__external_id=campaign_id)
    return rows.order_by("-pk").first()


def suggest_art(
    *, tenant_id: int, world_id: int, scene_id: str, campaign_id: str | None = None, query: str | None = None
) -> ArtSuggestion:
    """Tags and style for the next picture of a scene, by its safe cards and those of its people and places.

    With a campaign by its own cards and those of no campaign; without, by all of that scene's id. Who and where is told
    by its cards and by its summaries, so a scene that has no picture yet is served, too. Must-have markers come first;
    what someone bans is left out and listed. With `query` also by other safe cards that show what it says. At most six
    queries, and those of a search. Raises InvalidQuery.
    """
    safe = _shown_in(campaign_id, ArtCard.objects.living().filter(tenant_id=tenant_id, world_id=world_id, is_safe=True))
    own = list(safe.filter(scene_id=scene_id).order_by("-pk")[:CARDS_READ])
    played = _list_played(tenant_id, world_id, scene_id, campaign_id)
    npc_ids = _each_once([npc for card in own for npc in card.npc_ids] + [npc for each in played for npc in each[1]])
    location_ids = _each_once([place for card in own for place in card.location_ids] + [each[0] for each in played])
    related: list[ArtCard] = []
    if npc_ids or location_ids:
        shared = Q(npc_ids__overlap=list(npc_ids)) | Q(location_ids__overlap=list(location_ids))
        related = list(safe.filter(shared).exclude(scene_id=scene_id).order_by("-pk")[:CARDS_READ])
    if query:
        related += _find_like(query, safe, known=[*own, *related])
    markers = collect_markers(tenant_id=tenant_id, world_id=world_id, npc_ids=npc_ids, location_ids=location_ids)
    banned = {tag: (tag, each.kind, each.owner) for each in markers for tag in each.banned}
    musts = tuple(tag for tag in list_must_haves(markers) if tag not in banned)
    ranked = [tag for tag in _rank_tags(own, related, set(location_ids)) if tag not in banned and tag not in musts]
    style = next(iter([*own, *related]), None)
    return ArtSuggestion(
        scene_id=scene_id,
        tags=(*musts, *ranked[: max(MAX_TAGS - len(musts), 0)]),
        must_have=musts,
        banned=tuple(banned.values()),
        preset=style.style_preset if style else None,
        seed=own[0].style_seed if own else None,
        npc_ids=npc_ids,
        location_ids=location_ids,
        image_ids=tuple(card.image_id for card in [*own, *related]),
    )


def _find_like(query: str, cards: QuerySet[ArtCard], *, known: Sequence[ArtCard]) -> list[ArtCard]:
    """Further cards of those given that show what the query says, best first."""
    some = cards.first()
    if some is None:
        return []
    found = search_art(tenant_id=some.tenant_id, world_id=some.world_id, query=query, only_safe=True)
    allowed = set(cards.filter(pk__in=[hit.card.pk for hit in found.hits]).values_list("pk", flat=True))
    seen = {card.pk for card in known}
    return [hit.card for hit in found.hits if hit.card.pk in allowed - seen]


def _shown_in(campaign_id: str | None, cards: QuerySet[ArtCard]) -> QuerySet[ArtCard]:
    return cards if campaign_id is None else cards.filter(campaign_id__in=("", campaign_id))


def _list_played(tenant_id: int, world_id: int, scene_id: str, campaign_id: str | None) -> list[tuple[str, list[str]]]:
    """Place and NPCs by the summaries of the scene that was played last under this id, newest first. One query."""
    if "\x00" in scene_id:
        return []
    rows = (
        EpisodicSummary.objects.living()
        .filter(
            tenant_id=tenant_id,
            expired_at__isnull=True,
            scene__tenant_id=tenant_id,
            scene__external_id=scene_id,
            campaign__tenant_id=tenant_id,
            campaign__world_id=world_id,
        )
        .exclude(campaign__state=CampaignState.ARCHIVED)
        .order_by("-happened_at", "-seq")
        .values_list("scene_id", "location_id", "body__who__npcs")
    )
    if campaign_id is not None:
        rows = rows.filter(campaign__external_id=campaign_id)
    found = list(rows[:SUMMARIES_READ])
    return [(place, npcs) for scene, place, npcs in found if scene == found[0][0]]


def _rank_tags(own: Sequence[ArtCard], related: Sequence[ArtCard], places: set[str]) -> list[str]:
    """Tags by how near the cards are that carry them; among equals, in the order of the newest card."""
    weights: Counter[str] = Counter()
    for card in own:
        weights.update(dict.fromkeys(card.visual_tags, SCENE_WEIGHT))
    for card in related:
        weight = PLACE_WEIGHT if places & set(card.location_ids) else NPC_WEIGHT
        weights.update(dict.fromkeys(card.visual_tags, weight))
    return [tag for tag, _ in weights.most_common()]


def _list_place_markers(world_id: int, location_ids: Sequence[str]) -> list[Markers]:
    if not location_ids:
        return []
    try:
        release = resolve_release(world_id=world_id, domain=LORE)
    except (UnknownDomain, UnknownAlias):
        return []
    rows = (
        list_publications(release, None)
        .filter(slug__in={slug for location_id in location_ids for slug in list_place_slugs(location_id)})
        .order_by("slug")
        .values_list("slug", "revision__fields")
    )
    return [
        Markers("location", slug, _read_tags(fields, "visual_must_have"), _read_tags(fields, "visual_banned"))
        for slug, fields in rows
    ]


def _read_tags(fields: dict[str, object], name: str) -> tuple[str, ...]:
    value = fields.get(name, [])
    texts = [value] if isinstance(value, str) else value
    return normalise_tags(str(each) for each in texts) if isinstance(texts, list) else ()


def _each_once(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(texts))
