"""What somebody is called by their name: kin, ranks, titles and trades, in canon and in a reply.

`His daughter Anna` and canon's `his wife Anna` need no other common word: the name says who is meant, and one class
has one true value for them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from factcheck.claims.core.replies.clauses import Clause
from factcheck.claims.core.replies.findings import Finding
from factcheck.claims.core.replies.lexicon import Found, Lexicon
from factcheck.claims.core.replies.person_names import (
    CALLED,
    LEADS,
    LINKS,
    OWN,
    OWNED,
    NameIndex,
    find_places,
    list_name_runs,
    name_of,
)
from factcheck.claims.core.replies.questions import Question
from factcheck.claims.core.replies.texts import Text, word_set
from factcheck.core.tokens import Token, find_sequence, tokenize
from factcheck.instant.core.forms import is_russian_nominative

GROUPS = frozenset(
    {"kin", "sibling_age", "child_age", "army_rank", "cleric", "office", "ruler_sort", "trade", "gender"}
)
KIN = frozenset({"kin", "sibling_age", "child_age"})
NEGATING = word_set("not no never n't не ни нет 不 没 لا ليس ليست")
FILLED = 2
"""So many words may stand between a value and the name: `a son by the name of Tom`."""
BACK = 4
MAX_NAME_WORDS = 3


@dataclass(frozen=True, slots=True)
class Epithet:
    """A value of a class that a name has."""

    name: frozenset[str]
    """Lexemes of the name; of a Chinese one the whole."""
    group: str
    label: str
    start: int
    end: int
    """Of the words from the value to the name, either way round."""
    owner: str | None = None
    """Whose: the lexeme of the name that stands before the value (`Fray's wife`)."""


@dataclass(frozen=True, slots=True)
class KnownEpithet:
    """One that canon gives."""

    slug: str
    name: frozenset[str]
    group: str
    label: str
    quote: str
    field: str | None = None


@dataclass(frozen=True, slots=True)
class Epithets:
    """A reply as it is read for what it calls people."""

    clauses: Sequence[Clause]
    question: Question
    reply_keys: frozenset[str]


def list_field_epithets(
    slug: str, fields: Mapping[str, str], quotes: Mapping[str, str], lexicon: Lexicon
) -> Iterable[KnownEpithet]:
    """A field whose label is a value (`captain: Ines Marrow`) gives it to the name."""
    for label, value in fields.items():
        found = _find_values(tokenize(label.replace("_", " ")).words, lexicon, frozenset())
        name = name_of(tokenize(value).words)
        for group, called in (
            {(each.group, each.label) for each in found} if name and len(name) <= MAX_NAME_WORDS else ()
        ):
            yield KnownEpithet(slug, name, group, called, quotes[label], label)


def list_epithets(words: Sequence[Token], names: NameIndex, lexicon: Lexicon) -> list[Epithet]:
    """The values that stand beside names in one sentence."""
    values = _find_values(words, lexicon, find_places(words, names.own))
    if not values:
        return []
    taken = frozenset(place for each in values for place in range(each.start, each.end))
    found: list[Epithet] = []
    for value in values:
        for run in list_name_runs(words, names, lexicon, taken=taken, values=values):
            epithet = _pair(words, value, run, taken)
            if epithet is not None:
                found.append(epithet)
    return found


def compare_epithets(
    said: Epithets, known: Sequence[KnownEpithet], names: NameIndex, lexicon: Lexicon
) -> list[Finding]:
    """What canon says to what the reply calls people whom both name."""
    found: list[Finding] = []
    before: frozenset[str] | None = _asked_name(said.question, names) if known else None
    for clauses in _split_by_sentence(said.clauses) if known else ():
        words = join_words(each.text for each in clauses)
        epithets = list_epithets(words, names, lexicon)
        if not epithets and before:
            epithets = _list_leading(words, before, names, lexicon)
        for epithet in epithets:
            clause = _clause_of(clauses, epithet.start)
            finding = _compare(epithet, clause, words, said, known, lexicon)
            found += [finding] if finding is not None else []
        runs = list_name_runs(words, names, lexicon)
        if len(runs) == 1:
            before = name_of(words[slice(*runs[0])])
    return found[:1]


def _split_by_sentence(clauses: Sequence[Clause]) -> list[list[Clause]]:
    return [list(group) for _, group in groupby(clauses, key=lambda each: each.sentence)]


def _compare(
    epithet: Epithet,
    clause: Clause,
    words: Sequence[Token],
    said: Epithets,
    known: Sequence[KnownEpithet],
    lexicon: Lexicon,
) -> Finding | None:
    same = [each for each in known if each.group == epithet.group and _is_same(epithet.name, each.name)]
    labels = {each.label for each in same}
    if not same or epithet.label in labels or not all(lexicon.excludes(epithet.label, label) for label in labels):
        return None
    if any(f"%{label}" in said.reply_keys for label in labels) or len({each.name for each in same}) > 1:
        return None
    if clause.cues - {"past"} or _is_denied(words, epithet):
        return None
    fact = same[0]
    if epithet.owner is not None and epithet.owner not in {word.lexeme for word in tokenize(fact.quote).words}:
        return None
    shown = fact.label.partition(":")[2]
    return Finding(
        is_contradiction=True,
        rule="kind",
        quote=clause.quote,
        slug=fact.slug,
        canon_quote=fact.quote,
        expected=shown,
        field=fact.field,
    )


def _is_same(said: frozenset[str], known: frozenset[str]) -> bool:
    return said <= known or known <= said


def _is_denied(words: Sequence[Token], epithet: Epithet) -> bool:
    return any(word.text in NEGATING for word in words[max(epithet.start - 3, 0) : epithet.end])


def _find_values(words: Sequence[Token], lexicon: Lexicon, masked: frozenset[int]) -> list[Found]:
    """The values of the classes, of those of one class within each other the longest."""
    found = [
        each
        for each in lexicon.sorts.find(words)
        if each.group in GROUPS and not masked & set(range(each.start, each.end))
    ]
    return [
        each
        for each in found
        if not any(
            other.group == each.group
            and other.start <= each.start and each.end <= other.end and other.end - other.start > each.end - each.start
            for other in found
        )
    ]  # fmt: skip


def _pair(words: Sequence[Token], value: Found, run: tuple[int, int], taken: frozenset[int]) -> Epithet | None:
    start, end = run
    group = value.group
    name = name_of(words[start:end])
    if value.end <= start:
        is_paired = _stands_before(words, value, start, taken)
        span = value.start, end
    elif end <= value.start:
        is_paired = _stands_behind(words, value, start, end)
        span = start, value.end
    else:
        return None
    if not is_paired or words[end - 1].text.endswith("'s") or _is_own(words, value):
        return None
    return Epithet(name, group, value.label, *span, owner=_owner_of(words, value))


def _stands_before(words: Sequence[Token], value: Found, start: int, taken: frozenset[int]) -> bool:
    """Whether the value leads to the name: `his daughter Anna`, `her sister, Hesper`, `сотник Лука`, `女儿叫阿桃`."""
    between = [place for place in range(value.end, start) if place not in taken]
    if len(between) > FILLED or any(words[place].text not in CALLED for place in between):
        return False
    gaps = "".join(words[place].gap for place in range(value.end, start + 1))
    is_kin = value.group in KIN
    if gaps.strip(",،，-—–:"):
        return False
    if "\u0600" <= words[start].text[:1] <= "\u06ff":
        return _is_arabic_value(words[value.end - 1].text, is_kin=is_kin) and not gaps
    if "\u0430" <= words[start].text[:1] <= "\u04ff":
        is_chain = bool(taken & set(range(value.end, start)))
        return _is_agreeing(words, value, start) and (not gaps or is_chain or _is_owned(words, value))
    if gaps:
        return _is_owned(words, value) if is_kin else value.start > 0 and words[value.start - 1].text == "the"
    return True


def _stands_behind(words: Sequence[Token], value: Found, start: int, end: int) -> bool:
    """Whether the value is said of the name before it: `Rainer, his nephew`, `Edric was her kin`, `阿桃是她儿子`."""
    between = words[end : value.start]
    gap = words[end].gap if end < len(words) else ""
    if len(between) > BACK or (gap and gap.strip(",،，-—–")) or any(word.gap for word in between[1:]):
        return False
    if words[value.start].gap and between:
        return False
    is_linked = any(word.text in LINKS for word in between) or any(mark in gap for mark in "-—–")
    if words[start].kind == "han":
        return is_linked and all(word.text in OWNED or word.text in LINKS for word in between)
    if not (is_linked or gap):
        return False
    if any(not (word.text in LEADS or word.text.endswith("'s"))
           for word in between):  # fmt: skip
        return False
    return _is_owned(words, value) or is_linked


def _is_owned(words: Sequence[Token], value: Found) -> bool:
    """Whether somebody's is named before the value: a determiner or a name in the genitive."""
    before = words[max(value.start - 2, 0) : value.start]
    behind = words[value.end : value.end + 1]
    return any(word.text in OWNED or word.text.endswith("'s") for word in before) or any(
        word.text in OWNED and word.text not in {"the", "a", "an"} and not word.gap for word in behind
    )


