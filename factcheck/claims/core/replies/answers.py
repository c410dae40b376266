"""The value that answers a question, against the one that canon has for what was asked.

`How long did the siege last?` – `Three months.` says nothing of a siege by itself: the question's words find the
sentence or the field (the slot), the kind of the value says what in it is compared.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from factcheck.claims.core.replies.answer_values import WHICH, Value, differs, find_values
from factcheck.claims.core.replies.asked import list_telling
from factcheck.claims.core.replies.canon import UNSURE, Canon, CanonArticle
from factcheck.claims.core.replies.clauses import Clause
from factcheck.claims.core.replies.findings import Finding, Said
from factcheck.claims.core.replies.lexicon import ARABIC_AND, CUES_OF_THE_CLAUSE, Found, Lexicon
from factcheck.claims.core.replies.questions import Question
from factcheck.claims.core.replies.texts import Text, find_mark, read_text, word_set
from factcheck.core.sentences import split_sentences

FORMER = "trade"
"""What somebody was before: here canon and the reply speak of the past."""
SORTS_OF_MATERIAL = frozenset({"material", "stone_sort", "wood_sort"})
OPEN_GROUPS = frozenset({"beast", "drink"})
"""A sentence that names one of these does not say that there is no other."""
BOUNDS = word_set("after since until till within by before через после с со до к بعد قبل منذ حتى")
LEADS = word_set("it it's its was is that that's was the old that'd by это был была то هو هي")
FOLLOWERS = word_set("it they she he does did do is was has exactly sharp он она оно они был была целую هو هي")


@dataclass(frozen=True, slots=True)
class Slot:
    """A sentence or a field of canon."""

    slug: str
    text: Text
    keys: frozenset[str]
    quote: str
    field: str | None
    is_past: bool


def find_answering_clause(clauses: Sequence[Clause], question: Question) -> Clause | None:
    """The first clause that does more than echo the question (`Из чего… из кирпича`)."""
    asked = {word.lexeme for word in question.text.words}
    return next((clause for clause in clauses if {word.lexeme for word in clause.text.words} - asked), None)


def compare_answer_value(said: Said, canon: Canon, lexicon: Lexicon) -> list[Finding]:
    """What canon says to the first value of the clause that answers."""
    if said.question.is_negated or len(said.slugs) != 1 or lexicon.lists["asked_self"].is_in(said.question.text.words):
        return []
    values = _list_asked(find_values(said.clause.text, said.question, lexicon), said, lexicon)
    for first in [value for value in values if value.start == values[0].start]:
        is_only = not any(each.group == first.group and each != first for each in values)
        if is_only and _is_bare(said, first, lexicon):
            found = _compare(said, first, canon, lexicon)
            if found is not None:
                return [found]
    return []


def _list_asked(values: list[Value], said: Said, lexicon: Lexicon) -> list[Value]:
    """The values up to the first mark behind the first one, of the class that the question names if it names one."""
    asked = {each.label for each in lexicon.asked_kinds.find(said.question.text.words)} & WHICH
    asked |= SORTS_OF_MATERIAL if "material" in asked else set()
    values = [each for each in values if (each.group in asked if asked else each.group != "colour")]
    end = _end_of_head(said.clause.text, values[0]) if values else 0
    return [each for each in values if each.start < end]


def _compare(said: Said, value: Value, canon: Canon, lexicon: Lexicon) -> Finding | None:
    slots = find_slots(said, value, canon, lexicon)
    known = [(slot, each) for slot in slots for each in _values_of(slot, value, said.question, lexicon)]
    if not known or len({each.shown for _, each in known}) > 1:
        return None
    slot, expected = known[0]
    if not differs(value, expected) or expected.parts & said.reply_keys or expected.amount in said.numbers:
        return None
    is_open = value.group in OPEN_GROUPS and slot.field is None and not lexicon.lists["only"].is_in(slot.text.words)
    said = replace(said, is_of_stranger=False)
    return said.finding(value.rule, slot.quote, slot.slug, expected.shown, slot.field, is_sure=not is_open)


def find_slots(said: Said, value: Value, canon: Canon, lexicon: Lexicon) -> list[Slot]:
    """The sentences and fields of the article that hold every telling word of the question."""
    question = said.question.text
    covered = _asked_group(question, value, lexicon)
    names = frozenset(part for slug in said.slugs for name in canon.names.get(slug, ()) for part in name)
    is_duration = value.group == "duration"
    if is_duration:
        covered |= lexicon.lists["lasting"].places(question.words) | lexicon.lists["ask_measure"].places(question.words)
    wanted = list_telling(said, lexicon, covered=covered, names=names)
    if not wanted and not covered and not is_duration:
        return []
    slots = [slot for article in canon.articles if article.slug in said.slugs for slot in _slots_of(article, lexicon)]
    slots = [slot for slot in slots if not slot.is_past or value.group == FORMER]
    return [slot for slot in slots if all(keys & slot.keys for keys in wanted)]


def _slots_of(article: CanonArticle, lexicon: Lexicon) -> Iterable[Slot]:
    for sentence in split_sentences(article.text):
        text = read_text(sentence, lexicon)
        if any(lexicon.cues[name].is_in(text.words) for name in UNSURE):
            continue
        is_past = lexicon.lists["canon_past"].is_in(text.words)
        yield Slot(article.slug, text, text.all_keys(), sentence, None, is_past)
    for name, value in article.fields.items():
        if isinstance(value, str):
            label = article.describe_field(name)
            keys = read_text(label, lexicon).all_keys()
            quote = article.quote_field(name)
            yield Slot(article.slug, read_text(value, lexicon), keys, quote, name, is_past=False)


def _values_of(slot: Slot, value: Value, question: Question, lexicon: Lexicon) -> list[Value]:
    found = find_values(slot.text, question, lexicon, is_canon=True)
    asked = {word.lexeme for word in question.text.words}
    alike = [
        each
        for each in found
        if each.group in value.comparable
        and not asked & {word.lexeme for word in slot.text.words[each.start : each.end]}
    ]
    same = [each for each in alike if each.group == value.group]
    return same or alike


def _asked_group(question: Text, value: Value, lexicon: Lexicon) -> frozenset[int]:
    """The places of the words that ask for a value of the class: canon need not hold them."""
    found: list[Found] = lexicon.asked_kinds.find(question.words)
    return frozenset(place for each in found if each.label in value.comparable for place in range(each.start, each.end))


def _end_of_head(text: Text, value: Value) -> int:
    """Where the first mark behind the value stands."""
    return find_mark(text.words, value.end)


def _is_bare(said: Said, value: Value, lexicon: Lexicon) -> bool:
    """Whether the clause gives the value alone: nothing is told before it, and it is no part of another thing."""
    text = said.clause.text
    head = text.words[: _end_of_head(text, value)]
    cues = said.clause.cues - set(CUES_OF_THE_CLAUSE)
    cues |= {name for name in CUES_OF_THE_CLAUSE if lexicon.cues[name].is_in(head)}
    cues -= {"past"} if value.group == FORMER else set()
    if cues or lexicon.lists["negations"].is_in(head) or lexicon.lists["self"].is_in(head):
        return False
    before = text.words[: value.start]
    if lexicon.lists["refers_on"].is_in(text.words[: value.end]):
        return False
    if lexicon.cues["simile"].is_in(before) or any(word.text in BOUNDS for word in before):
        return False
    known = said.question.text.all_keys() | said.type_keys
    idle = lexicon.lists["possession"].places(text.words) | lexicon.lists["address"].places(text.words)
    for place in range(value.start):
        keys = text.keys[place]
        is_told = keys and place not in idle and not keys & known and not any(key[0] == "%" for key in keys)
        if is_told or (value.group == "person" and not keys and before[place].text not in LEADS):
            return False
    return value.end >= len(head) or _may_follow(text, value, known)


def _may_follow(text: Text, value: Value, known: frozenset[str]) -> bool:
    """Whether the next word leaves the value what it is: `three days in` is not how long it took."""
    after = text.words[value.end]
    keys = text.keys[value.end]
    if keys & known or after.text in FOLLOWERS:
        return True
    if after.kind == "han":
        return not keys
    return after.text.startswith(ARABIC_AND) and len(after.text) > 2
