"""Denials of what protects a person that need two witnesses: fitted layers read that a message ends a fact, and a
clause of its author speaks against the relation. Layers vouch for its strange words, the clause for its being said.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from factcheck.instant.core.arabizi import is_arabizi
from factcheck.instant.core.author_spans import AuthorSpans
from factcheck.instant.core.clause_patterns import load_clause_patterns
from factcheck.instant.core.clauses import Sentence, Span, split_sentences
from factcheck.instant.core.concepts import ConceptTable
from factcheck.instant.core.denial_clauses import (
    find_arabizi_names,
    find_things,
    is_hearsay,
    is_introduced,
    is_own,
    mask_fact,
)
from factcheck.instant.core.denial_limits import is_attributed, is_limited
from factcheck.instant.core.denial_rules import Clause
from factcheck.instant.core.denials import names_a_kind
from factcheck.instant.core.known_facts import KnownFact
from factcheck.instant.core.lexicon import OTHER_THING, THING, Token, load_lexicon
from factcheck.instant.core.mentions import find_mentions, stem_text
from factcheck.instant.core.messages import FoldedMessage
from factcheck.instant.core.takeback_words import load_takeback_words
from knowledge.facts.core.types import THING_TYPES

_ASKS = re.compile(r"[?؟][\s)\"'»”]*$")
_VOCATIVE = re.compile(
    r"(?<!\w)(?:يا (?!ريت|ليت)|ya (?!r[ei]+t|l[ae]it))\w+"
    r"|(?<!\w)(?:(?:if|whenever) (?:you|u) (?:like|want|wish)|если (?:хоти\w+|хочешь)"
    r"|(?:لو|اذا) (?:تبي\w*|تحب\w*|حاب\w*|بدك\w*|عايز\w*|حبيت\w*)"
    r"|(?:law|lw|iza|ila) (?:tebi|tabi|t7eb\w*|bghit\w*|beddak|3ayez))(?!\w)"
)
"""Whom an author speaks to, and that it is as they like: neither another person nor a condition."""
_OFTEN = re.compile(
    r"(?<!\w)(?:every|each|most) (?:single |other )?(?:day|week|month|morning|night|weekend|friday)s?"
    r"|кажд\w+ (?:день|утро|неделю|выходные)|كل (?:يوم|جمعه|اسبوع|صباح)|kol (?:youm|yom|nhar|jem3a)(?!\w)|每天|每周"
)
"""How often a thing does no harm limits nothing."""
_CHILDHOOD = re.compile(
    r"(?<!\w)(?:when i was (?:(?:[1-9]|1[0-2])(?!\d)|a (?:kid|child|baby|toddler)(?!\w)|little(?!\w))"
    r"|as a (?:kid|child|baby|toddler)(?!\w)|в детстве(?!\w)|мне было (?:[1-9]|1[0-2])(?!\d)"
    r"|وانا صغير\w*|لما كنت (?:صغير\w*|طفل\w*)|lamma kon?t so[38]'?ay+ar\w*)|小 ?(?:的 ?)?时候"
)
_TO_THIS_DAY = re.compile(
    r"(?<!\w)(?:still|carry|always|ever since|даже сейчас|до сих пор|сейчас|всегда|لسه?|للحين|lessa|la7ad)(?!\w)"
    r"|还|仍|一直"
)
"""Beside words about childhood: it does harm today."""
_CAUSE = re.compile(
    rf"(?<!\w)(?:the (?:thing|one|stuff) that|what) [^,.;{THING}]{{2,40}} (?:is|was|are|were)"
    rf" [^{THING}]{{0,4}}{OTHER_THING}\W*$"
)
"""Another thing is named as what does the harm: "the thing that gives me hives is codeine"."""
_HAVE = re.compile(r"у меня|и у меня|عندي|لدي|3[ae]?nd[iy]+|كان|كانت|كنت|عمري|kan+[ae]?t?|kont|3omr[iy]")
"""Words of having that may stand between a negation and a relation: «нет у меня аллергии», ما كان عندي حساسية."""
_SO = re.compile(r".*(?<!\w)(?:خلاص|[5kx]h?ala[s9]|safi|so then|anyway|короче|так что)(?!\w)")
"""Why an author changed their mind, up to the word that they draw the line with: who is named there is not meant."""
_HAVE_NOT = re.compile(r"(?:عندي|لدي|فيني|3[ae]?nd[iy]+|feeni)$")
_RELATION = re.compile(r"all?erg\w*|аллерги\w*|(?:ال)?حساسي\w*|[7h]as+[ae]s\w*|过敏")


def find_harmless(message: FoldedMessage, spoken: AuthorSpans, fact: KnownFact, concepts: ConceptTable) -> Span | None:
    """The clause in which an author says of themselves that they eat or wear what was said to be an allergy by mistake,
    beside what is meant instead: "it's not almonds, it's pistachios. Almonds I eat by the bag".

    Its other words may be strange: that it is a mistake, layers and a denial beside it say.
    """
    text, lexicon, words = message.text, load_lexicon(), load_takeback_words()
    stemmed = stem_text(text)
    own = find_mentions(stemmed, fact, concepts) or (
        find_arabizi_names(stemmed, fact, concepts) if is_arabizi(text) else []
    )
    things = find_things(stemmed, fact.type, concepts)
    if fact.type != "allergy" or words.regret.search(text) or names_a_kind(text, fact, own, things):
        return None
    for sentence in split_sentences(text):
        for span in sentence.clauses:
            masked = mask_fact(text, *span, own, things, fact)
            clause = Clause(lexicon.cut(_OFTEN.sub(" ", masked)))
            is_eaten = clause.any("eat", "fine", "may") or words.harmless.search(masked) is not None
            if THING not in masked or not is_eaten or clause.negations:
                continue
            if clause.any("relation", "trouble", "quantity") or lexicon.has_guard("danger", masked):
                continue
            if _is_meant(message, spoken, sentence, span, masked) and not is_limited(text, span, own, fact):
                return span
    return None


def find_vouched(
    message: FoldedMessage, spoken: AuthorSpans, fact: KnownFact, concepts: ConceptTable, *, is_referred: bool = False
) -> Span | None:
    """The clause of a message that speaks against a fact which protects its author, where layers read that the message
    ends it; none where the message says so of a kind of it, of somebody else, in a jest, on a condition or in a place.

    `is_referred`: the author or the assistant spoke of it right before, so that the message need not name it.
    """
    text, arabizi = message.text, is_arabizi(message.text)
    patterns = load_clause_patterns()
    if fact.type not in THING_TYPES or patterns.is_ironic(message.source):
        return None
    stemmed = stem_text(text)
    own = find_mentions(stemmed, fact, concepts)
    if arabizi and not own:
        own = find_arabizi_names(stemmed, fact, concepts)
    things = find_things(stemmed, fact.type, concepts)
    is_of_kind = names_a_kind(text, fact, own, things)
    sentences = split_sentences(text)
    masked = []
    for number, sentence in enumerate(sentences):
        near = text[sentences[max(0, number - 1)].start : sentence.end]
        clauses = (_blank_doctors(mask_fact(text, *span, own, things, fact), near) for span in sentence.clauses)
        masked.append([_VOCATIVE.sub(" ", clause) for clause in clauses])
    told = _blank_beside(text, zip(sentences, masked, strict=True))
    for sentence, before, said in zip(sentences, [[], *masked], masked, strict=False):
        for (start, end), clause in zip(sentence.clauses, said, strict=True):
            if is_of_kind and not _lifts_as_such(clause, fact):
                continue
            is_against = _speaks_against(clause, fact, text, told, is_referred=is_referred or bool(own))
            if not (is_against or _is_ordered(clause, [*before, *said], fact)):
                continue
            if not _is_meant(message, spoken, sentence, (start, end), clause) or is_hearsay(text, sentences, start):
                continue
            if load_lexicon().has_guard("danger", _blank_doctors(told[sentence.start : sentence.end])):
                continue
            if fact.type == "allergy" and _may_be_of_others(text, clause):
                continue
            is_partial = patterns.is_limited(_OFTEN.sub(" ", text[start:end]), arabizi=arabizi)
            if not is_partial and not is_limited(text, (start, end), own, fact):
                return start, end
    return None


def _blank_doctors(text: str, near: str | None = None) -> str:
    """A text without who found it out and that they say so, where it names a doctor or a test, or words beside it do
    (`near`): that is no hearsay.
    """
    words = load_takeback_words()
    is_named = words.doctor.search(text if near is None else near) is not None
    return words.doctor_says.sub(" ", words.doctor.sub(" ", text)) if is_named else text


def _speaks_against(masked: str, fact: KnownFact, text: str, told: str, *, is_referred: bool) -> bool:
    """Whether a clause denies the relation to the thing that it names, or says that the thing does no harm; or says
    nothing but that it is over, of an allergy or a ban that was spoken of.
    """
    words = load_takeback_words()
    named = masked.find(THING)
    if named < 0:
        return OTHER_THING not in masked and is_referred and _is_over(masked, fact)
    clause = Clause(load_lexicon().cut(masked))
    if words.part_behind.match(masked[named + 1 :]) or _is_of_part(masked):
        return False
    if _says_over(masked):
        return True
    if fact.type == "allergy":
        return _is_tolerated(masked, clause, text, told)
    return _is_allowed(masked, clause)


def _lifts_as_such(masked: str, fact: KnownFact) -> bool:
    """Whether a clause lifts a ban in so many words and names no thing, so that a kind of it is but an instance: "the
    ban is over, show me wine as well".
    """
    clause = Clause(load_lexicon().cut(masked))
    is_lifted = clause.has("ban") and clause.any("lift", "ended")
    return fact.type != "allergy" and is_lifted and clause.negations == 0 and not {THING, OTHER_THING} & set(masked)


def _is_ordered(masked: str, beside: Sequence[str], fact: KnownFact) -> bool:
    """Whether a clause wants to be shown what is banned, and another `beside` it says that it is fine now: "show me
    leather, it's ok now", «показывайте кожаные, уже можно».
    """
    lexicon = load_lexicon()
    clause = Clause(lexicon.cut(masked))
    if fact.type == "allergy" or THING not in masked or clause.negations or not clause.has("show") or clause.any("ban"):
        return False
    others = [Clause(lexicon.cut(each)) for each in beside if not {THING, OTHER_THING} & set(each)]
    return any(each.any("trouble") if each.negations else each.any("may", "fine", "unban") for each in others)


def _is_tolerated(masked: str, clause: Clause, text: str, told: str) -> bool:
    """Whether a clause with the thing says that its author is not allergic, or eats or wears it, and no harm beside."""
    if clause.has("relation"):
        return _denies_relation(clause) and (_is_of_author(clause) or _has_no_subject(clause.tokens))
    words = load_takeback_words()
    if words.regret.search(text) or load_lexicon().has_guard("danger", told):
        return False
    if clause.negations:
        return clause.any("trouble", "banned") and not clause.any("ban")
    return words.harmless.search(masked) is not None or clause.any("eat", "fine", "may")


def _is_allowed(masked: str, clause: Clause) -> bool:
    """Whether a clause with the thing says that it may be shown or served, or that its author likes it."""
    if clause.negations:
        return clause.any("banned", "trouble") and not clause.any("ban")
    if clause.any("unban") or (clause.any("ban") and clause.any("lift", "ended")):
        return True
    if clause.any("ban"):
        return False
    if clause.any("like", "eat") and not clause.says_of_itself("like", "eat"):
        return False
    words = load_takeback_words()
    is_fine = words.harmless.search(masked) is not None or words.liked.search(masked) is not None
    return is_fine or clause.any("fine", "may", "like", "eat") or (clause.has("show") and clause.has("again"))


def _is_over(masked: str, fact: KnownFact) -> bool:
    """Whether a clause that names no thing denies an allergy or lifts a ban as such ("not allergic."), or says that it
    is over and no strange word ("outgrew it!").
    """
    clause = Clause(load_lexicon().cut(masked))
    if _is_of_part(masked):
        return False
    if fact.type == "allergy" and clause.has("relation"):
        return _denies_relation(clause) and (_is_of_author(clause) or _has_no_subject(clause.tokens))
    rest = load_lexicon().cut(load_takeback_words().over.sub(" ", masked))
    if any(token.kind == "unknown" for token in rest):
        return False
    if fact.type == "allergy":
        return _says_over(masked)
    return clause.has("unban") or (clause.has("ban") and (clause.any("lift", "ended") or _says_over(masked)))


def _says_over(masked: str) -> bool:
    """Whether a clause says that it is over, with no negation beside these words: "I never outgrew it"."""
    words = load_takeback_words()
    is_said = words.over.search(masked) is not None
    return is_said and Clause(load_lexicon().cut(words.over.sub(" ", masked))).negations == 0


def _is_of_part(masked: str) -> bool:
    """Whether a relation is but part of a name: "no allergy meds left"."""
    behind = load_takeback_words().part_behind
    return any(behind.match(masked, match.end()) for match in _RELATION.finditer(masked))


def _denies_relation(clause: Clause) -> bool:
    """Whether the relation is over, or a negation stands before it, with no subject between them ("no nuts, I'm
    allergic"), and not of some of the things, or of a degree, alone ("not just allergic", "never more allergic").
    """
    if clause.any("opinion", "quantity") or (clause.negations > 1 and clause.says("negation", "不是")):
        return False
    if clause.negations == 0 or clause.any("ended", "lift", "unban"):
        return clause.negations == 0 and clause.any("ended", "lift", "unban")  # "I never outgrew it"
    kinds = [token.kind for token in clause.tokens]
    relation = kinds.index("relation")
    before = next((place for place in range(relation - 1, -1, -1) if kinds[place] in ("negation", "concord")), None)
    if before is None:
        return True
    between = clause.tokens[before + 1 : relation]
    if any(token.text in ("just", "only", "more", "merely") for token in between):
        return False
    if not any(token.kind == "first" for token in between):
        return True
    return all(token.kind in ("filler", "again") or _HAVE.fullmatch(token.text) for token in between)


def _is_of_author(clause: Clause) -> bool:
    """Whether a clause has a word of the first person, were it part of its negation: ما عندي حساسية."""
    return clause.has("first") or any(
        token.kind == "negation" and _HAVE_NOT.search(token.text) is not None for token in clause.tokens
    )


def _has_no_subject(tokens: list[Token]) -> bool:
    """Whether nobody is named before what a clause says: "not allergic." is of its author, "Mabel is not" of her."""
    kinds = [token.kind for token in tokens]
    first = next((place for place, kind in enumerate(kinds) if kind in ("negation", "relation", "ended")), 0)
    return "unknown" not in kinds[:first]


def _is_meant(message: FoldedMessage, spoken: AuthorSpans, sentence: Sentence, span: Span, masked: str) -> bool:
    """Whether the author says a clause in their own name, and nothing around it is a guard."""
    text, lexicon = message.text, load_lexicon()
    around = _VOCATIVE.sub(" ", text[sentence.start : sentence.end])
    if _ASKS.search(around) or is_attributed(text, span):
        return False
    if not is_own(message, spoken, *span) or is_introduced(text[sentence.start : span[0]], lexicon):
        return False
    if load_takeback_words().limits["imagined"].search(around):
        return False
    if lexicon.has_guard("others", _SO.sub(" ", masked)):
        return False
    return not any(lexicon.has_guard(guard, masked) for guard in ("keep", "doubt"))


def _blank_beside(text: str, sentences: Iterable[tuple[Sentence, Sequence[str]]]) -> str:
    """A text without the clauses whose harm is of another thing, which they name as its cause, or was over with
    childhood: "ibuprofen is fine, the thing that gives me hives is codeine", "it was a rash when I was 4".
    """
    told, is_over = text, _TO_THIS_DAY.search(text) is None
    for sentence, masked in sentences:
        for (start, end), clause in zip(sentence.clauses, masked, strict=True):
            is_past = is_over and _CHILDHOOD.search(clause) is not None
            if THING not in clause and (is_past or _CAUSE.search(clause)):
                told = f"{told[:start]}{' ' * (end - start)}{told[end:]}"
    return told


def _may_be_of_others(text: str, masked: str) -> bool:
    """Whether a message speaks of another person, and a clause does not say that it is about its author: "my son got
    tested. Not allergic!".
    """
    lexicon = load_lexicon()
    has_first = any(token.kind == "first" for token in lexicon.cut(masked))
    return not has_first and lexicon.has_guard("others", _VOCATIVE.sub(" ", _blank_doctors(text)))