def _owner_of(words: Sequence[Token], value: Found) -> str | None:
    owners = [
        word for word in words[max(value.start - 2, 0) : value.start] if word.text.endswith("'s") and word.capital
    ]
    return owners[-1].lexeme if owners else None


def _is_own(words: Sequence[Token], value: Found) -> bool:
    return any(word.text in OWN for word in words[max(value.start - 2, 0) : value.end + 1])


def _is_arabic_value(text: str, *, is_kin: bool) -> bool:
    """Whether the word has an owner or an article; `ابن فارس` is the son of Faris."""
    return text.endswith(("ه", "ها", "هم", "هما")) if is_kin else text.startswith("ال")


def _is_agreeing(words: Sequence[Token], value: Found, start: int) -> bool:
    """Whether a Russian name is in the case of the value before it: `сын Лавра` is not what Lavr is called."""
    if is_russian_nominative(words[start].text):
        return is_russian_nominative(words[value.end - 1].text)
    is_kin = value.group in KIN
    return not is_kin and not is_russian_nominative(words[value.end - 1].text)


def _list_leading(words: Sequence[Token], name: frozenset[str], names: NameIndex, lexicon: Lexicon) -> list[Epithet]:
    """A value that opens a sentence without a name is said of the one that was named before (`Fray's wife.`)."""
    values = _find_values(words, lexicon, find_places(words, names.own))
    for value in values:
        lead = words[: value.start]
        is_lead = all(w.text in LEADS or w.text.endswith("'s") for w in lead)
        is_end = value.end == len(words) or bool(words[value.end].gap) or words[value.end].text in "呀啊哪呢"
        if is_lead and is_end and not _is_own(words, value) and (_is_owned(words, value) or words[0].kind == "han"):
            group = value.group
            if group in KIN:
                return [
                    Epithet(name, each.group, each.label, each.start, each.end, _owner_of(words, each))
                    for each in values
                    if each.start == value.start
                ]
    return []


def _asked_name(question: Question, names: NameIndex) -> frozenset[str] | None:
    """The one name in a question for who somebody is."""
    if "who" not in question.asks:
        return None
    words = question.text.words
    known = [spelling for spelling in names.spellings if find_sequence(words, spelling)]
    longest = max(known, key=len, default=None)
    if longest is None:
        return None
    return frozenset({"".join(longest)}) if words[0].kind == "han" else frozenset(longest)


def join_words(texts: Iterable[Text]) -> list[Token]:
    """The words of a sentence from its clauses; each begins behind a mark."""
    words: list[Token] = []
    for text in texts:
        own = list(text.words)
        if words and own and not own[0].gap:
            own[0] = replace(own[0], gap=",", spaced=True)
        words += own
    return words


def _clause_of(clauses: Sequence[Clause], place: int) -> Clause:
    for clause in clauses:
        if place < len(clause.text.words):
            return clause
        place -= len(clause.text.words)
    return clauses[-1]
