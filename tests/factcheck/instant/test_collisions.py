"""No frequent word of a language is taken for a thing that it only resembles."""

import re
from pathlib import Path

import pymorphy3
import pytest
import wordfreq

from factcheck.instant.core.messages import fold

SIZES = {"en": 40_000, "ru": 60_000, "ar": 40_000}
"""How many of the most frequent words of each language are tried."""
EXCEPTIONS = Path(__file__).with_name("collisions.txt")
_ARTICLE = re.compile(r"^(?:و|ف)?(?:ب|ك)?ال|^(?:و|ف)?لل")
_USES = ("allergy", "hard_ban")


def _find(concepts, word):
    return {hit[0].key for use in _USES if (hit := concepts.find_prefix([word], use))}


def list_collisions(concepts) -> set[tuple[str, str]]:
    """(word, key) of frequent words that name a concept by more than a listed form or its article.

    Of a Russian word, its likeliest base form must be the base form of a name.
    """
    forms = {(form, concept.key) for _, form, concept in concepts.list_forms()}
    found = {
        (word, key)
        for language in ("en", "ar")
        for word in map(fold, wordfreq.top_n_list(language, SIZES[language]))
        for key in _find(concepts, word)
        if (word, key) not in forms and (_ARTICLE.sub("", word).removesuffix("'s"), key) not in forms
    }
    return found | _list_russian(concepts)


def _list_russian(concepts) -> set[tuple[str, str]]:
    morphology = pymorphy3.MorphAnalyzer(lang="ru")
    bases: dict[str, set[str]] = {}
    for concept in concepts.concepts.values():
        for name in concept.names.get("ru", ()):
            word = fold(name).lstrip("=")
            bases.setdefault(concept.key, set()).update(fold(parse.normal_form) for parse in morphology.parse(word))
    found = set()
    for word in map(fold, wordfreq.top_n_list("ru", SIZES["ru"])):
        for key in _find(concepts, word):
            if re.search("[а-я]", word) and fold(morphology.parse(word)[0].normal_form) not in bases.get(key, set()):
                found.add((word, key))
    return found


def test_every_collision_is_a_listed_exception(concepts):
    lines = EXCEPTIONS.read_text(encoding="utf-8").splitlines()
    exceptions = {tuple(line.split()) for line in lines if not line.startswith("#")}
    assert list_collisions(concepts) - exceptions == set()


@pytest.mark.parametrize(
    ("word", "key"),
    [
        ("медь", "honey"),
        ("меди", "honey"),
        ("الحياة", "snakes"),
        ("حياتي", "snakes"),
        ("الكعبة", "heels"),
        ("горы", "gore"),
        ("гора", "gore"),
        ("الحملة", "pregnancy"),
        ("меня", "meat"),
        ("cart", "cats"),
        ("ward", "flowers"),
        ("satan", "satin"),
        ("manga", "mango"),
    ],
)
def test_words_that_share_a_stem_or_a_spelling_name_nothing(concepts, word, key):
    assert key not in _find(concepts, fold(word))
