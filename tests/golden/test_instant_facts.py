"""The K cases of instant facts and corrections, at the level of the text alone."""

import datetime

import pytest

from factcheck.instant.core.corrections import KnownFact, detect_corrections
from factcheck.instant.core.extraction import extract_facts
from factcheck.instant.core.pattern_sets import load_shipped

OPEN_SHOULDERS = ("hard_ban", "open_shoulders", "open shoulders")
NOW = datetime.datetime(2026, 2, 10, 12, 0, tzinfo=datetime.UTC)


@pytest.fixture(scope="module")
def tools():
    compiled, concepts = load_shipped()
    return {"compiled": compiled, "concepts": concepts}


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        pytest.param("Мой размер теперь M", [("body_params", "size", "M")], id="K1"),
        pytest.param("Аллергия на никель", [("allergy", "nickel", "nickel")], id="K2"),
        pytest.param("Бюджет до 500 дирхам", [("budget", "general", "500 AED")], id="K3"),
        pytest.param("Никогда не предлагай открытые плечи", [OPEN_SHOULDERS], id="K4"),
        pytest.param("Подруга обожает Zara, мне больше MD", [], id="K7"),
        pytest.param("مقاسي M بس مابي open shoulders", [("body_params", "size", "M"), OPEN_SHOULDERS], id="K18"),
        pytest.param("7asasiya min nickel", [("allergy", "nickel", "nickel")], id="K19"),
        pytest.param("مابغى جلد ولا صوف", [("hard_ban", "leather", "leather"), ("hard_ban", "wool", "wool")], id="K20"),
        pytest.param("bajt 2000 dhs max يعني mabi أصرف more", [("budget", "general", "2000 AED")], id="K21"),
        pytest.param("wallah this dress 7ilu بس overpriced شوي", [], id="K23"),
        pytest.param("يبيلي شي casual مو formal وايد", [], id="K24"),
        pytest.param("42", [], id="K25"),
        pytest.param("مقاسي 42 في الملابس", [("body_params", "size", "42")], id="K26"),
    ],
)  # fmt: skip
def test_message_states_these_facts(text, facts, tools):
    assert [(fact.type, fact.key, fact.value) for fact in extract_facts(text, now=NOW, **tools)] == facts


def test_k2_confidence(tools):
    [fact] = extract_facts("Аллергия на никель", now=NOW, **tools)
    assert fact.confidence == 0.95


@pytest.mark.parametrize(
    ("text", "key", "expires_at"),
    [
        pytest.param("свадьба сестры в марте", "wedding_sister", NOW.replace(month=4, day=1, hour=0), id="K6"),
        pytest.param("Через 2 недели свадьба сестры", "wedding_sister", NOW + datetime.timedelta(days=14), id="K6b"),
        pytest.param("عندي عرس أختي بعد شهر", "wedding_sister", NOW.replace(month=3), id="K6c"),
        pytest.param("Скоро переезд", "move", NOW + datetime.timedelta(days=30), id="K6d"),
    ],
)  # fmt: skip
def test_event_has_a_key_and_an_end(text, key, expires_at, tools):
    [fact] = extract_facts(text, now=NOW, **tools)
    assert (fact.type, fact.key, fact.expires_at, fact.confidence) == ("life_event", key, expires_at, 0.85)


@pytest.mark.parametrize(
    ("said", "text", "outcome", "replacement"),
    [
        pytest.param("Ты же любишь Zara", "Нет!", "denied", None, id="K12"),
        pytest.param("Ты же любишь Zara", "С чего ты взял?", "ambiguous", None, id="K12b"),
        pytest.param("Your size is M", "لا غلط، مو M، أنا S", "replaced", "S", id="K22"),
    ],
)
def test_correction_finds_the_claim(said, text, outcome, replacement, tools):
    facts = (
        [KnownFact(1, "onboarding_style", "zara", "Zara")]
        if replacement is None
        else [KnownFact(2, "body_params", "size", "M")]
    )
    [found] = detect_corrections(text, previous_assistant_text=said, facts=facts, **tools)
    assert (found.outcome, found.facts) == (outcome, tuple(facts))
    assert (found.replacement.value if found.replacement else None) == replacement
