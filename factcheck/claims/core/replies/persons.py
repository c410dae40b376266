"""Who did something: a clause that gives a deed to somebody else than canon does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from factcheck.claims.core.replies.asked import asks_of_more
from factcheck.claims.core.replies.canon import Canon, NameFact
from factcheck.claims.core.replies.findings import Finding, Said
from factcheck.claims.core.replies.lexicon import Lexicon
from factcheck.claims.core.replies.texts import Text, word_set
from factcheck.core.tokens import Token, find_sequence

LINKS = frozenset({"by", "is", "was", "are", "were", "called", "named", "это", "был", "была"})
ARTICLES = frozenset({"the", "a", "an", "old", "good", "young"})
TITLES = word_set(
    "captain sergeant king queen lord lady master mistress mother father old sir dame saint brother sister margrave "
    "duke superior князь княгиня старый дядя тётка мастер воевода"
)
MIN_PART_LENGTH = 3
PASSIVE_ENDINGS = ("ан", "ана", "ано", "аны", "ен", "ена", "ено", "ены")
ANSWER_PLACE = 2
"""A name that answers a question stands first, or after `it was`."""


def compare_persons(said: Said, canon: Canon, lexicon: Lexicon) -> list[Finding]:
    """What canon says to the names of one clause."""
    text = said.clause.text
    roles = text.labels() & lexicon.roles
    is_answer = "who" in said.question.asks and said.clause.is_opening and not roles - _asked(said, lexicon)
    if is_answer:
        roles |= said.question.text.labels() & lexicon.roles
    facts = [fact for fact in canon.persons if fact.slug in said.slugs and fact.roles & roles]
    if not facts:
        return []
    own = {name for slug in said.slugs for name in canon.names.get(slug, ())}
    names = [
        (start, end)
        for start, end in _list_names(text, canon)
        if tuple(word.lexeme for word in text.words[start:end]) not in own
    ]
    others = [name for name in names if not any(_is_same(text, name, fact) for fact in facts)]
    if not others or len(others) != len(names) or _names_expected(said, facts):
        return []
    if any(word.lexeme in canon.others for name in others for word in text.words[slice(*name)]):
        return []
    stated = [name for name in others if _is_agent(text, name, lexicon, is_answer=is_answer)]
    if not stated:
        return []
    fact = facts[0]
    if is_answer and not text.labels() & lexicon.roles and asks_of_more(said, fact.quote, lexicon):
        return []
    is_sure = said.is_plain and not said.is_own and len({each.parts for each in facts}) == 1
    said = replace(said, is_of_stranger=False)
    return [said.finding("name", fact.quote, fact.slug, fact.shown, fact.field, is_sure=is_sure)]


def _asked(said: Said, lexicon: Lexicon) -> frozenset[str]:
    return said.question.text.labels() & lexicon.roles


def _list_names(text: Text, canon: Canon) -> list[tuple[int, int]]:
    """Where the clause names something that canon knows, or somebody by two capitals in a row."""
    words = text.words
    spans: set[tuple[int, int]] = set()
    for name in canon.known_names:
        for start in find_sequence(words, name):
            if words[start].capital or not _has_case(words[start]):
                spans.add((start, start + len(name)))
        for place, word in enumerate(words):
            if word.lexeme in name and len(name) > 1 and len(word.text) > MIN_PART_LENGTH and word.capital:
                spans.add((place, place + 1))
    place = 0
    while place < len(words):
        end = place
        while end < len(words) and words[end].capital and (end == place or not words[end].gap):
            end += 1
        is_named = any(word.text not in TITLES for word in words[place:end])
        if end - place > 1 and is_named and words[place].text not in ARTICLES:
            spans.add((place, end))
        place = max(end, place + 1)
    return sorted(span for span in spans if not any(o != span and o[0] <= span[0] and span[1] <= o[1] for o in spans))


def _is_same(text: Text, name: tuple[int, int], fact: NameFact) -> bool:
    return any(word.lexeme in fact.parts for word in text.words[slice(*name)])


def _names_expected(said: Said, facts: Sequence[NameFact]) -> bool:
    return any(part in said.reply_keys for fact in facts for part in fact.parts if len(part) > MIN_PART_LENGTH)


def _is_agent(text: Text, name: tuple[int, int], lexicon: Lexicon, *, is_answer: bool) -> bool:
    """Whether the name stands where the one who did it stands, and not where somebody else does."""
    words = text.words
    start, end = name
    if words[end - 1].text.endswith("'s") or _is_inflected(words[start:end]):
        return False
    before = start - 1
    while before >= 0 and words[before].text in ARTICLES:
        before -= 1
    is_linked = before >= 0 and words[before].text in LINKS
    deeds = [each for each in text.concepts if each.label in lexicon.roles]
    if not deeds:
        is_first = start <= ANSWER_PLACE and not any(
            text.keys[place] and words[place].text not in TITLES for place in range(start)
        )
        return is_answer and (is_first or is_linked)
    if any(each.start <= start and end <= each.end for each in deeds):
        return False
    if any(_is_passive(words, each.start) for each in deeds):
        return before >= 0 and words[before].text == "by"
    if _is_arabic(words[start]):
        return any(0 <= start - each.end <= 1 for each in deeds if each.label != "@win") or (is_answer and start == 0)
    if _is_russian(words[start]):
        return True
    return is_linked or end <= min(each.start for each in deeds) or (is_answer and start == 0)


def _is_passive(words: Sequence[Token], deed: int) -> bool:
    """Whether the deed was done to what is named: `was founded`, `основан`."""
    is_english = deed > 0 and words[deed - 1].text in {"was", "were", "been", "is", "are", "being"}
    return is_english or words[deed].text.endswith(PASSIVE_ENDINGS)


def _is_inflected(words: Sequence[Token]) -> bool:
    """Whether a Russian name stands in a case that makes it no subject."""
    last = words[-1].text
    return "а" <= last[0] <= "я" and last[-1:] in {"у", "ю", "ы", "и", "е", "м"} and len(last) > MIN_PART_LENGTH


def _has_case(word: Token) -> bool:
    return word.text[:1].isascii() or "\u0400" <= word.text[:1] <= "\u04ff"


def _is_russian(word: Token) -> bool:
    return "\u0400" <= word.text[:1] <= "\u04ff"


def _is_arabic(word: Token) -> bool:
    return "\u0600" <= word.text[:1] <= "\u06ff"
