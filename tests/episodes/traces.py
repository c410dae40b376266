"""Where a word still stands: in any column of any table, and in Redis."""

from __future__ import annotations

import hashlib
from urllib.parse import quote

from django.conf import settings
from django.db import connection

from memoryproject.redis import get_redis
from runtime.models import Trace
from runtime.traces.sealed_texts import open_texts

READERS = {
    b"string": lambda client, key: client.get(key),
    b"hash": lambda client, key: client.hgetall(key),
    b"list": lambda client, key: client.lrange(key, 0, -1),
    b"set": lambda client, key: client.smembers(key),
    b"zset": lambda client, key: client.zrange(key, 0, -1),
}


def find_word(word: str) -> set[str]:
    """`table.column` and Redis keys that hold the word, as text, in JSON, as bytes, hashed, or sealed in traces."""
    return _find_in_tables(word) | _find_in_sealed_texts(word) | _find_in_redis(word)


def _hash(word: str) -> str:
    return hashlib.sha256(word.encode()).hexdigest()


def _find_in_tables(word: str) -> set[str]:
    found = set()
    forms = [f"%{form}%" for form in (word, word.encode().hex(), _hash(word))]
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            quoted = connection.ops.quote_name(table)
            cursor.execute(
                f"SELECT DISTINCT column_of.key FROM {quoted} AS each, jsonb_each_text(to_jsonb(each)) AS column_of "
                "WHERE column_of.value ILIKE ANY(%s)",
                [forms],
            )
            found |= {f"{table}.{column}" for (column,) in cursor.fetchall()}
    return found


def _find_in_sealed_texts(word: str) -> set[str]:
    for trace in Trace.objects.exclude(texts=None):
        texts = open_texts(bytes(trace.texts), tenant_id=trace.tenant_id, trace_id=trace.pk)
        if word.casefold() in repr(texts).casefold():
            return {"runtime_trace.texts"}
    return set()


def _find_in_redis(word: str) -> set[str]:
    client = get_redis()
    found = set()
    forms = [form.casefold() for form in (word, quote(word, safe=""), _hash(word))]
    for key in client.scan_iter(match=f"{settings.REDIS_KEY_PREFIX}:*", count=1000):
        held = repr((key, READERS[client.type(key)](client, key))).casefold()
        if any(form in held for form in forms):
            found.add(f"redis:{key.decode()}")
    return found
