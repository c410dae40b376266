"""Canon: articles, released as a first load or as a change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from knowledge.canon.actions import (
    Edit,
    build_release,
    ensure_domain_index,
    publish_release,
    record_gate,
    start_release,
)
from knowledge.canon.core.article import Article, parse_article
from knowledge.canon.models import DomainIndex, GateState, Publication, Release
from tenancy.models import World

Content = Mapping[str, Any]


def article(slug: str, body: str = "The bell tower stands by the river.", **more: Any) -> dict[str, Any]:
    """The content of a small valid article, of a place."""
    title = slug.replace("-", " ").title()
    return {"slug": slug, "title": title, "type": "place", "language": "en", "body": body} | more


def make_article(slug: str, body: str, **more: Any) -> dict[str, Any]:
    """The content of a public article of no special type."""
    return article(slug, body, **{"type": "article", "audience": "public", **more})


def publish(world: World, *articles: Content, domain: str = "lore", retire: Sequence[str] = ()) -> Release:
    """The next release of a domain, live: articles are created, or updated where their slug is live."""
    index = ensure_domain_index(world_id=world.pk, domain=domain)
    release = stage(index, *articles, retire=retire)
    if release.gate_state == GateState.PENDING:
        record_gate(release.pk, state=GateState.PASSED)
    return publish_release(release.pk)


def stage(index: DomainIndex, *articles: Content, retire: Sequence[str] = ()) -> Release:
    """The next release of a domain, built and on the stage."""
    open_rows = {row.slug: row for row in Publication.objects.filter(domain_index=index, removed_in__isnull=True)}
    edits = [_edit(parse_article(content), open_rows.get(content["slug"])) for content in articles]
    edits += [Edit(open_rows[slug].document_id, None, open_rows[slug].revision_id) for slug in retire]
    first = not Release.objects.filter(domain_index=index).exists()
    return build_release(start_release(domain_index_id=index.pk, edits=edits, first_load=first).pk)


def _edit(content: Article, live: Publication | None) -> Edit:
    if live is None:
        return Edit(None, content)
    return Edit(live.document_id, content, live.revision_id)


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
