"""Events by REST: listed, hidden, tried again, archived, recalled; the lorebook polled and brought back."""

from __future__ import annotations

import uuid

import pytest
from django.test import Client

from episodes.events.actions.archive import archive_conversation
from episodes.events.models import EventEdit, EventNode
from episodes.models import Conversation, Message
from factcheck.plots.actions.rebuild import rebuild_events
from factcheck.plots.actions.sweeps import close_due_chunks, queue_due_events
from factcheck.tasks import extract_event
from knowledge.canon.models import Release
from reviews.models import ChangeItem
from tenancy.models import World
from tests.factcheck.plots.talks import TAVERN, make_events
from tests.factories.conversations import say_alternately

pytestmark = pytest.mark.django_db


@pytest.fixture
def chat(make_api, world):
    engine = make_api("read", "engine")
    opened = engine.post("conversations", {"user_id": "player-1", "npc_id": "npc_miron"}, X_Site_ID="ashfall").json()
    return Conversation.objects.get(pk=opened["id"])


@pytest.fixture
def engine(make_api):
    return make_api("read", "engine")


def book_of(engine, chat, **query):
    return engine.get("worldinfo", {"conversation_id": chat.pk, **query})


def patch(api, path, body):
    return Client().patch(f"/api/v1/{path}", body, content_type="application/json", headers=api._headers({}))


def test_fifteen_messages_become_a_listed_event_by_the_sweeps(engine, chat, redis, monkeypatch):
    say_alternately(chat, TAVERN)
    monkeypatch.setattr(extract_event, "apply_async", lambda arguments, **_: extract_event(*arguments))
    assert close_due_chunks() == 1
    assert queue_due_events(extract_event) == 1
    [event] = engine.get(f"conversations/{chat.pk}/events").json()["data"]
    assert (event["state"], event["first_seq"], event["last_seq"], event["proposer"]) == ("buffer", 1, 16, "offline")
    assert "Moon Tavern" in event["display_text"]
    assert engine.get(f"events/{event['event_id']}").json() == event
    assert engine.get(f"conversations/{chat.pk}/events", {"status": "archived"}).json()["data"] == []


def test_events_are_extracted_archived_hidden_and_recalled_by_hand(engine, chat, redis, monkeypatch):
    monkeypatch.setattr(extract_event, "apply_async", lambda arguments, **_: extract_event(*arguments))
    refused = engine.post(f"conversations/{chat.pk}/events/extract", {})
    assert (refused.status_code, refused.json()["code"]) == (409, "nothing_to_extract")
    say_alternately(chat, TAVERN[:6])
    queued = engine.post(f"conversations/{chat.pk}/events/extract", {})
    assert (queued.status_code, len(queued.json()["events"])) == (202, 1)
    [event_id] = queued.json()["events"]
    assert engine.post("events/archive", {"conversation_id": chat.pk}).json() == {"archived": 1, "waiting": 0}
    assert engine.post("events/archive", {"conversation_id": chat.pk}).json()["code"] == "event_not_buffered"
    found = engine.get("users/player-1/events/search", {"q": "who brought the silver key?"}).json()
    assert [each["event"]["event_id"] for each in found["data"]] == [event_id]
    assert patch(engine, f"events/{event_id}", {"is_hidden": True}).json()["is_hidden"]
    assert engine.get("users/player-1/events/search", {"q": "silver key"}).json()["data"] == []
    assert engine.post(f"events/{event_id}/retry", {}).json()["code"] == "event_not_failed"


def test_a_book_is_polled_by_etag_and_by_revision(engine, chat, django_assert_max_num_queries):
    assert book_of(engine, chat).json() == {"entries": {}, "rev": 0, "removed": []}
    say_alternately(chat, TAVERN)
    [node] = make_events(chat)
    first = book_of(engine, chat)
    assert first.json()["entries"]["1"]["extensions"]["memory37"]["event_id"] == str(node.pk)
    same = engine.get("worldinfo", {"conversation_id": chat.pk}, If_None_Match=first["ETag"])
    assert (same.status_code, same.content) == (304, b"")
    assert book_of(engine, chat, since=1).json() == {"entries": {}, "rev": 1, "removed": []}
    archive_conversation(chat.pk, by_hand=True)
    delta = book_of(engine, chat, since=1).json()
    assert (delta["rev"], delta["entries"]["1"]["disable"]) == (2, True)
    message = Message.objects.get(conversation=chat, seq=2)
    engine.post(f"messages/{message.pk}/forget", {})
    gone = book_of(engine, chat, since=2).json()
    assert (gone["entries"], gone["removed"]) == ({}, ["1"])
    assert book_of(engine, chat).json()["entries"] == {}


