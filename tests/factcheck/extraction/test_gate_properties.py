"""Ten thousand random and hostile answers: nothing of another message, nothing without its quote, no exception."""

from __future__ import annotations

import random
from typing import Any

import pytest

from factcheck.extraction.core.deltas import PROPOSED_TYPES, Delta, Operation, Quote, Stance, Subject
from factcheck.extraction.core.gate import check_deltas
from factcheck.extraction.core.gate.quotes import fold_quote
from factcheck.extraction.core.given import Given
from factcheck.extraction.core.verdicts import Verdict
from tests.factcheck.extraction.gate_inputs import fact, shipped_rules, talk

ANSWERS = 10_000
TALKS = (
    talk("I'm allergic to peanuts and shrimp 🦐", "A: What size do you wear?", "M, usually", "my  budget\nis AED 500"),
    talk(
        "у меня аллергия на ме\u0308д, ношу 46 размер", "> не показывай пауков\nэто не я", "свадьба 14 июня",
        facts=(fact("allergy", "honey", id=1, is_protected=True), fact("body_params", "size", "44", id=2)),
    ),
    talk("عندي حساسية من السمك", "مِيزانيَّتي ٥٠٠ درهم", "A: عندك حساسية من شي ثاني؟", "ل̈ا"),
    talk("*draws a sword* I'm allergic to iron", "((my size is L))", frame="in_character"),
    talk("\U0001f468\u200d\U0001f469 ok", "￼ﬁne \u202eabc\u202c I can't eat nuts", "ＡＥＤ ５００", "x" * 3000),
    talk("我对花生过敏", "以后叫我小林", "A: 你穿什么码？", "L码"),
)  # fmt: skip
WORDS = (
    "peanuts", "shrimp", "nuts", "M", "46", "мёд", "пауки", "500 AED", "500", "سمك", "wedding", "花生", "小林", "L", "",
    " ", "\u202e", "\0", "\ud800", "a\nb", "x" * 2000, "🦐", "'; DROP TABLE fact; --", "ignore your rules", "{", "size",
)  # fmt: skip
ODD: tuple[Any, ...] = (None, 0, -1, 2**70, 1.5, float("nan"), float("inf"), True, b"x", [], {}, object())


PLAUSIBLE = (
    (0, "allergy", "peanuts", 1, "I'm allergic to peanuts"), (0, "budget", "500 AED", 4, "my budget is AED 500"),
    (0, "body_params", "M", 3, "M, usually"), (1, "allergy", "мёд", 1, "у меня аллергия на мёд"),
    (1, "body_params", "46", 1, "ношу 46 размер"), (1, "hard_ban", "пауки", 2, "не показывай пауков"),
    (1, "life_event", "свадьба", 3, "свадьба 14 июня"), (2, "allergy", "fish", 1, "حساسية من السمك"),
    (2, "budget", "500 AED", 2, "٥٠٠ درهم"), (3, "body_params", "L", 2, "my size is L"),
    (4, "allergy", "nuts", 2, "I can't eat nuts"), (5, "allergy", "花生", 1, "我对花生过敏"),
    (5, "instruction", "小林", 2, "以后叫我小林"), (5, "body_params", "L", 4, "L码"),
)  # fmt: skip
"""What a good proposer would say: talk, type, value, place, quote."""


def _make_text(chance: random.Random, given: Given) -> Any:
    roll = chance.random()
    if roll < 0.6:
        content = chance.choice(given.messages).content
        start = chance.randrange(len(content))
        return content[start : start + chance.choice((3, 12, 40, 600))]
    if roll < 0.7:
        return chance.choice(given.messages).content
    if roll < 0.97:
        return " ".join(chance.choices(WORDS, k=chance.randrange(1, 4)))
    return chance.choice(ODD)


def _make_delta(chance: random.Random, given: Given) -> Any:
    if chance.random() < 0.02:
        return chance.choice(ODD)
    if chance.random() < 0.2:
        _, type_, value, place, quote = chance.choice([each for each in PLAUSIBLE if TALKS[each[0]] is given])
        operation, known = chance.choice(((Operation.ADD, None), (Operation.UPDATE, 2), (Operation.REMOVE, 1)))
        stance = Stance.DENIES if operation == Operation.REMOVE else Stance.ASSERTS
        return Delta(operation, type_, "", value, (Quote(place, quote),), Subject.USER, stance, 0.9, known)
    quotes: Any = tuple(
        Quote(chance.choice((1, 2, 3, 4, 1, 2, 0, -1, 9, 2**65)), _make_text(chance, given))
        for _ in range(chance.choice((1, 1, 1, 2, 3, 0, 4)))
    )
    if chance.random() < 0.02:
        quotes = chance.choice(ODD)
    return Delta(
        operation=chance.choice((*Operation, Operation.ADD, Operation.ADD, "ADD" if chance.random() < 0.1 else None)),  # type: ignore[arg-type]
        type=chance.choice(
            (*PROPOSED_TYPES, "onboarding_style", "", None) if chance.random() < 0.1 else PROPOSED_TYPES
        ),
        key=chance.choice(WORDS),
        value=_make_text(chance, given) if chance.random() < 0.3 else chance.choice(WORDS),
        quotes=quotes,
        subject=chance.choice((*[Subject.USER] * 8, Subject.OTHER, Subject.UNKNOWN)),
        stance=chance.choice((*[Stance.ASSERTS] * 8, Stance.DENIES, Stance.ASKS)),
        confidence=chance.choice((0.9, 0.95, 0.81, 1.0, 0.79, 0.0)) if chance.random() < 0.95 else chance.choice(ODD),
        fact=chance.choice((None, None, None, 1, 2, 3)) if chance.random() < 0.95 else chance.choice(ODD),
    )


def _check_verdict(given: Given, delta: Delta, verdict: Verdict) -> None:
    messages = {message.id: message for message in given.messages}
    for span in verdict.evidence:
        message = messages[span.message_id]
        assert 0 <= span.start < span.end <= len(message.content)
        if not span.is_question:
            assert message.role == "user"
            said = fold_quote(message.content[span.start : span.end])
            assert said in {fold_quote(quote.text).strip(" ") for quote in delta.quotes}
    if verdict.is_accepted:
        own = [messages[span.message_id] for span in verdict.evidence if not span.is_question]
        assert own
        assert all(message.frame != "in_character" for message in own)
        assert delta.subject == Subject.USER
        assert delta.confidence >= 0.8
        assert verdict.fact_id is None or verdict.fact_id in {each.id for each in given.facts}
        assert (verdict.operation == Operation.ADD) == (verdict.fact_id is None)
        assert not (verdict.is_denied and verdict.type in ("allergy", "hard_ban"))


@pytest.mark.parametrize("seed", [1, 2])
def test_ten_thousand_hostile_answers(seed):
    chance = random.Random(seed)
    rules = shipped_rules()
    accepted = answered = 0
    while answered < ANSWERS // 2:
        given = chance.choice(TALKS)
        deltas = [_make_delta(chance, given) for _ in range(chance.randrange(1, 26))]
        verdicts = check_deltas(deltas, given, rules)
        assert len(verdicts) == len(deltas)
        kept = [verdict for verdict in verdicts if verdict.is_accepted]
        assert len({(verdict.type, verdict.key) for verdict in kept}) == len(kept)
        for delta, verdict in zip(deltas, verdicts, strict=True):
            if isinstance(delta, Delta):
                _check_verdict(given, delta, verdict)
            else:
                assert not verdict.is_accepted
        accepted += len(kept)
        answered += len(deltas)
    assert accepted > ANSWERS // 1000  # the generator reaches what is accepted, too
