"""What is forgotten or erased leaves the queue at once, also from under a lease; labels stay without words."""

from __future__ import annotations

import pytest
from django.db import connection
from django.urls import reverse

from episodes.facts.actions import remove_fact
from episodes.forgetting.actions.erasure import erase_user
from episodes.forgetting.actions.forgetting import forget_messages
from episodes.forgetting.core.selections import Selection
from episodes.models import Message
from factcheck.extraction.models import ExtractionSample
from knowledge.facts.actions import apply_fact
from knowledge.facts.core.drafts import FactDraft
from memoryproject.forgetting.registry import Forgotten, Gone
from reviews.labelling.actions.forgetting import forget_all_in_labelling, forget_in_labelling
from reviews.labelling.actions.golden_cases import make_golden_case
from reviews.labelling.actions.labels import Verdict, submit_label
from reviews.labelling.actions.leases import draw_item
from reviews.models import GoldenCase, SampleLabel, SampleLease
from tests.factories.conversations import open_chat, say
from tests.reviews.labelling.items import make_delta, make_run, make_run_sample, make_sample

pytestmark = pytest.mark.django_db
SEARCHED = ("reviews_", "factcheck_extraction", "episodes_message")


def label(tenant, person, verdict="wrong_value", **more):
    lease = draw_item(tenant_id=tenant.pk, reviewer_id=person.pk)
    given = Verdict(verdict, **more)
    return submit_label(tenant_id=tenant.pk, reviewer_id=person.pk, lease_id=lease.pk, given=given)


def make_case(tenant, person, of):
    return make_golden_case(tenant_id=tenant.pk, reviewer_id=person.pk, label_id=of.pk)


def forget(talk, *message_ids):
    return forget_messages(
        tenant_id=talk.tenant_id, end_user_id=talk.end_user_id, requested_by="test",
        selection=Selection("messages", message_ids=message_ids) if message_ids else Selection("all"),
    )  # fmt: skip


def describe(talk, *message_ids, **more):
    return Forgotten(talk.tenant_id, talk.end_user_id, message_ids, (), **more)


def test_an_item_leaves_from_under_an_open_lease(tenant, talk, rita, browse, django_capture_on_commit_callbacks):
    make_sample(talk)
    other = make_sample(talk, "I wear size M in shirts.", "wear size M", key="size", value="M", type="body_params")
    client, url = browse(rita), reverse("admin:labelling", args=[tenant.pk])
    assert "nickel" in client.get(url).content.decode()
    lease = SampleLease.objects.get()
    with django_capture_on_commit_callbacks(execute=True):
        receipt = forget(talk, lease.sample.delta.evidence[0])
    receipt.refresh_from_db()
    # Whoever empties a proposal's words takes its sample out of the queue: the store of runs is asked first.
    cleared = receipt.cleared["extraction"] + receipt.cleared["labelling"]
    assert (receipt.state, cleared, receipt.verification["labelling"]) == ("done", 1, 0)
    keep = reverse("admin:labelling_keep", args=[tenant.pk])
    assert client.post(keep, {"lease": lease.pk}).json() == {"state": "gone"}
    form = {"lease": lease.pk, "verdict": "correct"}
    refused = client.post(reverse("admin:labelling_label", args=[tenant.pk]), form, follow=True).content.decode()
    assert "forgotten meanwhile" in refused
    assert "nickel" not in refused
    assert "wear size M" in refused
    assert list(ExtractionSample.objects.filter(is_gone=False)) == [other]
    assert not SampleLabel.objects.exists()


def test_an_item_under_an_order_is_hidden_before_any_store_is_told(tenant, talk, rita, browse):
    make_sample(talk)
    client, url = browse(rita), reverse("admin:labelling", args=[tenant.pk])
    assert "nickel" in client.get(url).content.decode()
    talk.refresh_from_db()
    talk.gone_to, talk.gone_at = 1, Message.objects.get().created_at
    talk.save()
    page = client.get(url).content.decode()
    assert "nickel" not in page
    assert "Nothing is left for you" in page


def test_a_label_stays_without_words_and_a_case_loses_its_line(tenant, talk, rita):
    sample = make_sample(talk)
    given = label(tenant, rita, comment="He says nickel.")
    case = make_case(tenant, rita, given)
    assert "nickel" in str(case.line)
    told = describe(talk, sample.delta.evidence[0])
    assert forget_in_labelling(told) == 3
    assert forget_in_labelling(told) == 0
    given.refresh_from_db()
    case.refresh_from_db()
    assert (given.verdict, given.comment, given.undone_at) == ("wrong_value", "", None)
    assert (case.line, case.forgotten_at is None) == (None, False)
    assert find_word("nickel", but=("episodes_message", "episodes_messagepassage")) == set()


def test_a_case_goes_with_a_neighbour_whose_words_it_holds(tenant, talk, rita):
    say(talk, ("assistant", "What may I never cook for you?"))
    make_sample(talk)
    case = make_case(tenant, rita, label(tenant, rita))
    question = Message.objects.order_by("pk").first()
    assert question.pk in case.message_ids
    assert forget_in_labelling(describe(talk, question.pk)) == 1
    assert GoldenCase.objects.get().line is None
    assert ExtractionSample.objects.get().is_gone is False, "the proposal rests on other words"