def test_a_book_edited_by_hand_wins_over_the_archive_and_keeps_its_author(engine, chat):
    say_alternately(chat, TAVERN)
    [node] = make_events(chat)
    book = book_of(engine, chat).json()
    archive_conversation(chat.pk, by_hand=True)  # meanwhile
    book["entries"]["1"]["content"] = "Irina stole the silver key."
    book["entries"]["99"] = {"uid": 99, "key": ["dragon"], "content": "mine", "STMB_start": 3}
    report = engine.post(f"worldinfo?conversation_id={chat.pk}", book).json()
    assert (report["edited"], report["overtaken"], report["foreign"]) == ([str(node.pk)], [str(node.pk)], 1)
    entries = book_of(engine, chat).json()["entries"]
    assert entries["1"]["content"] == "Irina stole the silver key."
    assert entries["99"]["STMB_start"] == 3
    [edit] = EventEdit.objects.filter(node=node)
    assert edit.author.startswith("key ")
    rebuild_events(conversation_id=chat.pk)
    node.refresh_from_db()
    assert node.display_text == "Irina stole the silver key."
    # Until somebody lets the event follow, it is found by its own words and not by those of the entry.
    assert engine.get("users/player-1/events/search", {"q": "who stole it?"}).json()["data"] == []
    found = engine.get("users/player-1/events/search", {"q": "who brought the silver key?"}).json()
    assert found["data"][0]["event"]["is_edited"]
    again = engine.post(f"worldinfo?conversation_id={chat.pk}", book_of(engine, chat).json()).json()
    assert (again["edited"], again["foreign"]) == ([], 1)
    bad = engine.post(f"worldinfo?conversation_id={chat.pk}", {"entries": {"0": {"key": {"a": 1}}}})
    assert (bad.status_code, bad.json()["code"]) == (400, "worldinfo_invalid")


def test_who_switches_an_archived_entry_on_again_keeps_it_on_and_who_only_saw_it_on_changes_nothing(engine, chat):
    say_alternately(chat, TAVERN)
    make_events(chat)
    before = book_of(engine, chat).json()
    archive_conversation(chat.pk, by_hand=True)  # meanwhile
    stale = engine.post(f"worldinfo?conversation_id={chat.pk}", {"entries": before["entries"]}).json()
    assert (stale["edited"], book_of(engine, chat).json()["entries"]["1"]["disable"]) == ([], True)
    for is_disabled in (False, True, False):
        book = book_of(engine, chat).json()
        book["entries"]["1"]["disable"] = is_disabled
        report = engine.post(f"worldinfo?conversation_id={chat.pk}", {"entries": book["entries"]}).json()
        assert (len(report["edited"]), report["overtaken"]) == (1, [])
        assert book_of(engine, chat).json()["entries"]["1"]["disable"] is is_disabled


def test_entries_of_others_are_refused_whole_or_kept_whole(engine, chat):
    def bring(entries):
        return engine.post(f"worldinfo?conversation_id={chat.pk}", {"entries": entries})

    deep: dict = {}
    for _ in range(300):
        deep = {"a": deep}
    mine = {"uid": 1, "key": ["dragon"], "content": "mine"}
    assert bring({"1": mine}).json()["foreign"] == 1
    rev = book_of(engine, chat).json()["rev"]
    for entries in ({"1": {**mine, "other": deep}}, {str(uid): mine for uid in range(501)}):
        refused = bring(entries)
        assert (refused.status_code, refused.json()["code"]) == (400, "worldinfo_invalid")
    book = book_of(engine, chat).json()
    assert (book["rev"], book["entries"]) == (rev, {"1": mine})


def test_an_entry_of_others_stays_when_an_event_takes_its_uid(engine, chat):
    mine = {"uid": 1, "key": ["dragon"], "content": "mine"}
    engine.post(f"worldinfo?conversation_id={chat.pk}", {"entries": {"1": mine}})
    say_alternately(chat, TAVERN)
    make_events(chat)
    book = book_of(engine, chat).json()
    assert set(book["entries"]) == {"1", "1000000001"}
    assert book["entries"]["1000000001"] == {**mine, "uid": 1_000_000_001}
    assert "memory37" in book["entries"]["1"]["extensions"]
    delta = book_of(engine, chat, since=1).json()
    assert delta["entries"].keys() <= book["entries"].keys()
    assert engine.post(f"worldinfo?conversation_id={chat.pk}", book).json()["foreign"] == 1
    assert book_of(engine, chat).json()["entries"] == book["entries"]


