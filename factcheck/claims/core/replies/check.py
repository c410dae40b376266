"""A reply held against canon by rules."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from factcheck.claims.core.replies.absolutes import compare_absolutes, list_absolutes
from factcheck.claims.core.replies.alignment import compare_alignment
from factcheck.claims.core.replies.answers import compare_answer_value, find_answering_clause
from factcheck.claims.core.replies.asked_values import compare_asked_value
from factcheck.claims.core.replies.canon import Canon
from factcheck.claims.core.replies.clauses import Clause, split_clauses
from factcheck.claims.core.replies.closures import Visit, compare_openings
from factcheck.claims.core.replies.deed_names import compare_deed_name
from factcheck.claims.core.replies.epithets import Epithets, compare_epithets
from factcheck.claims.core.replies.findings import Finding, Said
from factcheck.claims.core.replies.kinds import compare_kinds
from factcheck.claims.core.replies.lexicon import Lexicon
from factcheck.claims.core.replies.name_answers import compare_name_answer
from factcheck.claims.core.replies.numbers import compare_numbers
from factcheck.claims.core.replies.persons import compare_persons
from factcheck.claims.core.replies.polarity import compare_answer, compare_polarity
from factcheck.claims.core.replies.questions import read_question
from factcheck.claims.core.replies.sides import compare_sides
from factcheck.claims.core.replies.subjects import Subjects, list_named
from factcheck.claims.core.replies.texts import list_typed_values, read_text, word_set
from factcheck.core.tokens import Token

BEFORE_PRONOUN = frozenset({"every", "each", "any", "no", "the", "this", "that", "which"})
OTHERS = word_set(
    "it its it's she he they she's he's they're her his their them that that's those these "
    "он она оно они его ее её их это هو هي هم 他 她 它 这 那"
)
FRONTED = word_set("the that's that its it's her his our their это то их его её ее")
"""Behind a value that opens a sentence these take up what has it."""
FRAGMENT_WORDS = 4
MAX_CLAUSES = 48
"""More of a reply is not read: characters talk in a few sentences."""


@dataclass(frozen=True, slots=True)
class RuleCheck:
    """What the rules found in a reply."""

    findings: tuple[Finding, ...]
    clauses: int

    @property
    def contradictions(self) -> tuple[Finding, ...]:
        """What canon plainly denies, each clause once."""
        found: dict[str, Finding] = {}
        for finding in self.findings:
            if finding.is_contradiction:
                found.setdefault(finding.quote, finding)
        return tuple(found.values())

    @property
    def suspects(self) -> tuple[Finding, ...]:
        """What is near a statement of canon without being plainly against it."""
        denied = {finding.quote for finding in self.contradictions}
        return tuple(each for each in self.findings if not each.is_contradiction and each.quote not in denied)


def check_reply_by_rules(
    reply: str, *, question: str, canon: Canon, told: Iterable[str], lexicon: Lexicon
) -> RuleCheck:
    """What canon says to each clause of a reply to a question. `told` are the slugs of what the speaker was told."""
    asked = read_question(question, lexicon)
    subjects = Subjects(canon, asked.text, told, lexicon)
    clauses = split_clauses(reply, lexicon)[:MAX_CLAUSES]
    if lexicon.lists["asked_past"].is_in(asked.text.words) and not asked.asks & {"who", "which"}:
        clauses = [replace(clause, cues=clause.cues | {"bygone"}) for clause in clauses]
    whole = read_text(reply, lexicon)
    numbers = tuple(dict.fromkeys(value for clause in clauses for value in _list_counts(clause)))
    sorts = frozenset(f"%{each.label}" for each in lexicon.sorts.find(whole.words))
    answering = find_answering_clause(clauses, asked)
    absolutes = list_absolutes(canon, lexicon)
    findings: list[Finding] = []
    known = [" ".join(article.text.split()) for article in canon.articles]
    named: defaultdict[int, frozenset[str]] = defaultdict(frozenset)
    for clause in clauses:
        named[clause.sentence] |= list_named(clause.text.words, canon)
    is_of_self = False
    may_go_on = asked.is_of_speaker or not subjects.is_named()
    for place, clause in enumerate(clauses):
        is_own = _is_own(clause, lexicon)
        is_of_self = may_go_on and _is_of_self(clause, subjects, lexicon, is_own=is_own, was_of_self=is_of_self)
        if len(clause.text.words) > 1 and any(" ".join(clause.quote.split()) in text for text in known):
            continue  # canon's own words
        slugs = subjects.resolve(clause.text, sentence=named[clause.sentence])
        said = Said(
            clause=clause,
            question=asked,
            slugs=slugs,
            is_settled=subjects.is_settled(),
            type_keys=frozenset().union(*(canon.types.get(slug, frozenset()) for slug in slugs)),
            numbers=numbers,
            is_own=is_own or is_of_self,
            is_of_stranger=subjects.is_of_stranger(clause.text),
            around=_keys_around(clauses, place, lexicon),
            values=tuple(list_typed_values(clause.text, lexicon)),
            reply_keys=whole.all_keys() | frozenset(word.lexeme for word in whole.words) | sorts,
        )
        findings += _compare(said, canon, lexicon)
        if clause is answering:
            findings += compare_answer_value(said, canon, lexicon)
            findings += compare_name_answer(said, canon, lexicon)
            findings += compare_deed_name(said, canon, lexicon)
        findings += compare_asked_value(said, canon, clauses, lexicon)
        findings += compare_sides(said, canon.sides)
        findings += compare_absolutes(said, absolutes, clauses, lexicon)
        findings += compare_alignment(said, canon, lexicon, is_answering=clause is answering)
    if canon.openings and not asked.is_of_speaker:
        visit = Visit(clauses, asked, subjects.asked or subjects.last or subjects.told)
        findings += compare_openings(visit, canon.openings, lexicon)
    called = Epithets(clauses, asked, whole.all_keys() | sorts)
    findings += compare_epithets(called, canon.epithets, canon.names_of_people, lexicon)
    return RuleCheck(tuple(findings), len(clauses))


def _compare(said: Said, canon: Canon, lexicon: Lexicon) -> list[Finding]:
    return [
        *compare_numbers(said, canon.numbers, lexicon),
        *compare_kinds(said, canon.kinds, lexicon),
        *compare_persons(said, canon, lexicon),
        *compare_polarity(said, canon, lexicon),
        *compare_answer(said, canon, lexicon),
    ]


def _keys_around(clauses: Sequence[Clause], place: int, lexicon: Lexicon) -> frozenset[str]:
    """What a clause that opens with a value says it of: `Red, the light she throws`, `By the coat. Scarlet, …`."""
    clause = clauses[place]
    after = clauses[place + 1] if place + 1 < len(clauses) else None
    before = clauses[place - 1] if place else None
    found: frozenset[str] = frozenset()
    if after is not None and after.sentence == clause.sentence and after.text.words[0].text in FRONTED:
        found |= after.text.all_keys()
    if before is not None and before.sentence + 1 == clause.sentence and len(before.text.words) <= FRAGMENT_WORDS:
        is_told_of_self = _is_own(before, lexicon)
        found |= frozenset() if is_told_of_self else before.text.all_keys()
    return found


def _list_counts(clause: Clause) -> list[Fraction]:
    """The numbers of a clause; `every one` counts nothing."""
    words = clause.text.words
    return [
        quantity.value
        for quantity in clause.text.quantities
        if not (
            quantity.value == 1 and (_follows_pronoun(words, quantity.start) or _ends_as_pronoun(words, quantity.end))
        )
    ]


def _follows_pronoun(words: Sequence[Token], start: int) -> bool:
    return start > 0 and words[start - 1].text in BEFORE_PRONOUN


def _ends_as_pronoun(words: Sequence[Token], end: int) -> bool:
    """Whether nothing is counted: `you are in the right one`."""
    is_end = end == len(words) or bool(words[end].gap)
    return is_end and end > 1 and words[end - 1].text in {"one", "ones"}


def _is_own(clause: Clause, lexicon: Lexicon) -> bool:
    """Whether the speaker tells of themselves; `my friend` does not, nor does what follows a number that answers."""
    words = clause.text.words
    spoken_to = lexicon.lists["address"].places(words)
    end = _end_of_lone_number(clause)
    return any(
        each.start < end and (each.start not in spoken_to or each.end >= len(words) or each.end not in spoken_to)
        for each in lexicon.lists["self"].find(words)
    )


def _is_of_self(clause: Clause, subjects: Subjects, lexicon: Lexicon, *, is_own: bool, was_of_self: bool) -> bool:
    """Whether a reply goes on with what the speaker tells of themselves: `I walk to my mother's. East bank, blue door.`

    What they count, saw or swear is of something else, and so is what follows a name or a pronoun.
    """
    words = clause.text.words
    if any(word.text in OTHERS for word in words) or subjects.names_any(clause.text):
        return False
    if not is_own:
        return was_of_self
    return lexicon.lists["self_told"].is_in(words) and not lexicon.lists["self_witness"].is_in(words)


def _end_of_lone_number(clause: Clause) -> int:
    """Where a clause ends that is a number and a mark (`Five, and I have been through each`)."""
    words = clause.text.words
    first = next((each for each in clause.text.quantities if each.start == 0), None)
    is_lone = first is not None and first.end < len(words) and bool(words[first.end].gap.strip("-"))
    return first.end if first is not None and is_lone else len(words)
