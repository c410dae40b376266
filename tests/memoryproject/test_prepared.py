"""Prepared statements: the server plans them once, and rows come and go as through the ORM."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, connection, transaction

from knowledge.notebook.models import Notebook
from memoryproject.prepared import fetch_prepared, insert_prepared, prepared_cursor
from tenancy.actions.keys import issue_api_key
from tenancy.actions.worlds import ensure_tenant
from tenancy.models import ApiKey, EndUser

BY_NAME = "SELECT {columns} FROM tenancy_enduser WHERE tenant_id = %s AND external_id = %s"


def count_plans(text):
    with connection.cursor() as cursor:
        cursor.execute("SELECT generic_plans + custom_plans FROM pg_prepared_statements WHERE statement = %s", [text])
        return [plans for (plans,) in cursor.fetchall()]


def test_a_statement_is_prepared_once(db):
    for number in range(7):
        with prepared_cursor() as cursor:
            cursor.execute("SELECT 40 + %s::integer AS once", (number,))
            assert cursor.fetchone() == (40 + number,)
    assert count_plans("SELECT 40 + $1::integer AS once") == [7]


def test_ordinary_statements_are_not_prepared(db):
    for _ in range(7):
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1 AS never")
    assert count_plans("SELECT 1 AS never") == []


def test_rows_are_stored_and_fetched_as_by_the_orm(db):
    user = EndUser(tenant=ensure_tenant(slug="studio"), external_id="игрок-1")
    insert_prepared(user)
    assert user.pk
    assert user.created_at == EndUser.objects.get(pk=user.pk).created_at
    assert not user._state.adding
    (found,) = fetch_prepared(EndUser, BY_NAME, (user.tenant_id, "игрок-1"))
    assert found == user
    assert (found.external_id, found.created_at) == ("игрок-1", user.created_at)
    assert fetch_prepared(EndUser, BY_NAME, (user.tenant_id, "nobody")) == []


def test_columns_are_read_as_the_orm_reads_them(db):
    tenant = ensure_tenant(slug="studio")
    key = issue_api_key(tenant_id=tenant.pk, name="agent", scopes=["notebook"]).api_key
    policy = {"SAVE_FACT": "propose", "по умолчанию": [1, None]}
    stored = Notebook.objects.create(tenant=tenant, slug="plans", policy=policy, created_by="coder")
    (found,) = fetch_prepared(Notebook, "SELECT {columns} FROM knowledge_notebook WHERE id = %s", [stored.pk])
    assert (found.policy, found.created_at) == (policy, Notebook.objects.get().created_at)
    (read,) = fetch_prepared(ApiKey, "SELECT {columns} FROM tenancy_apikey WHERE id = %s", [key.pk])
    orm = ApiKey.objects.get()
    assert [getattr(read, each.attname) for each in ApiKey._meta.fields] == [
        getattr(orm, each.attname) for each in ApiKey._meta.fields
    ]


def test_queries_are_counted_and_constraints_raise_what_django_raises(db, django_assert_num_queries):
    tenant = ensure_tenant(slug="studio")
    insert_prepared(EndUser(tenant=tenant, external_id="player-1"))
    with django_assert_num_queries(1):
        fetch_prepared(EndUser, BY_NAME, (tenant.pk, "player-1"))
    with pytest.raises(IntegrityError), transaction.atomic():
        insert_prepared(EndUser(tenant=tenant, external_id="player-1"))
