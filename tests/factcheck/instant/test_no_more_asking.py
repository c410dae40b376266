"""What is to be asked about no more, and languages as their speakers name them."""

import pytest

from factcheck.instant.core.extraction import extract_facts
from factcheck.instant.core.labelled_lines import SAID_AT
from factcheck.instant.core.pattern_sets import load_shipped


def read_wishes(text, question=""):
    compiled, concepts = load_shipped()
    facts = extract_facts(text, compiled=compiled, concepts=concepts, now=SAID_AT, previous=question)
    return [fact.value for fact in facts if fact.type == "instruction"]


@pytest.mark.parametrize(
    "text",
    [
        "stop asking about my mood",
        "stop reminding me to drink water",
        "don't ask me about my family",
        "хватит спрашивать про моё настроение каждый раз",
        "перестань спрашивать про работу",
        "не спрашивай меня про бывшего",
        "прекрати напоминать мне про воду",
        "بطل تسألني عن شغلي",
        "لا تسألني عن أهلي",
        "batel tes2alni 3an sho8li",
        "ma tes2alnich 3la l9raya",
        "别再问我工作的事",
        "别老提醒我喝水",
    ],
)
def test_what_is_to_be_asked_no_more_is_a_wish_in_its_own_words(text):
    assert read_wishes(text) == [text]


@pytest.mark.parametrize(
    "text",
    [
        "don't ask me why",
        "don't ask me how i know",
        "ugh don't remind me",
        "лучше не спрашивай",
        "не спрашивай почему",
        "别问了",
        "он просил не спрашивать про работу",
        "she told me to stop asking about her job",
        "why do you keep asking about my mood",
        "my mom never stops asking about my job",
        "please don't stop asking about my day",
        "you never ask about my day",
        "I need to stop checking in on my ex",
        "these songs don't remind me of him",
        "别问我为什么",
        "不要问我从哪里来",
    ],
)
def test_sayings_and_other_peoples_wishes_are_none(text):
    assert read_wishes(text) == []


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("تكلم معاي بالعامية", "colloquial Arabic"),
        ("hder m3aya b darija dima", "Moroccan Arabic"),
        ("7ki ma3i bel libnene", "Levantine Arabic"),
        ("كلمني بالمصري", "Egyptian Arabic"),
    ],
)
def test_dialects_are_named_as_their_speakers_name_them(text, language):
    assert read_wishes(text) == [language]
