"""Search in the summaries of one campaign."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from django.db import connection
from django.utils import timezone

from episodes.campaigns.models.summaries import SUMMARY_PARTITION_KIND
from episodes.campaigns.selectors.campaigns import SummaryView, load_summaries
from episodes.errors import UnknownCampaign, UnknownParty
from episodes.models import Campaign, Party, SummaryPassage
from knowledge.canon.selectors.search import check_query
from knowledge.config import get_episode_settings
from knowledge.errors import FilterNotAllowed, KOutOfRange
from knowledge.search.core.fusion import FusedHit, sort_hits
from knowledge.search.core.lexemes import build_partition_id
from knowledge.search.core.message_ranking import rate_day
from knowledge.search.embedding import get_episode_embedder
from knowledge.search.engine import SearchPartition, search_passages
from knowledge.search.partition_statistics import read_statistics
from knowledge.search.query_embedding import embed_query
from knowledge.search.sql import read_query
from knowledge.text.periods import Period
from knowledge.text.questions import read_question

SQL = Path(__file__).parent.parent / "sql"
MAX_K = 50
DATED_CANDIDATES = 50
"""Where a query names a date, so many summaries are looked at: the day puts them in order."""
MAX_DATED = 5_000
"""Of a campaign with more summaries the days of the newest are read."""


@dataclass(frozen=True, slots=True)
class SummaryHit:
    """A summary that was found, and how it came to its place."""

    summary: SummaryView
    score: float
    parts: FusedHit


@dataclass(frozen=True, slots=True)
class SummarySearchResult:
    """What a search found in a campaign."""

    query: str
    hits: tuple[SummaryHit, ...]
    degraded: tuple[str, ...]
    """What the search had to do without, as codes; empty when all went well."""


def search_summaries(
    *,
    tenant_id: int,
    world_id: int,
    campaign_id: str,
    query: str,
    party_id: str | None = None,
    npc_id: str | None = None,
    k: int | None = None,
) -> SummarySearchResult:
    """The campaign's summaries that answer the query best, of one party if it is named.

    With `npc_id`, only what that NPC saw or was told of. Archived campaigns and expired summaries are not found.
    What happened in a period that the query names ("on 5 March", «в октябре») comes first, whatever its words.
    At most eight queries and the query's embedding. Raises UnknownCampaign, UnknownParty, InvalidQuery.
    """
    check_query(query)
    settings = get_episode_settings()
    limit = k or settings.retrieval.k_context
    if not 1 <= limit <= MAX_K:
        raise KOutOfRange(f"k must lie between 1 and {MAX_K}.")
    if party_id is not None and "party_id" not in settings.filters:
        raise FilterNotAllowed("Summaries are not filtered by party_id here.")
    every = _build_partition(tenant_id, world_id, campaign_id)
    embedder = get_episode_embedder()
    statistics = read_statistics(every, query, settings=settings, embedder=embedder)
    partition = _narrow(statistics.partition, party_id, npc_id)
    foreign = statistics.has_foreign_vectors
    vector, failure = (None, "embedder_changed") if foreign else embed_query(embedder, query)
    periods = read_question(query, today=timezone.localdate()).periods if settings.date_weight else ()
    ranked = search_passages(
        partition,
        plan=statistics.plan,
        query_vector=vector,
        settings=settings,
        semantic=embedder.is_semantic,
        limit=max(limit, DATED_CANDIDATES) if periods else limit,
    )
    found = list(ranked.hits)
    if periods:
        found = _rank_by_date(partition, found, periods, settings.date_weight)[:limit]
    owners = dict(SummaryPassage.objects.filter(pk__in=[hit.id for hit in found]).values_list("pk", "summary_id"))
    summaries = load_summaries(owners.values())
    hits = [SummaryHit(summaries[owners[hit.id]], hit.score, hit) for hit in found if owners.get(hit.id) in summaries]
    return SummarySearchResult(query, tuple(hits), (failure,) if failure else ())


def _rank_by_date(
    partition: SearchPartition, hits: Sequence[FusedHit], periods: Sequence[Period], weight: float
) -> list[FusedHit]:
    """The hits and all that happened in a period that the query names, by score and day, best first."""
    days = _read_days(partition)
    rates = {id_: max(rate_day(period.measure_days(day)) for period in periods) for id_, day in days.items()}
    within = [id_ for id_, day in days.items() if any(period.measure_days(day) == 0 for period in periods)]
    by_id = {hit.id: hit for hit in hits}
    for id_ in within[:DATED_CANDIDATES]:
        by_id.setdefault(id_, FusedHit(id_, 0.0, 0.0, None, 0.0, 0.0, None, None))
    return sort_hits(_add_part(hit, weight * rates.get(hit.id, 0.0)) for hit in by_id.values())


def _add_part(hit: FusedHit, part: float) -> FusedHit:
    return hit._replace(score=hit.score + part, features=(("date", part),))


def _read_days(partition: SearchPartition) -> dict[int, dt.date]:
    """The partition's passages, newest first, each with the day on which its scene took place."""
    statement = read_query(SQL / "summary_days.sql").format(partition=partition.where)
    with connection.cursor() as cursor:
        cursor.execute(statement, {**partition.parameters, "limit": MAX_DATED})
        return {id_: timezone.localdate(happened_at) for id_, happened_at in cursor.fetchall()}


def _build_partition(tenant_id: int, world_id: int, campaign_id: str) -> SearchPartition:
    campaign = Campaign.objects.filter(tenant_id=tenant_id, world_id=world_id, external_id=campaign_id).first()
    if campaign is None:
        raise UnknownCampaign(f"There is no campaign {campaign_id!r}.")
    return SearchPartition(
        table="episodes_summarypassage",
        partition_id=build_partition_id(SUMMARY_PARTITION_KIND, campaign.pk),
        where="p.tenant_id = %(tenant_id)s AND p.campaign_id = %(campaign_id)s",
        parameters={"tenant_id": tenant_id, "campaign_id": campaign.pk},
        passage_count=0,
    )


def _narrow(pool: SearchPartition, party_id: str | None, npc_id: str | None) -> SearchPartition:
    """A campaign's summaries of one party, or that an NPC knows; words are weighed by all of them."""
    where, parameters = [pool.where], dict(pool.parameters)
    if party_id is not None:
        party = Party.objects.filter(
            tenant_id=pool.parameters["tenant_id"], campaign=pool.parameters["campaign_id"], external_id=party_id
        ).first()
        if party is None:
            raise UnknownParty(f"There is no party {party_id!r} in this campaign.")
        where.append("p.party_id = %(party_id)s")
        parameters["party_id"] = party.pk
    if npc_id is not None:
        where.append(read_query(SQL / "known_to_npc.sql"))
        parameters["npc_id"] = npc_id
    return replace(pool, where=" AND ".join(where), parameters=parameters)
