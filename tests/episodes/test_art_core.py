"""Tags of a text and how markers meet them, without a database."""

from __future__ import annotations

from jsonschema import Draft202012Validator

from episodes.art.core import Markers, find_conflict, find_tags, settle_tags
from memoryproject.json_schema import load_schema

PROMPT = "moonlit bridge, mist, ronin with scar on left cheek, blue and gold lanterns over the slow black water"


def test_schema_is_one_and_takes_the_example_of_the_design():
    schema = load_schema("artcard")
    Draft202012Validator.check_schema(schema)
    assert list(Draft202012Validator(schema).iter_errors(schema["examples"][0])) == []


def test_keywords_are_short_phrases_then_telling_words():
    tags = find_tags(PROMPT)
    assert tags[:2] == ("moonlit-bridge", "mist")
    assert {"ronin", "scar", "cheek"} <= set(tags)
    assert not {"with", "on", "and", "the"} & set(tags)
    assert len(tags) == 8
    assert find_tags(PROMPT) == tags


def test_keywords_of_other_scripts():
    assert find_tags("лунный мост, туман, старик с седой косой")[:2] == ("лунный-мост", "туман")
    assert find_tags("月光、雾、石桥")[:3] == ("月光", "雾", "石桥")
    assert find_tags("... !!! \n") == ()


def test_one_thing_in_two_forms_is_one_tag():
    assert find_tags("bridge, bridges, the bridge") == ("bridge",)


LI = Markers("npc", "li", ("scar",), ("smile",))
BRIDGE = Markers("location", "bridge", ("nine-arches",), ("snow",))


def test_must_haves_come_first_and_are_reported_when_missing():
    settled = settle_tags(["Scar", "mist", "moon light", "gold"], ["river", "lamp"], [LI, BRIDGE])
    assert settled.tags == ("scar", "nine-arches", "mist", "moon-light", "gold")
    assert settled.added == ("nine-arches",)


def test_given_tags_without_a_place_are_named_and_must_haves_never_cut():
    many = Markers("npc", "x", tuple(f"m{number}" for number in range(6)), ())
    settled = settle_tags(["a", "b", "c"], [], [many])
    assert (len(settled.tags), settled.dropped) == (8, ("c",))
    crowd = [Markers("npc", str(n), tuple(f"m{n}-{k}" for k in range(6)), ()) for n in range(2)]
    assert len(settle_tags(["a"], [], crowd).tags) == 12


def test_found_tags_that_someone_bans_are_left_out():
    assert "smile" not in settle_tags([], ["smile", "mist"], [LI]).tags


def test_conflict_names_marker_and_owner():
    conflict = find_conflict(["mist", "snow"], [LI, BRIDGE])
    assert (conflict.marker, conflict.kind, conflict.owner) == ("snow", "location", "bridge")
    assert find_conflict(["mist"], [LI, BRIDGE]) is None
