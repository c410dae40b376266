"""A user who said much is searched by posting lists and codes, and finds what a look at every message finds."""

from __future__ import annotations

import datetime as dt

import numpy as np
import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pgvector import HalfVector

from episodes import tasks
from episodes.conversations.actions.messages import store_messages
from episodes.conversations.core.drafts import MessageDraft
from episodes.embedding.actions import vector_codes
from episodes.embedding.actions.embeddings import embed_messages
from episodes.forgetting.actions.forgetting import forget_message
from episodes.models import MessagePassage, VectorCenter, VectorCode
from episodes.search.selectors import partition as search_partition
from episodes.search.selectors.partition import EpisodeFilters
from episodes.search.selectors.search import search_episodes
from knowledge.config import get_message_settings
from knowledge.search import message_rows
from tests.factories.conversations import open_chat

WORDS = (
    "lamp",
    "bridge",
    "tower",
    "ferry",
    "copper",
    "wheel",
    "garden",
    "storm",
    "anchor",
    "mirror",
    "candle",
    "saddle",
)
NPCS = ("edda", "tam")


def list_contents(count):
    """Sentences of few words, so that some are common and some are rare, and none is said twice."""
    return [f"{WORDS[n % 3]} {WORDS[n % 5]} {WORDS[n % 12]} note{n} {'often ' * (n % 4)}" for n in range(count)]


def talk(conversation, contents, *, embed=True):
    drafts = [
        MessageDraft("assistant" if n % 2 else "user", content, npc_id=NPCS[n % 3 == 0])
        for n, content in enumerate(contents)
    ]
    stored = store_messages(tenant_id=conversation.tenant_id, conversation_id=conversation.pk, drafts=drafts)
    if embed:
        embed_messages(conversation.pk)
    return [each.message for each in stored]


def make_settings(rows):
    settings = get_message_settings()
    few = {"exact_scan_rows": rows, "k_keyword": 8}
    return settings.model_copy(update={"retrieval": settings.retrieval.model_copy(update=few)})


def find(conversation, query, *, rows=20, **options):
    """A search; `rows` decides whether the user counts as large."""
    return search_episodes(
        tenant_id=conversation.tenant_id,
        end_user_id=conversation.end_user_id,
        query=query,
        settings=make_settings(rows),
        **options,
    )


def count_codes(conversation):
    return VectorCode.objects.filter(conversation=conversation).count()


@pytest.fixture(autouse=True)
def few_are_many(monkeypatch):
    """Twenty messages are enough for codes; a search looks at few whole vectors and takes the rarest terms first."""
    monkeypatch.setattr(vector_codes, "get_message_settings", lambda: make_settings(20))
    monkeypatch.setattr(vector_codes, "BATCH_SIZE", 16)
    monkeypatch.setattr(message_rows, "CANDIDATE_SHARE", 0.0)
    monkeypatch.setattr(message_rows, "FILLED", 0)


@pytest.fixture
def large(conversation):
    """A user with sixty messages and their codes."""
    talk(conversation, list_contents(60))
    assert vector_codes.build_vector_codes(conversation.end_user_id) == 60
    return conversation


@pytest.mark.parametrize(
    "filters",
    [
        EpisodeFilters(),
        EpisodeFilters(role="assistant"),
        EpisodeFilters(npc_id="tam"),
        EpisodeFilters(until=timezone.now() + dt.timedelta(hours=1)),
        EpisodeFilters(since=timezone.now() + dt.timedelta(hours=1)),
    ],
)
def test_a_large_user_finds_what_a_look_at_every_message_finds(large, filters):
    for query in ("lamp note7", "copper wheel often", "bridge tower lamp ferry garden", "note30", "nothing of it"):
        every = find(large, query, rows=10_000, filters=filters, k=8)
        found = find(large, query, filters=filters, k=8)
        assert [(card.message_id, round(card.score, 6)) for card in found.cards] == [
            (card.message_id, round(card.score, 6)) for card in every.cards
        ]


def test_filters_by_conversation_hold_for_codes_too(large, tenant):
    other = open_chat(tenant, large.end_user.external_id)
    [message] = talk(other, ["the saddle of the storm"])
    found = find(large, "saddle storm", filters=EpisodeFilters(conversation_id=other.pk))
    assert [card.message_id for card in found.cards] == [message.pk]


def test_a_search_of_a_large_user_takes_four_queries_whatever_its_size(large):
    find(large, "lamp note7")
    counts = []
    for more in (1, 40):
        talk(large, [f"lamp again more{n}" for n in range(more)])
        with CaptureQueriesContext(connection) as captured:
            assert find(large, "lamp note7").keyword_rounds == 2
        counts.append(len(captured))
    assert counts == [4, 4]


def list_statements(captured):
    """What was sent as text: a prepared statement is known to the log without one."""
    return [query["sql"] for query in captured if query["sql"]]


def test_few_whole_vectors_are_compared(large, monkeypatch):
    monkeypatch.setattr(message_rows, "RESCORED_MESSAGES", 3)
    with CaptureQueriesContext(connection) as captured:
        found = find(large, "note7", k=8)
    assert any("hamming_distance" in sql and "LIMIT 3" in sql for sql in list_statements(captured))
    assert found.cards[0].raw_excerpt.split()[3] == "note7"


