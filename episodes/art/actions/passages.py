"""The search index's side of art cards: put in, given their vectors, renewed for another embedder."""

from __future__ import annotations

import datetime as dt
from functools import partial

from django.db import transaction
from django.utils import timezone

from episodes.art.models import ART_PARTITION_KIND
from episodes.embedding.actions.queue import publish_in_one_try
from episodes.embedding.priorities import PRIORITY_NORMAL
from episodes.models import ArtCard, ArtCardPassage
from knowledge.config import get_art_settings
from knowledge.search.backlog import BATCH_SIZE, EmbeddingReport
from knowledge.search.core.bm25 import BM25Params
from knowledge.search.core.lexemes import build_partition_id
from knowledge.search.embedding import get_art_embedder, name_vector_space
from knowledge.search.enrichment import embed_passages
from knowledge.search.index_rows import hash_embedded_text, index_text
from knowledge.search.models import EmbeddingState
from knowledge.text.language import detect_language
from memoryproject.celery import find_task
from memoryproject.database import after_commit

INDEX_BATCH_SIZE = 500


def get_search_text(card: ArtCard) -> str:
    """What a card is found by: its prompt, its tags and its style."""
    return f"{card.prompt_text}\n{', '.join(card.visual_tags)}\n{card.style_preset}"


def build_passage(card: ArtCard) -> ArtCardPassage:
    """The index row of a card, without a vector and not stored yet."""
    settings, text = get_art_settings(), get_search_text(card)
    indexed = index_text(
        text,
        partition_id=build_partition_id(ART_PARTITION_KIND, card.world_id),
        pivot=settings.pivot,
        params=BM25Params(settings.bm25.k1, settings.bm25.b),
    )
    return ArtCardPassage(
        tenant_id=card.tenant_id,
        world_id=card.world_id,
        card=card,
        language=detect_language(text),
        length=indexed.length,
        lexemes=indexed.lexemes,
        bm25=indexed.bm25,
        embedding_hash=hash_embedded_text(text),
    )


def index_card(card: ArtCard) -> None:
    """Puts a card into the index. Must be called inside the transaction that keeps it. Enqueues `embed_art_cards`."""
    build_passage(card).save(force_insert=True)
    queue_art_embedding(card.world_id)


def index_missing_cards() -> int:
    """How many cards that were kept before there was an index were put into it."""
    count, since = 0, _find_oldest()
    missing = ArtCard.objects.living().filter(passage__isnull=True)
    if since is not None:
        missing = missing.filter(made_at__gte=since)
    while cards := list(missing.order_by("pk")[:INDEX_BATCH_SIZE]):
        passages = [build_passage(card) for card in cards]
        count += len(ArtCardPassage.objects.bulk_create(passages, ignore_conflicts=True))
    return count


def expire_cards() -> int:
    """How many cards left the index because their days are over; the cards stay."""
    since = _find_oldest()
    if since is None:
        return 0
    return ArtCardPassage.objects.filter(card__made_at__lt=since).delete()[0]


def _find_oldest() -> dt.datetime | None:
    """Made before this a card is not found any more; None while all are."""
    days = get_art_settings().ttl_days
    return None if days is None else timezone.now() - dt.timedelta(days=days)


def queue_art_embedding(world_id: int) -> None:
    """Enqueue once the transaction holds. A broker that is down costs a log line; the sweeper catches up."""
    enqueue = partial(
        find_task("episodes.embed_art_cards").apply_async, (world_id,), priority=PRIORITY_NORMAL, retry=False
    )
    after_commit(publish_in_one_try, enqueue)


def embed_art_cards(world_id: int) -> EmbeddingReport:
    """How many waiting cards of a world got a vector or were given up.

    Texts go to the embedder outside transactions. Raises EmbedderUnavailable while the endpoint answers nothing at all,
    with the rest still waiting.
    """
    embedder, report = get_art_embedder(), EmbeddingReport()
    columns = {"embedder": name_vector_space(embedder)}
    waiting = ArtCardPassage.objects.filter(world_id=world_id, embedding_state=EmbeddingState.PENDING)
    while passages := list(
        waiting.select_related("card")
        .defer("lexemes", "bm25", "card__embedding_vec")
        .order_by("embedding_attempts", "id")[:BATCH_SIZE]
    ):
        for embedded, failed in embed_passages(
            embedder, ArtCardPassage.objects.all(), passages, lambda row: get_search_text(row.card), columns=columns
        ):
            report += EmbeddingReport(len(embedded), failed)
    return report


def renew_vectors() -> int:
    """How many cards whose vectors another embedder made wait for new ones."""
    space = name_vector_space(get_art_embedder())
    with transaction.atomic():
        return (
            ArtCardPassage.objects.filter(embedding_state=EmbeddingState.DONE)
            .exclude(embedder=space)
            .update(embedding=None, embedder="", embedding_state=EmbeddingState.PENDING, embedding_attempts=0)
        )


def list_waiting_worlds() -> list[int]:
    """Worlds with cards that wait for a vector."""
    waiting = ArtCardPassage.objects.filter(embedding_state=EmbeddingState.PENDING)
    return list(waiting.order_by("world_id").values_list("world_id", flat=True).distinct())