def test_a_branch_of_a_branch_has_the_events_of_its_trunks_up_to_the_forks(engine, chat):
    say_alternately(chat, TAVERN)
    [first] = make_events(chat)
    say_alternately(chat, TAVERN)
    [_, behind] = [first, *make_events(chat)]
    branch = Conversation.objects.get(pk=engine.post(f"conversations/{chat.pk}/branch", {"from_seq": 20}).json()["id"])
    say_alternately(branch, TAVERN)
    [own] = make_events(branch)
    twig = Conversation.objects.get(
        pk=engine.post(f"conversations/{branch.pk}/branch", {"from_seq": own.last_seq}).json()["id"]
    )
    book = book_of(engine, twig).json()
    assert set(book["entries"]) == {"1", str(own.first_seq)}  # what the trunk told behind the fork is not in it
    listed = engine.get(f"conversations/{twig.pk}/events").json()["data"]
    assert [each["event_id"] for each in listed] == [str(first.pk), str(own.pk)]
    assert str(behind.pk) in {each["event_id"] for each in engine.get(f"conversations/{chat.pk}/events").json()["data"]}
    book["entries"]["1"]["content"] = "Irina stole the silver key."
    report = engine.post(f"worldinfo?conversation_id={twig.pk}", {"entries": book["entries"]}).json()
    assert (report["edited"], report["unknown"]) == ([str(first.pk)], [])
    assert report["rev"] == book["rev"] + 1 == book_of(engine, twig).json()["rev"]
    assert book_of(engine, chat).json()["entries"]["1"]["content"] == "Irina stole the silver key."
    assert book_of(engine, twig, since=report["rev"]).json() == {"entries": {}, "rev": report["rev"], "removed": []}
    engine.post(f"messages/{Message.objects.get(conversation=chat, seq=2).pk}/edit", {"content": "Nobody is there."})
    delta = book_of(engine, twig, since=report["rev"]).json()
    assert (set(delta["entries"]), delta["removed"]) == ({str(own.first_seq)}, ["1"])
    behind_alone = engine.post(f"worldinfo?conversation_id={twig.pk}", book_of(engine, chat).json()).json()
    assert behind_alone["unknown"] == [str(behind.pk)]


def test_a_pack_tells_an_event_as_remembered_and_not_what_the_talk_tells_already(engine, chat):
    say_alternately(chat, TAVERN, npc_id="npc_miron")
    [node] = make_events(chat)
    say_alternately(chat, ["The sea is calm.", "It is."] * 6, npc_id="npc_miron")
    ask = {"user_id": "player-1", "message": "Who brought the silver key to the tavern?"}
    pack = engine.post("context", ask, X_Site_ID="ashfall").json()
    [layer] = [each for each in pack["layers"] if each["name"] == "events"]
    [item] = layer["items"]
    assert item["provenance"]["ids"]["event_id"] == str(node.pk)
    assert set(item["provenance"]["evidence"]) == set(node.evidence)
    told = "\n".join(message["content"] for message in pack["messages"])
    assert "Remembered events; canon outranks them" in told


def test_rebuilding_gives_the_same_state(chat):
    say_alternately(chat, TAVERN)
    [node] = make_events(chat)
    node.refresh_from_db()
    assert rebuild_events(conversation_id=chat.pk).counts == {"unchanged": 1}
    EventNode.objects.filter(pk=node.pk).update(title="wrong")
    assert rebuild_events(conversation_id=chat.pk, dry_run=True).counts == {"changed": 1}
    assert rebuild_events(conversation_id=chat.pk).counts == {"changed": 1}
    assert EventNode.objects.get(pk=node.pk).title == node.title


def test_a_key_of_another_world_sees_nothing(make_api, chat, tenant):
    say_alternately(chat, TAVERN)
    [node] = make_events(chat)
    other = World.objects.create(tenant=tenant, slug="other", name="Other")
    stranger = make_api("read", "engine", world_id=other.pk)
    assert stranger.get(f"conversations/{chat.pk}/events").status_code == 404
    assert stranger.get(f"events/{node.pk}").status_code == 404
    assert stranger.get("worldinfo", {"conversation_id": chat.pk}).status_code == 404
    assert stranger.get("users/player-1/events/search", {"q": "silver key"}).json().get("data", []) == []


