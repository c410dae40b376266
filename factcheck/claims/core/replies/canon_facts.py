"""What single sentences and fields of an article state: numbers, kinds, names, years."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from fractions import Fraction

from factcheck.claims.core.dates import parse_iso_date
from factcheck.claims.core.replies.canon import (
    ABSENT,
    UNSURE,
    YEAR_CONCEPTS,
    CanonArticle,
    KindFact,
    NameFact,
    NumberFact,
    Statement,
)
from factcheck.claims.core.replies.clauses import split_pieces
from factcheck.claims.core.replies.lexicon import ARABIC_AND, Lexicon
from factcheck.claims.core.replies.person_names import find_places
from factcheck.claims.core.replies.quantities import YEARS
from factcheck.claims.core.replies.slots import list_nouns
from factcheck.claims.core.replies.texts import (
    Kind,
    Text,
    key_of,
    list_typed_values,
    read_text,
    script_of,
)
from factcheck.claims.core.subjects import NAMELESS_WORDS, REFERENCE
from factcheck.core.sentences import split_sentences
from factcheck.core.tokens import Token, name_sequence, tokenize

YEAR_FIELD_WORDS = frozenset({"since", "year", "founded", "built", "opened", "made", "born", "died", "established",
                              "chartered", "cast", "forged", "held"})  # fmt: skip
HEAD_WORDS = 3
HEAD_DISTANCE = 5
"""So many telling words, within so many words from a value, say what has it."""
NEGATION_DISTANCE = 3
QUALITIES = frozenset({"%colour", "%material", "%temperature"})


def read_sentence(article: CanonArticle, sentence: str, lexicon: Lexicon) -> list[Statement]:
    words = tokenize(sentence).words
    is_unsure = any(lexicon.cues[name].is_in(words) for name in UNSURE)
    found = []
    for _, quote in split_pieces(sentence, lexicon):
        text = read_text(quote, lexicon)
        found.append(
            Statement(
                slug=article.slug,
                text=text,
                quote=sentence,
                is_negated=bool(lexicon.find_negations(text.words)) or lexicon.lists["forbid"].is_in(text.words),
                is_rule=lexicon.lists["rule"].is_in(text.words),
                values=tuple(list_typed_values(text, lexicon)),
                is_unsure=is_unsure
                or _is_twice_negated(text, lexicon)
                or lexicon.lists["canon_past"].is_in(text.words),
            )
        )
    return found


def _is_twice_negated(text: Text, lexicon: Lexicon) -> bool:
    """Whether two negations make a yes (`nobody crosses without having paid`); Russian ones do not."""
    words = text.words
    found = lexicon.find_negations(words)
    starts = sorted({each.start for each in found if not any(o.start < each.start < o.end for o in found)})
    single = [start for start in starts[1:] if not (words[start].text[:1] == ARABIC_AND or _follows_and(words, start))]
    return bool(single) and script_of(text.tokens.text) != "cyrillic"


def _follows_and(words: Sequence[Token], start: int) -> bool:
    """Whether a denial only joins another one (`no wife and no child`)."""
    return any(word.text in {"and", "or", "nor"} for word in words[max(start - 2, 0) : start])


def list_numbers(statement: Statement, lexicon: Lexicon) -> list[NumberFact]:
    text = statement.text
    return [
        NumberFact(
            slug=statement.slug,
            value=quantity.value,
            nouns=list_nouns(text, quantity),
            context=text.all_keys(),
            is_year=quantity.is_year,
            quote=statement.quote,
        )
        for quantity in text.quantities
        if quantity.value != 1 or text.words[quantity.start].kind == "number" or _is_only(text, quantity.start, lexicon)
    ]


def _is_only(text: Text, place: int, lexicon: Lexicon) -> bool:
    return lexicon.lists["only"].is_in(text.words[max(place - 2, 0) : place + 3])


def list_kinds(statement: Statement, own_names: Iterable[tuple[str, ...]], lexicon: Lexicon) -> list[KindFact]:
    text = statement.text
    found = []
    masked = find_places(text.words, own_names)
    for kind in text.kinds:
        if kind.start in masked:
            continue
        before = text.words[max(kind.start - NEGATION_DISTANCE, 0) : kind.start]
        if lexicon.lists["negations"].is_in(before) or any(word.text in ABSENT for word in text.words[kind.end :]):
            continue
        heads = {key for place in _near(text, kind) for key in text.keys[place]} - lexicon.units
        heads -= {key for key in heads if key.startswith(f"%{kind.group}:")}
        found.append(KindFact(statement.slug, kind.group, kind.value, frozenset(heads), statement.quote))
    return found


def _near(text: Text, kind: Kind) -> list[int]:
    """The places of the next words on both sides that say something."""
    sides = (range(kind.start - 1, -1, -1), range(kind.end, len(text.words)))
    telling = ([place for place in side if text.keys[place] and not _is_quality(text.keys[place])] for side in sides)
    return [place for side in telling for place in side[:HEAD_WORDS] if abs(place - kind.start) <= HEAD_DISTANCE]


def _is_quality(keys: frozenset[str]) -> bool:
    """Whether a word only says what something is like: `stone` does not say what is yellow."""
    return any(key.split(":")[0] in QUALITIES for key in keys)


def list_persons(statement: Statement, own_names: tuple[tuple[str, ...], ...], lexicon: Lexicon) -> list[NameFact]:
    """Names with a capital in a clause that tells of one deed that persons do."""
    roles = statement.text.labels() & lexicon.roles
    runs = [run for run in list_capital_runs(statement.text.words) if len(run) > 1 and run not in own_names]
    if len(roles) != 1 or len(runs) != 1 or statement.is_negated:
        return []
    parts = _without_titles(runs[0], statement.text)
    return [NameFact(statement.slug, frozenset(roles), parts, " ".join(runs[0]), statement.quote)]


def _without_titles(name: tuple[str, ...], text: Text) -> frozenset[str]:
    """The words of a name that are no title (`Margrave`), which others bear too."""
    titles = {text.words[each.start].lexeme for each in text.concepts}
    return frozenset(name) - titles or frozenset(name)


def list_capital_runs(words: Sequence[Token]) -> list[tuple[str, ...]]:
    """Names within a sentence: words with capitals in a row, the first word of all not alone."""
    runs: list[tuple[str, ...]] = []
    place = 0
    while place < len(words):
        end = place
        while end < len(words) and words[end].capital and (end == place or not words[end].gap):
            end += 1
        run = tuple(word.lexeme for word in words[place:end] if word.text not in {"the", "it", "its", "some"})
        if run and (place > 0 or len(run) > 1):
            runs.append(run)
        place = max(end, place + 1)
    return runs


def add_fields(
    article: CanonArticle,
    lexicon: Lexicon,
    numbers: list[NumberFact],
    kinds: list[KindFact],
    persons: list[NameFact],
) -> None:
    for name, value in article.fields.items():
        label = article.describe_field(name)
        words = read_text(label, lexicon)
        quote = article.quote_field(name)
        if isinstance(value, bool) or value is None:
            continue
        if isinstance(value, int | float):
            _add_number(article, name, value, words, quote, numbers)
        elif isinstance(value, str) and parse_iso_date(value) is None:
            _add_text(article, name, value, words, quote, lexicon, kinds, persons)


def _add_number(
    article: CanonArticle, name: str, value: float, words: Text, quote: str, numbers: list[NumberFact]
) -> None:
    """A number field; what sentences of the article say of the same number speaks of it too."""
    amount = Fraction(str(value))
    keys = words.all_keys() - NAMELESS_WORDS
    is_dated = bool(set(name.split("_")) & YEAR_FIELD_WORDS or words.labels() & YEAR_CONCEPTS)
    is_year = is_dated and amount.denominator == 1 and int(amount) in YEARS
    same = [
        each
        for each in numbers
        if each.slug == article.slug and each.value == amount and each.is_year == is_year and each.field is None
    ]
    for each in same if len(same) == 1 else []:
        numbers.remove(each)
        numbers.append(NumberFact(each.slug, amount, each.nouns | keys, each.context | keys, is_year, each.quote, name))
        return
    numbers.append(NumberFact(article.slug, amount, keys, keys, is_year, quote, name))


def _add_text(
    article: CanonArticle,
    name: str,
    value: str,
    words: Text,
    quote: str,
    lexicon: Lexicon,
    kinds: list[KindFact],
    persons: list[NameFact],
) -> None:
    said = read_text(value, lexicon)
    heads = words.all_keys() | frozenset(f"?{part}" for part in name.split("_"))
    kinds += [KindFact(article.slug, kind.group, kind.value, heads, quote, name) for kind in said.kinds]
    roles = words.labels() & lexicon.roles
    sequence = name_sequence(value)
    if not roles or REFERENCE.search(value) or (value[:1].islower() and not _ends_in_name(value)):
        return
    sentence = next(
        (text for text in split_sentences(article.text) if set(sequence) <= set(tokenize(text).lexemes())), quote
    )
    persons.append(NameFact(article.slug, roles, _without_titles(sequence, said), value, sentence, name))


def _ends_in_name(value: str) -> bool:
    """Whether a title in small letters stands before a name (`князь Ратмир`)."""
    return any(word.capital for word in tokenize(value).words)


def list_types(article: CanonArticle, lexicon: Lexicon) -> frozenset[str]:
    """The words of its names, and of `is a …` in the first sentence, that say what sort of thing it is."""
    title = read_text(" ".join([article.title, *article.aliases]), lexicon)
    first = next(iter(split_sentences(article.text)), "")
    match = re.search(r"\b(?:is|was) (?:a|an|the) ([^.,;]+)", first)
    kind = read_text(match[1], lexicon).keys[:3] if match else ()
    return title.all_keys() | frozenset(key_of(word) for word in title.words) | frozenset().union(*kind)
