"""Every passage ends with a vector, or listed as failed."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, field

import numpy as np
import pytest
from django.db import connection

from knowledge import tasks
from knowledge.canon.actions import build as building_module
from knowledge.canon.actions import (
    build_release,
    embed_pending_passages,
    embeddings,
    ensure_vector_index,
    retry_failed_embeddings,
    start,
)
from knowledge.canon.models import LorePassage, VectorSpace
from knowledge.canon.selectors.embeddings import (
    list_spaces_without_index,
    list_tenants_with_backlog,
)
from knowledge.errors import EmbedderUnavailable, TextNotEmbeddable, UnknownVectorSpace
from tests.knowledge.canon.house import Canon, make_canon


@dataclass
class FakeEndpoint:
    """An embedder that can be told to fail, as a whole or at a word."""

    name: str = "fake"
    dims: int = 8
    is_semantic: bool = True
    is_instant: bool = True
    batch_size: int = 64
    down: bool = False
    refused: str = "\0"
    breaking: str = "\0"
    asked: list[list[str]] = field(default_factory=list)

    def embed_documents(self, texts):
        self.asked.append(list(texts))
        if self.down or any(self.breaking in text for text in texts):
            raise EmbedderUnavailable("no answer")
        if any(self.refused in text for text in texts):
            raise TextNotEmbeddable("refused")
        return np.eye(self.dims, dtype=np.float32)[[len(text) % self.dims for text in texts]]

    def embed_queries(self, texts):
        return self.embed_documents(texts)


@pytest.fixture
def endpoint(monkeypatch):
    fake = FakeEndpoint()
    for module in (start, building_module, embeddings):
        monkeypatch.setattr(module, "get_embedder", lambda _: fake)
    return fake


def states(canon: Canon) -> dict[str, str]:
    rows = LorePassage.objects.filter(domain_index=canon.index, removed_in=None)
    return dict(rows.values_list("chunk__text", "embedding_state"))


def test_release_is_built_without_the_endpoint_and_embedded_later(canon: Canon, endpoint, monkeypatch):
    monkeypatch.setattr(building_module, "EDITS_A_BATCH", 1)
    endpoint.down = True
    canon.load(dragon="Red scales.", tower="Ten floors.")
    assert len(endpoint.asked) == 1
    assert list_tenants_with_backlog() == [canon.index.tenant_id]
    endpoint.down = False
    report = embed_pending_passages(canon.index.pk)
    assert (report.done, report.failed) == (2, 0)
    assert [row.embedding_state for row in canon.passages(1)] == ["done", "done"]
    assert list_tenants_with_backlog() == []
    assert all(len(row.embedding) == 8 for row in canon.passages(1))


def test_outage_counts_no_try(canon: Canon, endpoint):
    endpoint.down = True
    canon.load(dragon="Red scales.")
    for _ in range(5):
        with pytest.raises(EmbedderUnavailable):
            embed_pending_passages()
    assert canon.passages(1).get().embedding_attempts == 0
    assert states(canon) == {"Red scales.": "pending"}


def test_text_that_breaks_the_endpoint_fails_after_three_tries_and_does_not_hold_up_others(
    canon: Canon, endpoint, monkeypatch
):
    endpoint.batch_size = 1
    endpoint.down = True
    canon.load(dragon="Bad scales.", tower="Ten floors.")
    endpoint.down, endpoint.breaking = False, "Bad"
    report = embed_pending_passages(canon.index.pk)
    assert (report.done, report.failed) == (1, 1)
    failed = canon.passages(1).get(embedding_state="failed")
    assert (failed.embedding_attempts, failed.embedding_error) == (3, "no answer")


def test_text_that_takes_the_endpoint_down_fails_after_three_tries(canon: Canon, endpoint, monkeypatch):
    endpoint.down = True
    canon.load(dragon="Bad scales.", tower="Ten floors.", gate="Iron bars.")
    answer = endpoint.embed_documents

    def answer_or_die(texts):
        endpoint.down = endpoint.down or any("Bad" in text for text in texts)
        return answer(texts)

    monkeypatch.setattr(endpoint, "embed_documents", answer_or_die)
    for _ in range(5):
        endpoint.down = False
        with contextlib.suppress(EmbedderUnavailable):
            embed_pending_passages(canon.index.pk)
    assert states(canon) == {"Bad scales.": "failed", "Ten floors.": "done", "Iron bars.": "done"}
    assert canon.passages(1).get(embedding_state="failed").embedding_attempts == 3


def test_refused_text_fails_alone_and_can_be_tried_again(canon: Canon, endpoint):
    endpoint.refused = "Bad"
    canon.load(dragon="Bad scales.", tower="Ten floors.")
    assert states(canon) == {"Bad scales.": "failed", "Ten floors.": "done"}
    assert canon.passages(1).get(embedding_state="failed").embedding_error == "refused"
    assert retry_failed_embeddings(canon.index.pk) == 1
    report = embed_pending_passages(canon.index.pk)
    assert (report.done, report.failed) == (0, 1)
    endpoint.refused = "\0"
    retry_failed_embeddings(canon.index.pk)
    assert embed_pending_passages(canon.index.pk).done == 1


def test_equal_texts_are_embedded_once(canon: Canon, endpoint):
    canon.load(dragon="Red scales.")
    endpoint.asked.clear()
    canon.publish(canon.edit("dragon", "Red scales.", tags=["changed"]))
    assert endpoint.asked == []
    assert states(canon) == {"Red scales.": "done"}


def test_answer_for_a_passage_that_no_longer_waits_is_dropped(canon: Canon, endpoint, monkeypatch):
    endpoint.down = True
    canon.load(dragon="Red scales.")
    endpoint.down = False
    answer = endpoint.embed_documents

    def settle_and_answer(texts):
        LorePassage.objects.update(embedding_state="failed")
        return answer(texts)

    monkeypatch.setattr(endpoint, "embed_documents", settle_and_answer)
    report = embed_pending_passages(canon.index.pk)
    assert endpoint.asked
    assert (report.done, states(canon)) == (0, {"Red scales.": "failed"})


def test_other_embedder_makes_the_next_release_a_rebuild_and_old_waiting_passages_fail(canon: Canon, endpoint):
    endpoint.down = True
    canon.load(dragon="Red scales.", tower="Ten floors.")
    endpoint.name, endpoint.down = "other", False
    release = canon.publish(canon.edit("dragon", "Green scales."))
    assert release.rebuild
    assert release.vector_space.embedder == "other"
    assert states(canon) == {"Green scales.": "done", "Ten floors.": "done"}
    assert embed_pending_passages(canon.index.pk).failed == 2
    assert list_tenants_with_backlog() == []


def test_embedder_that_changes_during_a_build_leaves_passages_waiting(canon: Canon, endpoint):
    release = canon.start(canon.edit("dragon", "Red scales."), first_load=True)
    endpoint.name = "other"
    build_release(release.pk)
    assert states(canon) == {"Red scales.": "pending"}
    assert endpoint.asked == []


def test_sweeper_enqueues_what_waits(canon: Canon, endpoint, monkeypatch, redis):
    endpoint.down = True
    canon.load(dragon="Red scales.")
    enqueued = []
    monkeypatch.setattr(tasks.embed_backlog, "apply_async", lambda args, **_: enqueued.append(args))
    tasks.sweep_embeddings()
    tasks.sweep_embeddings()
    assert enqueued == [(canon.index.tenant_id,)]


def test_tasks_have_fixed_names():
    named = [tasks.embed_backlog, tasks.ensure_vector_index, tasks.sweep_embeddings]
    assert [task.name for task in named] == [
        "knowledge.embed_backlog",
        "knowledge.ensure_vector_index",
        "knowledge.sweep_embeddings",
    ]
    assert all(task.acks_late for task in named)


def use_exact_scan_rows(monkeypatch, rows: int) -> None:
    from knowledge.canon.actions import task_queue, vector_indexes
    from knowledge.canon.selectors import embeddings as selectors
    from knowledge.config import get_domain_settings

    known = get_domain_settings("lore")
    retrieval = known.retrieval.model_copy(update={"exact_scan_rows": rows})
    changed = known.model_copy(update={"retrieval": retrieval})
    for module in (vector_indexes, task_queue):
        monkeypatch.setattr(module, "get_domain_settings", lambda _: changed)
    monkeypatch.setattr(selectors, "load_knowledge_settings", lambda: {"lore": changed})


@pytest.mark.django_db(transaction=True)
def test_large_partition_gets_a_vector_index_and_a_broken_one_is_made_again(monkeypatch):
    canon = make_canon()
    canon.load(dragon="Red scales.", tower="Ten floors.")
    space = VectorSpace.objects.get(domain_index=canon.index)
    assert ensure_vector_index(space.pk) is False
    use_exact_scan_rows(monkeypatch, 1)
    assert list_spaces_without_index() == [space.pk]
    name = f"passage_hnsw_{space.pk}"
    assert ensure_vector_index(space.pk) is True
    assert ensure_vector_index(space.pk) is True
    with connection.cursor() as cursor:
        cursor.execute("UPDATE pg_index SET indisvalid = FALSE WHERE indexrelid = %s::regclass", [name])
        assert ensure_vector_index(space.pk) is True
        cursor.execute("SELECT indisvalid FROM pg_index WHERE indexrelid = %s::regclass", [name])
        assert cursor.fetchone() == (True,)
        cursor.execute(f"DROP INDEX {name}")
    space.refresh_from_db()
    assert space.hnsw_ready
    assert list_spaces_without_index() == []


def test_unknown_vector_space_is_refused(db):
    with pytest.raises(UnknownVectorSpace):
        ensure_vector_index(10**9)