def test_a_worlds_policy_is_read_and_replaced_by_version(engine, chat, redis):
    policy = engine.get("events/policy", X_Site_ID="ashfall").json()
    assert (policy.pop("version"), policy["every"]) == (0, 15)

    def put(body, **headers):
        sent = {**engine._headers({}), "X-Site-ID": "ashfall", **headers}
        return Client().put("/api/v1/events/policy", body, content_type="application/json", headers=sent)

    larger = {**policy, "every": 20, "templates": {"en": "{summary}"}}
    assert (put(larger).status_code, put(larger).json()["code"]) == (428, "event_policy_version_required")
    stored = put(larger, **{"If-Match": '"0"'})
    assert (stored.status_code, stored.json(), stored["ETag"]) == (200, {**larger, "version": 1}, '"1"')
    assert put({**larger, "every": 12}, **{"If-Match": "0"}).json()["code"] == "event_policy_changed"
    assert put({**larger, "every": 9}, **{"If-Match": "1"}).status_code == 400
    broken = put({**larger, "templates": {"en": "{secret}"}}, **{"If-Match": "1"})
    assert (broken.status_code, broken.json()["code"]) == (400, "event_policy_invalid")
    assert engine.get("events/policy", X_Site_ID="ashfall").json() == {**larger, "version": 1}


def test_an_edit_that_overtook_is_listed_and_decided(engine, chat, redis):
    say_alternately(chat, TAVERN)
    make_events(chat)
    book = book_of(engine, chat).json()
    archive_conversation(chat.pk, by_hand=True)
    book["entries"]["1"]["content"] = "Irina brings a forged key."
    brought = engine.post(f"worldinfo?conversation_id={chat.pk}", {"entries": book["entries"]}).json()
    [listed] = engine.get("events/proposals", {"status": "open"}).json()["data"]
    assert (brought["proposed"], listed["after"]) == ([listed["proposal_id"]], "Irina brings a forged key.")
    path = f"events/proposals/{listed['proposal_id']}"
    assert engine.post(f"{path}/accept", {"reason": " "}).status_code == 400
    accepted = engine.post(f"{path}/accept", {"reason": "So it was."}).json()
    assert (accepted["state"], accepted["reason"]) == ("accepted", "So it was.")
    assert engine.post(f"{path}/decline", {"reason": "No."}).json()["code"] == "event_proposal_decided"
    assert engine.post("events/proposals/999999/accept", {"reason": "No."}).status_code == 404
    found = engine.get("users/player-1/events/search", {"q": "forged key"}).json()
    assert found["data"][0]["event"]["plot"]["summary"] == "Irina brings a forged key."


def test_an_archived_event_is_proposed_as_canon_and_is_not_live(engine, chat, make_api, problem):
    say_alternately(chat, TAVERN)
    [node] = make_events(chat)
    editor = make_api("editor", "read", headers={"X-Site-ID": "ashfall"})
    problem(editor.post(f"events/{node.pk}/propose", {}), 409, "event_not_archived")
    archive_conversation(chat.pk, by_hand=True)
    EventNode.objects.update(npc_ids=["npc_miron", "irina"])
    problem(engine.post(f"events/{node.pk}/propose", {}), 403, "scope_missing")
    only_editor = make_api("editor", headers={"X-Site-ID": "ashfall"})
    problem(only_editor.post(f"events/{node.pk}/propose", {}), 403, "scope_missing")
    problem(editor.post(f"events/{uuid.uuid4()}/propose", {}), 404, "event_not_found")
    answer = editor.post(f"events/{node.pk}/propose", {})
    assert answer.status_code == 201, answer.json()
    [request_id] = answer.json()["change_requests"]
    told = editor.get(f"change-requests/{request_id}").json()
    assert told["state"] == "in_review"
    item = ChangeItem.objects.get(change_request=request_id)
    content = item.content
    plot = EventNode.objects.get().read_plot()
    assert content["body"].startswith(plot.summary.splitlines()[0])
    assert set(plot.keywords) <= {*content["aliases"], content["title"]}
    assert content["audience"] == ["npc:irina"]
    again = editor.post(f"events/{node.pk}/propose", {})
    assert (again.status_code, again.json()["counts"]["pending"]) == (200, 1)
    assert not Release.objects.exists()
