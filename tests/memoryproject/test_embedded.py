from __future__ import annotations

import pytest
from django.core.cache import cache
from django.db import connection

from memoryproject.redis import build_key


@pytest.mark.django_db
def test_database_is_postgresql_with_a_statement_timeout_option():
    with connection.cursor() as cursor:
        cursor.execute("SHOW server_version_num")
        assert int(cursor.fetchone()[0]) >= 160000
        cursor.execute("SELECT current_database()")
        assert cursor.fetchone()[0].startswith("test_")


def test_redis_keeps_what_is_set(redis):
    redis.set(build_key("greeting"), "hello")
    assert redis.get(build_key("greeting")) == b"hello"
    cache.set("k", {"a": 1})
    assert cache.get("k") == {"a": 1}
