"""Articles read once, into all that a reply is held against."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from factcheck.claims.core.replies.canon import (
    MAX_NAME_LENGTH,
    UNSURE,
    Canon,
    CanonArticle,
    KindFact,
    NameFact,
    NumberFact,
    Source,
    Statement,
)
from factcheck.claims.core.replies.canon_facts import (
    add_fields,
    list_capital_runs,
    list_kinds,
    list_numbers,
    list_persons,
    list_types,
    read_sentence,
)
from factcheck.claims.core.replies.closures import list_openings
from factcheck.claims.core.replies.epithets import KnownEpithet, join_words, list_epithets, list_field_epithets
from factcheck.claims.core.replies.lexicon import Lexicon
from factcheck.claims.core.replies.passages import FieldRead, Passage, SentenceRead, build_field_passage, list_passages
from factcheck.claims.core.replies.person_names import NameIndex
from factcheck.claims.core.replies.sides import list_sides
from factcheck.claims.core.replies.texts import (
    list_typed_values,
    read_text,
)
from factcheck.core.sentences import split_sentences
from factcheck.core.tokens import name_sequence


def build_canon(articles: Iterable[CanonArticle], lexicon: Lexicon) -> Canon:
    """The statements of the articles' fields and sentences."""
    chosen = tuple(articles)
    names = {article.slug: _spellings(article) for article in chosen}
    numbers: list[NumberFact] = []
    kinds: list[KindFact] = []
    persons: list[NameFact] = []
    statements: list[Statement] = []
    sources: list[Source] = []
    passages: list[Passage] = []
    known: set[tuple[str, ...]] = {name for spellings in names.values() for name in spellings}
    others: set[str] = set()
    read: list[list[list[Statement]]] = []
    for article in chosen:
        own = [read_sentence(article, sentence, lexicon) for sentence in split_sentences(article.text)]
        read.append(own)
        said = [statement for sentence in own for statement in sentence]
        statements += said
        for statement in said:
            if statement.is_unsure:
                continue
            numbers += list_numbers(statement, lexicon)
            kinds += list_kinds(statement, names[article.slug], lexicon)
            persons += list_persons(statement, names[article.slug], lexicon)
            known |= set(list_capital_runs(statement.text.words))
        sources += [_source_of(statement, lexicon) for statement in said]
        fields = _read_fields(article, lexicon)
        sources += [_source_of_field(article.slug, each) for each in fields]
        others |= _list_others(fields, lexicon)
        passages += list_passages(article.slug, _list_read(own, lexicon), names[article.slug], lexicon)
        passages += [build_field_passage(article.slug, each) for each in fields]
        add_fields(article, lexicon, numbers, kinds, persons)
    known |= {tuple(name_sequence(person.shown)) for person in persons}
    people = _index_people(chosen, names, known)
    return Canon(
        articles=chosen,
        names=names,
        types={article.slug: list_types(article, lexicon) for article in chosen},
        numbers=tuple(numbers),
        kinds=tuple(kinds),
        persons=tuple(persons),
        statements=tuple(statements),
        sources=tuple(sources),
        passages=tuple(passages),
        known_names=frozenset(name for name in known if name),
        name_words=frozenset(word for name in known for word in name),
        keys_of={
            article.slug: frozenset().union(*(each.keys for each in sources if each.slug == article.slug))
            for article in chosen
        },
        names_of_people=people,
        epithets=tuple(
            each
            for article, sentences in zip(chosen, read, strict=True)
            for each in _epithets_of(article, sentences, people, lexicon)
        ),
        sides=tuple(
            side
            for each in statements
            if not (each.is_unsure or each.is_negated)
            for side in list_sides(each.slug, each.text, each.values, each.quote)
        ),
        openings=tuple(
            opening
            for each in statements
            if not each.is_unsure
            for opening in list_openings(
                each.slug, each.text, each.values, each.quote, lexicon, is_negated=each.is_negated
            )
        ),
        others=frozenset(others),
    )


def _index_people(
    articles: Iterable[CanonArticle], names: Mapping[str, tuple[tuple[str, ...], ...]], known: set[tuple[str, ...]]
) -> NameIndex:
    values = {
        name_sequence(value)
        for article in articles
        for value in article.fields.values()
        if isinstance(value, str) and len(value) <= MAX_NAME_LENGTH
    }
    own = frozenset(name for spellings in names.values() for name in spellings)
    spellings = frozenset(name for name in known | values if name)
    return NameIndex(spellings, frozenset(word for name in spellings for word in name), own)


def _epithets_of(
    article: CanonArticle, sentences: Iterable[Sequence[Statement]], people: NameIndex, lexicon: Lexicon
) -> Iterable[KnownEpithet]:
    for statements in sentences:
        words = join_words([each.text for each in statements])
        for each in list_epithets(words, people, lexicon):
            yield KnownEpithet(article.slug, each.name, each.group, each.label, statements[0].quote)
    labelled = {
        name: value
        for name, value in article.fields.items()
        if isinstance(value, str) and len(value) <= MAX_NAME_LENGTH
    }
    quotes = {name: article.quote_field(name) for name in labelled}
    yield from list_field_epithets(article.slug, labelled, quotes, lexicon)


def _source_of(statement: Statement, lexicon: Lexicon) -> Source:
    values = () if statement.is_negated else statement.values
    keys = statement.text.all_keys()
    return Source(statement.slug, keys, values, statement.quote, None, statement.is_unsure)


def _list_read(sentences: Iterable[Sequence[Statement]], lexicon: Lexicon) -> list[SentenceRead]:
    return [
        SentenceRead(
            quote=statements[0].quote,
            clauses=tuple((each.text, () if each.is_negated else each.values) for each in statements),
            is_unsure=any(lexicon.cues[name].is_in(each.text.words) for each in statements for name in UNSURE),
        )
        for statements in sentences
        if statements
    ]


def _read_fields(article: CanonArticle, lexicon: Lexicon) -> list[FieldRead]:
    found = []
    for name, value in article.fields.items():
        if isinstance(value, str):
            label, text = read_text(article.describe_field(name), lexicon), read_text(value, lexicon)
            values = tuple(list_typed_values(text, lexicon))
            found.append(FieldRead(name, label, text, values, article.quote_field(name)))
    return found


def _source_of_field(slug: str, field: FieldRead) -> Source:
    return Source(slug, field.label.all_keys(), field.values, field.quote, field.name, is_unsure=False)


def _list_others(fields: Iterable[FieldRead], lexicon: Lexicon) -> set[str]:
    named = [each for each in fields if not each.label.labels() & lexicon.roles]
    return {word for each in named for word in name_sequence(each.text.tokens.text)}


def _spellings(article: CanonArticle) -> tuple[tuple[str, ...], ...]:
    return tuple(dict.fromkeys(name_sequence(text) for text in (article.title, *article.aliases) if text.strip()))
