"""Which known facts the author of a message denies by naming the relation itself: "not allergic to nuts any more".

A clause ends a fact only where every one of its words is known to the lexicon and together they deny the relation
(negation must govern it) of the author's own, now and in earnest. One strange word makes it a doubt, unless fitted
layers vouch for the message; a sign of a condition, a question, another person, fiction or a joke makes it nothing.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from factcheck.instant.core.arabizi import is_arabizi
from factcheck.instant.core.author_spans import AuthorSpans
from factcheck.instant.core.clause_patterns import load_clause_patterns
from factcheck.instant.core.clauses import Sentence, Span, split_sentences
from factcheck.instant.core.concepts import ConceptTable, stems_of
from factcheck.instant.core.denial_clauses import (
    CONDITIONS,
    find_arabizi_names,
    find_things,
    is_hearsay,
    is_introduced,
    is_own,
    mask,
    mask_fact,
)
from factcheck.instant.core.denial_limits import is_attributed, is_limited, may_be_of_others
from factcheck.instant.core.denial_matcher import DenialMatcher
from factcheck.instant.core.denial_rules import RULES, Clause, Strength
from factcheck.instant.core.known_facts import KnownFact
from factcheck.instant.core.lexicon import OTHER_THING, THING, Lexicon
from factcheck.instant.core.mentions import find_mentions, stem_text
from factcheck.instant.core.messages import FoldedMessage
from factcheck.instant.core.takeback_words import load_takeback_words
from knowledge.facts.core.types import FACT_TYPES, PROTECTED_TYPES

_MAX_UNKNOWN_IN_DOUBT = 2
_BARE = frozenset({"thing", "other_thing", "filler", "concord"})


@dataclass(frozen=True, slots=True)
class Denial:
    """A denied fact, how plainly, and the clause that denies it, as a range of the folded text."""

    fact: KnownFact
    strength: Strength
    start: int
    end: int


_LISTING = re.compile(r"\W*(?:and|or|nor|и|или|ни|و|او|w|aw|和|跟|与|或|还有)?\W*")
_MAIL_HEADER = re.compile(r"^\W*(?:subject|re|fwd?|from|to|тема|от|кому|الموضوع)\s*:", re.MULTILINE)


def find_denials(
    message: FoldedMessage,
    spoken: AuthorSpans,
    facts: Sequence[KnownFact],
    *,
    referred: Sequence[KnownFact],
    concepts: ConceptTable,
    lexicon: Lexicon,
    vouched: Collection[int] = (),
) -> list[Denial]:
    """One denial at most of each fact, the plainest first said; `referred` are those that "it" or "them" may mean, and
    `vouched` the ids of those that fitted layers are sure the message ends.
    """
    text = message.text
    if _MAIL_HEADER.search(text):
        return []
    stemmed = stem_text(text)
    arabizi = is_arabizi(text)
    mentions = {fact.id: find_mentions(stemmed, fact, concepts) for fact in facts}
    if arabizi:
        mentions = {fact.id: mentions[fact.id] or find_arabizi_names(stemmed, fact, concepts) for fact in facts}
    sentences = split_sentences(text)
    patterns = load_clause_patterns()
    if patterns.is_ironic(message.source):
        return []
    reader = DenialMatcher(message, spoken, sentences, lexicon, patterns, arabizi=arabizi)
    found: dict[int, Denial] = {}
    things = {type_: find_things(stemmed, type_, concepts) for type_ in {fact.type for fact in facts}}
    partly = {fact.id for fact in facts if names_a_kind(text, fact, mentions[fact.id], things[fact.type])}

    def is_partial(fact: KnownFact, start: int, end: int) -> bool:
        """Whether the message, or a denial in it, names but a kind of the thing, or the denial leaves it in doubt."""
        inside = [span for span in mentions[fact.id] if start <= span[0] < end]
        is_of_kind = fact.id in partly or names_a_kind(text, fact, inside, things[fact.type])
        limits = text, (start, end), mentions[fact.id], fact
        return is_of_kind or is_limited(*limits) or _may_be_anothers(*limits)

    for fact in facts:
        others = [span for pk, spans in mentions.items() if pk != fact.id for span in spans] + things[fact.type]
        named = (mentions[fact.id], others)
        asked = _Asked(fact, named, is_referred=fact in referred, is_vouched=fact.id in vouched)
        for denial in _read_fact(message, spoken, asked, sentences, lexicon):
            known = found.get(fact.id)
            if is_hearsay(text, sentences, denial.start) or is_attributed(text, (denial.start, denial.end)):
                continue
            in_doubt = patterns.is_limited(text[denial.start : denial.end], arabizi=arabizi)
            in_doubt = in_doubt or is_partial(fact, denial.start, denial.end)
            if known is None or (known.strength == "doubtful" and denial.strength == "explicit"):
                found[fact.id] = replace(denial, strength="doubtful") if in_doubt else denial
        matched = _match_patterns(reader, fact, named, is_referred=fact in referred)
        if matched is not None and is_attributed(text, (matched.start, matched.end)):
            continue
        if matched is not None and (fact.id not in found or matched.strength == "explicit"):
            in_doubt = is_partial(fact, matched.start, matched.end)
            found[fact.id] = replace(matched, strength="doubtful") if in_doubt else matched
    return list(found.values())


def _may_be_anothers(text: str, clause: Span, mentions: Sequence[Span], fact: KnownFact) -> bool:
    """Whether a clause that denies an allergy does not say whose, and the words beside it name another person."""
    if fact.type != "allergy":
        return False
    beside = mask(text, 0, len(text), mentions, ())  # the cats of an allergy are no others
    return may_be_of_others(beside, text[slice(*clause)])


def names_a_kind(text: str, fact: KnownFact, mentions: Sequence[Span], things: Sequence[Span]) -> bool:
    """Whether a text names of what protects but a kind of it: tuna of an allergy to fish, coconut milk of milk."""
    if not mentions or fact.type not in PROTECTED_TYPES:
        return False
    kinds = load_takeback_words().kinds.get(fact.key, ())
    others = [span for span in things if not any(span[0] < last and first < span[1] for first, last in mentions)]
    return all(stems_of(text[start:end]) in kinds or _is_narrowed(text, start, end, others) for start, end in mentions)


def _is_narrowed(text: str, start: int, end: int, others: Sequence[Span]) -> bool:
    """Whether a word right beside a thing tells its kind: «козье молоко», حليب جوز الهند."""
    adjective = _ADJECTIVE_BEFORE.search(text[:start])
    if adjective is not None and not _ANY.fullmatch(adjective[1]):
        return True
    return any(
        not text[low:high].strip(" ") and text[high] != "و"  # which lists one more thing
        for first, last in others
        for low, high in ((end, first), (last, start))
        if low < high
    )


_ADJECTIVE_BEFORE = re.compile(r"(?<!\w)([а-я]{3,}(?:ое|ый|ий|ой|ая|яя|ые|ие|ую|юю|ье|ью|ья|ых|их|ого|ому)) $")
_ANY = re.compile(
    r"никак\w+|люб\w+|всяк\w+|сам\w+|так\w+|эт\w+|друг\w+|котор\w+|мо[еяий]\w*|сво\w+|тво\w+|ваш\w*|больш\w+|нов\w+|како\w+|так\w+"
    r"|нормальн\w+|хорош\w+|настоящ\w+|обычн\w+|натуральн\w+|аллерги\w+|непереносим\w+|проклят\w+|бедн\w+|сил\w+|стар\w+|прежн\w+|т[аео]\w+"
)
"""What tells no kind."""
_Named = tuple[Sequence[Span], Sequence[Span]]
"""The ranges that name a fact, and those that name other things."""


@dataclass(frozen=True, slots=True)
class _Asked:
    """A fact that clauses are read for."""

    fact: KnownFact
    named: _Named
    is_referred: bool
    is_vouched: bool


def _match_patterns(reader: DenialMatcher, fact: KnownFact, named: _Named, *, is_referred: bool) -> Denial | None:
    """The denial of what protects a person by a whole clause pattern, with strange words around it or none."""
    own, others = named
    if fact.type not in PROTECTED_TYPES or not (own or is_referred):
        return None
    matched = reader.read(fact, own, others, is_referred=is_referred)
    return None if matched is None else Denial(fact, matched.strength, matched.start, matched.end)


def _read_fact(
    message: FoldedMessage, spoken: AuthorSpans, asked: _Asked, sentences: Sequence[Sentence], lexicon: Lexicon
) -> Iterator[Denial]:
    fact, is_referred = asked.fact, asked.is_referred
    own, others = asked.named
    if not own and not is_referred and not (fact.key in CONDITIONS and CONDITIONS[fact.key].search(message.text)):
        return
    is_near, before, has_named = is_referred, None, is_referred
    for sentence in sentences:
        masked = mask_fact(message.text, sentence.start, sentence.end, own, others, fact)
        is_near = is_near or (THING in masked and OTHER_THING not in masked)
        for start, end in _join_lists(message.text, sentence, own, others, fact, lexicon):
            clause = mask_fact(message.text, start, end, own, others, fact)
            if not is_own(message, spoken, start, end) or is_introduced(message.text[sentence.start : start], lexicon):
                continue
            strength = judge(clause, masked, sentence.is_question, fact, lexicon, is_vouched=asked.is_vouched)
            if THING in clause:
                is_near, before, has_named = True, strength, True
            elif (
                OTHER_THING in clause
                or not is_near
                or not (before or _points_back(clause, lexicon, has_named=has_named))
            ):
                is_near = is_near and OTHER_THING not in clause
                continue
            if strength is not None:
                yield Denial(fact, strength, start, end)


def judge(
    clause: str, sentence: str, is_question: bool, fact: KnownFact, lexicon: Lexicon, *, is_vouched: bool = False
) -> Strength | None:
    """How plainly a masked clause denies a fact; None where it does not, or does not mean it. Strange words count
    nothing where layers vouch for them.
    """
    tokens = lexicon.cut(clause)
    verdict = RULES[FACT_TYPES[fact.type].correction](Clause(tokens))
    if verdict is None or is_question:
        return None
    has_first = any(token.kind == "first" for token in tokens)
    if lexicon.has_guard("keep", _blank_politeness(sentence)) or lexicon.has_guard("others", clause):
        return None
    if not has_first and lexicon.has_guard("others", sentence):
        return None
    is_vouched = is_vouched and (
        has_first or fact.type != "allergy"
    )  # "Mabel is not allergic to nuts" is of nobody known
    unknown = 0 if is_vouched else sum(token.kind == "unknown" for token in tokens)
    if unknown > _MAX_UNKNOWN_IN_DOUBT or (unknown and not has_first) or (verdict == "doubtful" and unknown):
        return None
    is_sure = not unknown and not lexicon.has_guard("doubt", sentence) and not lexicon.has_guard("danger", sentence)
    return verdict if is_sure else "doubtful"


def _blank_politeness(text: str) -> str:
    return _POLITE.sub(" ", text)


_POLITE = re.compile(
    r"(?<!\w)(?:if you (?:don't mind|please|want|like)|لو سمحت\w*|law sama7t\w*|من اليوم(?: و(?:رايح"
    r"|طالع))?|men el yo?o?m(?: w (?:raye7|6ale3))?|if that's ok(?:ay)?)(?!\w)"
    r"|今天 ?(?=(?:的 ?)?(?:复查|检查|体检|结果|去 医院|医生))"
)


def _join_lists(
    text: str, sentence: Sentence, own: Sequence[Span], others: Sequence[Span], fact: KnownFact, lexicon: Lexicon
) -> list[Span]:
    """The clauses of a sentence; a piece that only lists things belongs to the clause before it, or to the next."""
    joined: list[Span] = []
    waiting: int | None = None
    for start, end in sentence.clauses:
        kinds = {token.kind for token in lexicon.cut(mask_fact(text, start, end, own, others, fact))}
        is_bare = kinds <= _BARE and kinds & {"thing", "other_thing"}
        if is_bare and joined and _LISTING.fullmatch(text[joined[-1][1] : start]):
            joined[-1] = (joined[-1][0], end)
        elif is_bare and not joined:
            waiting = start if waiting is None else waiting
        else:
            joined.append((start if waiting is None else waiting, end))
            waiting = None
    return joined if waiting is None else [*joined, (waiting, sentence.end)]


def _points_back(clause: str, lexicon: Lexicon, *, has_named: bool) -> bool:
    """Whether a clause without a thing is about the one named beside it: "it", "this ban", "no allergy any more"."""
    kinds = {token.kind for token in lexicon.cut(clause)}
    if set(clause.replace("'", " ").split()) & _PRONOUNS and kinds & _TELLING:
        return True
    return has_named and bool(kinds & {"relation", "ban", "unban"})


_TELLING = frozenset({"relation", "ban", "banned", "unban", "trouble", "again"})
"""What a clause with a pronoun alone must speak of: "it's fine" may be about anything."""
_PRONOUN_WORDS = (
    "it that them those this these its это этого этому них их его ее ней нее нему этот эту эти этой"
    " هذا هذي ذلك هذه فيهم فيها فيه عليهم عليه منها منه منهم عليها minha minno menha menno menhom fihom fiha feeha"
    " 它 它们 这个 那个 这些 那些 这 那"
)
_PRONOUNS = frozenset(_PRONOUN_WORDS.split())
