"""The labelling screen by forms alone: what it shows, what a verdict does, who may see it."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse

from episodes.facts.actions import write_fact
from episodes.forgetting.actions.forgetting import forget_message
from factcheck.extraction.models import CandidateSupport, ExtractionDelta, ExtractionSample, FactCandidate
from knowledge.facts.core.drafts import FactDraft
from knowledge.facts.models import MemoryCorrection, UserFact
from reviews.labelling.core.verdicts import COMMAND_KEYS, DELTA_KEYS, RUN_KEYS
from reviews.labelling.selectors.items import describe_delta, describe_type
from reviews.models import AuditEntry, SampleLabel, SampleLease, SampleSkip
from tests.factories.conversations import say
from tests.factories.people import make_member
from tests.reviews.labelling.items import SAID, make_delta, make_run, make_run_sample, make_sample

pytestmark = pytest.mark.django_db


def open_page(client, tenant, **query):
    return client.get(reverse("admin:labelling", args=[tenant.pk]), query)


def judge(client, tenant, verdict, **form):
    lease = SampleLease.objects.order_by("-taken_at").first()
    url = reverse("admin:labelling_label", args=[tenant.pk])
    return client.post(url, {"lease": lease.pk if lease else 0, "verdict": verdict, **form}, follow=True)


def read(response):
    return response.content.decode()


def test_the_keys_are_what_they_were():
    assert {key: verdict.value for key, verdict in DELTA_KEYS.items()} == {
        "1": "correct", "2": "wrong_value", "3": "wrong_person", "4": "not_meant", "5": "cannot_tell",
    }  # fmt: skip
    assert {key: verdict.value for key, verdict in RUN_KEYS.items()} == {
        "1": "nothing_missed", "2": "missed", "5": "cannot_tell",
    }  # fmt: skip
    assert COMMAND_KEYS == {"z": "undo", "s": "skip", "?": "guide"}


def test_an_item_shows_words_in_context_proposal_gate_and_no_confidence(tenant, rita, talk, browse):
    for place in range(5):
        say(talk, ("assistant", f"before {place}"))
    make_sample(talk, verdict="accepted")
    for place in range(5):
        say(talk, ("assistant", f"after {place}"))
    page = read(open_page(browse(rita), tenant))
    assert "My skin <mark>reacts to nickel</mark>, so no rings." in page
    for place, near in ((1, False), (2, True), (4, True)):
        assert (f"before {place}" in page) is near
    for place, near in ((2, True), (3, False)):
        assert (f"after {place}" in page) is near
    assert "Allergy" in page
    assert "let through" in page
    assert "0.91" not in page
    assert "player-1" not in page
    assert re.search(r"Player [0-9A-Z]{3}-[0-9A-Z]{3}", page)
    for key, verdict in DELTA_KEYS.items():
        assert f'value="{verdict}" data-key="{key}" aria-keyshortcuts="{key}"' in page


def test_right_to_left_words_keep_their_direction(tenant, rita, talk, browse):
    make_sample(talk, "عندي حساسية من النيكل", "حساسية من النيكل", value="النيكل")
    page = read(open_page(browse(rita), tenant))
    assert 'dir="auto">عندي <mark>حساسية من النيكل</mark>' in page
    assert "<bdi>النيكل</bdi>" in page


def test_a_quote_that_the_gate_did_not_find_by_offsets_is_marked_where_it_stands(tenant, rita, talk, browse):
    make_sample(talk, verdict="rejected_no_anchor", outcome="rejected", spans=[])
    page = read(open_page(browse(rita), tenant))
    assert "<mark>reacts to nickel</mark>" in page
    assert "refused" in page


def test_markup_of_players_stays_text(tenant, rita, talk, browse):
    make_sample(talk, "<script>x</script> reacts to nickel", value="<img src=x>")
    page = read(open_page(browse(rita), tenant))
    assert "&lt;script&gt;x&lt;/script&gt; <mark>" in page
    assert "<img src=x>" not in page


def test_a_verdict_comes_before_confidence_and_others(tenant, rita, bela, talk, browse):
    sample = make_sample(talk, labels_wanted=2)
    first = read(open_page(browse(rita), tenant))
    assert "Others said" not in first
    judge(browse(rita), tenant, "wrong_value", seconds=4, comment="it says rings")
    page = read(open_page(browse(bela), tenant))
    assert "Wrong value</strong>" in page
    assert "Others said" not in page
    after = read(judge(browse(bela), tenant, "correct"))
    assert "Others said: Wrong value" in after
    assert "confidence was 0.91" in after
    sample.refresh_from_db()
    assert sample.label_count == 2
    assert list(SampleLabel.objects.order_by("pk").values_list("verdict", "seconds", "comment", "is_late")) == [
        ("wrong_value", 0, "it says rings", False), ("correct", 0, "", False),
    ]  # fmt: skip


def test_a_form_that_comes_twice_is_one_label(tenant, rita, talk, browse):
    make_sample(talk)
    client = browse(rita)
    open_page(client, tenant)
    form = {"lease": SampleLease.objects.get().pk, "verdict": "correct"}
    url = reverse("admin:labelling_label", args=[tenant.pk])
    for _ in range(2):
        assert client.post(url, form).status_code == 303
    assert SampleLabel.objects.count() == 1
    assert "undo that label first" in read(client.post(url, {**form, "verdict": "not_meant"}, follow=True))


@pytest.mark.parametrize("form", [{"verdict": "perfect"}, {"verdict": ""}, {"verdict": "missed"}, {"lease": "x"}])
def test_bad_forms_change_nothing_and_say_why(tenant, rita, talk, browse, form):
    make_sample(talk)
    client = browse(rita)
    open_page(client, tenant)
    answer = judge(client, tenant, **{"verdict": "correct", **form})
    assert answer.status_code == 200
    assert re.search("no such verdict|not one for|not open with you|Mark the message", read(answer))
    assert not SampleLabel.objects.exists()


def test_nothing_is_missing_or_a_message_says_what_is(tenant, rita, talk, browse):
    sample = make_run_sample(talk)
    client = browse(rita)
    page = read(open_page(client, tenant))
    assert "Is anything missing?" in page
    marks = [int(each) for each in re.findall(r'name="missed" value="(\d+)"', page)]
    assert len(marks) == 2
    assert "Mark the message" in read(judge(client, tenant, "missed"))
    judge(client, tenant, "missed", missed=marks[1])
    label = SampleLabel.objects.get()
    assert (label.sample_id, label.missed_message_id) == (sample.pk, marks[1])


def test_undo_goes_back_across_items_and_skip_is_for_ever(tenant, rita, talk, browse):
    samples = [make_sample(talk) for _ in range(3)]
    client = browse(rita)
    for _ in range(2):
        open_page(client, tenant)
        judge(client, tenant, "correct")
    undo = reverse("admin:labelling_undo", args=[tenant.pk])
    page = read(client.post(undo, follow=True))
    assert "Undone: Correct" in page
    assert SampleLease.objects.order_by("-taken_at").first().sample_id == samples[1].pk
    client.post(undo)
    assert "None of your last 20 labels stands" in read(client.post(undo, follow=True))
    assert {row.label_count for row in type(samples[0]).objects.all()} == {0}
    for lease in SampleLease.objects.all():
        client.post(reverse("admin:labelling_skip", args=[tenant.pk]), {"lease": lease.pk})
    assert SampleSkip.objects.count() == 3
    assert "Nothing is left for you" in read(open_page(client, tenant))


def sample_of_fact(talk, source="batch", outcome="written", labels_wanted=1, **more):
    [message] = say(talk, SAID)
    draft = FactDraft(type="allergy", value="nickel", source=source, evidence=(message.pk,), confidence=0.9)
    fact = write_fact(tenant_id=talk.tenant_id, user_id=talk.end_user.external_id, draft=draft).fact
    delta = make_delta(make_run(talk, [message]), message, "reacts to nickel", outcome=outcome, fact=fact, **more)
    return fact, ExtractionSample.objects.create(
        tenant=talk.tenant, end_user=talk.end_user, run=delta.run, delta=delta, kind="delta", reason="random",
        probability=0.1, stratum="en", language="en", labels_wanted=labels_wanted,
    )  # fmt: skip


def test_a_wrong_verdict_on_a_live_fact_ends_it_after_one_confirmation(tenant, rita, talk, browse):
    fact, _ = sample_of_fact(talk)
    client = browse(rita)
    assert "nickel" in read(open_page(client, tenant))
    asked = judge(client, tenant, "wrong_person")
    assert "End it?" in read(asked)
    assert UserFact.objects.get().is_active
    label = SampleLabel.objects.get()
    url = reverse("admin:labelling_end_fact", args=[tenant.pk, label.pk])
    assert "The fact has ended" in read(client.post(url, follow=True))
    row = UserFact.objects.get()
    assert (row.is_active, row.ended_reason) == (False, "denied")
    [logged] = MemoryCorrection.objects.all()
    assert (logged.correction_type, logged.made_by, logged.fact_id) == ("support", "rita", fact.pk)
    assert AuditEntry.objects.filter(action="label.fact_ended", object_id=str(fact.pk)).count() == 1
    assert client.post(url).status_code == 404


def test_a_right_verdict_ends_nothing(tenant, rita, talk, browse):
    sample_of_fact(talk)
    client = browse(rita)
    open_page(client, tenant)
    assert "End it?" not in read(judge(client, tenant, "correct"))
    url = reverse("admin:labelling_end_fact", args=[tenant.pk, SampleLabel.objects.get().pk])
    assert client.post(url).status_code == 404
    assert UserFact.objects.get().is_active


def test_a_fact_that_the_player_stated_is_not_ended_by_a_wrong_confirmation(tenant, rita, talk, browse):
    _, sample = sample_of_fact(talk, source="explicit")
    client = browse(rita)
    open_page(client, tenant)
    assert "End it?" not in read(judge(client, tenant, "not_meant"))
    assert sample.delta.fact.is_active


def test_a_confirmed_fact_is_not_ended_by_a_wrong_confirmation(tenant, rita, talk, browse):
    _, sample = sample_of_fact(talk, outcome="confirmed")
    client = browse(rita)
    open_page(client, tenant)
    assert "End it?" not in read(judge(client, tenant, "not_meant"))
    assert client.post(reverse("admin:labelling_end_fact", args=[tenant.pk, sample.labels.get().pk])).status_code == 404
    assert UserFact.objects.get().is_active


@pytest.mark.parametrize("where", ["message", "world"])
def test_a_fact_that_was_stated_again_since_is_not_ended(tenant, rita, talk, browse, where):
    fact, sample = sample_of_fact(talk)
    client = browse(rita)
    open_page(client, tenant)
    assert "End it?" in read(judge(client, tenant, "wrong_value"))
    again = {"evidence": [*fact.evidence, say(talk, SAID)[0].pk]} if where == "message" else {"stated_in": [0]}
    UserFact.objects.filter(pk=fact.pk).update(**again)
    assert client.post(reverse("admin:labelling_end_fact", args=[tenant.pk, sample.labels.get().pk])).status_code == 404
    assert UserFact.objects.get().is_active


def test_a_fact_that_rests_on_the_candidates_messages_is_ended(tenant, rita, talk, browse):
    [first] = say(talk, SAID)
    candidate = FactCandidate.objects.create(
        tenant=tenant, end_user=talk.end_user, type="allergy", key_index=b"k" * 32, value_index=b"v" * 32,
        key_sealed=b"k", value_sealed=b"v", sealed_by=1, confidence=0.8, first_said_at=first.sent_at,
        last_said_at=first.sent_at,
    )  # fmt: skip
    CandidateSupport.objects.create(
        candidate=candidate, run=make_run(talk, [first]), message_id=first.pk, start=0, end=2, said_at=first.sent_at,
        is_independent=True,
    )  # fmt: skip
    fact, _ = sample_of_fact(talk, candidate=candidate)
    UserFact.objects.filter(pk=fact.pk).update(evidence=[first.pk, *fact.evidence], evidence_span=[])
    client = browse(rita)
    open_page(client, tenant)
    assert "End it?" in read(judge(client, tenant, "wrong_value"))


def end_by_label(client, tenant, verdict="wrong_person"):
    """Labelled as wrong, and the fact ended on the question."""
    open_page(client, tenant)
    judge(client, tenant, verdict)
    label = SampleLabel.objects.get(undone_at__isnull=True)
    client.post(reverse("admin:labelling_end_fact", args=[tenant.pk, label.pk]))
    return label


def undo(client, tenant):
    return read(client.post(reverse("admin:labelling_undo", args=[tenant.pk]), follow=True))


def test_an_undone_label_brings_back_the_fact_that_it_ended(tenant, rita, talk, browse):
    fact, _ = sample_of_fact(talk)
    client = browse(rita)
    label = end_by_label(client, tenant)
    assert "The fact that it ended holds again" in undo(client, tenant)
    [now] = UserFact.objects.filter(is_active=True)
    assert (now.said_at, now.evidence, now.source) == (fact.said_at, fact.evidence, "batch")
    [logged] = AuditEntry.objects.filter(action="label.fact_restored")
    assert logged.details == {"label": label.pk, "sample": label.sample_id, "ended": fact.pk}
    end_by_label(client, tenant, "not_meant")
    assert not UserFact.objects.filter(is_active=True).exists(), "what came back can be ended again"
    assert "holds again" in undo(client, tenant)
    judge(client, tenant, "wrong_person")
    assert "fact that it ended" not in undo(client, tenant), "nothing was ended by this one"


def test_an_undone_label_brings_no_fact_back_whose_proof_is_forgotten(tenant, rita, talk, browse):
    fact, _ = sample_of_fact(talk)
    end_by_label(client := browse(rita), tenant)
    forget_message(tenant_id=tenant.pk, message_id=fact.evidence[0], requested_by="owner")
    assert "holds again" not in undo(client, tenant)
    assert not UserFact.objects.filter(is_active=True).exists()


@pytest.mark.parametrize("later", ["stated", "denied", "labelled"])
def test_the_later_word_on_an_ended_fact_wins_over_an_undone_label(tenant, rita, bela, talk, browse, later):
    fact, _ = sample_of_fact(talk, labels_wanted=2)
    end_by_label(client := browse(rita), tenant)
    if later == "stated":
        [said] = say(talk, "nickel hurts")
        draft = FactDraft(type="allergy", value="nickel", source="explicit", evidence=(said.pk,), confidence=0.9)
        write_fact(tenant_id=talk.tenant_id, user_id=talk.end_user.external_id, draft=draft)
    elif later == "denied":
        MemoryCorrection.objects.create(
            tenant=tenant, end_user=talk.end_user, fact=fact, correction_type="user_denied", outcome="deactivated",
            trigger_message_id=1, basis="explicit",
        )  # fmt: skip
    else:
        open_page(other := browse(bela), tenant)
        judge(other, tenant, "not_meant")
    before = list(UserFact.objects.filter(is_active=True).values_list("pk", flat=True))
    assert "The fact that it ended stays ended" in undo(client, tenant)
    assert list(UserFact.objects.filter(is_active=True).values_list("pk", flat=True)) == before


def test_a_proposal_with_no_message_to_show_is_passed_over(tenant, rita, talk, browse):
    make_sample(talk, quoted=None, evidence=[], spans=[], verdict="rejected_no_evidence", outcome="rejected")
    shown = make_sample(talk)
    response = open_page(browse(rita), tenant)
    assert response.status_code == 200
    assert SampleLease.objects.get().sample == shown


def test_only_reviewers_are_led_to_the_player(tenant, rita, talk, browse):
    reviewer = make_member(tenant, "vera", "reviewer")
    sample_of_fact(talk)
    for person, sees in ((rita, False), (reviewer, True)):
        client = browse(person)
        open_page(client, tenant)
        asked = read(judge(client, tenant, "wrong_value"))
        assert "End it?" in asked
        assert (reverse("admin:player", args=[talk.end_user_id]) in asked) is sees
        client.post(reverse("admin:labelling_undo", args=[tenant.pk]))
        SampleLease.objects.all().delete()


def test_choosing_languages_leaves_the_others_to_others(tenant, rita, talk, browse):
    make_sample(talk, language="ru")
    make_sample(talk, language="en")
    client = browse(rita)
    client.post(reverse("admin:labelling_languages", args=[tenant.pk]), {"language": ["en"]})
    open_page(client, tenant)
    assert SampleLease.objects.get().sample.language == "en"
    judge(client, tenant, "correct")
    assert "In the languages that you chose" in read(open_page(client, tenant))


def test_the_doubtful_are_a_queue_of_their_own(tenant, rita, talk, browse):
    make_sample(talk, reason="risk")
    client = browse(rita)
    assert "Nothing is left for you" in read(open_page(client, tenant))
    assert "Doubtful items" in read(open_page(client, tenant, queue="risk"))
    assert SampleLease.objects.count() == 1


def test_the_page_takes_as_many_queries_for_many_items_as_for_few(
    tenant, rita, talk, browse, django_assert_max_num_queries
):
    client = browse(rita)
    for _ in range(2):
        make_sample(talk)
    open_page(client, tenant)
    for _ in range(15):
        make_sample(talk)
    with django_assert_max_num_queries(26):
        open_page(client, tenant)


def test_nobody_reads_confidence_from_the_fragment(tenant, rita, talk, browse):
    make_sample(talk)
    fragment = open_page(browse(rita), tenant, fragment=1)
    assert read(fragment).lstrip().startswith("<section")
    assert "0.91" not in read(fragment)
    assert ExtractionDelta.objects.get().confidence == 0.91


@pytest.mark.parametrize(
    ("type_", "verdict", "outcome", "told"),
    [
        ("allergy", "accepted", "candidate", ("New fact", "anchor and value were found", "waits for more evidence")),
        ("emotional_patterns", "accepted", "candidate", ("mood", "two sessions", "never a fact")),
        ("brand_preferences", "rejected_no_anchor", "rejected", ("Taste", "one session only", "nothing came of it")),
        ("brand_preferences", "rejected_subject", "rejected", ("Taste", "somebody else", "nothing came of it")),
    ],
)
def test_what_never_becomes_a_fact_is_not_called_one(type_, verdict, outcome, told):
    delta = ExtractionDelta(operation="ADD", type=type_, verdict=verdict, outcome=outcome)
    assert [part in said for part, said in zip(told, describe_delta(delta), strict=True)] == [True] * 3
    assert "_" not in describe_type(type_)
