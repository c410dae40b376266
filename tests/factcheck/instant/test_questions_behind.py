import pytest

from factcheck.instant.core.extraction import extract_facts
from factcheck.instant.core.labelled_lines import SAID_AT
from factcheck.instant.core.pattern_sets import load_shipped


def extract_keys(text):
    compiled, concepts = load_shipped()
    return {(fact.type, fact.key) for fact in extract_facts(text, compiled=compiled, concepts=concepts, now=SAID_AT)}


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("I'm allergic to fish, what else can I eat?", ("allergy", "fish")),
        ("у меня аллергия на рыбу, что можно на ужин?", ("allergy", "fish")),
        ("عندي حساسية من السمك، ممكن اكلة تانية للعشا؟", ("allergy", "fish")),
        ("3andy 7asasya mn el samak, momken akla tanya?", ("allergy", "fish")),
        ("我对鱼过敏，晚饭吃什么好？", ("allergy", "fish")),
        ("I don't eat pork, any ideas for dinner?", ("hard_ban", "pork")),
        ("I wear size M, which one fits?", ("body_params", "size")),
        ("бюджет 5 тысяч, что посоветуешь?", ("budget", "general")),
        ("I'm getting married in June, what should I wear?", ("life_event", "wedding")),
    ],
)
def test_what_stands_before_a_question_is_stated(text, fact):
    assert extract_keys(text) == {fact}


@pytest.mark.parametrize(
    "text",
    [
        "am I allergic to fish, or what?",
        "what if I'm allergic to fish, what then?",
        "can you be allergic to fish, is that a thing?",
        "I'm allergic to nuts, right?",
        "I'm allergic to nuts, who told you that?",
        "I'm allergic to nuts, are you serious?",
        "I'm allergic to nuts, where did you get that?",
        "you think I'm allergic to nuts, do you?",
        "у меня аллергия на рыбу, что ли?",
        "у меня аллергия на орехи, с чего ты взял?",
        "عندي حساسية من المكسرات، مين قال لك؟",
        "我对花生过敏,谁说的?",
    ],
)
def test_a_question_about_the_words_states_nothing(text):
    assert extract_keys(text) == set()
