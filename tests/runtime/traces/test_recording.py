"""Traces are recorded, keep their words sealed, lose them with what is forgotten, and go after their days."""

from __future__ import annotations

import datetime as dt
import uuid

import pytest
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from episodes.facts.actions import remove_fact, write_fact
from episodes.forgetting.actions.erasure import erase_user
from episodes.forgetting.actions.forgetting import forget_message, forget_messages
from episodes.forgetting.core.selections import Selection
from episodes.models import Message
from knowledge.facts.core.drafts import FactDraft
from runtime.models import Trace, TraceFeedback
from runtime.traces.actions import traces
from runtime.traces.actions.traces import delete_old_traces, record_trace
from runtime.traces.core.ids import floor_trace_id, make_trace_id
from runtime.traces.core.traces import join_items, list_items, split_draft
from runtime.traces.sealed_texts import open_texts
from tests.episodes.traces import find_word
from tests.factories.tenants import make_world
from tests.runtime.traces.conftest import SAID, make_chat, make_draft, make_item

WORD = "zirconium"


def read(trace_id):
    return Trace.objects.get(pk=trace_id)


def words(trace_id):
    trace = read(trace_id)
    return open_texts(bytes(trace.texts), tenant_id=trace.tenant_id, trace_id=trace.pk)


def test_ids_sort_by_time_and_start_at_the_floor_of_their_time():
    time = dt.datetime(2026, 3, 1, tzinfo=dt.UTC)
    later = time + dt.timedelta(milliseconds=1)
    ids = [make_trace_id(time) for _ in range(50)]
    assert all(floor_trace_id(time) <= each < floor_trace_id(later) for each in ids)
    assert {(each.version, each.variant) for each in ids} == {(7, uuid.RFC_4122)}
    assert len(set(ids)) == 50


def test_a_turn_comes_back_as_it_was_recorded(world):
    draft = make_chat(world, items=(make_item("episodes", "message:5", SAID, evidence=(5, 6), score=0.5),))
    trace = read(record_trace(draft))
    assert join_items(trace.outline, words(trace.pk)) == draft.items
    assert words(trace.pk)["request"] == {"query": "What do I carry?"}
    assert (trace.prompt_tokens, trace.completion_tokens, trace.cost, trace.contradictions) == (230, 50, 0.25, 0)
    assert (trace.kind, trace.message_ids, trace.degraded, trace.releases) == (
        "chat",
        [5, 6],
        ["lore_empty"],
        {"lore": 3},
    )
    assert trace.outline["tool_calls"] == [{"name": "get_session_memory", "status": "success", "npc_id": "oda"}]


def test_no_word_stands_open_in_the_table(world):
    record_trace(make_draft(world, query=SAID, items=(make_item("facts", "fact:1", WORD),)))
    with connection.cursor() as cursor:
        cursor.execute("SELECT to_jsonb(t)::text FROM runtime_trace t")
        (row,) = cursor.fetchone()
    assert WORD not in row
    assert find_word(WORD) == {"runtime_trace.texts"}


def test_words_open_in_their_own_trace_only(world):
    from knowledge.errors import FactKeysMissing

    trace = read(record_trace(make_draft(world)))
    with pytest.raises(FactKeysMissing):
        open_texts(bytes(trace.texts), tenant_id=trace.tenant_id, trace_id=uuid.uuid4())
    with pytest.raises(FactKeysMissing):
        open_texts(bytes(trace.texts), tenant_id=trace.tenant_id + 1, trace_id=trace.pk)


def test_recording_takes_two_queries_whatever_the_size(world, django_assert_num_queries):
    for size in (1, 200):
        items = tuple(make_item("episodes", f"message:{n}", "x", evidence=(n,)) for n in range(1, size + 1))
        with django_assert_num_queries(2):
            record_trace(make_draft(world, items=items))


def test_what_is_too_large_loses_cut_items_first_and_then_all_words(world, monkeypatch):
    import secrets

    noise = secrets.token_hex(20_000)
    monkeypatch.setattr(traces, "MAX_TEXTS_BYTES", 20_000)
    large_cut = record_trace(make_draft(world, items=(make_item("lore", "lore:9", noise, reason="layer_full"),)))
    assert read(large_cut).texts_lack == "cut_items"
    items = join_items(read(large_cut).outline, words(large_cut))
    assert [each.item.text for each in items] == ["The gate is shut.", "", ""]
    large = read(record_trace(make_draft(world, query=noise)))
    assert (large.texts, large.texts_lack) == (None, "too_large")
    many = make_draft(world, items=tuple(make_item("lore", f"lore:{n}", "x") for n in range(600)))
    assert (len(split_draft(many).outline["items"]), split_draft(many).outline["items_left_out"]) == (500, 102)


def test_without_keys_a_turn_is_recorded_without_words(world, settings):
    settings.FACT_KEYS = {}
    trace = read(record_trace(make_draft(world)))
    assert (trace.texts, trace.texts_lack, trace.tokens) == (None, "keys_missing", 120)


