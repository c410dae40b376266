"""Denials of what protects a person that need two witnesses: fitted layers read that a message ends a fact, and a
clause of its author speaks against the relation. Layers vouch for its strange words, the clause for its being said.
"""

from __future__ import annotations

import re

from factcheck.instant.core.arabizi import is_arabizi
from factcheck.instant.core.author_spans import AuthorSpans
from factcheck.instant.core.clause_patterns import load_clause_patterns
from factcheck.instant.core.clauses import Sentence, Span, split_sentences
from factcheck.instant.core.concepts import ConceptTable
from factcheck.instant.core.denial_clauses import find_arabizi_names, find_things, is_introduced, is_own, mask_fact
from factcheck.instant.core.denial_limits import is_attributed, is_limited
from factcheck.instant.core.denial_rules import Clause
from factcheck.instant.core.denials import names_a_kind
from factcheck.instant.core.known_facts import KnownFact
from factcheck.instant.core.lexicon import OTHER_THING, THING, load_lexicon
from factcheck.instant.core.mentions import find_mentions, stem_text
from factcheck.instant.core.messages import FoldedMessage
from factcheck.instant.core.takeback_words import load_takeback_words
from knowledge.facts.core.types import THING_TYPES

_HARMLESS = ("eat", "like", "fine", "may")
_ALLOWED = (*_HARMLESS, "show", "show_you", "unban", "lift", "ended")
_ASKS = re.compile(r"(?<![?؟])[?؟][\s)\"'»”]*$")
_VOCATIVE = re.compile(r"(?<!\w)(?:يا|ya) \w+")
_OFTEN = re.compile(
    r"(?<!\w)(?:every|each|most) (?:single |other )?(?:day|week|month|morning|night|weekend|friday)s?"
    r"|кажд\w+ (?:день|утро|неделю|выходные)|كل (?:يوم|جمعه|اسبوع|صباح)|kol (?:youm|yom|nhar|jem3a)(?!\w)|每天|每周"
)
"""How often a thing does no harm limits nothing."""
_GUARDS = ("doubt", "others")


def find_vouched(
    message: FoldedMessage, spoken: AuthorSpans, fact: KnownFact, concepts: ConceptTable
) -> Span | None:  # fmt: skip
    """The clause of a message that speaks against a fact which protects its author, where layers read that the message
    ends it; none where the message says so of a kind of it, of somebody else, in a jest, on a condition or in a place.
    """
    text, arabizi = message.text, is_arabizi(message.text)
    patterns = load_clause_patterns()
    if fact.type not in THING_TYPES or patterns.is_ironic(message.source):
        return None
    blank = _blank_doctors if load_takeback_words().doctor.search(text) else str
    stemmed = stem_text(text)
    own = find_mentions(stemmed, fact, concepts)
    if arabizi and not own:
        own = find_arabizi_names(stemmed, fact, concepts)
    things = find_things(stemmed, fact.type, concepts)
    if names_a_kind(text, fact, own, things):
        return None
    for sentence in split_sentences(text):
        for start, end in sentence.clauses:
            clause = _VOCATIVE.sub(" ", blank(mask_fact(text, start, end, own, things, fact)))
            if not _speaks_against(clause, fact) or not _is_meant(message, spoken, sentence, (start, end), clause):
                continue
            is_partial = patterns.is_limited(_OFTEN.sub(" ", text[start:end]), arabizi=arabizi)
            if not is_partial and not is_limited(text, (start, end), own, fact):
                return start, end
    return None


def _blank_doctors(clause: str) -> str:
    """A clause without who found it out and that they say so: that is no hearsay."""
    words = load_takeback_words()
    return words.doctor_says.sub(" ", words.doctor.sub(" ", clause))


def _speaks_against(masked: str, fact: KnownFact) -> bool:
    """Whether a clause denies the relation to the thing that it names, or says that the thing does no harm; or says
    nothing but that it is over, of an allergy or a ban that was spoken of.
    """
    if THING not in masked:
        return OTHER_THING not in masked and _is_over(masked, fact)
    words, clause = load_takeback_words(), Clause(load_lexicon().cut(masked))
    if words.over.search(masked):
        return True
    is_fine = clause.negations == 0 and (words.harmless.search(masked) is not None or clause.any(*_HARMLESS))
    if fact.type != "allergy":
        return (
            is_fine or clause.any("ban", "banned", "trouble") if clause.negations else clause.any(*_ALLOWED) or is_fine
        )
    if clause.has("relation"):
        return _denies_relation(clause) and (clause.has("first") or _has_no_subject(clause))
    return clause.any("trouble", "banned") if clause.negations else is_fine or clause.has("ended")


def _is_over(masked: str, fact: KnownFact) -> bool:
    """Whether a clause that names no thing denies an allergy or lifts a ban as such ("not allergic."), or says that it
    is over and no strange word ("outgrew it!").
    """
    words, clause = load_takeback_words(), Clause(load_lexicon().cut(masked))
    if fact.type != "allergy":
        return clause.has("unban") or (clause.has("ban") and (clause.any("lift", "ended") or _says_over(masked)))
    if clause.has("relation"):
        return _denies_relation(clause) and (clause.has("first") or _has_no_subject(clause))
    rest = load_lexicon().cut(words.over.sub(" ", masked))
    return _says_over(masked) and all(token.kind != "unknown" for token in rest)


def _says_over(masked: str) -> bool:
    return load_takeback_words().over.search(masked) is not None


def _denies_relation(clause: Clause) -> bool:
    """Whether the relation is over, or a negation stands before it, with no subject between them ("no nuts, I'm
    allergic"), and not of some of the things alone.
    """
    if clause.any("ended", "lift", "unban"):
        return True
    kinds = [token.kind for token in clause.tokens]
    relation = kinds.index("relation")
    before = next((place for place in range(relation - 1, -1, -1) if kinds[place] in ("negation", "concord")), None)
    is_of_all = not clause.any("opinion", "quantity")
    if before is None:
        return is_of_all and clause.negations > 0
    return is_of_all and "first" not in kinds[before:relation]


def _has_no_subject(clause: Clause) -> bool:
    """Whether nobody is named before what a clause says: "not allergic." is of its author, "Mabel is not" of her."""
    kinds = [token.kind for token in clause.tokens]
    first = next((place for place, kind in enumerate(kinds) if kind in ("negation", "relation", "ended")), 0)
    return "unknown" not in kinds[:first]


def _is_meant(message: FoldedMessage, spoken: AuthorSpans, sentence: Sentence, span: Span, masked: str) -> bool:
    """Whether the author says a clause in their own name, and nothing in it is a guard."""
    text, lexicon = message.text, load_lexicon()
    if _ASKS.search(text[sentence.start : sentence.end]) or is_attributed(text, span):
        return False
    if not is_own(message, spoken, *span) or is_introduced(text[sentence.start : span[0]], lexicon):
        return False
    around = _blank_doctors(text[sentence.start : sentence.end])
    if lexicon.has_guard("danger", around) or load_takeback_words().limits["imagined"].search(around):
        return False
    return not any(lexicon.has_guard(guard, masked) for guard in _GUARDS)
