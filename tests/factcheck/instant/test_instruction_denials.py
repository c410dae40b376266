"""Standing instructions end on a release or on a new wish of their kind, and on nothing else."""

import datetime as dt

import pytest

from factcheck.instant.core.corrections import KnownFact, detect_corrections, may_correct

KNOWN = {
    "name": "Captain",
    "emoji": "no emoji",
    "length": "short answers",
    "language": "German",
    "units": "metric",
    "tone": "direct",
    "not_called_sweetie": "don't call me sweetie",
    "confirm_allergy_information_suggest_snacks": "Always confirm allergy information when I suggest snacks",
}
RUSSIAN = {**KNOWN, "name": "капитан", "language": "English"}
ARABIC = {**KNOWN, "name": "كابتن", "language": "Arabic"}


@pytest.fixture
def change(extract, compiled, concepts):
    def call(text, known, previous=""):
        facts = [KnownFact(place, "instruction", key, value) for place, (key, value) in enumerate(known.items())]
        if not may_correct(text, compiled=compiled):
            return {}
        corrections = detect_corrections(
            text,
            previous_assistant_text=previous,
            facts=facts,
            extracted=extract(text, now=dt.datetime(2026, 2, 10, tzinfo=dt.UTC)),
            compiled=compiled,
            concepts=concepts,
        )
        return {fact.key: each.effect for each in corrections for fact in each.facts}

    return call


@pytest.mark.parametrize(
    ("text", "known", "key"),
    [
        ("you can stop calling me Captain", KNOWN, "name"),
        ("Can you stop calling me Captain?", KNOWN, "name"),
        ("You don't have to keep it short anymore", KNOWN, "length"),
        ("I don't want short answers any more", KNOWN, "length"),
        ("emojis are fine again", KNOWN, "emoji"),
        ("you don't need to speak German anymore", KNOWN, "language"),
        ("you no longer have to be so blunt", KNOWN, "tone"),
        ("you can drop the metric stuff, miles are fine", KNOWN, "units"),
        ("call me Sweetie", KNOWN, "not_called_sweetie"),
        (
            "no need to confirm allergy information every time I suggest snacks",
            KNOWN,
            "confirm_allergy_information_suggest_snacks",
        ),
        ("можешь больше не звать меня капитаном", RUSSIAN, "name"),
        ("больше не надо отвечать коротко", RUSSIAN, "length"),
        ("эмодзи снова можно", RUSSIAN, "emoji"),
        ("говорить по-английски больше не нужно", RUSSIAN, "language"),
        ("خلاص لا تناديني كابتن", ARABIC, "name"),
        ("مو لازم ترد باختصار بعد الحين", ARABIC, "length"),
        ("ما عاد ابي ترد علي بالعربي", ARABIC, "language"),
    ],
)
def test_release_ends_just_its_instruction(change, text, known, key):
    assert change(text, known) == {key: "ended"}


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("don't stop calling me Captain", KNOWN),
        ("don't forget to keep it short", KNOWN),
        ("she can stop calling me Captain Obvious", KNOWN),
        ("the captain should stop", KNOWN),
        ("I don't have short hair", KNOWN),
        ("you don't have to take the long road, the short one is fine now", KNOWN),
        ("You don't need to speak German to find a good job in Berlin these days", KNOWN),
        ("stop using emojis", KNOWN),
        ("stop calling me Captain, call me Boss", {"name": "Captain"}),
        ("не надо больше коротко, пиши подробно", {"length": "short answers"}),
        ("я не люблю короткие юбки", RUSSIAN),
        ("мама перестала называть меня капитаном", RUSSIAN),
    ],
)
def test_harmless_remark_or_new_wish_ends_nothing(change, text, known):
    assert change(text, known) == {}


def test_bare_no_doubts_only_what_the_assistant_claims_to_keep(change):
    assert change("no", KNOWN, "Captain, you have three potions left.") == {}
    assert change("no", KNOWN, "So I call you Captain, right?") == {"name": "disputed"}
