"""The gate: what a proposer answers counts only where the player's own words say so."""

from __future__ import annotations

import dataclasses
import datetime as dt

import pytest

from factcheck.extraction.core.deltas import MAX_DELTAS, Operation, Quote, Stance, Subject
from factcheck.extraction.core.gate import check_deltas
from factcheck.extraction.core.gate.quotes import QuotedText, fold_quote
from factcheck.extraction.core.verdicts import EvidenceSpan, Verdict, VerdictCode
from tests.factcheck.extraction.gate_inputs import delta, fact, shipped_rules, talk


def check(given, *deltas, **fields) -> Verdict:
    rules = dataclasses.replace(shipped_rules(), **fields)
    return check_deltas(deltas, given, rules)[-1]


def say(text: str, type_: str, key: str, value: str, quote: str = "", **fields) -> Verdict:
    return check(talk(text), delta(type_, key, value, (1, quote or text), **fields))


# -- Golden cases --------------------------------------------------------------------------------------------------


def test_k7_a_friends_taste_is_nobodys_ban():
    text = "Подруга обожает Zara, мне больше MD"
    assert say(text, "hard_ban", "zara", "Zara", subject=Subject.OTHER).code == VerdictCode.SUBJECT
    assert not say(text, "hard_ban", "zara", "Zara").is_accepted
    assert say(text, "brand_preferences", "md", "MD").code == VerdictCode.NO_ANCHOR, "of one session"
    assert say(text, "zodiac_sign", "leo", "MD").code == VerdictCode.MALFORMED
    assert not say(text, "hard_ban", "md", "MD").is_accepted


def test_k8_sarcasm_after_three_minimalist_answers_states_nothing():
    given = talk(
        "мне нравится минимализм", "чистые линии, без декора", "чем проще, тем лучше",
        "о да, обожаю стразы, прям жить без них не могу",
    )  # fmt: skip
    assert check(given, delta("hard_ban", "rhinestones", "стразы", (4, "обожаю стразы"))).code in (
        VerdictCode.NO_ANCHOR, VerdictCode.GUARDED,
    )  # fmt: skip
    assert not check(given, delta("hard_ban", "decor", "декор", (4, "о да"))).is_accepted
    assert not check(
        given, delta("hard_ban", "rhinestones", "стразы", (4, "обожаю стразы"), stance=Stance.JOKES)
    ).is_accepted


@pytest.mark.parametrize("type_", ["hard_ban", "allergy", "budget", "body_params", "life_event", "instruction"])
def test_k23_and_k24_slang_states_nothing(type_):
    for text, value in (
        ("wallah this dress 7ilu بس overpriced شوي", "overpriced"),
        ("wallah this dress 7ilu بس overpriced شوي", "dress"),
        ("يبيلي شي casual مو formal وايد", "casual"),
        ("يبيلي شي casual مو formal وايد", "formal"),
    ):
        assert not say(text, type_, value, value).is_accepted


def test_b1_each_of_four_flaws_has_its_code():
    given = talk("I have to run, see you")
    assert check(given, delta("allergy", "nuts", "nuts", (1, "I have to run"))).code == VerdictCode.NO_ANCHOR
    assert check(given, delta("allergy", "nuts", "nuts", (2, "nuts"))).code == VerdictCode.EVIDENCE_UNKNOWN
    said = talk("I'm allergic to nuts")
    quote = (1, "I'm allergic to nuts")
    assert check(said, delta("allergy", "nuts", "nuts", quote, confidence=0.79)).code == VerdictCode.LOW_CONFIDENCE
    assert check(said, delta("allergy", "nuts", "nuts", quote, confidence=0.8)).is_accepted


@pytest.mark.parametrize("text", ["AED 500", "500 dirhams", "٥٠٠ درهم", "500 AED then", "my budget is 500 dhs"])
def test_a_sum_in_any_spelling_is_the_budget(text):
    verdict = say(text, "budget", "general", "500 AED")
    assert (verdict.code, verdict.key, verdict.value) == (VerdictCode.ACCEPTED, "general", "500 AED")


@pytest.mark.parametrize(
    ("text", "type_", "key", "value"),
    [
        ("I resized the window", "body_params", "size", "window"),
        ("I resized the window to 42", "body_params", "size", "42"),
        ("I have never been to Dubai", "hard_ban", "dubai", "Dubai"),
        ("she wears M", "body_params", "size", "M"),
        ("42", "body_params", "size", "42"),
    ],
)
def test_anchor_and_value_must_stand_on_one_span(text, type_, key, value):
    assert not say(text, type_, key, value).is_accepted


