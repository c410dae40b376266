"""The buffer goes into the archive in one piece: wherever a worker dies, an event is in exactly one of the two."""

from __future__ import annotations

import datetime as dt

import pytest
from django.utils import timezone

from episodes.alternatives.actions import AlternativeDraft
from episodes.events.actions import archive
from episodes.events.actions.archive import archive_conversation, claim_batch
from episodes.events.actions.decisions import archive_now, hide_event, retry_event
from episodes.events.actions.staleness import settle_stale_event
from episodes.events.errors import EventNotBuffered, EventNotFailed
from episodes.events.models import EventBook, EventName, EventNode, EventPassage, EventTrigger
from episodes.events.selectors.due import list_due_conversations, list_due_events, list_full_buffers
from episodes.events.selectors.event_filters import EventFilters
from episodes.events.selectors.recall import embed_event_query, recall_events
from episodes.forgetting.actions.forgetting import forget_message
from episodes.models import Message
from factcheck.alternatives.actions import edit_message
from factcheck.plots.actions.runs import extract_event
from knowledge.errors import EmbedderUnavailable
from knowledge.graph.models import GraphName
from knowledge.search.embedding import get_event_embedder
from tests.factcheck.plots.talks import TAVERN, make_events
from tests.factories.conversations import open_chat, say_alternately
from tests.factories.tenants import make_world

pytestmark = pytest.mark.django_db
PLACES = ("mill", "harbour", "chapel", "forge", "market", "prison", "garden", "library", "stable", "well")


def play(chat, place: str) -> None:
    """Sixteen messages about one place, with words of their own."""
    texts = [line.replace("Moon Tavern", f"old {place}").replace("key", f"{place} seal") for line in TAVERN]
    say_alternately(chat, texts)


def fill(chat, count: int = 10) -> list[EventNode]:
    for place in PLACES[:count]:
        play(chat, place)
    return make_events(chat)


def filters(chat, **more) -> EventFilters:
    return EventFilters(tenant_id=chat.tenant_id, end_user_id=chat.end_user_id, world_id=chat.world_id, **more)


def states(chat) -> list[str]:
    return list(EventNode.objects.filter(conversation=chat).order_by("first_seq").values_list("state", flat=True))


def expire_leases() -> None:
    EventNode.objects.filter(lease_until__isnull=False).update(lease_until=timezone.now() - dt.timedelta(seconds=1))


def check_one_place(chat) -> None:
    """Every event is either in the lorebook without a vector, or archived with one."""
    for node in EventNode.objects.filter(conversation=chat):
        passage = EventPassage.objects.get(node=node)
        assert (passage.embedding is not None) == (node.state == "archived")
        assert node.state in ("buffer", "archiving", "archived")


def test_ten_events_are_archived_in_one_call_with_vectors_and_entities(world, monkeypatch):
    """E-2 of the golden cases."""
    chat = open_chat(world.tenant, world=world)
    calls = []
    embedder = get_event_embedder()

    def embed(_, texts):
        calls.append(texts)
        return list(embedder.embed_documents(texts))

    monkeypatch.setattr(archive, "embed_each", embed)
    fill(chat, 9)
    assert (list_full_buffers(limit=10), archive_conversation(chat.pk).archived) == ([], 0)
    play(chat, PLACES[9])
    make_events(chat)
    assert list_full_buffers(limit=10) == [chat.pk]
    report = archive_conversation(chat.pk)
    assert (report.archived, report.waiting, len(calls), len(calls[0])) == (10, 0, 1, 10)
    assert set(states(chat)) == {"archived"}
    assert GraphName.objects.filter(tenant=world.tenant, text="Miron").exists()
    check_one_place(chat)
    hits = recall_events(filters(chat), query="the seal of the chapel", embed=embed_event_query).hits
    assert "chapel" in hits[0].display_text


def test_tokens_fill_a_buffer_too_and_a_person_needs_no_full_one(world, settings):
    chat = open_chat(world.tenant, world=world)
    settings.EVENTS_ARCHIVE_TOKENS = 300
    fill(chat, 3)
    assert list_full_buffers(limit=10) == [chat.pk]
    settings.EVENTS_ARCHIVE_TOKENS = 100_000
    assert list_full_buffers(limit=10) == []
    assert archive_now(tenant_id=chat.tenant_id, conversation_ids=[chat.pk])[chat.pk].archived == 3
    with pytest.raises(EventNotBuffered):
        archive_now(tenant_id=chat.tenant_id, conversation_ids=[chat.pk])


