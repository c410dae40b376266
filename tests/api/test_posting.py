"""What posting a message answers about its author, and what it leaves alone."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import IntegrityError, connection, connections, transaction
from django.test.utils import CaptureQueriesContext
from prometheus_client import REGISTRY

from episodes.models import Conversation, Message
from knowledge.facts.models import MemoryCorrection, UserFact
from tenancy.actions.worlds import ensure_tenant
from tests.factories.rest import list_known, post_message, start_chat

NOTHING = {"facts": [], "corrections": []}
NICKEL = "I am allergic to nickel."


@pytest.fixture
def chat(engine):
    return start_chat(engine)


@pytest.mark.parametrize(
    "change",
    [
        {"role": "assistant"},
        {"role": "system"},
        {"frame": "in_character"},
        {"content": "*I am allergic to nickel, she says and steps back.*"},
        {"content": "«У меня аллергия на никель»"},
        {"content": 'My sister said: "I am allergic to nickel"'},
        {"content": "Am I allergic to nickel?"},
        {"content": "🙂🔥🔥"},
        {"content": "\u202e\u2066abc\u2069 مرحبا \u202c שלום"},
    ],
)
def test_only_what_players_say_as_themselves_is_understood(engine, chat, change):
    posted = post_message(engine, chat, **{"content": NICKEL, **change})
    assert posted["extraction"] == posted["understood"] == NOTHING
    assert list_known(engine) == {}


def test_what_is_marked_as_out_of_character_is_understood_within_play(engine, chat):
    posted = post_message(engine, chat, "*draws the sword* ((I am allergic to nickel))", frame="in_character")
    assert [fact["key"] for fact in posted["extraction"]["facts"]] == ["nickel"]
    assert posted["understood"] == posted["extraction"]


def test_zero_width_characters_inside_words_hide_nothing(engine, chat):
    (fact,) = post_message(engine, chat, "Аллергия на ни\u200bкель")["understood"]["facts"]
    assert (fact["key"], fact["quote"]) == ("nickel", "Аллергия на ни\u200bкель")


def test_a_message_of_a_megabyte_is_kept_and_read(engine, chat):
    content = f"{'la ' * 340_000}. {NICKEL}"
    assert [fact["key"] for fact in post_message(engine, chat, content)["understood"]["facts"]] == ["nickel"]


def test_a_repeat_changes_nothing_and_answers_what_was_understood_first(engine, chat):
    post_message(engine, chat, "My size is S.")
    body = {"client_message_id": "c-1"}
    first = post_message(engine, chat, "My size is M. I am allergic to nickel.", **body)
    rows = UserFact.objects.count()
    again = post_message(engine, chat, "My size is M. I am allergic to nickel.", **body)
    assert again == {**first, "created": False}
    assert [fact["outcome"] for fact in first["understood"]["facts"]] == ["superseded", "written"]
    assert (UserFact.objects.count(), Message.objects.count()) == (rows, 2)


def test_a_repeated_correction_answers_what_it_did_first(engine, chat):
    post_message(engine, chat, "My size is M.")
    post_message(engine, chat, "Your size is M, so this one fits.", role="assistant")
    body = {"client_message_id": "c-1", "content": "no, wrong, not M, I'm S"}
    first = post_message(engine, chat, **body)
    assert [each["outcome"] for each in first["understood"]["corrections"]] == ["superseded"]
    again = post_message(engine, chat, **body)["understood"]["corrections"]
    for each in (*first["understood"]["corrections"], *again):
        each["replacement"].pop("quote")
    assert again == first["understood"]["corrections"]
    assert MemoryCorrection.objects.count() == 1


def test_a_batch_sent_again_answers_what_each_message_did_first_by_as_many_queries_for_many_as_for_few(engine, chat):
    counts = []
    for size, things in ((1, "nickel"), (9, "pollen cats dogs peanuts latex milk eggs wheat soy")):
        said = [
            {"role": role, "content": content.format(thing), "client_message_id": f"{thing}-{place}"}
            for thing in things.split()
            for place, (role, content) in enumerate(TURNS)
        ]
        first = engine.post(f"conversations/{chat}/messages/batch", {"messages": said}).json()["messages"]
        with CaptureQueriesContext(connection) as queries:
            again = engine.post(f"conversations/{chat}/messages/batch", {"messages": said}).json()["messages"]
        counts.append(len(queries))
        assert [each["created"] for each in again] == [False] * len(said)
        assert [len(each["understood"]["facts"]) for each in again] == [1, 0, 0] * size
        assert [len(each["understood"]["corrections"]) for each in again] == [0, 0, 1] * size
        assert list(map(name_understood, again)) == list(map(name_understood, first))
    assert counts[0] == counts[1]


TURNS = [
    ("user", "I am allergic to {}."),
    ("assistant", "You are allergic to {}, so be careful."),
    ("user", "No, I am not allergic to {}."),
]


def name_understood(posted):
    """Which facts a message stated and ended."""
    return [[each["fact_id"] for each in posted["understood"][kind]] for kind in ("facts", "corrections")]


def test_a_repeat_with_another_body_is_a_conflict(engine, chat, problem):
    post_message(engine, chat, NICKEL, client_message_id="c-1")
    answer = engine.post(
        f"conversations/{chat}/messages",
        {"role": "user", "content": "I am allergic to wool.", "client_message_id": "c-1"},
    )
    problem(answer, 409, "client_message_id_reused")
    assert list_known(engine) == {("allergy", "nickel"): "nickel"}


def test_an_idempotent_repeat_writes_once(engine, chat):
    body = {"role": "user", "content": NICKEL}
    first = engine.post(f"conversations/{chat}/messages", body, Idempotency_Key="k-1")
    again = engine.post(f"conversations/{chat}/messages", body, Idempotency_Key="k-1")
    assert (first.json(), again["Idempotency-Replayed"]) == (again.json(), "true")
    assert (Message.objects.count(), UserFact.objects.count()) == (1, 1)


def test_saying_it_again_confirms_and_pools_the_evidence(engine, chat):
    first = post_message(engine, chat, NICKEL)["message_id"]
    (fact,) = post_message(engine, chat, "I'm allergic to nickel!")["understood"]["facts"]
    second = Message.objects.get(seq=2).pk
    assert (fact["outcome"], fact["evidence"]) == ("confirmed", [first, second])


def test_an_imported_history_never_overrules_what_was_said_later(engine, chat):
    post_message(engine, chat, "My size is M.")
    old = post_message(engine, chat, "My size is S.", sent_at="2024-05-01T10:00:00Z")["understood"]["facts"]
    assert [(fact["outcome"], fact["fact_id"]) for fact in old] == [("outdated", None)]
    assert list_known(engine) == {("body_params", "size"): "M"}


def test_what_was_denied_stays_denied_when_an_older_message_is_imported(engine, chat):
    post_message(engine, chat, "My size is M.")
    post_message(engine, chat, "Your size is M.", role="assistant")
    post_message(engine, chat, "No, my size is not M")
    assert list_known(engine) == {}
    post_message(engine, chat, "My size is M.", sent_at="2024-05-01T10:00:00Z")
    assert list_known(engine) == {}
    post_message(engine, chat, "My size is M.")
    assert list_known(engine) == {("body_params", "size"): "M"}


def test_a_history_may_come_in_any_order_and_past_events_are_over(engine, chat):
    said = [("My size is L.", "2024-05-03"), ("My size is S.", "2024-05-01"), ("My size is M.", "2024-05-02")]
    said.append(("Скоро переезд", "2024-05-02"))
    batch = [{"role": "user", "content": text, "sent_at": f"{day}T10:00:00Z"} for text, day in said]
    answer = engine.post(f"conversations/{chat}/messages/batch", {"messages": batch}).json()["messages"]
    outcomes = [fact["outcome"] for each in answer for fact in each["understood"]["facts"]]
    assert outcomes == ["written", "outdated", "outdated", "outdated"]
    assert list_known(engine) == {("body_params", "size"): "L"}
    assert Conversation.objects.get().pending_extraction_count == 4


def test_a_batch_knows_both_neighbours_at_once(engine, chat):
    said = [("assistant", "Any allergies?"), ("user", NICKEL), ("assistant", "Noted.")]
    batch = {"messages": [{"role": role, "content": content} for role, content in said]}
    answer = engine.post(f"conversations/{chat}/messages/batch", batch).json()["messages"]
    before, said, after = (each["message_id"] for each in answer)
    [fact] = answer[1]["understood"]["facts"]
    assert (fact["evidence"], fact["evidence_span"]) == ([said], [before, after])
    assert Conversation.objects.get().pending_extraction_count == 1


def test_what_only_sounds_like_a_correction_is_logged_and_changes_nothing(engine, chat):
    post_message(engine, chat, NICKEL)
    post_message(engine, chat, "The tower is old.", role="assistant")
    (correction,) = post_message(engine, chat, "Where did you get that from?")["understood"]["corrections"]
    assert (correction["outcome"], correction["fact_id"]) == ("unmatched", None)
    assert list_known(engine) == {("allergy", "nickel"): "nickel"}
    assert MemoryCorrection.objects.get().outcome == "unmatched"


def test_a_correction_answers_the_message_that_it_replies_to(engine, chat):
    post_message(engine, chat, NICKEL)
    claim = post_message(engine, chat, "You are allergic to nickel.", role="assistant")["message_id"]
    post_message(engine, chat, "Anyway, the tower is old.", role="assistant")
    (correction,) = post_message(engine, chat, "No!", reply_to=claim)["understood"]["corrections"]
    assert (correction["outcome"], correction["corrected_message_id"]) == ("disputed", claim)


def test_without_keys_a_message_that_states_a_fact_is_not_kept_and_others_are(engine, chat, settings, problem):
    settings.FACT_KEYS = {}
    problem(
        engine.post(f"conversations/{chat}/messages", {"role": "user", "content": NICKEL}), 503, "fact_keys_missing"
    )
    assert not Message.objects.exists()
    assert post_message(engine, chat, "Hello there")["seq"] == 1
    assert post_message(engine, chat, "No!")["understood"] == NOTHING


def test_another_tenants_conversation_is_not_there(engine, make_api, problem):
    rival = make_api("engine", "read", of=ensure_tenant(slug="rival"))
    theirs = start_chat(rival)
    problem(
        engine.post(f"conversations/{theirs}/messages", {"role": "user", "content": NICKEL}),
        404,
        "conversation_not_found",
    )
    assert not UserFact.objects.exists()


def test_players_know_nothing_of_each_other(engine, chat):
    other = start_chat(engine, "player-2")
    post_message(engine, chat, NICKEL)
    post_message(engine, other, "You are allergic to nickel.", role="assistant")
    assert post_message(engine, other, "No!")["understood"] == NOTHING
    assert (list_known(engine), list_known(engine, "player-2")) == ({("allergy", "nickel"): "nickel"}, {})


def test_a_fact_without_evidence_is_refused_by_the_database(engine, chat):
    post_message(engine, chat, NICKEL)
    with (
        pytest.raises(IntegrityError, match="user_fact_has_evidence"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute("UPDATE knowledge_userfact SET evidence = '{}'")


def test_what_is_understood_is_counted_once_it_is_committed(engine, chat, django_capture_on_commit_callbacks):
    def read(name, **labels):
        return REGISTRY.get_sample_value(f"memory37_{name}", labels) or 0

    names = [
        ("instant_extraction_total", {"type": "body_params", "language": "en"}),
        ("instant_extraction_supersede_total", {}),
        ("memory_correction_total", {"type": "user_denied", "language": "en"}),
        ("memory_correction_fact_deactivated_total", {"language": "en"}),
    ]
    before = [read(name, **labels) for name, labels in names]
    with django_capture_on_commit_callbacks(execute=True):
        post_message(engine, chat, "My size is S.")
        post_message(engine, chat, "My size is M.")
        post_message(engine, chat, "Your size is M.", role="assistant")
        post_message(engine, chat, "No, my size is not M")
    assert [read(name, **labels) - was for (name, labels), was in zip(names, before, strict=True)] == [2, 1, 1, 1]


@pytest.mark.parametrize(("content", "queries"), [("The tower is old.", (5, 5)), (NICKEL, (10, 9))])
def test_posting_takes_the_same_queries_at_any_size(engine, chat, content, queries, django_assert_num_queries):
    """A fact that is news is looked for among what was deleted; one that is confirmed is not."""
    post_message(engine, chat, "hi")
    for size, most in zip((1, 60), queries, strict=True):
        for number in range(size):
            post_message(engine, chat, f"I am allergic to {'wool' if number % 2 else 'latex'}, {number}.", role="user")
        post_message(engine, chat, "Noted.", role="assistant")
        post_message(engine, chat, "And?", role="assistant")
        with django_assert_num_queries(most):
            post_message(engine, chat, content)
        post_message(engine, chat, "Noted.", role="assistant")


@pytest.mark.django_db(transaction=True)
def test_two_conversations_that_supersede_one_key_at_once_leave_one_active_fact(make_api, transactional_db):
    engine = make_api("engine", "read")
    chats = [start_chat(engine) for _ in range(4)]
    post_message(engine, chats[0], "My size is S.")
    barrier = threading.Barrier(4)

    def say(place):
        try:
            barrier.wait(10)
            for size in ("M", "L", "XL"):
                post_message(engine, chats[place], f"My size is {size}.")
        finally:
            connections.close_all()

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(say, range(4)))
    assert UserFact.objects.filter(is_active=True).count() == 1
    active = UserFact.objects.get(is_active=True)
    last = Message.objects.order_by("-sent_at").first()
    assert (active.said_at, active.said_in) == (last.sent_at, last.pk)
    assert sorted(Conversation.objects.values_list("last_seq", flat=True)) == [3, 3, 3, 4]