# -- Form ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "change",
    [
        {"type": "onboarding_style"},
        {"type": "colour"},
        {"type": None},
        {"operation": "ADD!"},
        {"value": ""},
        {"value": "a\nb"},
        {"value": "\ud800"},
        {"value": None},
        {"key": "k" * 101},
        {"key": 5},
        {"confidence": float("nan")},
        {"confidence": 1.1},
        {"confidence": "0.9"},
        {"confidence": True},
        {"quotes": ()},
        {"quotes": (Quote(1, "nuts"),) * 4},
        {"quotes": (Quote(1, "..."),)},
        {"quotes": (Quote(1, "n" * 501),)},
        {"quotes": (Quote("1", "nuts"),)},
        {"quotes": ("nuts",)},
        {"quotes": None},
        {"subject": "user!"},
        {"stance": None},
        {"fact": 1},
        {"fact": "1", "operation": Operation.UPDATE},
        {"operation": Operation.UPDATE},
        {"operation": Operation.REMOVE, "fact": 0},
    ],
)
def test_what_is_not_well_formed_is_refused_and_nothing_raises(change):
    good = delta("allergy", "nuts", "nuts", (1, "I'm allergic to nuts"))
    bad = dataclasses.replace(good, **change)
    assert check(talk("I'm allergic to nuts"), bad).code == VerdictCode.MALFORMED
    assert check(talk("I'm allergic to nuts"), good).is_accepted


def test_verdicts_come_in_order_and_more_than_twenty_deltas_are_no_answer():
    good = delta("allergy", "nuts", "nuts", (1, "I'm allergic to nuts"))
    bad = delta("allergy", "milk", "milk", (1, "I'm allergic to nuts"))
    verdicts = check_deltas([bad, good, *[bad] * MAX_DELTAS], talk("I'm allergic to nuts"), shipped_rules())
    assert len(verdicts) == MAX_DELTAS + 2
    assert [each.is_accepted for each in verdicts[:3]] == [False, True, False]
    assert {each.code for each in verdicts[MAX_DELTAS:]} == {VerdictCode.MALFORMED}


@pytest.mark.parametrize(
    ("key", "value", "text"),
    [
        ("zelbrin", "nuts", "I'm allergic to nuts"),
        ("x", "Quorvane", "I'm allergic to nuts"),
        ("x", "nuts", "I'm allergic to mivoltar"),
        ("x", "кворвана", "I'm allergic to nuts"),
    ],
)
def test_a_word_of_the_examples_is_a_canary(key, value, text):
    assert say(text, "allergy", key, value).code == VerdictCode.CANARY


# -- What a proposer says by itself --------------------------------------------------------------------------------


def test_an_unknown_fact_is_never_turned_into_a_new_one():
    given = talk("I take size L", facts=(fact("body_params", "size", "M"),))
    quote = (1, "I take size L")
    for place, type_, key, value in ((2, "body_params", "size", "L"), (1, "budget", "general", "5 AED")):
        verdict = check(given, delta(type_, key, value, quote, operation=Operation.UPDATE, fact=place))
        assert verdict.code == VerdictCode.FACT_UNKNOWN
    updated = check(given, delta("body_params", "size", "L", quote, operation=Operation.UPDATE, fact=1))
    assert (updated.code, updated.operation, updated.fact_id) == (VerdictCode.ACCEPTED, Operation.UPDATE, 500)


def test_an_update_of_another_thing_does_not_take_the_place_of_an_allergy():
    given = talk("I'm allergic to cats", facts=(fact("allergy", "nuts"),))
    verdict = check(
        given, delta("allergy", "cats", "cats", (1, "I'm allergic to cats"), operation=Operation.UPDATE, fact=1)
    )
    assert verdict.code == VerdictCode.FACT_UNKNOWN


@pytest.mark.parametrize("subject", [Subject.OTHER, Subject.UNKNOWN])
def test_the_proposer_must_say_that_it_is_the_players(subject):
    assert say("I'm allergic to nuts", "allergy", "nuts", "nuts", subject=subject).code == VerdictCode.SUBJECT