STEPS = ("embed_batch", "store_batch", "_archive", "_write_vectors", "link_events")


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("when", ["before", "after"])
def test_a_kill_at_any_step_leaves_each_event_in_one_place(world, monkeypatch, step, when):
    chat = open_chat(world.tenant, world=world)
    fill(chat, 2)
    real = getattr(archive, step)

    def die(*args, **kwargs):
        if when == "after":
            real(*args, **kwargs)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(archive, step, die)
        with pytest.raises(KeyboardInterrupt):
            archive_conversation(chat.pk, by_hand=True)
    check_one_place(chat)
    assert len(recall_events(filters(chat), query="mill seal").hits) >= 1
    expire_leases()
    archive_conversation(chat.pk)
    assert states(chat) == ["archived", "archived"]
    check_one_place(chat)
    assert GraphName.objects.filter(tenant=world.tenant, text="Irina", ended_at__isnull=True).count() == 2


def test_an_outage_of_the_embedder_leaves_events_in_the_buffer(world, monkeypatch):
    chat = open_chat(world.tenant, world=world)
    fill(chat, 2)

    def fail(*args):
        raise EmbedderUnavailable("down")

    with monkeypatch.context() as patch:
        patch.setattr(archive, "embed_each", fail)
        report = archive_conversation(chat.pk, by_hand=True)
    assert (report.archived, report.waiting, states(chat)) == (0, 2, ["buffer", "buffer"])
    node = EventNode.objects.first()
    assert (node.error_code, node.outages) == ("embedder_unavailable", 1)
    assert archive_conversation(chat.pk, by_hand=True).archived == 2


def test_two_workers_archive_an_event_once(world):
    chat = open_chat(world.tenant, world=world)
    fill(chat, 2)
    assert len(claim_batch(chat.pk, by_hand=True)) == 2
    assert claim_batch(chat.pk, by_hand=True) == []


def test_a_forgotten_message_takes_its_event_which_is_read_again_where_enough_stands(world):
    chat = open_chat(world.tenant, world=world)
    fill(chat, 2)
    archive_conversation(chat.pk, by_hand=True)
    first = EventNode.objects.get(conversation=chat, first_seq=1)
    message = Message.objects.get(conversation=chat, seq=4)
    receipt = forget_message(tenant_id=chat.tenant_id, message_id=message.pk, requested_by="test")
    first.refresh_from_db()
    assert (receipt.cleared["events"], first.state, first.display_text, first.raw_data) == (1, "stale", "", None)
    assert not EventPassage.objects.filter(node=first).exists()
    assert not EventName.objects.filter(node=first).exists()
    rows = GraphName.objects.filter(tenant=world.tenant, text="Irina", ended_at__isnull=True)
    assert rows.count() == 1  # the other event still names her
    assert [due.state for due in list_due_events(limit=5)] == ["stale"]
    settle_stale_event(first.pk)
    [again] = make_again(chat)
    assert (again.pk, again.state, again.triggered_by) == (first.pk, "buffer", "again")
    assert message.pk not in again.evidence


def test_what_lost_most_of_its_messages_is_forgotten(world):
    chat = open_chat(world.tenant, world=world)
    fill(chat, 1)
    for message in Message.objects.filter(conversation=chat, seq__lte=7):
        forget_message(tenant_id=chat.tenant_id, message_id=message.pk, requested_by="test")
    [node] = EventNode.objects.filter(conversation=chat)
    assert settle_stale_event(node.pk).state == "forgotten"
    assert list_due_events(limit=5) == []
    node = retry_event(tenant_id=chat.tenant_id, event_id=node.pk)  # a person wants what is left of it
    assert (node.state, len(node.evidence)) == ("pending", 9)
    [again] = make_again(chat)
    assert again.state == "buffer"
    for message in Message.objects.filter(conversation=chat, seq__gt=7):
        forget_message(tenant_id=chat.tenant_id, message_id=message.pk, requested_by="test")
    assert settle_stale_event(node.pk).state == "forgotten"
    with pytest.raises(EventNotFailed):
        retry_event(tenant_id=chat.tenant_id, event_id=node.pk)


