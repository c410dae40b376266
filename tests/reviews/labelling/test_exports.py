"""Gold items come from a file; labels go out as lines that hearing is fitted by."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from factcheck.extraction.models import ExtractionSample
from factcheck.instant.core.labelled_lines import read_labelled_lines
from reviews.labelling.actions.forgetting import forget_in_labelling
from reviews.labelling.actions.gold import SHIPPED_GOLD, parse_gold_file
from reviews.labelling.core.labelled_lines import agree
from reviews.labelling.selectors.items import view_item
from reviews.models import GoldItem, SampleLabel, SampleLease
from tests.factories.conversations import open_chat, say
from tests.reviews.labelling.items import make_delta, make_run, make_run_sample, make_sample
from tests.reviews.labelling.test_forgetting import describe

pytestmark = pytest.mark.django_db
GOOD = {"id": "a", "language": "en", "messages": [{"role": "user", "text": "I wear M."}], "verdict": "correct",
        "reason": "Said.", "proposal": {"operation": "ADD", "type": "body_params", "key": "size", "value": "M",
                                        "message": 1, "quote": "I wear M"}}  # fmt: skip


def load(path=None):
    out = io.StringIO()
    call_command("load_gold_items", *([str(path)] if path else []), stdout=out)
    return out.getvalue().strip()


def test_the_shipped_items_are_many_in_four_languages_and_half_planted(tenant, rita):
    lines = parse_gold_file((Path(settings.BASE_DIR) / SHIPPED_GOLD).read_text(encoding="utf-8"))
    assert len(lines) >= 24
    for language in ("en", "ru", "ar", "zh"):
        own = [line for line in lines if line.language == language]
        assert len(own) >= 6
        assert {line.kind for line in own} == {"delta", "run"}
        assert 0.4 <= sum(line.is_planted for line in own) / len(own) <= 0.65
    verdicts = {line.verdict for line in lines}
    assert verdicts == {"correct", "wrong_value", "wrong_person", "not_meant", "missed", "nothing_missed"}
    assert load() == f"{len(lines)} added, 0 changed, 0 retired"
    assert load() == "0 added, 0 changed, 0 retired"
    for gold in GoldItem.objects.all():
        lease = SampleLease(pk=1, tenant=tenant, gold=gold, reviewer=rita, taken_at=gold.created_at)
        item = view_item(lease)
        assert item.is_run or any(segment.is_marked for each in item.messages for segment in each.segments), gold.slug


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"verdict": "missed"}, "is not one of"),
        ({"verdict": "cannot_tell"}, "is not one of"),
        ({"messages": []}, "not empty"),
        ({"messages": [{"role": "npc", "text": "x"}]}, "role"),
        ({"reason": ""}, "no `reason`"),
        ({"proposal": {**GOOD["proposal"], "quote": "I wear L"}}, "does not stand in message 1"),
        ({"proposal": {**GOOD["proposal"], "message": 2}}, "place of the quoted message"),
        ({"proposal": {**GOOD["proposal"], "value": ""}}, "no `value`"),
    ],
)
def test_a_bad_file_says_which_line_and_changes_nothing(tmp_path, change, told):
    path = tmp_path / "gold.jsonl"
    path.write_text(json.dumps(GOOD) + "\n" + json.dumps({**GOOD, "id": "b", **change}))
    with pytest.raises(CommandError, match=f"Line 2.*{told}"):
        load(path)
    assert not GoldItem.objects.exists()


@pytest.mark.parametrize("text", ["", "[]", "{", json.dumps(GOOD) + "\n" + json.dumps(GOOD)])
def test_a_file_that_is_none_is_refused(tmp_path, text):
    path = tmp_path / "gold.jsonl"
    path.write_text(text)
    with pytest.raises(CommandError):
        load(path)
    with pytest.raises(CommandError, match="cannot be read"):
        load(tmp_path / "nothing.jsonl")


def test_items_that_left_the_file_retire_and_come_back(tmp_path):
    load()
    path = tmp_path / "gold.jsonl"
    path.write_text(json.dumps(GOOD))
    assert load(path) == f"1 added, 0 changed, {GoldItem.objects.count() - 1} retired"
    assert "1 retired" in load()
    assert GoldItem.objects.filter(is_retired=True).get().slug == "a"


def judge(sample, person, verdict, **more):
    return SampleLabel.objects.create(tenant=sample.tenant, sample=sample, reviewer=person, verdict=verdict, **more)


def export(tenant, *options):
    out = io.StringIO()
    call_command("export_labels", "--tenant", tenant.slug, *options, stdout=out, stderr=io.StringIO())
    return [json.loads(line) for line in out.getvalue().splitlines()]


def test_labels_become_lines_that_hearing_is_fitted_by(tenant, talk, rita, tmp_path):
    judge(make_sample(talk), rita, "correct")
    judge(make_sample(talk, "My aunt reacts to nickel."), rita, "wrong_person")
    judge(make_sample(talk, "It reacts to nickel, I guess?"), rita, "cannot_tell")
    judge(make_sample(talk, "Half reacts to nickel."), rita, "wrong_value")
    make_sample(talk, "Nobody labelled: reacts to nickel.")
    judge(make_run_sample(talk, "Good morning.", "See you."), rita, "nothing_missed")
    blind = make_run_sample(talk, "I never eat shellfish.", "Bye.")
    judge(blind, rita, "missed", missed_message_id=blind.run.message_rows.order_by("pk").first().message_id)
    lines = export(tenant)
    assert [(line["text"], line["expect"]) for line in lines] == [
        ("My skin reacts to nickel, so no rings.", [{"type": "allergy", "any_of": ["nickel"]}]),
        ("My aunt reacts to nickel.", []), ("Good morning.", []), ("See you.", []),
    ]  # fmt: skip
    path = tmp_path / "labels.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)))
    assert len(read_labelled_lines([path])) == 4


def test_a_message_with_a_fact_that_nobody_judged_is_no_example(tenant, talk, rita):
    sample = make_sample(talk, "My skin reacts to nickel and reacts to wool.")
    [message] = say(talk, "x")
    judge(sample, rita, "correct")
    assert len(export(tenant)) == 1
    message.pk, message.content = sample.delta.evidence[0], "My skin reacts to nickel and reacts to wool."
    make_delta(sample.run, message, "reacts to wool", key="wool", value="wool", position=2)
    assert export(tenant) == []


def test_a_question_that_an_answer_needs_goes_along(tenant, talk, rita):
    [asked] = say(talk, ("assistant", "What must I never serve you?"))
    [answered] = say(talk, "Nickel!")
    delta = make_delta(make_run(talk, [answered]), answered, "Nickel", evidence=[asked.pk, answered.pk])
    sample = ExtractionSample.objects.create(
        tenant=tenant, end_user=talk.end_user, run=delta.run, delta=delta, kind="delta", reason="random",
        probability=1, stratum="en", labels_wanted=1,
    )  # fmt: skip
    judge(sample, rita, "correct")
    [line] = export(tenant)
    assert (line["text"], line["context"]) == ("Nickel!", "What must I never serve you?")


def test_nothing_forgotten_undone_or_of_another_tenant_is_exported(tenant, talk, rita, bela):
    kept, undone, gone = (make_sample(talk) for _ in range(3))
    for sample in (kept, undone, gone):
        label = judge(sample, rita, "correct")
        if sample is undone:
            SampleLabel.objects.filter(pk=label.pk).update(undone_at=label.created_at)
    forget_in_labelling(describe(talk, *gone.delta.evidence))
    other = type(tenant).objects.create(slug="other", name="Other")
    judge(make_sample(open_chat(other, "player-9")), bela, "correct")
    assert [line["id"] for line in export(tenant)] == [f"message-{kept.delta.evidence[0]}"]
    assert export(tenant, "--golden") == []
    with pytest.raises(CommandError, match="no tenant"):
        call_command("export_labels", "--tenant", "nobody")


@pytest.mark.parametrize(
    ("verdicts", "agreed"),
    [
        ([], None),
        ([("correct", 1.0)], "correct"),
        ([("correct", 1.0), ("wrong_value", 1.0)], None),
        ([("correct", 1.0), ("wrong_value", 0.4)], "correct"),
        ([("cannot_tell", 1.0)], None),
        ([("correct", 1.0), ("wrong_value", 0.6), ("not_meant", 0.6)], None),
    ],
)
def test_a_verdict_holds_by_more_than_half_of_the_weight(verdicts, agreed):
    assert agree(verdicts) == agreed
