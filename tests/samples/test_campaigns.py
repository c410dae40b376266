"""The sample campaigns: in form, about people and places that the sample world has, the same in both languages."""

import datetime as dt
import json

import pytest

from episodes.campaigns.core.summaries import parse_event, parse_summary
from knowledge.text.language import detect_language
from tests.samples.articles import WORLD, read_articles

NOW = dt.datetime(2026, 6, 1, tzinfo=dt.UTC)
CAMPAIGNS = WORLD / "campaign"


def read(language):
    return json.loads((CAMPAIGNS / f"{language}.json").read_text(encoding="utf-8"))


def summaries(language):
    return [parse_summary(entry["summary"], now=NOW) for entry in read(language)["entries"] if "summary" in entry]


@pytest.mark.parametrize("language", ["en", "ru"])
def test_twelve_scenes_and_four_npcs_of_this_world(language):
    told = summaries(language)
    slugs = {article.slug for article in read_articles()}
    assert len({draft.scene_id for draft in told}) == len(told) == 12
    npcs = {npc_id for draft in told for npc_id in draft.npcs}
    assert len(npcs) == 4
    assert npcs | {draft.location_id for draft in told} <= slugs
    assert all(detect_language(draft.notes) == language for draft in told)
    assert [draft.happened_at for draft in told] == sorted(draft.happened_at for draft in told)
    (event,) = [parse_event(entry["event"], now=NOW) for entry in read(language)["entries"] if "event" in entry]
    assert event.kind == "quest_completed"


def test_some_scenes_are_known_to_none_and_some_by_hearsay_only():
    told = summaries("en")
    assert sum(not draft.npcs for draft in told) == 2
    heard = {(each.npc_id, each.summary_id) for draft in told for each in draft.told}
    saw = {(npc_id, draft.summary_id) for draft in told for npc_id in draft.npcs}
    assert len(heard) == 4
    assert not heard & saw


def test_both_languages_tell_the_same():
    for one, other in zip(summaries("en"), summaries("ru"), strict=True):
        assert (one.npcs, one.location_id, one.event, one.outcome, one.flags, one.loot) == (
            other.npcs, other.location_id, other.event, other.outcome, other.flags, other.loot,
        )  # fmt: skip
        assert [(each.npc_id, each.delta) for each in one.deltas] == [
            (each.npc_id, each.delta) for each in other.deltas
        ]