@pytest.mark.parametrize("stance", [Stance.DENIES, Stance.ASKS, Stance.QUOTES, Stance.JOKES])
def test_only_an_assertion_adds(stance):
    assert say("I'm allergic to nuts", "allergy", "nuts", "nuts", stance=stance).code == VerdictCode.STANCE


def test_a_bucket_that_is_often_wrong_counts_nothing():
    given, quote = talk("I'm allergic to nuts"), (1, "I'm allergic to nuts")
    muted = {"muted_buckets": frozenset({0.9})}
    assert check(given, delta("allergy", "n", "nuts", quote, confidence=0.93), **muted).code == (
        VerdictCode.LOW_CONFIDENCE
    )
    assert check(given, delta("allergy", "n", "nuts", quote, confidence=0.96), **muted).is_accepted


# -- Evidence ------------------------------------------------------------------------------------------------------


def test_a_quote_of_an_old_message_proves_only_beside_a_new_one():
    given = talk("I'm allergic to nuts", "As I said, I'm allergic to nuts")
    old = dataclasses.replace(given.messages[0], is_new=False)
    later = dataclasses.replace(given, messages=(old, given.messages[1]))
    supporting = dataclasses.replace(given, messages=(dataclasses.replace(old, is_supporting=True), given.messages[1]))
    first, second = (1, "I'm allergic to nuts"), (2, "I'm allergic to nuts")
    assert check(later, delta("allergy", "n", "nuts", first)).code == VerdictCode.EVIDENCE_UNKNOWN
    assert check(supporting, delta("allergy", "n", "nuts", first)).code == VerdictCode.EVIDENCE_UNKNOWN
    both = check(supporting, delta("allergy", "n", "nuts", first, second))
    assert [each.message_id for each in both.evidence] == [100, 101]


@pytest.mark.parametrize(
    ("content", "quote", "found"),
    [
        ("so… I'm  allergic\nto nuts!", "I'm allergic to nuts", "I'm  allergic\nto nuts"),
        ("I’m allergic to nuts", "I'm allergic to nuts", "I’m allergic to nuts"),
        ("у меня аллергия на мёд", "аллергия на мёд", "аллергия на мёд"),
        ("у меня аллергия на ме\u0308д 🙈", "аллергия на мёд", "аллергия на ме\u0308д"),
        ("👩‍🍳 عندي حساسية من السمك", "حساسية من السمك", "حساسية من السمك"),
        ("a\u00a0b c", "b c", "b c"),
        ("Said “so what”, I did", '"so what"', "“so what”"),
    ],
)
def test_quotes_are_found_at_their_raw_places(content, quote, found):
    [(start, end)] = QuotedText(content).find(quote)
    assert content[start:end] == found
    assert fold_quote(content[start:end]) == fold_quote(quote)


@pytest.mark.parametrize("quote", ["i'm allergic to nuts", "I am allergic to nuts", "I'm allergic to nut butter"])
def test_other_words_are_no_quote(quote):
    assert say("I'm allergic to nuts", "allergy", "nuts", "nuts", quote).code == VerdictCode.QUOTE_NOT_FOUND


def test_what_the_assistant_said_proves_nothing():
    given = talk("A: You are allergic to nuts.", "hello")
    assert check(given, delta("allergy", "n", "nuts", (1, "allergic to nuts"))).code == VerdictCode.NOT_SAID_BY_USER
    assert not check(given, delta("allergy", "n", "nuts", (1, "allergic to nuts"), (2, "hello"))).is_accepted


@pytest.mark.parametrize(
    ("text", "quote", "code"),
    [
        ("> I'm allergic to nuts\nwho wrote that", "I'm allergic to nuts", VerdictCode.NOT_SAID_BY_USER),
        ('The sign said "I\'m allergic to nuts" lol', "I'm allergic to nuts", VerdictCode.NOT_SAID_BY_USER),
        ("```\nI'm allergic to nuts\n```\nwhat is this", "I'm allergic to nuts", VerdictCode.NOT_SAID_BY_USER),
        ("Sister: I'm allergic to nuts\nMe: ok", "I'm allergic to nuts", VerdictCode.NOT_SAID_BY_USER),
        ("Anna: I'm allergic to nuts\nBob: ok", "I'm allergic to nuts", VerdictCode.NOT_SAID_BY_USER),
        ("*coughs loudly at the guard* I'm allergic to nuts", "I'm allergic to nuts", VerdictCode.FICTION),
        ("— I'm allergic to nuts, says the elf", "I'm allergic to nuts", VerdictCode.FICTION),
    ],
)
def test_words_of_others_and_of_characters_prove_nothing(text, quote, code):
    assert say(text, "allergy", "nuts", "nuts", quote).code == code


