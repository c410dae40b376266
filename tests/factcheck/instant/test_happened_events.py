import pytest

from factcheck.instant.core.extraction import extract_facts
from factcheck.instant.core.labelled_lines import SAID_AT
from factcheck.instant.core.pattern_sets import load_shipped


def extract_keys(text):
    compiled, concepts = load_shipped()
    facts = extract_facts(text, compiled=compiled, concepts=concepts, now=SAID_AT)
    return {fact.key for fact in facts if fact.type == "life_event"}


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("my mom died last week", "death_mom"),
        ("we just lost our dog", "death"),
        ("I broke up with my boyfriend", "breakup"),
        ("I got laid off", "job_loss"),
        ("i'm pregnant!!", "birth"),
        ("бабушка вчера умерла", "death"),
        ("меня уволили", "job_loss"),
        ("мы расстались", "breakup"),
        ("я поступила в универ", "admission"),
        ("جدتي توفت امبارح", "death"),
        ("طلقني زوجي", "divorce_husband"),
        ("3amti twaffet", "death"),
        ("我们分手了", "breakup"),
        ("我奶奶昨天去世了", "death_grandmother"),
        ("我怀孕了", "birth"),
    ],
)
def test_what_has_just_happened_is_an_event(text, key):
    assert key in extract_keys(text)


@pytest.mark.parametrize(
    "text",
    [
        "my character's mom died",
        "my mom died when I was six",
        "did you know my dog died?",
        "her sister had a baby",
        "в детстве у меня умер кот",
        "сосед умер",
        "my mom passed her exam",
        "i lost my dad in the supermarket",
        "he left me a message",
        "my sister had the first slice",
        "I got fired up",
        "我妈没回我消息",
        "راح اخوي المدرسه",
        "انا حامل الشنطة",
        "чуть не уволили меня",
        "他们分手了",
        "小时候我奶奶去世了",
        "لما كنت صغير جدتي توفت",
    ],
)
def test_what_happened_long_ago_to_others_or_in_a_story_is_none(text):
    assert extract_keys(text) == set()