def test_switched_off_nothing_is_recorded(world, settings):
    settings.TRACES_ENABLED = False
    assert record_trace(make_draft(world)) is None
    assert not Trace.objects.exists()


@pytest.mark.parametrize("place", ["message", "reply", "evidence"])
def test_a_trace_that_names_a_forgotten_message_loses_its_words_and_the_receipt_counts_it(talk, place):
    said, other = talk.say(SAID), talk.say("Harmless.")
    more = {
        "message": {"query": SAID, "message_id": said},
        "reply": {"reply_message_id": said},
        "evidence": {"items": (make_item("facts", "fact:1", WORD, evidence=(said,)),)},
    }[place]
    touched = record_trace(make_draft(talk.world, **more))
    untouched = record_trace(make_draft(talk.world, message_id=other))
    receipt = forget_message(tenant_id=talk.world.tenant_id, message_id=said, requested_by="test")
    receipt.refresh_from_db()
    assert (receipt.cleared["traces"], receipt.verification["traces"], receipt.state) == (1, 0, "done")
    assert (read(touched).texts, read(touched).blanked_at is not None) == (None, True)
    assert read(untouched).texts is not None
    assert find_word(WORD) == {"episodes_message.content"}


def test_words_beside_raw_go_with_the_same_words_there(talk):
    said = talk.say(SAID)
    short, other, long_ = (
        record_trace(make_draft(talk.world, query=query)) for query in (SAID.upper(), "Hi", "x" * 5000)
    )
    stranger = record_trace(make_draft(talk.world, query=SAID, user_id="player-2"))
    forget_message(tenant_id=talk.world.tenant_id, message_id=said, requested_by="test")
    assert [read(each).texts is None for each in (short, other, long_, stranger)] == [True, False, True, False]


@pytest.mark.parametrize("asker", [None, "player-2"])
def test_what_a_player_said_goes_from_the_turns_of_others_in_the_session(talk, asker):
    said = talk.say(SAID)
    heard = make_item("talk", f"message:{said}", SAID, evidence=(said,))
    named = record_trace(make_draft(talk.world, user_id=asker, items=(heard,)))
    words_of_nobody = record_trace(make_draft(talk.world, user_id=None, query=SAID))
    other = record_trace(make_draft(talk.world, user_id=asker))
    forget_message(tenant_id=talk.world.tenant_id, message_id=said, requested_by="test")
    assert [read(each).texts is None for each in (named, words_of_nobody, other)] == [True, True, False]
    assert find_word(WORD) == {"episodes_message.content"}


def test_erasure_takes_what_a_player_said_from_the_turns_of_others(talk):
    said = talk.say(SAID)
    heard = make_item("talk", f"message:{said}", SAID, evidence=(said,))
    named = record_trace(make_draft(talk.world, user_id="player-2", items=(heard,)))
    who = {"tenant_id": talk.world.tenant_id, "end_user_id": talk.conversation.end_user_id}
    erase_user(**who, reason="Case 1", requested_by="test")
    assert read(named).texts is None
    assert find_word(WORD) == set()


def test_forgetting_all_blanks_every_trace_of_the_player_and_erasure_deletes_them(talk):
    talk.say("Harmless.")
    first = record_trace(make_draft(talk.world, query=SAID))
    who = {"tenant_id": talk.world.tenant_id, "end_user_id": talk.conversation.end_user_id}
    forget_messages(**who, selection=Selection("all"), requested_by="test")
    assert read(first).blanked_at is not None
    second = record_trace(make_draft(talk.world, query=SAID))
    receipt = erase_user(**who, reason="Case 1", requested_by="test")
    receipt.refresh_from_db()
    assert second is not None
    assert (receipt.cleared["traces"], Trace.objects.count()) == (2, 0)
    assert find_word(WORD) == set()


@pytest.mark.parametrize("named", ["message", "fact"])
def test_a_turn_that_ends_after_its_player_was_erased_leaves_no_trace(talk, named):
    fact = write_onboarding(talk, WORD)
    more = {
        "message": {"message_id": talk.say(SAID)},
        "fact": {"items": (make_item("facts", f"fact:{fact.pk}", WORD),)},
    }[named]
    draft = make_draft(talk.world, query=SAID, **more)
    erase_user(tenant_id=talk.world.tenant_id, end_user_id=fact.end_user_id, reason="Case 1", requested_by="test")
    assert record_trace(draft) is None
    assert not Trace.objects.exists()
    assert find_word("player-1") == set()


def test_a_message_forgotten_while_the_turn_goes_on_leaves_no_words(talk):
    said = talk.say(SAID)
    draft = make_draft(talk.world, query=SAID, message_id=said)
    Message.objects.filter(pk=said).update(forgotten_at=timezone.now())
    assert read(record_trace(draft)).blanked_at is not None


def write_onboarding(talk, value):
    draft = FactDraft(type="allergy", value=value, source="onboarding")
    return write_fact(tenant_id=talk.world.tenant_id, user_id="player-1", draft=draft).fact