def test_a_message_in_character_proves_nothing_not_even_an_aside():
    given = talk("((I'm allergic to nuts))", frame="in_character")
    assert check(given, delta("allergy", "n", "nuts", (1, "I'm allergic to nuts"))).code == VerdictCode.FICTION
    assert check(talk("((I'm allergic to nuts))"), delta("allergy", "n", "nuts", (1, "allergic to nuts"))).is_accepted


def test_the_place_that_the_author_says_for_themselves_counts():
    text = "> I'm allergic to nuts\nYes! I'm allergic to nuts"
    verdict = say(text, "allergy", "nuts", "nuts", "I'm allergic to nuts")
    assert verdict.is_accepted
    assert verdict.evidence == (EvidenceSpan(100, text.rindex("I'm"), len(text)),)


def test_an_echo_of_what_was_told_proves_nothing():
    text = "You told me: I'm allergic to nuts. Right?"
    start = text.index("I'm")
    given = talk("I'm allergic to nuts", echoes=((0, 20),))
    assert check(given, delta("allergy", "n", "nuts", (1, "allergic to nuts"))).code == VerdictCode.ECHO
    assert start  # the words are there; who told them decides


# -- Anchor, value, guards -----------------------------------------------------------------------------------------


def test_a_value_of_the_next_sentence_needs_its_own_speaker():
    text = "I'm allergic to cats. My sister can't eat nuts."
    assert not say(text, "allergy", "nuts", "nuts", "I'm allergic to cats.").is_accepted
    assert not say(text, "allergy", "nuts", "nuts").is_accepted
    assert say(text, "allergy", "cats", "cats").key == "cats"


def test_keys_and_values_are_canonical_in_any_language():
    keys = {
        say("у меня аллергия на арахис", "allergy", "арахис", "арахис").key,
        say("عندي حساسية من الفول السوداني", "allergy", "nut", "الفول السوداني").key,
        say("我对花生过敏", "allergy", "", "花生").key,
        say("I'm allergic to peanuts", "allergy", "peanut_allergy", "Peanuts").key,
    }
    assert keys == {"peanuts"}
    assert say("ميزانيتي ٥٠٠ درهم", "budget", "", "500 dirhams").value == "500 AED"
    assert say("I can spend 2k dhs", "budget", "general", "2000 AED").value == "2000 AED"
    assert say("сорок второй размер ношу", "body_params", "size", "42").value == "42"


@pytest.mark.parametrize("value", ["600 AED", "500 USD", "5000 AED", "50"])
def test_another_sum_or_currency_was_not_said(value):
    assert not say("my budget is 500 AED", "budget", "general", value).is_accepted


def test_a_measure_is_not_kept_under_the_key_of_another():
    assert say("my shoe size is 43", "body_params", "shoe_size", "43").key == "shoe_size"
    assert not say("my waist is 32 inches", "body_params", "shoe_size", "32").is_accepted
    assert not say("I'm 178 cm tall", "body_params", "waist", "178").is_accepted


def test_an_answer_by_place_takes_the_question_as_evidence():
    question = "Which one are you allergic to? 1) gluten 2) dairy 3) soy"
    given = talk(f"A: {question}", "the second one")
    verdict = check(given, delta("allergy", "dairy", "dairy", (2, "the second one")))
    assert (verdict.key, verdict.is_declared) == ("dairy", False)
    assert verdict.evidence == (EvidenceSpan(100, 0, len(question), is_question=True), EvidenceSpan(101, 0, 14))
    quoted = check(given, delta("allergy", "dairy", "dairy", (1, "2) dairy"), (2, "the second one")))
    assert quoted.evidence[0] == EvidenceSpan(100, question.index("2)"), question.index(" 3)"), is_question=True)
    assert not check(given, delta("allergy", "soy", "soy", (2, "the second one"))).is_accepted


