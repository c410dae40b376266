"""The usual checkpoint, the next of a running thread: put by one statement, which is its own transaction."""

from __future__ import annotations

from contextlib import nullcontext

from django.db import IntegrityError, connection, transaction
from psycopg.types.json import Jsonb

from episodes.threads.actions.checkpoint_rows import COLUMNS, TYPES, SealedCheckpoint
from episodes.threads.core.drafts import Place
from memoryproject.prepared import prepared_cursor

_PUT = f"""
    WITH thread AS MATERIALIZED (
        SELECT id FROM episodes_thread
        WHERE tenant_id = %s AND external_id = %s AND {{world}}
            AND campaign_id IS NULL AND state = 'running' AND used_at > now() - interval '1 hour'
        FOR KEY SHARE
    ), parent AS MATERIALIZED (
        SELECT c.channels, c.generation FROM episodes_threadcheckpoint c
        WHERE c.thread_id = (SELECT id FROM thread) AND c.ns = %s AND c.checkpoint_id = %s AND NOT EXISTS (
            SELECT FROM episodes_threadcheckpoint own
            WHERE own.thread_id = (SELECT id FROM thread) AND own.ns = c.ns AND own.checkpoint_id = %s
        )
        FOR SHARE OF c
    ), state AS MATERIALIZED (
        SELECT p.generation, jsonb_object_agg(
            v.key,
            CASE WHEN s.sent ? v.key THEN jsonb_build_array(v.value, s.sent -> v.key) ELSE p.channels -> v.key END
        ) AS channels
        FROM parent p, (SELECT %s::jsonb AS sent) s, jsonb_each(%s::jsonb) v
        GROUP BY p.generation
        HAVING bool_and(s.sent ? v.key OR p.channels ? v.key AND p.channels -> v.key -> 0 = v.value)
    ), stored AS (
        INSERT INTO episodes_threadvalue (tenant_id, thread_id, digest, type, sealed, sealed_by, size)
        SELECT %s, t.id, v.* FROM thread t, state,
            unnest(%s::text[], %s::text[], %s::bytea[], %s::int2[], %s::int4[]) v
        ON CONFLICT (thread_id, digest) DO NOTHING RETURNING 1
    )
    INSERT INTO episodes_threadcheckpoint
        (tenant_id, thread_id, ns, checkpoint_id, parent_id, parent_generation, root_id, channels, {COLUMNS})
    SELECT %s, t.id, %s, %s, %s, s.generation, %s, s.channels, {", ".join(f"%s::{each}" for each in TYPES.split(", "))}
    FROM thread t, state s WHERE (SELECT count(*) FROM stored) >= 0
    RETURNING id
"""  # noqa: S608 - constants
_PUT_IN_WORLD = _PUT.format(world="world_id = %s")
_PUT_IN_NONE = _PUT.format(world="world_id IS NULL AND %s::int8 IS NULL")


def put_next(place: Place, sealed: SealedCheckpoint) -> bool:
    """Whether the checkpoint was put. False, and nothing written, where more is to be done or to be said.

    That is: without a thread, a parent or an expected head to compare, bound to play, waiting for people, unused for an
    hour, put before, or with channels that the parent lacks. The parent is locked, by a lock that does not go with a
    rollback's (FOR KEY SHARE does, and would read the row as it was): so it is read as a rollback left it that was
    waited for.
    """
    draft = sealed.draft
    if not draft.parent_id or not draft.versions or draft.expected_head is not None:
        return False
    values = [
        *(place.tenant_id, place.thread_id, place.world_id, draft.ns, draft.parent_id, draft.checkpoint_id),
        *(Jsonb(dict(sealed.digests)), Jsonb(dict(draft.versions)), place.tenant_id, *sealed.list_values()),
        *(place.tenant_id, draft.ns, draft.checkpoint_id, draft.parent_id, draft.root_id, *sealed.list_columns()),
    ]
    try:
        # Within a transaction what fails must not take it along.
        with transaction.atomic() if connection.in_atomic_block else nullcontext(), prepared_cursor() as cursor:
            cursor.execute(_PUT_IN_NONE if place.world_id is None else _PUT_IN_WORLD, values)
            return cursor.fetchone() is not None
    except IntegrityError:
        return False
