"""What is known survives: the cases of qa/facts/survival.jsonl, and messages made of the words of denials."""

import json
import random
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from factcheck.instant.core.pattern_sets import load_shipped
from factcheck.instant.core.survival import try_case

FILE = Path(__file__).resolve().parents[3] / "qa" / "facts" / "survival.jsonl"
CASES = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]
SAFETY_FACTS = [
    {"type": "allergy", "key": "nuts", "value": "nuts"},
    {"type": "allergy", "key": "shellfish", "value": "shellfish"},
    {"type": "hard_ban", "key": "spiders", "value": "spiders"},
    {"type": "hard_ban", "key": "leather", "value": "leather"},
]
WORDS = (
    "the old tower | we walked along the river | not today | I don't think so | no | nope, never | he said it's fine"
    " | now | you can show me the map again | that is not it | my sister is coming | why not? | it's my birthday"
    " | it got cancelled | forget it | I was joking | only one left | мы шли вдоль реки | нет | не хочу | теперь можно"
    " | это не я | больше не надо | мой брат пришёл | я не против | забудь | шучу | مشينا على طول النهر | لا | مو اليوم"
    " | عادي | خلاص | ما عندي وقت | أختي جاية | la2 | ma 3indi wa2t | 3adi | 5alas | wallah ta3ban | msh ana"
)
CHATTER = WORDS.split("|")
THINGS = [
    "nuts",
    "орехи",
    "المكسرات",
    "spiders",
    "пауки",
    "العناكب",
    "leather",
    "кожа",
    "shellfish",
    "no nuts",
    "без пауков",
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_fact_survives_or_ends_as_its_case_says(case, compiled, concepts):
    assert try_case(case, compiled, concepts).holds(case["expect"], case.get("about", ()))


@pytest.mark.parametrize("mark", [". ", "...", "…", "! ", "\n"])
def test_a_denial_ends_where_the_next_sentence_begins(mark, compiled, concepts):
    case = {"known": SAFETY_FACTS, "text": f"spiders don't bother me any more{mark}leather still does"}
    assert try_case(case, compiled, concepts).ended == {"spiders"}


def test_set_is_large_and_in_five_languages():
    assert len(CASES) >= 200
    assert set(Counter(case["language"] for case in CASES)) == {"en", "ru", "ar", "arabizi", "zh"}
    assert len({case["id"] for case in CASES}) == len(CASES)
    assert Counter(case["expect"] for case in CASES)["keep"] >= 150


@settings(max_examples=300, deadline=None)
@given(
    pieces=st.lists(st.sampled_from([*CHATTER, *THINGS]), min_size=1, max_size=5),
    joint=st.sampled_from([". ", ", ", " ", "\n", " - "]),
    claimed=st.booleans(),
)
def test_no_mixture_of_chatter_and_things_ends_what_protects(pieces, joint, claimed):
    compiled, concepts = load_shipped()
    context = [{"role": "assistant", "text": "You are allergic to nuts. You don't want spiders."}] if claimed else []
    text = joint.join(piece.strip() for piece in pieces)
    found = try_case({"known": SAFETY_FACTS, "context": context, "text": f"{text}?"}, compiled, concepts)
    assert not found.ended


@pytest.mark.parametrize("seed", range(4))
def test_statement_of_one_fact_ends_no_other(seed, compiled, concepts):
    lines = [
        case["text"]
        for name in ("en", "ru", "ar", "arabizi")
        for case in map(json.loads, (FILE.parent / f"{name}.jsonl").read_text(encoding="utf-8").splitlines())
        if case["facts"]
    ]
    for text in random.Random(seed).sample(lines, 60):
        case = {"known": SAFETY_FACTS, "context": [{"role": "assistant", "text": "You love nuts."}], "text": text}
        assert not try_case(case, compiled, concepts).ended, text
