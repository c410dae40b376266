"""No frequent word beside a plain statement makes a denial of it: "to be clear I'm allergic", على فكرة عندي حساسية."""

import pytest
import wordfreq

from factcheck.instant.core.author_spans import AuthorSpans
from factcheck.instant.core.denials import find_denials
from factcheck.instant.core.known_facts import KnownFact
from factcheck.instant.core.lexicon import load_lexicon
from factcheck.instant.core.messages import fold_message

PEANUTS = KnownFact(1, "allergy", "peanuts", "peanuts")
SPIDERS = KnownFact(2, "hard_ban", "spiders", "spiders")
WORDS = 800
"""The most frequent of each language."""
DENYING = {
    "en": "not never doesn't wasn't haven't none nor neither ain't gone hasn't weren't dont ma zero"
    " clear drop end ended lose",
    "ru": "не ни нет никогда никаких никакого никакой прошла прошли ушла снять история",
    "ar": "ما غير ولا ليس وما ليست وليس فما مش لست مالي انتهت زال زالت",
    "zh": "不会 无 不再 消失",
}
"""Words that do deny what stands beside them: "drop no spiders" lifts the ban."""


@pytest.mark.parametrize(
    ("language", "fact", "statement"),
    [
        ("en", PEANUTS, "{} I'm allergic to peanuts"),
        ("en", PEANUTS, "i have a peanut allergy {}"),
        ("en", SPIDERS, "{} no spiders please"),
        ("ru", PEANUTS, "{} у меня аллергия на арахис"),
        ("ru", SPIDERS, "не показывай мне пауков {}"),
        ("ar", PEANUTS, "{} عندي حساسية من الفول السوداني"),
        ("ar", SPIDERS, "{} بدون عناكب لو سمحت"),
        ("zh", PEANUTS, "{}我对花生过敏"),
        ("zh", SPIDERS, "别给我看蜘蛛{}"),
    ],
)
def test_no_frequent_word_turns_a_statement_into_a_denial(concepts, language, fact, statement):
    allowed, denied = DENYING[language].split(), []
    for word in wordfreq.top_n_list(language, WORDS):
        text = statement.format(word)
        message, spoken = fold_message(text), AuthorSpans(text, is_topic=concepts.names_thing)
        found = find_denials(message, spoken, [fact], referred=[], concepts=concepts, lexicon=load_lexicon())
        denied += [word for each in found if each.strength == "explicit"]
    assert set(denied) <= set(allowed)


@pytest.mark.parametrize(
    "word", ["lessa", "les", "lsa", "wel", "wil", "list", "last", "oul", "mic", "mock", "madde", "still"]
)
def test_no_word_with_the_consonants_of_a_negation_is_one(concepts, word):
    text = f"{word} 3andi 7asasiya men el fool sudani"
    message, spoken = fold_message(text), AuthorSpans(text, is_topic=concepts.names_thing)
    assert not find_denials(message, spoken, [PEANUTS], referred=[], concepts=concepts, lexicon=load_lexicon())


@pytest.mark.parametrize(
    "text", ["sama7t bala spiders", "3eed bala spiders", "3ady bla spiders", "raj3a bidoon spiders"]
)
def test_without_a_thing_lifts_no_ban(concepts, text):
    message, spoken = fold_message(text), AuthorSpans(text, is_topic=concepts.names_thing)
    found = find_denials(message, spoken, [SPIDERS], referred=[], concepts=concepts, lexicon=load_lexicon())
    assert "explicit" not in [each.strength for each in found]


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("على فكرة أنا عندي حساسية من السمك", "fish"),
        ("to be clear I'm allergic to peanuts", "peanuts"),
        ("I have a history of peanut allergy", "peanuts"),
        ("to be clear no spiders please", "spiders"),
    ],
)
def test_what_was_once_taken_for_a_denial_is_heard(extract, text, key):
    assert [each.key for each in extract(text)] == [key]
