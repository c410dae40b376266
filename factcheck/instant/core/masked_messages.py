"""A message clause by clause, of one fact: its names masked, and which clauses its author means."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from factcheck.instant.core.arabizi import is_arabizi
from factcheck.instant.core.author_spans import AuthorSpans
from factcheck.instant.core.clause_patterns import load_clause_patterns
from factcheck.instant.core.clauses import Sentence, Span, split_sentences
from factcheck.instant.core.concepts import ConceptTable
from factcheck.instant.core.denial_clauses import (
    VOCATIVE,
    blank_doctors,
    find_arabizi_names,
    find_things,
    is_hearsay,
    is_introduced,
    is_own,
    mask_fact,
)
from factcheck.instant.core.denial_limits import is_attributed, is_limited
from factcheck.instant.core.denials import names_a_kind
from factcheck.instant.core.known_facts import KnownFact
from factcheck.instant.core.lexicon import THING, load_lexicon
from factcheck.instant.core.mentions import find_mentions, stem_text
from factcheck.instant.core.messages import FoldedMessage
from factcheck.instant.core.takeback_words import load_takeback_words

_ASKS = re.compile(r"[?؟][\s)\"'»”]*$")
_AS_YOU_LIKE = re.compile(
    r"(?<!\w)(?:(?:if|whenever) (?:you|u) (?:like|want|wish)|если (?:хоти\w+|хочешь)"
    r"|(?:لو|اذا) (?:تبي\w*|تحب\w*|حاب\w*|بدك\w*|عايز\w*|حبيت\w*)"
    r"|(?:law|lw|iza|ila) (?:tebi|tabi|t7eb\w*|bghit\w*|beddak|3ayez))(?=\W*(?:$|[.,،;!]))"
)
"""With nothing behind it: politeness, and no condition."""
OFTEN = re.compile(
    r"(?<!\w)(?:(?:every|each|most) (?:single |other )?(?:day|week|month|morning|night|weekend|friday)s?"
    r"|all (?:the time|day(?: long)?|year(?: round)?)|кажд\w+ (?:день|утро|неделю|выходные)"
    r"|كل (?:يوم|جمعه|اسبوع|صباح)|kol (?:youm|yom|nhar|jem3a))(?!\w)|每天|每周"
)
"""How often a thing does no harm limits nothing."""
CANNOT = re.compile(
    r"(?<!\w)(?:can'?t|cannot|couldn'?t|won'?t|wouldn'?t|нельзя|не мо[гж]\w*|ما ?ا?قدر"
    r"|ma ?[nab]{0,2}[gq2]d[ae]r\w*)(?!\w)|[吃喝碰用穿] ?(?:不|唔) ?[了得]"
)
"""What an author cannot eat or wear is not allowed by it: "mango I can't eat either"."""
_REASON_BEFORE_SO = re.compile(r".*(?<!\w)(?:خلاص|[5k]h?ala[s9]|safi|короче|так что)(?!\w)")
"""Why an author changed their mind: "my brother got a puppy, so …". Who is named there is not whom it is about."""


@dataclass(frozen=True, slots=True)
class SaidClause:
    """A clause of a message, with the names of the fact and of other things masked."""

    sentence: Sentence
    span: Span
    masked: str


@dataclass(frozen=True, slots=True)
class MaskedMessage:
    """What a message says clause by clause, of one fact."""

    message: FoldedMessage
    spoken: AuthorSpans
    fact: KnownFact
    own: Sequence[Span]
    """Where it names the fact."""
    is_of_kind: bool
    """Whether it names of the fact but a kind."""
    sentences: Sequence[Sentence]
    clauses: Sequence[SaidClause]

    def list_beside(self, said: SaidClause) -> list[SaidClause]:
        """The other clauses of a clause's sentence and of the one before it."""
        starts = sorted({each.sentence.start for each in self.clauses if each.sentence.start <= said.sentence.start})
        return [each for each in self.clauses if each.sentence.start in starts[-2:] and each is not said]

    def is_meant(self, said: SaidClause) -> bool:
        """Whether the author says a clause in their own name, and nothing around it is a guard or a limit."""
        text, patterns = self.message.text, load_clause_patterns()
        if not _is_own_word(self.message, self.spoken, said):
            return False
        if is_hearsay(text, self.sentences, said.span[0]):
            return False
        is_partial = patterns.is_limited(OFTEN.sub(" ", text[slice(*said.span)]), arabizi=is_arabizi(text))
        return not is_partial and not is_limited(text, said.span, self.own, self.fact)


def mask_message(message: FoldedMessage, spoken: AuthorSpans, fact: KnownFact, concepts: ConceptTable) -> MaskedMessage:
    """A message with its clauses masked, without whom it is said to and the doctors who found it out."""
    text = message.text
    stemmed = stem_text(text)
    own = find_mentions(stemmed, fact, concepts)
    if is_arabizi(text) and not own:
        own = find_arabizi_names(stemmed, fact, concepts)
    things = find_things(stemmed, fact.type, concepts)
    sentences = split_sentences(text)
    clauses = []
    for number, sentence in enumerate(sentences):
        near = text[sentences[max(0, number - 1)].start : sentence.end]
        for span in sentence.clauses:
            masked = blank_doctors(mask_fact(text, *span, own, things, fact), near)
            masked = _AS_YOU_LIKE.sub(" ", VOCATIVE.sub(" ", masked))
            clauses.append(SaidClause(sentence, span, _without_reason(masked, fact)))
    return MaskedMessage(message, spoken, fact, own, names_a_kind(text, fact, own, things), sentences, clauses)


def _without_reason(masked: str, fact: KnownFact) -> str:
    """A clause about a ban without the reason before "so", where the thing is named behind it."""
    decided = _REASON_BEFORE_SO.sub(" ", masked)
    return decided if fact.type != "allergy" and THING in decided else masked


def _is_own_word(message: FoldedMessage, spoken: AuthorSpans, said: SaidClause) -> bool:
    """Whether the author says a clause in their own name, and nothing around it is a guard."""
    text, lexicon, sentence, span = message.text, load_lexicon(), said.sentence, said.span
    around = _AS_YOU_LIKE.sub(" ", text[sentence.start : sentence.end])
    if _ASKS.search(around) or is_attributed(text, span):
        return False
    if not is_own(message, spoken, *span) or is_introduced(text[sentence.start : span[0]], lexicon):
        return False
    if load_takeback_words().limits["imagined"].search(around):
        return False
    return not any(lexicon.has_guard(guard, said.masked) for guard in ("keep", "doubt", "others"))
