"""Who takes part in a turn, and how they stand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from runtime.context.core.disposition_level import name_level
from runtime.context.core.pack import Item, Provenance
from runtime.context.core.passages import quote_passage
from runtime.context.identity.cast import Cast, Person
from runtime.context.sources.source import Found, Source
from runtime.context.turn import ResolvedTurn

PROFILE_TOKENS = 100
"""Of one profile where the layer's budget names no other."""


class People(Source[None]):
    """Profiles and dispositions; what the speaker keeps to itself only where the asker may be told."""

    name = "people"
    layer = "npc"

    def build_items(self, turn: ResolvedTurn, found: Found) -> Sequence[Item]:
        """The speaker first; profiles before dispositions."""
        items: list[Item] = []
        for rank, (person, name) in enumerate(zip(turn.cast.people, turn.names, strict=True)):
            items += _describe_person(turn, person, {"name": name}, rank)
        return items


def _describe_person(turn: ResolvedTurn, person: Person, name: Mapping[str, str], rank: int) -> list[Item]:
    request = turn.request
    ids = {"npc_id": person.npc_id, "persona_version": person.persona_version}
    items: list[Item] = []
    text = ". ".join(part for part in (person.archetype, person.persona) if part)
    if text:
        limit = turn.budget.layers["npc"].item_tokens or PROFILE_TOKENS
        quoted = quote_passage(text, turn.message.text, limit=limit, words=turn.message.telling_words)
        source = Provenance("npc", ids)
        items.append(Item(f"npc:{person.npc_id}", quoted, source, template="profile", values=name, priority=20 - rank))
    if request.party_id is not None or request.user_id is not None:
        items.append(_describe_disposition(person, turn.cast, ids, name, priority=10 - rank))
    if request.with_secrets and person.npc_id == request.npc_id:
        items += [
            Item(
                f"npc:{person.npc_id}:secret:{place}",
                secret,
                Provenance("npc_secret", ids),
                template="secret",
                values=name,
            )
            for place, secret in enumerate(person.secrets)
        ]
    return items


def _describe_disposition(
    person: Person, cast: Cast, ids: Mapping[str, object], name: Mapping[str, str], *, priority: int
) -> Item:
    least, most, initial = cast.scale
    value = initial if person.value is None else person.value
    level = name_level(value, least=least, most=most, initial=initial)
    return Item(
        f"npc:{person.npc_id}:standing",
        person.reason or "",
        Provenance("disposition", {**ids, "summary_id": person.moved_by}, scores={"value": value}),
        template="disposition_because" if person.reason else "disposition",
        values=name,
        terms={"level": f"level_{level}"},
        priority=priority,
    )
