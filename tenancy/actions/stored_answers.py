"""Stored answers of machine writes lose the words that were forgotten since; the write still happens only once."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterator
from typing import Any

from django.db.models import Q, TextField
from django.db.models.functions import Cast

from memoryproject.forgetting.erased_names import ErasedName
from tenancy.models import IdempotencyRecord

PLAIN_MEMBERS = frozenset(
    {"outcome", "type", "source", "frame", "language", "role", "ended_reason", "valid_from", "valid_to"}
)
"""Members whose texts are words of this service or times; any other text may be the player's."""


def clear_stored_answers(
    *,
    tenant_id: int,
    paths: Collection[str],
    path_start: str | None,
    ids: Collection[int] | None,
    with_hashes: bool = False,
) -> int:
    """How many stored answers to POST lost their texts: those under these paths, or whose path starts so, that name one
    of the ids; with `ids` None all of them.

    A repeat under the key gets the answer without the texts. With `with_hashes` the hash of the request goes too: a
    repeat is refused as another request then.
    """
    records = list(_find(tenant_id, paths, path_start))
    changed = []
    for record in records:
        if not _is_under(record.method_and_path, paths, path_start):
            continue
        if ids is not None and not set(ids).intersection(_list_numbers(record.response)):
            continue
        response = _without_texts(record.response)
        if response != record.response or with_hashes:
            record.response = response
            if with_hashes:
                record.request_hash = hashlib.sha256(b"erased").digest()
            changed.append(record)
    IdempotencyRecord.objects.bulk_update(changed, ["response", "request_hash"], batch_size=500)
    return len(changed)


def erase_in_answers(*, tenant_id: int, name: ErasedName) -> int:
    """How many stored answers named the user, in their words or their path; the placeholder stands there now.

    The hash of their requests goes, too: a repeat is refused as another request. The answer that is being written keeps
    it until it is deleted, so that the order to erase can be repeated and get its receipt.
    """
    start = f"POST /api/v1/users/{name.old}/"
    rows = IdempotencyRecord.objects.filter(tenant_id=tenant_id).annotate(words=Cast("response", TextField()))
    naming = Q(words__contains=json.dumps(name.old, ensure_ascii=False)[1:-1]) | Q(method_and_path__startswith=start)
    changed = []
    for record in rows.filter(naming).select_for_update(no_key=True).order_by("pk"):
        path = record.method_and_path
        if _is_under(path, (), start.removeprefix("POST ")):
            path = path.replace(start, f"POST /api/v1/users/{name.placeholder}/", 1)
        response = name.in_all_lines(record.response)
        if (path, response) == (record.method_and_path, record.response):
            continue
        record.method_and_path, record.response = path[:500], response
        if record.status_code:
            record.request_hash = hashlib.sha256(b"erased").digest()
        changed.append(record)
    IdempotencyRecord.objects.bulk_update(changed, ["method_and_path", "response", "request_hash"], batch_size=500)
    return len(changed)


def _find(tenant_id: int, paths: Collection[str], path_start: str | None) -> Iterator[IdempotencyRecord]:
    """Answers that are stored already, not the one that is being written; in pk order, locked."""
    under = Q(method_and_path__in=[f"POST {path}" for path in paths])
    if path_start is not None:
        under |= Q(method_and_path__startswith=f"POST {path_start}")
    rows = IdempotencyRecord.objects.filter(under, tenant_id=tenant_id, status_code__gt=0)
    return rows.select_for_update(no_key=True).order_by("pk").iterator()


def _is_under(method_and_path: str, paths: Collection[str], path_start: str | None) -> bool:
    """Whether it is one of the paths, or one step below the start: deeper, the id itself goes on with a slash."""
    path = method_and_path.removeprefix("POST ")
    if path in paths or path_start is None:
        return path in paths
    return path.startswith(path_start) and "/" not in path.removeprefix(path_start)


def _list_numbers(value: Any) -> Iterator[int]:
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for each in value:
            yield from _list_numbers(each)
    elif isinstance(value, int) and not isinstance(value, bool):
        yield value


def _without_texts(value: Any, member: str = "") -> Any:
    if isinstance(value, dict):
        return {name: _without_texts(each, name) for name, each in value.items()}
    if isinstance(value, list):
        return [_without_texts(each, member) for each in value]
    if isinstance(value, str) and member not in PLAIN_MEMBERS and not member.endswith("_at"):
        return None
    return value
