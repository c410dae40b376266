"""Codes for the vectors of users who said much, so that a search compares few vectors whole. See docs/adr/0023."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import structlog
from django.db import connection, transaction

from episodes.models import MessagePassage, VectorCenter, VectorCode
from knowledge.config import get_message_settings
from knowledge.search.embedding import get_message_embedder, name_vector_space
from knowledge.search.sql import read_query
from tenancy.models import EndUser

logger = structlog.get_logger("memory37.enrichment")
_SQL = Path(__file__).resolve().parents[1] / "sql"
CENTER_SAMPLE_SIZE = 2_000
"""Vectors of which the mean is taken. With 300 of 4,376 the codes found .980 of what those of the true mean found."""
BATCH_SIZE = 2_000
"""Codes written in one transaction: its locks hold up who would forget these messages."""
MAX_USERS_IN_A_RUN = 100


def list_users_without_codes() -> list[int]:
    """Users whose searches would still compare all of too many vectors, up to a hundred."""
    with connection.cursor() as cursor:
        cursor.execute(
            read_query(_SQL / "large_users.sql"),
            {
                "vector_space": name_vector_space(get_message_embedder()),
                "exact_rows": get_message_settings().retrieval.exact_scan_rows,
                "limit": MAX_USERS_IN_A_RUN,
            },
        )
        return [end_user_id for (end_user_id,) in cursor.fetchall()]


def build_vector_codes(end_user_id: int) -> int:
    """How many vectors of a user got codes; 0 where the user has too few in the present vector space, or all have one.

    Runs in small transactions; searches compare all vectors until the last is through. From the first on triggers write
    the codes of new vectors. Two runs at once do no harm.
    """
    user = EndUser.objects.get(pk=end_user_id)
    space = name_vector_space(get_message_embedder())
    parameters = {"tenant_id": user.tenant_id, "end_user_id": user.pk, "vector_space": space}
    vectors = MessagePassage.objects.filter(tenant_id=user.tenant_id, end_user_id=user.pk, embedder=space)
    if vectors.count() <= get_message_settings().retrieval.exact_scan_rows:
        return 0
    if VectorCenter.objects.filter(end_user=user, vector_space=space, is_ready=True).exists():
        return 0
    _place_center(user, parameters)
    _wait_for_writers(user, space)
    written = 0
    after: int | None = 0
    while after is not None:
        part, after = _write_codes({**parameters, "after": after, "batch_size": BATCH_SIZE})
        written += part
    VectorCenter.objects.filter(end_user=user, vector_space=space).update(is_ready=True)
    logger.info("vector_codes_built", tenant_id=user.tenant_id, end_user_id=user.pk, codes=written)
    return written


def _place_center(user: EndUser, parameters: dict[str, Any]) -> None:
    """The user has a center in the present space from now on. One of another space goes, and its codes with it.

    Locks the end user, so that two runs place one.
    """
    with transaction.atomic():
        EndUser.objects.select_for_update(no_key=True).get(pk=user.pk)
        space = parameters["vector_space"]
        if VectorCenter.objects.filter(end_user=user, vector_space=space).exists():
            return
        VectorCenter.objects.filter(end_user=user).delete()
        VectorCode.objects.filter(tenant_id=user.tenant_id, end_user_id=user.pk).delete()
        with connection.cursor() as cursor:
            cursor.execute(read_query(_SQL / "place_center.sql"), {**parameters, "k_sample": CENTER_SAMPLE_SIZE})


def _wait_for_writers(user: EndUser, space: str) -> None:
    """Who wrote a vector before the center was there has committed: its code is among those that are written next.

    Locks what has no vector of the space, in pk order, for a moment.
    """
    others = MessagePassage.objects.filter(tenant_id=user.tenant_id, end_user_id=user.pk).exclude(embedder=space)
    with transaction.atomic():
        list(others.select_for_update(no_key=True).order_by("pk").values_list("pk"))


def _write_codes(parameters: dict[str, Any]) -> tuple[int, int | None]:
    """How many codes were written, and the last passage that was looked at; None behind the last."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(read_query(_SQL / "write_vector_codes.sql"), parameters)
        last_id, written = cursor.fetchone()
    return written, last_id