def test_an_edited_message_makes_its_event_stale(world):
    chat = open_chat(world.tenant, world=world)
    fill(chat, 1)
    message = Message.objects.get(conversation=chat, seq=3)
    draft = AlternativeDraft(content="I ask Miron whether the crown was found.")
    edit_message(tenant_id=chat.tenant_id, message_id=message.pk, draft=draft, requested_by="test")
    [node] = EventNode.objects.filter(conversation=chat)
    assert node.state == "stale"
    settle_stale_event(node.pk)
    [again] = make_again(chat)
    assert again.state == "buffer"


def test_a_hidden_event_is_found_by_nothing_and_comes_back(world):
    chat = open_chat(world.tenant, world=world)
    [node] = fill(chat, 1)
    hide_event(tenant_id=chat.tenant_id, event_id=node.pk, is_hidden=True)
    assert recall_events(filters(chat), query="mill seal").hits == ()
    hide_event(tenant_id=chat.tenant_id, event_id=node.pk, is_hidden=False)
    assert len(recall_events(filters(chat), query="mill seal").hits) == 1
    assert EventBook.objects.get(pk=chat.pk).rev == 3


def test_conversations_are_due_by_count_or_when_over_and_not_looked_at_twice_in_vain(world):
    chat, late = open_chat(world.tenant, world=world), open_chat(world.tenant, "player-2", world=world)
    say_alternately(chat, TAVERN[:15])
    say_alternately(late, TAVERN[:4])
    assert [due.conversation_id for due in list_due_conversations(limit=9)] == [chat.pk]
    make_events(chat)
    assert list_due_conversations(limit=9) == []
    later = timezone.now() + dt.timedelta(hours=1)
    due = {each.conversation_id: each.trigger for each in list_due_conversations(limit=9, now=later)}
    assert due == {chat.pk: "session_closed", late.pk: "session_closed"}
    make_events(late, trigger=EventTrigger.SESSION_CLOSED)
    assert [each.conversation_id for each in list_due_conversations(limit=9, now=later)] == [chat.pk]


def test_a_vague_question_is_about_the_last_names_of_the_talk(world):
    """E-3 of the golden cases."""
    chat = open_chat(world.tenant, world=world)
    say_alternately(chat, TAVERN)
    make_events(chat)
    say_alternately(
        chat, [line.replace("Irina", "Gorm").replace("Miron", "Hald").replace("key", "lamp") for line in TAVERN]
    )
    make_events(chat)
    found = recall_events(filters(chat), query="remember that time?", talk=["And what does Irina do these days?"])
    assert (found.reference.is_vague, [each.name for each in found.reference.pointed_at]) == (True, ["Irina"])
    assert [hit.first_seq for hit in found.hits] == [1]
    assert recall_events(filters(chat), query="a dragon in the sky over the far desert").hits == ()


def test_an_npc_recalls_only_what_it_took_part_in_and_no_world_another_worlds(world):
    chat = open_chat(world.tenant, world=world, npc_id="npc_miron")
    say_alternately(chat, TAVERN, npc_id="npc_miron")
    make_events(chat)
    assert recall_events(filters(chat, npc_id="npc_miron"), query="silver key").hits
    assert not recall_events(filters(chat, npc_id="npc_hald"), query="silver key").hits
    other = make_world("other", tenant="studio")
    elsewhere = EventFilters(tenant_id=chat.tenant_id, end_user_id=chat.end_user_id, world_id=other.pk)
    assert not recall_events(elsewhere, query="silver key").hits
    assert not recall_events(EventFilters(tenant_id=chat.tenant_id, end_user_id=0, world_id=world.pk), query="key").hits


def test_recall_takes_two_queries_at_any_size(world, django_assert_num_queries):
    chat = open_chat(world.tenant, world=world)
    for count in (2, 5):
        fill(chat, count)
        with django_assert_num_queries(2):
            assert recall_events(filters(chat), query="who followed Irina?", talk=["The chapel again."]).hits


def make_again(chat) -> list[EventNode]:
    nodes = list(EventNode.objects.filter(conversation=chat, state="pending"))
    for node in nodes:
        extract_event(node.pk)
        node.refresh_from_db()
    return nodes
