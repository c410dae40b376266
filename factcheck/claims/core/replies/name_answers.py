"""A name that answers `who`, held against the one that canon has for that part: in charge, or author of a work.

`Who looks after the lamp?` needs no word that canon uses. Of the names that canon gives in fields and sentences those
count whose field or clause tells of the same part; where there is one, another name contradicts it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from factcheck.claims.core.replies.absolutes import wide_keys
from factcheck.claims.core.replies.answer_values import HAN_COMMON_ENDINGS, PERSON_TITLES, PLACE_HEADS
from factcheck.claims.core.replies.asked import list_telling
from factcheck.claims.core.replies.canon import Canon, CanonArticle
from factcheck.claims.core.replies.findings import Finding, Said
from factcheck.claims.core.replies.lexicon import Lexicon
from factcheck.claims.core.replies.texts import Text, read_text, word_set
from factcheck.core.sentences import split_sentences
from factcheck.core.tokens import Token, find_sequence, name_sequence, tokenize

PARTS = frozenset({"^incharge", "^creator"})
ROLES_OF_PARTS = {
    "^incharge": frozenset({"@rule", "@lead", "@keep_inn"}),
    "^creator": frozenset({"@found", "@build", "@make", "@design", "@write"}),
}
TITLE_CLASSES = frozenset({"trade", "ruler_sort", "kin"})
NAME_PLACE = 4
"""The name is among the first words of the answer."""
HAN_NAME = range(2, 4)
NAMING_HAN = frozenset("是叫姓")
ARABIC_BETWEEN = word_set("بن بنت أبو أم ابن")
LEADS = word_set(
    "it it's its that that'd that's that'll would be was is by why well the a an old our his her this it'd"
)
FORMER = word_set(
    "before previous previously first former earlier once until "
    "прежде раньше прежний до قبل سابقا السابق 以前 之前 从前 前任"
)


@dataclass(frozen=True, slots=True)
class _Holder:
    """Who has a part in canon."""

    parts: frozenset[str]
    names: frozenset[str]
    shown: str
    quote: str
    field: str | None


def compare_name_answer(said: Said, canon: Canon, lexicon: Lexicon) -> list[Finding]:
    """What canon says to the name that opens an answer to `who`."""
    question = said.question
    if said.clause.cues or said.clause.is_negated or question.is_negated or said.is_own:
        return []
    if "yes" in question.asks or lexicon.lists["asked_own_life"].is_in(question.text.words):
        return []
    words = question.text.words
    asked = frozenset().union(*wide_keys(question.text, lexicon)) & PARTS
    if len(asked) != 1 or not (question.asks & {"who", "which"}) or any(word.text in FORMER for word in words):
        return []
    found = [
        (article, holder)
        for article in canon.articles
        if article.slug in said.slugs and not _asks_of_other(said, article, lexicon)
        for holder in _list_holders(article, canon, lexicon)
        if holder.parts & asked
    ]
    if not found or len({(article.slug, holder.names) for article, holder in found}) != 1:
        return []
    article, holder = found[0]
    name = find_name(said.clause.text, canon, lexicon)
    if name is None:
        return []
    reply = {key for key in said.reply_keys if len(key) > 1}
    if holder.names & reply or any(part in said.clause.quote for part in holder.shown.split() if _is_han(part)):
        return []
    if any(set(spelling) & set(name) for spelling in canon.names[article.slug]):
        return []
    said = replace(said, is_of_stranger=False)
    return [said.finding("name", holder.quote, article.slug, holder.shown, holder.field, is_sure=True)]


def _list_holders(article: CanonArticle, canon: Canon, lexicon: Lexicon) -> Iterable[_Holder]:
    for person in canon.persons:
        parts = frozenset(part for part, roles in ROLES_OF_PARTS.items() if person.roles & roles)
        if person.slug == article.slug and person.field is None and parts:
            yield _Holder(parts, person.parts, person.shown, person.quote, None)
    sentences = split_sentences(article.text)
    for name, value in article.fields.items():
        if not isinstance(value, str) or not value.strip():
            continue
        label = read_text(article.describe_field(name), lexicon)
        parts = frozenset().union(*wide_keys(label, lexicon)) & PARTS
        sequence = name_sequence(value)
        read = read_text(value, lexicon)
        if not parts or not any(word.capital or not _has_case(word) for word in read.words):
            continue
        quote = next((text for text in sentences if value in text), article.quote_field(name))
        names = frozenset(sequence) - {word.lexeme for word in read.words if word.text in PERSON_TITLES}
        yield _Holder(parts, names or frozenset(sequence), value, quote, name)


def _asks_of_other(said: Said, article: CanonArticle, lexicon: Lexicon) -> bool:
    """Whether the question names something that the article does not speak of (`who built the gate?`)."""
    text = said.question.text
    idle = frozenset().union(
        *(range(each.start, each.end) for each in lexicon.wide.find(text.words) if f"^{each.label}" in PARTS)
    ) | lexicon.lists["ask_who"].places(text.words)
    known = read_text(article.text, lexicon).all_keys()
    return any(not keys & known for keys in list_telling(said, lexicon, covered=idle))


def find_name(text: Text, canon: Canon, lexicon: Lexicon) -> tuple[str, ...] | None:
    """The lexemes of the name that opens the clause; None where none does."""
    words = text.words
    if words and words[0].kind == "han":
        return _find_han_name(words, lexicon)
    if words and "\u0600" <= words[0].text[:1] <= "\u06ff":
        return _find_arabic_name(words, canon, lexicon)
    start = 0
    while start < len(words) and words[start].text in LEADS and start < NAME_PLACE:
        start += 1
    end = start
    while end < len(words) and words[end].capital and (end == start or not words[end].gap):
        end += 1
    proper = [word for word in words[start:end] if not _is_title(word, lexicon)]
    heads = frozenset().union(*PLACE_HEADS.values())
    if any(word.text in heads or word.text.endswith("'s") for word in proper):
        return None
    is_known = tuple(word.lexeme for word in proper) in canon.known_names
    is_titled = any(_is_title(word, lexicon) and word.text not in LEADS for word in words[start:end])
    if len(proper) < 2 and not (proper and (is_known or is_titled)):
        return None
    return tuple(word.lexeme for word in proper)


def _is_title(word: Token, lexicon: Lexicon) -> bool:
    """Whether a word says what somebody is (`Mother`, `Captain`, `Master`): it is no name."""
    if word.text in PERSON_TITLES or word.text in LEADS:
        return True
    is_class = any(each.group in TITLE_CLASSES for each in lexicon.sorts.find([word]))
    return is_class or any(f"^{each.label}" in PARTS for each in lexicon.wide.find([word]))


def _find_arabic_name(words: Sequence[Token], canon: Canon, lexicon: Lexicon) -> tuple[str, ...] | None:
    opening = tuple(word.lexeme for word in words[:2])
    if len(opening) == 2 and not words[1].gap and words[1].text.startswith("ال"):
        for article in canon.articles:
            if find_sequence(tokenize(article.text).words, opening):
                return opening
    first = next((each for each in lexicon.lists["given_names"].find(words[:NAME_PLACE]) if each.start <= 1), None)
    if first is None or first.end >= len(words) or words[first.end].gap:
        return None
    after = words[first.end]
    if not after.text.startswith("ال") and after.text not in ARABIC_BETWEEN:
        return None
    return tuple(word.lexeme for word in words[first.start : first.end + 1])


def _find_han_name(words: Sequence[Token], lexicon: Lexicon) -> tuple[str, ...] | None:
    for each in lexicon.lists["surnames"].find(words[: NAME_PLACE + 1]):
        is_first = each.start == 0 or words[each.start].gap or words[each.start - 1].text in NAMING_HAN
        end = next(
            (place for place in range(each.end, len(words)) if words[place].gap or words[place].text in "的建做管"),
            len(words),
        )
        name = "".join(word.text for word in words[each.start : end])
        if is_first and len(name) in HAN_NAME and not set(name[1:]) & HAN_COMMON_ENDINGS:
            return tuple(name)
    return None


def _has_case(word: Token) -> bool:
    return word.text[:1].isascii() or "\u0400" <= word.text[:1] <= "\u04ff"


def _is_han(part: str) -> bool:
    return "\u3400" <= part[:1] <= "\u9fff"
