"""Canon to read by REST: a few articles, released as a first load or as a change."""

from __future__ import annotations

from typing import Any

from knowledge.canon.actions import (
    Edit,
    build_release,
    ensure_domain_index,
    publish_release,
    record_gate,
    start_release,
)
from knowledge.canon.core.article import parse_article
from knowledge.canon.models import GateState, Publication, Release
from knowledge.canon.selectors.audience import live_in
from tenancy.models import World


def article(slug: str, body: str = "The bell tower stands by the river.", **more: Any) -> dict[str, Any]:
    """A small valid article."""
    return {
        "slug": slug,
        "title": slug.replace("-", " ").title(),
        "type": "place",
        "language": "en",
        "body": body,
    } | more


LORE = (
    article("bell-tower", "The bell tower of Ashfall was built in 1204 beside the [[grey-river]].", tags=["bell"]),
    article("grey-river", "A slow grey river runs through Ashfall.", tags=["water"]),
    article("ash-league", "The league trades in ash.", type="faction"),
    article("mira", "Mira keeps the bells.", type="character", fields={"factions": ["ash-league"], "born_year": 1180}),
    article("reka", "Серая река течёт через Пепелище.", language="ru", tags=["water"]),
    article("hidden-vault", "Below the tower lies a vault of stolen bells.", audience=["npc:mira"], tags=["vault"]),
    article("league-ledger", "The league owes nine bells.", audience=["faction:ash-league"], tags=["ledger"]),
)
RULES = (
    article("grappled", "A grappled creature has speed 0.", type="rule", rule_id="COND-01", aliases=["Held"]),
    article("grappled-ru", "Скорость равна 0.", title="Схваченный", type="rule", rule_id="COND-01", language="ru"),
    article("prone", "A prone creature crawls. Rules of bells do not apply.", type="rule", rule_id="COND-02"),
    article("secret-rule", "Only Mira knows.", type="rule", rule_id="COND-09", audience=["npc:mira"]),
)


def load(world: World, domain: str, *articles: dict[str, Any], retire: tuple[str, ...] = ()) -> Release:
    """A published release: the first load of a domain, or a change of what is live."""
    index = ensure_domain_index(world_id=world.pk, domain=domain)
    latest = index.aliases.filter(name="latest").select_related("release").first()
    live = {}
    if latest is not None:
        rows = Publication.objects.filter(live_in(latest.release.number), domain_index=index)
        live = {row.slug: row for row in rows}
    edits = []
    for content in articles:
        was = live.get(content["slug"])
        edits.append(Edit(was.document_id if was else None, parse_article(content), was.revision_id if was else None))
    edits += [Edit(live[slug].document_id, None, live[slug].revision_id) for slug in retire]
    release = start_release(domain_index_id=index.pk, edits=edits, title="Test", first_load=latest is None)
    build_release(release.pk)
    if latest is not None:
        record_gate(release.pk, state=GateState.PASSED)
    publish_release(release.pk)
    release.refresh_from_db()
    return release
