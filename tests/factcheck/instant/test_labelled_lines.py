"""Which of the facts that were heard is the one that a labelled line expects."""

import pytest

from factcheck.instant.core.extracted import ExtractedFact
from factcheck.instant.core.labelled_lines import is_meant
from factcheck.instant.core.pattern_sets import load_shipped


def make_heard(type_: str, key: str, value: str, quote: str = "") -> ExtractedFact:
    return ExtractedFact(
        type=type_, key=key, value=value, language="en", confidence=1.0, pattern="test", start=0, end=0, quote=quote
    )


@pytest.mark.parametrize(
    ("fact", "spelling"),
    [
        (("budget", "general", "350 AED"), "300-350"),
        (("budget", "general", "350"), "300 ila 350"),
        (("budget", "general", "40000"), "40 000 RUB"),
        (("hard_ban", "темные_комнаты", "темные комнаты"), "тёмных комнат"),
        (("hard_ban", "ربابه", "ربابه"), "الربابة"),
        (("allergy", "el_wild_honey", "wild honey"), "honey"),
        (("life_event", "move_to_lisbon", "move to lisbon"), "my move to Lisbon"),
        (("budget", "general", "15000"), "一万二到一万五"),
        (("budget", "general", "350 AED"), "350"),
        (("life_event", "wedding_sister", "wedding sister"), "my sister's wedding"),
        (("life_event", "driving_test", "driving test"), "my driving test on Monday"),
        (("instruction", "length", "别再给我发语音了"), "发语音"),
        (("allergy", "peanuts", "peanuts"), "арахис"),
        (("body_params", "height_cm", "157"), "157 cm"),
        (("instruction", "length", "at most 3 sentences", "two or three sentences max"), "three sentences"),
        (("instruction", "length", "at most 3 sentences", "三句"), "三句话以内"),
        (("instruction", "length", "at most 3 sentences", "three sentences"), "under three sentences"),
        (("instruction", "units", "imperial", "give me weights in stones and pounds"), "stones and pounds"),
    ],
)
def test_a_fact_is_meant_by_another_spelling(fact, spelling):
    assert is_meant(make_heard(*fact), {"type": fact[0], "any_of": [spelling]}, load_shipped()[1])


@pytest.mark.parametrize(
    ("fact", "spelling"),
    [
        (("budget", "general", "300"), "300-350"),
        (("budget", "general", "5"), "500"),
        (("budget", "general", "500"), "1 500 TL"),
        (("budget", "general", "3"), "500 - 3 nights"),
        (("budget", "general", "2"), "500 for 2 people"),
        (("life_event", "birthday", "birthday"), "my wedding before a birthday"),
        (("hard_ban", "old_songs_about_the_sea", "old songs about the sea"), "sea"),
        (("body_params", "size", "350"), "300-350"),
        (("life_event", "wedding", "wedding"), "driving test"),
        (("allergy", "peanuts", "peanuts"), "cashew"),
        (("hard_ban", "peanuts", "peanuts"), "peanuts and more"),
        (("body_params", "height_cm", "157"), "157 kg and 157 cm"),
        (("body_params", "waist", "34"), "34DD"),
        (("instruction", "name", "Ann", "I'm Menna, call me Ann"), "Menna"),
        (("instruction", "units", "imperial", "give me weights in pounds"), "kilos"),
    ],
)
def test_another_fact_is_not(fact, spelling):
    assert not is_meant(make_heard(*fact), {"type": fact[0], "any_of": [spelling]}, load_shipped()[1])
