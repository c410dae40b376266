"""Threads in admin: for whom, the tree, and the answers that people give there."""

from __future__ import annotations

import pytest
from django.urls import reverse

from episodes.threads.actions.checkpoints import put_checkpoint
from episodes.threads.actions.writes import put_writes
from episodes.threads.core.drafts import CheckpointDraft, InterruptDraft, Place, TaskWrites
from episodes.threads.core.values import StateValue
from episodes.threads.models import Thread, ThreadInterrupt

pytestmark = pytest.mark.django_db
ORDER = {
    "type": "object",
    "required": ["approved"],
    "properties": {
        "approved": {"type": "boolean", "title": "Buy <b>it</b>?"}, "note": {"type": "string"},
        "price": {"type": "number"}, "by": {"enum": ["ferry", "cart"]},
    },
}  # fmt: skip


def put(place, name, parent="", **metadata):
    checkpoint = {"id": name, "channel_versions": {"plan": name}}
    value = {"plan": StateValue("json", b'"the <b>moon</b> door"')}
    put_checkpoint(place, CheckpointDraft(checkpoint, parent_id=parent, metadata=metadata, values=value))


def ask(place, schema, graph_id="ask"):
    asked = [InterruptDraft(graph_id, "Spend the <b>last</b> key?", schema)]
    put_writes(place, TaskWrites(checkpoint_id="c", task_id=graph_id, interrupts=asked), author="test")
    return ThreadInterrupt.objects.get(graph_id=graph_id)


@pytest.fixture
def place(selmar):
    place = Place(selmar.tenant.pk, None, "door-1")
    for name, parent in (("a", ""), ("b", "a"), ("c", "a")):
        put(place, name, parent, source="loop", step=1)
    return place


def test_a_page_shows_the_tree_and_the_state(selmar, sign_in, place, django_assert_max_num_queries):
    ask(place, None)
    client = sign_in(selmar.reviewer)
    thread = Thread.objects.get()
    assert "door-1" in client.get(reverse("admin:episodes_thread_changelist")).content.decode()
    with django_assert_max_num_queries(30):
        page = client.get(reverse("admin:episodes_thread_change", args=[thread.pk])).content.decode()
    for told in (
        "fork",
        "head",
        "margin-inline-start: 1em",
        'from <span class="m-slug">a</span>',
        "the &lt;b&gt;moon&lt;/b&gt; door",
        "Spend the &lt;b&gt;last",
    ):
        assert told in page, told
    listed = client.get(reverse("admin:episodes_threadinterrupt_changelist")).content.decode()
    assert "Spend the &lt;b&gt;last" in listed


@pytest.mark.parametrize(
    ("schema", "sent", "answer"),
    [
        ({"type": "boolean"}, {"kind": "boolean", "value": "true"}, True),
        ({"type": "string"}, {"kind": "text", "value": "yes"}, "yes"),
        (None, {"kind": "json", "value": '{"a": 1}'}, {"a": 1}),
        (
            ORDER,
            {"kind": "fields", "field-0": "true", "field-2": "2,5", "field-3": "ferry"},
            {"approved": True, "price": 2.5, "by": "ferry"},
        ),
        ({**ORDER, "properties": {"deep": {"type": "object"}}, "required": []}, {"kind": "json", "value": "{}"}, {}),
    ],
)
def test_a_person_answers_once(selmar, sign_in, place, schema, sent, answer):
    from episodes.threads.selectors import view_interrupts

    row = ask(place, schema)
    client = sign_in(selmar.reviewer)
    page = client.get(reverse("admin:episodes_threadinterrupt_change", args=[row.pk])).content.decode()
    assert f'name="kind" value="{sent["kind"]}"' in page
    assert "<b>" not in page
    client.post(reverse("admin:interrupt_answer", args=[row.pk]), sent)
    client.post(reverse("admin:interrupt_answer", args=[row.pk]), {"verb": "reject", "reason": "no"})
    [view] = view_interrupts([ThreadInterrupt.objects.get()])
    assert (view.row.state, view.answer) == ("approved", answer)
    assert view.row.decided_by.startswith("staff ")
    assert Thread.objects.get().state == "approved"


def test_an_answer_that_does_not_fit_is_refused_and_a_rejection_says_why(selmar, sign_in, place):
    row = ask(place, {"type": "integer"})
    client = sign_in(selmar.reviewer)
    for value in ("not JSON", '"a text"', "NaN", "1e999", "[" * 100_000):
        client.post(reverse("admin:interrupt_answer", args=[row.pk]), {"kind": "json", "value": value})
    assert ThreadInterrupt.objects.get().state == "open"
    client.post(reverse("admin:interrupt_answer", args=[row.pk]), {"verb": "reject", "reason": "the key is promised"})
    page = client.get(reverse("admin:episodes_threadinterrupt_change", args=[row.pk])).content.decode()
    assert "the key is promised" in page


def test_a_form_with_a_member_missing_or_wrong_is_refused(selmar, sign_in, place):
    row = ask(place, ORDER)
    client = sign_in(selmar.reviewer)
    for sent in (
        {},
        {"field-0": "perhaps"},
        {"field-0": "true", "field-2": "much"},
        {"field-0": "true", "field-2": "NaN"},
    ):
        client.post(reverse("admin:interrupt_answer", args=[row.pk]), {"kind": "fields", **sent})
        assert ThreadInterrupt.objects.get().state == "open", sent


def test_a_person_rolls_back_after_a_dry_run(selmar, sign_in, place):
    client = sign_in(selmar.reviewer)
    url = reverse("admin:thread_rollback", args=[Thread.objects.get().pk])
    assert "2 checkpoints hold no more" in client.get(url, {"checkpoint_id": "a"}).content.decode()
    client.post(url, {"checkpoint_id": "a", "reason": "wrong door"})
    page = client.get(reverse("admin:episodes_thread_change", args=[Thread.objects.get().pk])).content.decode()
    assert page.count("undone</span>") == 2
    assert "wrong door" in page


def test_others_see_nothing_and_only_an_owner_deletes(selmar, sign_in, place):
    row = ask(place, None)
    thread = Thread.objects.get()
    editor = sign_in(selmar.editor)
    for url in (
        reverse("admin:episodes_thread_change", args=[thread.pk]),
        reverse("admin:episodes_threadinterrupt_change", args=[row.pk]),
        reverse("admin:thread_rollback", args=[thread.pk]),
    ):
        assert editor.get(url).status_code in (302, 403, 404), url
    assert editor.post(reverse("admin:interrupt_answer", args=[row.pk]), {"value": "1"}).status_code in (403, 404)
    assert sign_in(selmar.reviewer).post(reverse("admin:thread_delete", args=[thread.pk])).status_code in (403, 404)
    assert Thread.objects.exists()
    sign_in(selmar.owner).post(reverse("admin:thread_delete", args=[thread.pk]))
    assert not Thread.objects.exists()
