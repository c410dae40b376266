"""Denials of what protects a person that need two witnesses: fitted layers read that a message ends a fact, and a
clause of its author speaks against the relation. Layers vouch for its strange words, the clause for its being said.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from factcheck.instant.core.allowing_orders import is_order_allowed, lifts_as_such
from factcheck.instant.core.clause_patterns import load_clause_patterns
from factcheck.instant.core.clauses import Span, split_sentences
from factcheck.instant.core.denial_clauses import blank_doctors
from factcheck.instant.core.denial_limits import may_be_of_others
from factcheck.instant.core.denial_rules import Clause
from factcheck.instant.core.eaten_slips import does_harm
from factcheck.instant.core.known_facts import KnownFact
from factcheck.instant.core.lexicon import OTHER_THING, THING, Token, load_lexicon
from factcheck.instant.core.masked_messages import CANNOT, MaskedMessage, SaidClause
from factcheck.instant.core.takeback_words import load_takeback_words
from knowledge.facts.core.types import THING_TYPES

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
_HAVE = re.compile(r"у меня|عندي|لدي|معي|3[ae]?nd[iy]+|ma3[iy]|كان|كانت|كنت|عمري|kan+[ae]?t?|kont|3omr[iy]")
"""Words of having that may stand right behind a negation: «нет у меня аллергии», ما كان عندي حساسية."""
_HAVE_INSIDE = re.compile(r"(?:عندي|لدي|معي|فيني|ma3[iy]|3[ae]?nd[iy]+|feeni)$")
"""A negation that has such a word in it: its author speaks of themselves."""
_SHORT_NO = frozenset({"لا", "la", "la2", "no"})
"""An answer, where a word of having stands behind it: لا، عندي حساسية."""
_DEGREE = re.compile(r"(?<!\w)(?:بس|فقط|اكبر|اكثر|bas|bs|akbar|aktar|чем|только)(?!\w)")
"""Behind a relation: it is denied of a degree or of one thing alone."""
_NOW_HAS = re.compile(
    r"^\s*(?:بس|فقط|bas|bs|only|только)\s*[,،.]|(?<!\w)(?:daba|dilwa2ti|delwa2ty|al7een|hala2|w?alet|wall?at"
    r"|saret?|لكن|الحين|الان|دلوقتي|هلق|صارت?|ولات"
    r"|until|but (?:now|then)|теперь|сейчас)(?!\w)[^.!?\n]{0,20}?(?<!ma )(?<!ما )(?<!нет )"
    r"(?:3[ae]?nd[iy]|عندي|i (?:do|have|am)(?!n'?t| not)|есть)|появил(?:а|и)?сь|直到|后来"
)
"""Behind "I had none": by now there is one, or there are others."""
_WITHOUT = re.compile(
    rf"(?<!\w)(?:without|minus|без|بدون|بلا|من غير|bala|bla|bidoo?n|bedoo?n|bdoo?n)(?: \w+)? ?(?:ال|el |al "
    rf"|l )? *{THING}"
    rf"|(?:没有?|不 ?带|不 ?含|不 ?放|除了) ?{THING}"
)
"""What may be shown is the rest."""
_DEATH = "death"
"""A ban whose name is a word of danger by itself: "you may speak of death"."""
_CHINESE_YOU = re.compile(r"[你您]")
_THEM = re.compile(r"(?<!\w)(?:them|их|него|них|رجعي?(?:ه|ها|هم))(?!\w)")
"""What was spoken of, as an object: رجعيه is "bring it back"."""
_FROM_NOW_ON = re.compile(r"(?:以后|今后|从今天起) ?(?:就|都|也)? ?可以 ?(?:写|出现|加|提|推荐|有)")
"""It may be shown from now on; 可以 alone is an answer."""
_RELATION = re.compile(r"all?erg\w*|аллерги\w*|(?:ال)?حساسي\w*|[7h]a?s+[ae]s\w*|过敏")


def find_vouched(whole: MaskedMessage, *, is_referred: bool = False) -> Span | None:
    """The clause of a message that speaks against a fact which protects its author, where layers read that the message
    ends it; none where the message says so of a kind of it, of somebody else, in a jest, on a condition or in a place.

    `is_referred`: the author or the assistant spoke of it right before, so that the message need not name it.
    """
    fact, text = whole.fact, whole.message.text
    if fact.type not in THING_TYPES or load_clause_patterns().is_ironic(whole.message.source):
        return None
    told = _blank_beside(text, whole.clauses)
    beside = _blank_own(told, whole.own) if fact.key == _DEATH else told
    for said in whole.clauses:
        if whole.is_of_kind:
            is_against = lifts_as_such(said.masked, [each.masked for each in whole.list_beside(said)], fact)
        else:
            is_against = _speaks_against(said.masked, fact, text, told, is_referred=is_referred or bool(whole.own))
            is_against = is_against or _is_ordered(whole, said)
        if not is_against or not whole.is_meant(said) or _may_be_of_another(whole, said):
            continue
        if load_lexicon().has_guard("danger", blank_doctors(beside[said.sentence.start : said.sentence.end])):
            continue
        if fact.type == "allergy" and (may_be_of_others(text, said.masked) or _NOW_HAS.search(text[said.span[1] :])):
            continue
        return said.span
    return None


def _may_be_of_another(whole: MaskedMessage, said: SaidClause) -> bool:
    """Whether a clause allows something by a pronoun, where a message refuses what is banned or names another thing:
    "no zombies. the boots you had, show them again".
    """
    lexicon = load_lexicon()
    if THING in said.masked or not _allows_as_such(said.masked, Clause(lexicon.cut(said.masked))):
        return False
    kinds = ({token.kind for token in lexicon.cut(each.masked)} for each in whole.clauses if THING in each.masked)
    is_refused = any("negation" in each and "trouble" not in each for each in kinds)
    return is_refused or any(OTHER_THING in each.masked for each in whole.clauses)


def _is_ordered(whole: MaskedMessage, said: SaidClause) -> bool:
    """Whether a clause orders what is banned, and another beside it, as much meant, says that it is fine by now."""
    meant = (each.masked for each in whole.list_beside(said) if whole.is_meant(each))
    return is_order_allowed(said.masked, meant, whole.fact)


def _speaks_against(masked: str, fact: KnownFact, text: str, told: str, *, is_referred: bool) -> bool:
    """Whether a clause denies the relation to the thing that it names, or says that the thing does no harm; or says
    nothing but that it is over, of an allergy or a ban that was spoken of.
    """
    words = load_takeback_words()
    named = masked.find(THING)
    if named < 0:
        return OTHER_THING not in masked and is_referred and _is_over(masked, fact)
    clause = Clause(load_lexicon().cut(masked))
    if words.part_behind.match(masked[named + 1 :]) or _is_of_part(masked) or CANNOT.search(masked):
        return False
    if _says_over(masked):
        return True
    if fact.type == "allergy":
        return _is_tolerated(masked, clause, text, told)
    return _is_allowed(masked, clause)


def _is_tolerated(masked: str, clause: Clause, text: str, told: str) -> bool:
    """Whether a clause with the thing says that its author is not allergic, or eats or wears it, and no harm beside."""
    if clause.has("relation"):
        is_own = _is_of_author(clause) or _has_no_subject(clause.tokens)
        return is_own and _denies_relation(clause) and not _is_of_degree(masked)
    words = load_takeback_words()
    if words.regret.search(text) or load_lexicon().has_guard("danger", told) or _suffers(told):
        return False
    if clause.negations:
        return clause.any("trouble", "banned") and not clause.any("ban")
    return words.harmless.search(masked) is not None or clause.any("eat", "fine", "may")


def _suffers(told: str) -> bool:
    """Whether the words beside a thing that is eaten say that it does harm, with no "no" in their sentence."""
    lexicon = load_lexicon()
    return any(
        does_harm(part) and not any(each.kind in ("negation", "concord", "ended") for each in lexicon.cut(part))
        for part in (told[each.start : each.end] for each in split_sentences(told))
    )


def _is_of_degree(masked: str) -> bool:
    """Whether a relation is denied of a degree or of one thing alone."""
    relation = _RELATION.search(masked)
    return relation is not None and _DEGREE.search(masked, relation.end()) is not None


def _is_allowed(masked: str, clause: Clause) -> bool:
    """Whether a clause with the thing says that it may be shown or served, or that its author likes it."""
    if _WITHOUT.search(masked):
        return False
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
    said = masked if fact.type == "allergy" else _CHINESE_YOU.sub(" ", masked)
    rest = load_lexicon().cut(load_takeback_words().over.sub(" ", said))
    if any(token.kind == "unknown" for token in rest):
        return False
    if fact.type == "allergy":
        return _says_over(masked)
    if _allows_as_such(said, clause):
        return True
    return clause.has("unban") or (clause.has("ban") and (clause.any("lift", "ended") or _says_over(masked)))


def _allows_as_such(masked: str, clause: Clause) -> bool:
    """Whether a clause of known words alone allows what was spoken of by a pronoun, or from now on in Chinese: "you can
    show them again", رجعيه عادي, 你以后可以写了. "Show me again" and 可以 may be of anything.
    """
    if clause.negations or clause.any("ban", "banned", "trouble"):
        return False
    if clause.has("show") and clause.any("may", "again", "fine"):
        return _THEM.search(masked) is not None
    return _FROM_NOW_ON.search(masked) is not None


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
    if clause.any("opinion", "quantity") or _is_denied_twice(clause):
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
    return clause.tokens[before].text not in _SHORT_NO and _is_had(between)


def _is_had(between: Sequence[Token]) -> bool:
    """Whether words of having come first between a negation and a relation, and only fillers behind them."""
    rest = list(between)
    while rest and _HAVE.fullmatch(rest[0].text):
        rest.pop(0)
    return len(rest) < len(between) and all(token.kind == "filler" for token in rest)


def _is_denied_twice(clause: Clause) -> bool:
    """Whether a Chinese clause denies a denial: 我不是对花生不过敏."""
    denied = [token.text for token in clause.tokens if token.kind == "negation"]
    return len(denied) > 1 and all("\u3400" <= each[0] <= "\u9fff" for each in denied)


def _is_of_author(clause: Clause) -> bool:
    """Whether a clause has a word of the first person, were it part of its negation: ما عندي حساسية."""
    return clause.has("first") or any(
        token.kind == "negation" and _HAVE_INSIDE.search(token.text) is not None for token in clause.tokens
    )


def _has_no_subject(tokens: list[Token]) -> bool:
    """Whether nobody is named before what a clause says: "not allergic." is of its author, "Mabel is not" of her."""
    kinds = [token.kind for token in tokens]
    first = next((place for place, kind in enumerate(kinds) if kind in ("negation", "relation", "ended")), 0)
    return "unknown" not in kinds[:first]


def _blank_beside(text: str, clauses: Iterable[SaidClause]) -> str:
    """A text without the clauses whose harm is of another thing, which they name as its cause, or was over with
    childhood: "ibuprofen is fine, the thing that gives me hives is codeine", "it was a rash when I was 4".
    """
    told, is_over = text, _TO_THIS_DAY.search(text) is None
    for said in clauses:
        (start, end), clause = said.span, said.masked
        is_past = is_over and _CHILDHOOD.search(clause) is not None
        if THING not in clause and (is_past or _CAUSE.search(clause)):
            told = f"{told[:start]}{' ' * (end - start)}{told[end:]}"
    return told


def _blank_own(text: str, places: Iterable[Span]) -> str:
    """A text without the names of the fact."""
    for start, end in places:
        text = f"{text[:start]}{' ' * (end - start)}{text[end:]}"
    return text
