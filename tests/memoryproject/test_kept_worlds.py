"""A world is made once a process; every later test finds its rows and keys, and may change them."""

from __future__ import annotations

import pytest
from django.conf import settings
from django.db import connection

from memoryproject.redis import get_redis
from tenancy.models import Tenant
from tests.factories.tenants import make_world
from tests.kept_worlds import make_once

pytestmark = [pytest.mark.django_db]
KEY = f"{settings.REDIS_KEY_PREFIX}:kept"


def make():
    get_redis().set(KEY, "1", px=60_000)
    return make_world("kept", tenant="kept")


@pytest.mark.parametrize("time", ["first", "second"])
def test_a_test_finds_what_was_made_whatever_the_one_before_it_did(redis, time):
    world = make_once("kept", make)
    assert (world.slug, Tenant.objects.get().slug) == ("kept", "kept")
    assert 0 < redis.pttl(KEY) <= 60_000
    world.slug = "changed"
    world.save()
    redis.set(KEY, "2")
    again = make_once("kept", pytest.fail)
    again.refresh_from_db()
    assert (again.pk, again.slug, redis.get(KEY)) == (world.pk, "kept", b"1")


def test_ids_of_a_kept_world_are_given_to_nothing_else(redis):
    kept = make_once("kept", make)
    with connection.cursor() as cursor:
        cursor.execute("SELECT setval(pg_get_serial_sequence('tenancy_world', 'id'), 1, false)")
    assert make_once("kept", pytest.fail).pk == kept.pk
    assert make_world("other", tenant="kept").pk > kept.pk