def test_until_the_codes_are_ready_every_vector_is_compared(large):
    before = find(large, "copper wheel often", rows=10_000)
    VectorCenter.objects.update(is_ready=False)
    with CaptureQueriesContext(connection) as captured:
        found = find(large, "copper wheel often")
    assert not any("hamming_distance" in sql for sql in list_statements(captured))
    assert [card.message_id for card in found.cards] == [card.message_id for card in before.cards]


def test_every_vector_that_comes_later_has_a_code_at_once(large):
    talk(large, ["one more about the harbour"], embed=False)
    assert count_codes(large) == 60
    embed_messages(large.pk)
    assert count_codes(large) == 61


def test_a_vector_of_another_embedder_has_no_code(large):
    passage = MessagePassage.objects.filter(conversation=large).first()
    other = HalfVector(np.ones(4, dtype=np.float32))
    MessagePassage.objects.filter(pk=passage.pk).update(embedding=other, embedder="other/4")
    assert not VectorCode.objects.filter(pk=passage.pk).exists()
    assert vector_codes.list_users_without_codes() == []


def test_a_change_of_the_embedder_makes_codes_anew(large, monkeypatch):
    MessagePassage.objects.filter(conversation=large).update(embedder="renewed/1024")
    assert count_codes(large) == 0
    monkeypatch.setattr(vector_codes, "name_vector_space", lambda _: "renewed/1024")
    assert vector_codes.list_users_without_codes() == [large.end_user_id]
    assert vector_codes.build_vector_codes(large.end_user_id) == 60
    assert list(VectorCenter.objects.values_list("vector_space", "is_ready")) == [("renewed/1024", True)]


def test_codes_are_built_once_and_of_few_messages_never(large, tenant):
    assert vector_codes.build_vector_codes(large.end_user_id) == 0
    small = open_chat(tenant, "small")
    talk(small, list_contents(20))
    assert vector_codes.build_vector_codes(small.end_user_id) == 0
    assert not VectorCenter.objects.filter(end_user=small.end_user).exists()


def test_a_run_that_was_broken_off_is_begun_again_by_the_sweeper(conversation, monkeypatch):
    talk(conversation, list_contents(40))
    real, calls = vector_codes._write_codes, []

    def break_off(parameters):
        calls.append(parameters)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return real(parameters)

    monkeypatch.setattr(vector_codes, "_write_codes", break_off)
    with pytest.raises(KeyboardInterrupt):
        vector_codes.build_vector_codes(conversation.end_user_id)
    assert (count_codes(conversation), VectorCenter.objects.get().is_ready) == (16, False)
    queued = []
    monkeypatch.setattr(tasks.build_vector_codes, "apply_async", lambda arguments, **_: queued.append(arguments))
    tasks.sweep_vector_codes()
    assert queued == [(conversation.end_user_id,)]
    tasks.build_vector_codes(conversation.end_user_id)
    assert (count_codes(conversation), VectorCenter.objects.get().is_ready) == (40, True)
    assert vector_codes.list_users_without_codes() == []


def test_what_is_forgotten_loses_its_code_and_the_last_message_the_center(large):
    messages = list(large.messages.order_by("seq"))
    forget_message(tenant_id=large.tenant_id, message_id=messages[7].pk, requested_by="test")
    assert count_codes(large) == 59
    assert all(card.message_id != messages[7].pk for card in find(large, "note7").cards)
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM episodes_messagepassage WHERE conversation_id = %s", [large.pk])
    assert (count_codes(large), VectorCenter.objects.count()) == (0, 0)


def test_another_users_codes_stay_and_are_never_searched(large, rival):
    theirs = open_chat(rival, large.end_user.external_id)
    talk(theirs, list_contents(40))
    assert vector_codes.build_vector_codes(theirs.end_user_id) == 40
    own = set(large.messages.values_list("pk", flat=True))
    assert {card.message_id for card in find(large, "lamp bridge note7", k=20).cards} <= own
    MessagePassage.objects.filter(conversation=large).delete()
    assert (count_codes(theirs), VectorCenter.objects.get().end_user_id) == (40, theirs.end_user_id)


def test_a_user_has_one_center_and_it_names_its_space(large):
    center = VectorCenter.objects.get()
    for fields in ({"vector_space": "x/1"}, {"vector_space": "", "end_user_id": None}):
        with pytest.raises(IntegrityError), transaction.atomic():
            VectorCenter.objects.create(
                **{"tenant_id": large.tenant_id, "end_user_id": large.end_user_id, "center": center.center, **fields}
            )


def test_a_common_lexeme_of_a_large_user_is_counted_in_a_sample(conversation, monkeypatch):
    talk(conversation, [f"lamp note{n}" for n in range(120)], embed=False)
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM episodes_messagepassage WHERE mod(hashint8(id), 16) = 0")
        (sampled,) = cursor.fetchone()
    statement = search_partition.read_query(search_partition.STATISTICS)
    monkeypatch.setattr(
        search_partition, "read_query", lambda _: statement.replace("sample.messages >= 100", "sample.messages >= 1")
    )
    pool = search_partition.MessagePool(conversation.tenant_id, conversation.end_user_id, "any/1")
    frequencies = []
    for rows in (20, 120):
        plan, counts, _ = search_partition.plan_search(pool, "lamp note7", make_settings(rows))
        frequencies.append({term.lexeme: term.document_frequency for term in plan.terms}["lamp"])
        assert counts.messages == 120
    assert sampled > 0
    assert frequencies == [sampled * 16, 120]
