"""Labelled proposals as golden lines: redacted, forgotten with their user, exported, and read back for fitting."""

from __future__ import annotations

import json

import pytest
from django.db import connection
from django.urls import reverse

from episodes.models import Message
from factcheck.extraction.models import ExtractionDelta
from reviews.errors import SampleGone, UnknownSample
from reviews.labelling.actions.golden_cases import make_golden_case
from reviews.labelling.core.redaction import Redactor
from reviews.labelling.selectors.golden_cases import list_cases
from reviews.models import GoldenCase, SampleLabel
from tests.factories.conversations import say
from tests.factories.people import make_member
from tests.reviews.labelling.items import make_run_sample, make_sample

pytestmark = pytest.mark.django_db


def redact(text, *, known=(), kept=(), seed="s"):
    redactor = Redactor(seed, known=known, kept=kept)
    redactor.learn([text])
    return redactor.redact(text)


@pytest.mark.parametrize(
    ("text", "gone", "stays"),
    [
        (
            "Write to anna.b@mail.example or call +971 50 123 4567.",
            ["anna", "123", "4567"],
            ["Write to", "call"],
        ),
        ("My sister Anna moved to Dubai, she wears 38.", ["Anna", "Dubai"], ["My sister", "38"]),
        ("Моя сестра Марина живёт в Казани, дом 1415.", ["Марина", "Казани", "1415"], ["Моя сестра", "дом"]),
        ("اسمي ليلى ورقمي ٠٥٠١٢٣٤٥٦٧", ["ليلى", "٢٣٤٥٦٧"], ["اسمي"]),
        ("我叫王小明，电话13812345678", ["王小明", "12345678"], ["我叫", "电话"]),
        ("see https://chat.example/u/77 and @nicky_b", ["chat.example", "nicky"], ["see", "and"]),
    ],
)
def test_names_addresses_and_long_numbers_give_way(text, gone, stays):
    told = redact(text)
    for word in gone:
        assert word not in told, told
    for word in stays:
        assert word in told, told


def test_shape_stays():
    told = redact("card 4111-1111-1111-1111, zip ٠١٢٣٤, budget 5000 AED, size XL")
    assert [len(each) for each in told.split(", ")[0].split(" ")[1].split("-")] == [4, 4, 4, 4]
    assert told.endswith("AED, size XL")
    assert all("\u0660" <= sign <= "\u0669" for sign in told.split(", ")[1].split(" ")[1])


def test_what_the_proposal_says_stays_and_a_quote_still_stands_in_its_message():
    redactor = Redactor("s", kept=["Zara"])
    text = "Only Zara for Nadia, never at 14500 a piece."
    redactor.learn([text])
    told, quote = redactor.redact(text), redactor.redact("Zara for Nadia, never at 14500")
    assert "Zara" in told
    assert "Nadia" not in told
    assert quote in told


def test_the_name_that_the_runtime_told_is_known_in_any_case():
    assert "nadia" not in redact("so nadia said to NADIA", known=["Nadia"]).casefold()


def make_label(sample, person, verdict="wrong_person", **more):
    return SampleLabel.objects.create(tenant=sample.tenant, sample=sample, reviewer=person, verdict=verdict, **more)


def make_case(label):
    return make_golden_case(tenant_id=label.tenant_id, reviewer_id=label.reviewer_id, label_id=label.pk)


def test_a_case_is_a_line_of_a_golden_file(tenant, talk, rita):
    say(talk, ("assistant", "What about your family?"))
    said = "My friend Nadia can't have nickel, call 0501234567."
    label = make_label(make_sample(talk, said, "can't have nickel"), rita)
    case = make_case(label)
    assert make_case(label).pk == case.pk
    line = case.line
    assert {name: line[name] for name in ("why", "type", "key", "value", "quote", "expected", "operation")} == {
        "why": "wrong_person", "type": "allergy", "key": "nickel", "value": "nickel", "quote": "can't have nickel",
        "expected": "rejected", "operation": "ADD",
    }  # fmt: skip
    assert line["quote"] in line["text"]
    assert "Nadia" not in json.dumps(line)
    assert "0501234567" not in json.dumps(line)
    assert [each["role"] for each in line["messages"]] == ["assistant", "user"]


def test_only_proposals_with_an_answer_become_cases(tenant, talk, rita, bela):
    for sample, verdict in ((make_sample(talk), "cannot_tell"), (make_run_sample(talk), "nothing_missed")):
        with pytest.raises(UnknownSample):
            make_case(make_label(sample, rita, verdict))
    strange = make_label(make_sample(talk), bela)
    with pytest.raises(UnknownSample):
        make_golden_case(tenant_id=tenant.pk, reviewer_id=rita.pk, label_id=strange.pk)


def test_nothing_to_show_is_nothing_to_make_a_case_of(tenant, talk, rita):
    sample = make_sample(talk, quoted=None, evidence=[], spans=[], verdict="rejected_no_evidence", outcome="rejected")
    with pytest.raises(SampleGone):
        make_case(make_label(sample, rita))


def test_a_case_waits_for_the_players_lock_and_looks_again(tenant, talk, rita):
    label = make_label(make_sample(talk), rita)
    message_id = label.sample.delta.evidence[0]
    asked = []

    def forget_meanwhile(execute, sql, params, many, context):
        answer = execute(sql, params, many, context)
        if "FOR NO KEY UPDATE" in sql and not asked:
            asked.append(sql)
            Message.objects.filter(pk=message_id).update(forgotten_at=label.created_at)
            ExtractionDelta.objects.filter(pk=label.sample.delta_id).update(words_sealed=b"")
        return answer

    with connection.execute_wrapper(forget_meanwhile), pytest.raises(SampleGone):
        make_case(label)
    assert "tenancy_enduser" in asked[0]
    assert not GoldenCase.objects.exists()


def test_reviewers_read_export_and_forget_cases(tenant, talk, rita, browse):
    case = make_case(make_label(make_sample(talk), rita))
    undone = make_label(make_sample(talk), rita)
    make_case(undone)
    SampleLabel.objects.filter(pk=undone.pk).update(undone_at=undone.created_at)
    client = browse(make_member(tenant, "vera", "reviewer"))
    url = reverse("admin:labelling_cases", args=[tenant.pk])
    assert "nickel" in client.get(url).content.decode()
    exported = client.get(reverse("admin:labelling_export_cases", args=[tenant.pk])).content.decode()
    assert [json.loads(line)["id"] for line in exported.splitlines()] == [case.line["id"]]
    forget = reverse("admin:labelling_forget_case", args=[tenant.pk, case.pk])
    assert "The case is forgotten" in client.post(forget, follow=True).content.decode()
    assert client.post(forget).status_code == 404
    assert not list_cases(tenant.pk).exists()
    assert "nickel" not in client.get(url).content.decode()