def delete(fact):
    remove_fact(tenant_id=fact.tenant_id, end_user_id=fact.end_user_id, fact_id=fact.pk)


def test_a_fact_deleted_by_hand_stands_in_no_trace(talk):
    fact, other = write_onboarding(talk, WORD), write_onboarding(talk, "wool")
    telling, cut = (
        record_trace(make_draft(talk.world, items=(make_item("facts", f"fact:{fact.pk}", WORD, reason=reason),)))
        for reason in (None, "layer_full")
    )
    untouched = record_trace(make_draft(talk.world, items=(make_item("facts", f"fact:{other.pk}", "wool"),)))
    stranger = record_trace(
        make_draft(talk.world, user_id="player-2", items=(make_item("facts", f"fact:{fact.pk}", "silk"),))
    )
    delete(fact)
    assert [read(each).texts is None for each in (telling, cut, untouched, stranger)] == [True, True, False, False]
    assert find_word(WORD) == set()


def test_a_fact_deleted_while_the_turn_goes_on_leaves_no_words(talk):
    fact = write_onboarding(talk, WORD)
    draft = make_draft(talk.world, items=(make_item("facts", f"fact:{fact.pk}", WORD),))
    delete(fact)
    assert read(record_trace(draft)).blanked_at is not None


def test_a_deletion_that_does_not_hold_leaves_the_traces(talk):
    fact = write_onboarding(talk, WORD)
    trace = record_trace(make_draft(talk.world, items=(make_item("facts", f"fact:{fact.pk}", WORD),)))
    with transaction.atomic():
        delete(fact)
        transaction.set_rollback(True)
    assert read(trace).texts is not None


def test_another_tenants_trace_of_the_same_player_keeps_its_words(talk):
    said = talk.say(SAID)
    rival = make_world("ashfall", tenant="rival")
    theirs = record_trace(make_draft(rival, query=SAID, message_id=said))
    forget_message(tenant_id=talk.world.tenant_id, message_id=said, requested_by="test")
    assert read(theirs).texts is not None


def test_old_traces_go_in_batches_with_their_feedback(world, settings, monkeypatch):
    monkeypatch.setattr(traces, "DELETE_BATCH_SIZE", 2)
    settings.TRACE_TTL_DAYS = 30
    now = timezone.now()
    times = [now - dt.timedelta(days=days) for days in (40, 35, 31, 29, 0)]
    for time in times:
        monkeypatch.setattr(traces.timezone, "now", lambda time=time: time)
        trace_id = record_trace(make_draft(world))
        TraceFeedback.objects.create(tenant_id=world.tenant_id, trace_id=trace_id, used_item_ids=[], shown={}, used={})
    assert delete_old_traces(now=now) == 3
    assert (Trace.objects.count(), TraceFeedback.objects.count()) == (2, 2)
    assert delete_old_traces(now=now) == 0


def test_the_database_refuses_to_change_a_trace_and_its_feedback(world):
    rival = make_world("ashfall", tenant="rival")
    trace_id = record_trace(make_draft(world))
    rows = Trace.objects.filter(pk=trace_id)
    feedback = TraceFeedback.objects.create(
        tenant_id=world.tenant_id, trace_id=trace_id, used_item_ids=[], shown={}, used={}, note="n"
    )
    for change, name in (
        (lambda: rows.update(tokens=1), "trace_only_blanks"),
        (lambda: rows.update(texts=b"other"), "trace_only_blanks"),
        (lambda: rows.update(blanked_at=timezone.now()), "trace_blanked_has_no_words"),
        (lambda: Trace.objects.create(**_row(world, tenant_id=rival.tenant_id)), "trace_same_tenant"),
        (lambda: TraceFeedback.objects.filter(pk=feedback.pk).update(thumb="up"), "trace_feedback_stays"),
        (lambda: TraceFeedback.objects.filter(pk=feedback.pk).update(note="other"), "trace_feedback_stays"),
        (
            lambda: TraceFeedback.objects.create(
                tenant_id=rival.tenant_id, trace_id=trace_id, used_item_ids=[], shown={}, used={}
            ),
            "trace_feedback_same_tenant",
        ),
    ):
        with pytest.raises(IntegrityError, match=name), transaction.atomic():
            change()


def _row(world, **more):
    row = Trace.objects.values().get()
    return {**row, "id": make_trace_id(timezone.now()), **more}


def test_a_pack_is_listed_as_it_was_told_and_cut():
    from runtime.context.core.pack import Cut, Item, Pack, PackedItem, PackedLayer, Provenance

    told, cut = (Item(name, "t", Provenance("lore")) for name in ("a", "b"))
    pack = Pack(
        "en", 1, "f", 100, 10, (PackedLayer("lore", (PackedItem(told, "- t", 3),), 5),),
        (Cut("rules", cut, 4, "layer_full"),), (),
    )  # fmt: skip
    assert [(each.layer, each.item.id, each.tokens, each.rendered, each.reason) for each in list_items(pack)] == [
        ("lore", "a", 3, "- t", None),
        ("rules", "b", 4, "", "layer_full"),
    ]
