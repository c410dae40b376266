"""The shipped concepts: named in every language, each name by one concept, no frequent word mended into a name."""

import pytest
import wordfreq

from factcheck.core.yaml_files import read_yaml
from factcheck.instant.core.concept_files import (
    SHIPPED_CONCEPTS,
    SHIPPED_FOLDER,
    Concept,
    merge_concepts,
    parse_concepts,
)
from factcheck.instant.core.messages import fold
from factcheck.instant.core.pattern_rows import PatternInvalid
from knowledge.facts.core.types import THING_TYPES

THEMES = SHIPPED_CONCEPTS[1:]
SPELT_OUT = ("en", "ru", "ar", "zh")
MIN_NAMED_SHARE = 0.95
"""A few things have no name of their own in a language."""
FREQUENT_WORDS = 20_000


def _themed() -> list[Concept]:
    return [each for name in THEMES for each in parse_concepts(read_yaml(SHIPPED_FOLDER / f"{name}.yaml"))]


def test_concepts_of_the_themes_are_named_in_every_language():
    themed = _themed()
    assert len(themed) >= 500
    assert [each.key for each in themed if not each.names.get("en")] == []
    for language in SPELT_OUT:
        named = sum(bool(each.names.get(language)) for each in themed)
        assert named / len(themed) >= MIN_NAMED_SHARE, language


@pytest.mark.parametrize("language", ["en", "ru", "ar"])
def test_every_name_of_the_themes_finds_its_own_concept(concepts, language):
    wrong = [
        (each.key, name, use, found.key if found else None)
        for each in _themed()
        for name in each.names.get(language, ())
        for use in set(each.types) & set(THING_TYPES)
        if (found := concepts.find(name.lstrip("="), use)) is None or found.key != each.key
    ]
    assert wrong == []


def test_key_in_two_files_is_refused():
    nuts = Concept("nuts", ("allergy",))
    assert merge_concepts({"first": (nuts, Concept("nuts", ("hard_ban",)))})
    with pytest.raises(PatternInvalid):
        merge_concepts({"first": (nuts,), "second": (Concept("nuts", ("hard_ban",)),)})


def test_frequent_words_are_not_mended_into_names(concepts):
    words = [fold(word) for word in wordfreq.top_n_list("en", FREQUENT_WORDS)]
    mended = [
        (word, use)
        for word in words
        for use in THING_TYPES
        if concepts.find_prefix([word], use) is None and concepts.find_misspelt(word, use)
    ]
    assert mended == []


def test_misspelt_names_are_still_mended(concepts):
    assert concepts.find_misspelt("brocoly", "allergy").key == "broccoli"
    assert concepts.find_misspelt("penicilln", "allergy").key == "penicillin"


@pytest.mark.parametrize(
    ("word", "use"), [("screen", "allergy"), ("so", "hard_ban"), ("games", "hard_ban"), ("plz", "hard_ban")]
)
def test_english_words_in_arabizi_name_nothing(concepts, word, use):
    assert concepts.find_arabizi(word, use) is None
