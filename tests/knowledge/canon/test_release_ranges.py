"""Every release stays exactly what it was, whatever happens after it."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from knowledge.canon.actions import discard_release, roll_back
from knowledge.canon.models import Alias, LorePassage, Publication, Release
from tests.knowledge.canon.house import Canon, make_canon


def test_published_releases_stay_readable(canon: Canon):
    canon.load(dragon="Red scales.", tower="Ten floors.")
    canon.publish(canon.edit("dragon", "Green scales."))
    canon.publish(canon.edit("tower", None), canon.edit("well", "Deep water."))
    canon.check(
        {
            1: {"dragon": "Red scales.", "tower": "Ten floors."},
            2: {"dragon": "Green scales.", "tower": "Ten floors."},
            3: {"dragon": "Green scales.", "well": "Deep water."},
        }
    )


def test_unchanged_documents_share_their_rows(canon: Canon):
    canon.load(dragon="Red scales.", tower="Ten floors.")
    canon.publish(canon.edit("dragon", "Green scales."))
    tower = LorePassage.objects.get(document_id=canon.documents["tower"])
    assert (tower.added_in, tower.removed_in) == (1, None)
    assert Publication.objects.filter(domain_index=canon.index).count() == 3


def test_release_after_rollback_is_built_on_what_is_live(canon: Canon):
    canon.load(dragon="Red scales.", tower="Ten floors.", well="Deep water.")
    canon.publish(canon.edit("dragon", "Green scales."), canon.edit("well", None), canon.edit("gate", "Iron."))
    roll_back(canon.index.pk, to_number=1)
    canon.publish(canon.edit("tower", "Nine floors."))
    old = {"dragon": "Red scales.", "tower": "Ten floors.", "well": "Deep water."}
    canon.check(
        {
            1: old,
            2: {"dragon": "Green scales.", "tower": "Ten floors.", "gate": "Iron."},
            3: {**old, "tower": "Nine floors."},
        }
    )


def test_restored_passages_keep_their_vectors(canon: Canon):
    canon.load(dragon="Red scales.")
    canon.publish(canon.edit("dragon", "Green scales."))
    roll_back(canon.index.pk, to_number=1)
    canon.publish(canon.edit("tower", "Ten floors."))
    first, restored = (canon.passages(number).get(document_id=canon.documents["dragon"]) for number in (1, 3))
    assert (restored.added_in, restored.chunk_id) == (3, first.chunk_id)
    assert restored.embedding == first.embedding
    assert restored.embedding_state == "done"


def test_edit_on_rolled_back_base_of_a_document_that_the_abandoned_release_changed(canon: Canon):
    canon.load(dragon="Red scales.")
    canon.publish(canon.edit("dragon", "Green scales."))
    roll_back(canon.index.pk, to_number=1)
    canon.publish(canon.edit("dragon", "Blue scales."))
    roll_back(canon.index.pk, to_number=2)
    canon.publish(canon.edit("dragon", "Green scales, mostly."))
    canon.check(
        {
            1: {"dragon": "Red scales."},
            2: {"dragon": "Green scales."},
            3: {"dragon": "Blue scales."},
            4: {"dragon": "Green scales, mostly."},
        }
    )


def test_slugs_are_exchanged_within_one_release(canon: Canon):
    canon.load(north="Snow.", south="Sand.")
    canon.publish(canon.edit("south", "Snow.", key="north"), canon.edit("north", "Sand.", key="south"))
    canon.check({1: {"north": "Snow.", "south": "Sand."}, 2: {"south": "Snow.", "north": "Sand."}})


def test_slug_of_a_retired_document_can_be_taken_in_the_same_release(canon: Canon):
    canon.load(north="Snow.")
    old = canon.documents.pop("north")
    canon.documents["old-north"] = old
    live = canon.live_publications()[old]
    retire = canon.edit("old-north", None)
    assert retire.base_revision_id == live.revision_id
    canon.publish(retire, canon.edit("north", "Ice."))
    canon.check({1: {"north": "Snow."}, 2: {"north": "Ice."}})


def test_retired_document_can_return(canon: Canon):
    canon.load(dragon="Red scales.", tower="Ten floors.")
    canon.publish(canon.edit("dragon", None))
    canon.publish(canon.edit("dragon", "Red scales."))
    canon.check({2: {"tower": "Ten floors."}, 3: {"dragon": "Red scales.", "tower": "Ten floors."}})


def test_only_changed_chunks_are_made_anew(canon: Canon, settings):
    body = "\n\n".join(f"# Part {n}\n\n" + f"Words of part {n}. " * 150 for n in range(4))
    canon.load(saga=body)
    before = list(canon.passages(1).order_by("chunk__ordinal").values_list("pk", "chunk__version"))
    assert len(before) == 4
    canon.publish(canon.edit("saga", body.replace("Words of part 2. ", "Words of part 2, changed. ", 1)))
    after = list(canon.passages(2).order_by("chunk__ordinal").values_list("pk", "chunk__version"))
    assert [pk for pk, _ in after][:2] == [pk for pk, _ in before][:2]
    assert after[3] == before[3]
    assert after[2][0] != before[2][0]
    assert after[2][1] == "1.1.0"


def test_chunks_stay_in_reading_order_when_one_is_put_between(canon: Canon):
    parts = [f"# Part {n}\n\n" + f"Words of part {n}. " * 150 for n in range(3)]
    canon.load(saga="\n\n".join(parts))
    new = "# Between\n\n" + "Quite other text here. " * 150
    canon.publish(canon.edit("saga", "\n\n".join([parts[0], new, parts[2], parts[1]])))
    texts = canon.passages(2).order_by("chunk__ordinal").values_list("chunk__text", flat=True)
    assert [text.split("\n")[0] for text in texts] == ["# Part 0", "# Between", "# Part 2", "# Part 1"]


def test_rebuild_makes_every_passage_anew_and_keeps_texts_and_versions(canon: Canon):
    canon.load(dragon="Red scales.", tower="Ten floors.")
    old = set(canon.passages(1).values_list("pk", flat=True))
    canon.publish(rebuild=True)
    assert canon.bodies(2) == canon.bodies(1)
    assert not old & set(canon.passages(2).values_list("pk", flat=True))
    assert set(canon.passages(2).values_list("chunk__version", flat=True)) == {"1.0.0"}
    canon.check({1: canon.bodies(1), 2: canon.bodies(1)})


def test_rebuild_on_a_rolled_back_base(canon: Canon):
    canon.load(dragon="Red scales.", tower="Ten floors.")
    canon.publish(canon.edit("dragon", "Green scales."))
    roll_back(canon.index.pk, to_number=1)
    canon.publish(rebuild=True)
    canon.check({2: {"dragon": "Green scales.", "tower": "Ten floors."}, 3: canon.bodies(1)})


def test_changed_analysis_makes_the_next_release_a_rebuild(canon: Canon):
    canon.load(dragon="Red scales.", tower="Ten floors.")
    Release.objects.filter(domain_index=canon.index).update(analysis_version=0)
    release = canon.publish(canon.edit("dragon", "Green scales."))
    assert release.rebuild
    assert release.edits_total == 2
    assert set(canon.passages(2).values_list("added_in", flat=True)) == {2}


def test_discarded_release_leaves_no_trace(canon: Canon):
    canon.load(dragon="Red scales.", tower="Ten floors.", well="Deep water.")
    canon.publish(canon.edit("dragon", "Green scales."), canon.edit("well", None))
    roll_back(canon.index.pk, to_number=1)
    before = canon.rows()
    release = canon.stage(canon.edit("tower", None), canon.edit("dragon", "Blue."), canon.edit("gate", "Iron."))
    assert canon.rows() != before
    discard_release(release.pk)
    assert canon.rows() == before
    assert set(Alias.objects.filter(domain_index=canon.index).values_list("name", flat=True)) == {"latest"}
    canon.publish(canon.edit("tower", "Nine floors."))
    canon.check({4: {"dragon": "Red scales.", "tower": "Nine floors.", "well": "Deep water."}})


CHANGES = st.dictionaries(st.sampled_from("abcd"), st.one_of(st.none(), st.integers(0, 3)), min_size=1, max_size=3)
STEP = st.one_of(
    st.tuples(st.sampled_from(["publish", "publish", "stage_and_discard", "rebuild"]), CHANGES),
    st.tuples(st.just("roll_back"), st.integers(0, 9)),
    st.tuples(st.just("swap_slugs"), st.tuples(st.sampled_from("abcd"), st.sampled_from("abcd"))),
)


@pytest.mark.django_db
@settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    derandomize=True,
    phases=[Phase.explicit, Phase.generate],
)
@given(st.lists(STEP, min_size=4, max_size=8))
def test_any_sequence_of_changes_leaves_every_release_exact(steps):
    history = _History(make_canon())
    history.take("publish", {"a": 1, "b": 2, "c": 3})
    for kind, argument in steps:
        history.take(kind, argument)
    history.canon.check(history.releases)


class _History:
    """What each release should hold, by a model that copies dictionaries."""

    def __init__(self, canon: Canon) -> None:
        self.canon = canon
        self.releases: dict[int, dict[str, str]] = {}
        self.slugs: dict[int, dict[str, str]] = {}
        self.live: int | None = None

    def take(self, kind, argument) -> None:
        if kind == "roll_back":
            numbers = [number for number in self.releases if number != self.live]
            if numbers:
                self.live = numbers[argument % len(numbers)]
                roll_back(self.canon.index.pk, to_number=self.live)
            return
        bodies = dict(self.releases.get(self.live, {}))
        slugs = dict(self.slugs.get(self.live, {}))
        if kind == "swap_slugs":
            first, second = argument
            if first == second or first not in slugs or second not in slugs:
                return
            texts = bodies[slugs[first]], bodies[slugs[second]]
            slugs[first], slugs[second] = slugs[second], slugs[first]
            edits = [
                self.canon.edit(slugs[key], text, key=key) for key, text in zip((first, second), texts, strict=True)
            ]
            for key, text in zip((first, second), texts, strict=True):
                bodies[slugs[key]] = text
        else:
            edits = self._edit(argument, bodies, slugs)
        if not edits:
            return
        if kind == "stage_and_discard":
            before = self.canon.rows()
            discard_release(self.canon.stage(*edits).pk)
            assert self.canon.rows() == before
            return
        release = self.canon.publish(*edits, rebuild=kind == "rebuild")
        self.live = release.number
        self.releases[self.live], self.slugs[self.live] = bodies, slugs

    def _edit(self, changes, bodies, slugs):
        """Edits for the changes that are possible; `bodies` and `slugs` are changed accordingly."""
        edits = []
        for key, variant in sorted(changes.items()):
            if variant is None:
                if key not in slugs:
                    continue
                edits.append(self.canon.edit(slugs[key], None, key=key))
                del bodies[slugs.pop(key)]
                continue
            slug = slugs.get(key, key)
            if key not in slugs and slug in bodies:
                continue
            text = f"Article {key} says {variant}.\n\n" + "More words follow. " * (variant * 60)
            edits.append(self.canon.edit(slug, text, key=key))
            slugs[key], bodies[slug] = slug, text.strip()
        return edits