def test_a_run_leaves_with_any_message_that_it_read(tenant, talk, rita):
    sample = make_run_sample(talk)
    label(tenant, rita, "nothing_missed", comment="small talk")
    read = sample.run.message_rows.order_by("message_id").first().message_id
    assert forget_in_labelling(describe(talk, read)) == 2
    sample.refresh_from_db()
    assert sample.is_gone
    assert SampleLabel.objects.get().comment == ""


def test_words_that_another_store_emptied_first_take_the_item_along(tenant, talk):
    [message] = say(talk, "It reacts to nickel.")
    delta = make_delta(make_run(talk, [message]), message, "reacts to nickel")
    owner = {"tenant": tenant, "end_user": talk.end_user, "run": delta.run, "delta": delta}
    ExtractionSample.objects.create(
        **owner, kind="delta", reason="random", probability=1, stratum="en", labels_wanted=1
    )
    type(delta).objects.update(words_sealed=b"", evidence=[])
    assert forget_in_labelling(describe(talk, message.pk)) == 1


def test_all_of_a_user_goes_and_nothing_of_others(tenant, talk, rita):
    others = make_sample(open_chat(tenant, "player-2"))
    mine = [make_sample(talk), make_run_sample(talk)]
    for _ in range(3):
        label(tenant, rita, "cannot_tell", comment="who knows")
    assert forget_all_in_labelling(Gone(tenant.pk, talk.end_user_id, None)) == 4
    assert set(ExtractionSample.objects.filter(is_gone=True)) == set(mine)
    assert list(SampleLabel.objects.exclude(comment="").values_list("sample_id", flat=True)) == [others.pk]
    assert forget_in_labelling(describe(talk, is_everything=True)) == 0


def test_forgetting_one_world_leaves_the_other_worlds_items(tenant):
    from tenancy.models import World

    talks = []
    for slug in ("north", "south"):
        world = World.objects.create(tenant=tenant, slug=slug, name=slug)
        talks.append(open_chat(tenant, world=world))
    north, south = (make_sample(each) for each in talks)
    assert forget_all_in_labelling(Gone(tenant.pk, talks[0].end_user_id, talks[0].world_id)) == 1
    assert list(ExtractionSample.objects.filter(is_gone=False)) == [south]
    north.refresh_from_db()
    assert north.is_gone


def test_an_erasure_counts_what_it_cleared_and_nothing_is_found(tenant, talk, rita, django_capture_on_commit_callbacks):
    make_sample(talk)
    make_case(tenant, rita, label(tenant, rita, comment="nickel again"))
    with django_capture_on_commit_callbacks(execute=True):
        receipt = erase_user(tenant_id=tenant.pk, end_user_id=talk.end_user_id, reason="Case 1", requested_by="test")
    receipt.refresh_from_db()
    assert (receipt.state, receipt.cleared["labelling"]) == ("done", 2), "the remark and the case"
    assert GoldenCase.objects.get().line is None
    assert SampleLabel.objects.get().comment == ""
    assert ExtractionSample.objects.get().is_gone
    assert find_word("nickel") == set()


def test_a_case_and_a_remark_go_with_the_fact_that_was_deleted_by_hand(tenant, talk, rita):
    sample = make_sample(talk)
    draft = FactDraft(type="allergy", key="nickel", value="nickel", source="onboarding")
    fact = apply_fact(tenant_id=tenant.pk, end_user_id=talk.end_user_id, draft=draft).fact
    [message] = say(talk, "It reacts to nickel.")
    written = make_delta(make_run(talk, [message]), message, "reacts to nickel", fact=fact, outcome="written")
    owner = {"tenant": tenant, "end_user": talk.end_user, "run": written.run, "delta": written}
    ExtractionSample.objects.create(
        **owner, kind="delta", reason="random", probability=1, stratum="en", labels_wanted=1
    )
    given = {}
    for _ in range(2):
        one = label(tenant, rita, comment="He says nickel.")
        given[one.sample.delta_id] = (one, make_case(tenant, rita, one))
    remove_fact(tenant_id=tenant.pk, end_user_id=talk.end_user_id, fact_id=fact.pk)
    for one, case in given.values():
        one.refresh_from_db()
        case.refresh_from_db()
    one, case = given[written.pk]
    assert (one.comment, case.line, one.verdict) == ("", None, "wrong_value")
    one, case = given[sample.delta_id]
    assert (one.comment, case.line is None) == ("He says nickel.", False), "it wrote another fact"


def find_word(word, but=()):
    """The tables of reviews and of the second stage that hold the word anywhere."""
    found = set()
    with connection.cursor() as cursor:
        cursor.execute("SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'")
        tables = [table for (table,) in cursor.fetchall() if table.startswith(SEARCHED)]
        for table in tables:
            cursor.execute(f"SELECT count(*) FROM {table} t WHERE t::text ILIKE %s", [f"%{word}%"])
            if cursor.fetchone()[0] and table not in but:
                found.add(table)
    return found