@pytest.mark.parametrize(
    "said",
    [
        ("A: Are you allergic to latex?", "let me think", "yes"),
        ("A: Latex is used in gloves.", "yes"),
        ("A: Are you allergic to latex?", "no"),
        ("A: Are you allergic to latex?", "yes, my brother is"),
        ("A: I would take the latex gloves.", "sounds good!"),
    ],
)
def test_what_only_the_assistant_named_needs_a_bare_answer_right_behind(said):
    given = talk(*said)
    assert not check(given, delta("allergy", "latex", "latex", (len(said), said[-1]))).is_accepted


def test_an_event_ends_when_our_reader_says_so():
    verdict = say("our wedding is on June 12", "life_event", "wedding", "wedding in June")
    assert verdict.expires_at is not None
    assert dt.date(2026, 6, 12) <= verdict.expires_at.date() <= dt.date(2026, 6, 14)
    assert say("I'm allergic to nuts", "allergy", "nuts", "nuts").expires_at is None


def test_is_declared_wants_the_first_person():
    assert say("I'm allergic to nuts", "allergy", "nuts", "nuts").is_declared
    assert say("ношу 46 размер", "body_params", "size", "46").is_declared
    assert not say("AED 500", "budget", "general", "500 AED").is_declared


# -- Known facts ---------------------------------------------------------------------------------------------------


def test_what_is_known_is_confirmed_or_updated():
    facts = (fact("allergy", "peanuts", id=1), fact("body_params", "size", "M", id=2))
    same = check(talk("у меня аллергия на арахис", facts=facts), delta("allergy", "x", "арахис", (1, "на арахис")))
    assert (same.operation, same.fact_id) == (Operation.CONFIRM, 1)
    other = check(talk("I take size L", facts=facts), delta("body_params", "size", "L", (1, "size L")))
    assert (other.operation, other.fact_id) == (Operation.UPDATE, 2)
    wrong = check(
        talk("I take size L", facts=facts),
        delta("body_params", "size", "L", (1, "size L"), operation=Operation.CONFIRM, fact=2),
    )
    assert wrong.code == VerdictCode.FACT_UNKNOWN


def test_a_mention_does_not_confirm():
    given = talk("Is it the peanuts again?", facts=(fact("allergy", "peanuts"),))
    verdict = check(
        given, delta("allergy", "peanuts", "peanuts", (1, "the peanuts"), operation=Operation.CONFIRM, fact=1)
    )
    assert not verdict.is_accepted


def test_one_answer_says_a_thing_once():
    given = talk("I'm allergic to peanuts")
    one = delta("allergy", "peanuts", "peanuts", (1, "I'm allergic to peanuts"))
    two = delta("allergy", "арахис", "арахис", (1, "allergic to peanuts"))
    assert [each.code for each in check_deltas([one, two], given, shipped_rules())] == [
        VerdictCode.ACCEPTED, VerdictCode.DUPLICATE,
    ]  # fmt: skip


def remove(given, type_, key, quote, **fields) -> Verdict:
    values = {"operation": Operation.REMOVE, "fact": 1, "stance": Stance.DENIES} | fields
    return check(given, delta(type_, key, key, (1, quote), **values))


def test_removing_what_protects_a_person_only_disputes_and_wants_an_explicit_denial():
    facts = (fact("allergy", "nuts", source="instant_pattern", is_protected=True),)
    text = "I'm not allergic to nuts any more"
    verdict = remove(talk(text, facts=facts), "allergy", "nuts", text)
    assert (verdict.code, verdict.operation, verdict.is_denied) == (VerdictCode.ACCEPTED, Operation.REMOVE, False)
    for lesser in ("I ate some nuts today", "No.", "nuts are great", "my sister is not allergic to nuts"):
        assert not remove(talk(lesser, facts=facts), "allergy", "nuts", lesser).is_accepted


def test_removing_needs_a_denial_and_the_stance_of_one():
    facts = (fact("life_event", "wedding", "wedding"),)
    text = "The wedding is cancelled"
    verdict = remove(talk(text, facts=facts), "life_event", "wedding", text)
    assert (verdict.is_accepted, verdict.is_denied) == (True, True)
    asserts = remove(talk(text, facts=facts), "life_event", "wedding", text, stance=Stance.ASSERTS)
    assert asserts.code == VerdictCode.STANCE
    assert not remove(talk("the wedding is soon", facts=facts), "life_event", "wedding", "the wedding").is_accepted
