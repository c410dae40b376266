"""An allergy said by mistake, whose author eats the thing: "it's not almonds, it's pistachios. Almonds I eat daily"."""

from __future__ import annotations

import re

from factcheck.instant.core.denial_limits import ENDING_KINDS
from factcheck.instant.core.denial_rules import Clause
from factcheck.instant.core.lexicon import OTHER_THING, THING, load_lexicon
from factcheck.instant.core.masked_messages import CANNOT, OFTEN, MaskedMessage, SaidClause
from factcheck.instant.core.narrative_modes import Span
from factcheck.instant.core.takeback_words import load_takeback_words

_EATS = re.compile(
    r"(?<!\w)(?:(?:i|i'm|i've|ive|i have|we) (?:\w+ ){0,2}(?:eat|eating|ate|eaten|had|drink|drinking|wear|wearing)"
    r"|ем|ела?|кушаю|пью|лопаю|трескаю|грызу|жую|уплетаю|хаваю|наворачиваю|ношу"
    r"|(?:انا )?(?:و?ب|ك|كن)?(?:اكل|اشرب|البس)\w*|(?:(?:b|k|ka|n|kan)a{0,2}|a{1,2})(?:k[ou]l|shrab|lb[ei]s)\w*)(?!\w)"
    r"|[我俺] ?(?:\S+ ?){0,2}[吃喝穿造啃]|[吃喝穿] 了 \S+ 年"
)
"""What an author does with the thing, in the first person."""
_HURTS = re.compile(
    r"(?<!\w)(?:tingl\w*|itch\w*|numb|burn\w*|rash\w*|hives|swell\w*|swollen|sneez\w*|puff\w*|sick|ill|sore"
    r"|pains?|hurts?"
    r"|die|dead|worse|regret\w*|suffer\w*|cramp\w*|blister\w*|peel\w*|wheez\w*|adrenalin\w*|epipen\w*|nightmare"
    r"|terribl[ey]|immunotherap\w*|волдыр\w*|откача\w*|муча\w*|покрасне\w*|ا?ختنق\w*|[اب]?تعب\w*|ضاق\w*"
    r"|чеш\w*|чеса\w*|зуд\w*|щип\w*|неме\w*|опух\w*|от[её]к\w*|сып\w*|бол(?:и|е[лт]|ь(?!ш))\w*"
    r"|тошн\w*|плохо"
    r"|حكه\w*|ت?نميل\w*|[يت]?ورم\w*|ي?وجع\w*|طفح|يحرق\w*|7ak\w*|[wy]\w*ga3\w*|[wy]\w*ja3\w*|t?nef\w+|warm\w*"
    r"|btwarram)(?!\w)"
    r"|[痒麻肿疼痛刺难吐喘]|点滴|急诊|不舒服|起 ?红"
)
"""What it does to them."""
_NOT_THE_CAUSE = re.compile(rf"(?<![^,.!?])[^,.!?]* 的 ?(?:并 ?)?不 ?是 ?{THING}")
"""What did harm was not the thing: 小时候肿嘴的不是芒果."""
_REACTS = re.compile(
    r"(?<!\w)(?:g[ai]ves? me|makes me|[بي]ي?حسسني|[بت]ي?عملي|[يت]سبب لي|b[ei]y?3mell?i|kaydirli|kaydir lia"
    r"|ب?اتحسس|بتحسس|bet?7as+as|nt7as+as|реагирую)(?!\w)"
)
"""What another thing does to the author, or that they react, in the first person."""
_OVER = ENDING_KINDS - {"negation"}
"""Kinds of words that say that a relation is over, wherever they stand in a clause."""
_HABIT = re.compile(
    rf"{OFTEN.pattern}|(?<!\w)(?:daily|always|by the (?:kilo|bowl|bucket|handful|bag|plate|dozen)|ежедневно"
    rf"|постоянно|всегда"
    r"|пачками|тоннами|килограммами|ведрами|عادي|دايما|علي طول|3a+d[iy]+|dayman)(?!\w)|天天|经常|一直|随便"
)
"""That a thing is eaten as a habit, or with no care: one meal may have done harm."""
_HARMS_OTHERS = re.compile(
    r"(?<!\w)(?:ب|بي|بت|ي|ت)ي?(?:تعب|ضر|وجع|حسس|مرض)\w*(?:ها|هم)(?!\w)"
    r"|(?<!\w)b[ei]?t?[iey]?(?:t3eb|dor+|wga3|7as+es)\w*(?:ha|hom)(?!\w)"
)
"""What a thing does to her or them."""
IT_IS = re.compile(r"(?<!\w)(?:ه[وي] (?:اللي|الي|الذي|التي|ما)|(?:h[ou]w+a|hey+a) e?l+[iy])(?!\w)")
"""Of a thing, not of another person: «الأناناس هو اللي بيعملي حساسية»."""
_TOLD = re.compile(
    r"(?<!\w)(?:said|told|wrote|thought|meant|сказал\w*|говорил\w*|писал\w*|думал\w*"
    r"|(?:قلت|كتبت|ظنيت|فكرت|افتكرت|حسبت)\w*|2ol+t\w*|gelt\w*|kteb\w*|iftakart)(?!\w)|说|写|以为"
)
"""What an author stated before: "I said I'm allergic to shrimp"."""

_ENGLISH_KIN = r"(?:my |our )?(?:mum|mom|mam|mother|dad|father|parents|wife|husband|gran|nan|grandma)"
_RUSSIAN_KIN = r"(?:мам[аеуы]|пап[аеуы]|жен[аеуы]|муж[ау]?|бабушк[аеуи])"
_ARABIC_KIN = r"(?:ماما|امي|والدتي|ابوي|بابا|زوجتي|مرتي|زوجي|جوزي)"
_ARABIZI_KIN = r"(?:mama|[eou]mm?[iy]|yemma|baba|mert[iy]|zawjt[iy])"
_CHINESE_KIN = r"[我俺] ?(?:妈妈?|老妈|媳妇|老婆|老公|爸爸?|奶奶)"
_KIN_SAYS = re.compile(
    rf"(?<!\w)(?:(?:asked|rang|called|checked with) {_ENGLISH_KIN}(?: and (?:she|he|they) (?:says?|said))?"
    rf"|{_ENGLISH_KIN} (?:just )?(?:says|said|told me|tells me|reminds me|reminded me|corrected me|confirmed)(?: that)?"
    rf"|(?:спросил|позвонил)[аи]? (?:у )?{_RUSSIAN_KIN}"
    rf"|{_RUSSIAN_KIN} (?:мне )?(?:говорит|сказал[аи]?|поправил[аи]?|напомнил[аи]?)(?:,? что)?"
    rf"|(?:سالت|كلمت) {_ARABIC_KIN}(?:[،,]? و?(?:قالت|بتقول|تقول|قال|يقول)\w*)?"
    rf"|{_ARABIC_KIN} و?(?:قالت|بتقول|تقول|قال|يقول|ذكرتني|صححت)\w*"
    rf"|{_ARABIZI_KIN} (?:w )?(?:bt?2ol+\w*|bet2ool\w*|[g2]al(?:[ae]t)?\w*|[s9]a7+[ae]7\w*))(?!\w)"
    rf"|问 ?[了过]? ?{_CHINESE_KIN}(?: ?[她他] ?说)?|{_CHINESE_KIN} ?[她他]? ?(?:说|讲|提醒|纠正)"
)
"""Who reminded an author of what they are allergic to."""


def blank_kin(text: str) -> str:
    """A folded text without kin who tell its author what it is: "mum says it isn't almonds" is no hearsay where its
    author eats almonds.
    """
    return _KIN_SAYS.sub(" ", text)


def is_eaten_as_habit(whole: MaskedMessage) -> bool:
    """Whether an author says that they eat or wear the thing as a habit (`find_eaten`), and nobody else is spoken of
    but kin who told them.
    """
    span = find_eaten(whole)
    text = whole.message.text
    if span is None or _HABIT.search(text, *span) is None or _HARMS_OTHERS.search(text):
        return False
    return not load_lexicon().has_guard("others", IT_IS.sub(" ", blank_kin(text)))


def does_harm(text: str) -> bool:
    """Whether a text says what a thing does to those who do not bear it."""
    return _HURTS.search(text) is not None


def _cut_other(masked: str) -> str:
    """What a clause says before it names another thing: what stands behind is of that."""
    return masked.split(OTHER_THING, maxsplit=1)[0]


def _reacts_to_other(masked: str) -> bool:
    """Whether an author says in a clause that they react to another thing: "its sulfa i'm allergic to"."""
    if OTHER_THING not in masked:
        return False
    kinds = {token.kind for token in load_lexicon().cut(masked)}
    return _REACTS.search(masked) is not None or kinds >= {"relation", "first"}


def has_thing(said: SaidClause) -> bool:
    """Whether a clause names the fact or another thing."""
    return THING in said.masked or OTHER_THING in said.masked


def reacts_to_other(whole: MaskedMessage) -> bool:
    """Whether an author says in a clause that they react to another thing."""
    return any(_reacts_to_other(said.masked) for said in whole.clauses)


def names_other_relation(whole: MaskedMessage) -> bool:
    """Whether a clause without the fact's name states an allergy to another thing."""
    lexicon = load_lexicon()
    return any(
        OTHER_THING in said.masked
        and THING not in said.masked
        and (_REACTS.search(said.masked) or any(token.kind == "relation" for token in lexicon.cut(said.masked)))
        for said in whole.clauses
    )


def states_again(whole: MaskedMessage) -> bool:
    """Whether an author says in a clause, with no "not" before it, that they are allergic to the fact's thing: "they
    were almonds, I'm allergic to peanuts not almonds".
    """
    return any(_is_stated(said.masked) for said in whole.clauses)


def _is_stated(masked: str) -> bool:
    """Whether a clause has its author, the relation and the thing in this order, and no word that it is over."""
    kinds = [token.kind for token in load_lexicon().cut(masked)]
    if "relation" not in kinds or "thing" not in kinds or _TOLD.search(masked):
        return False
    relation = kinds.index("relation")
    before, place = kinds[:relation], kinds.index("thing")
    is_plain = not _OVER.intersection(kinds) and "negation" not in kinds[:place]
    return is_plain and "first" in before and place > relation


def find_eaten(whole: MaskedMessage) -> Span | None:
    """The clause in which an author says of themselves that they eat or wear what was said to be an allergy, or that it
    is fine where they say that they react to another thing, in no jest, doubt, question or quote, and with no harm in
    any clause but those about the thing that is meant instead.

    Its other words may be strange: that it was a mistake, layers and a denial beside it say.
    """
    lexicon = load_lexicon()
    if whole.fact.type != "allergy" or whole.is_of_kind or load_takeback_words().regret.search(whole.message.text):
        return None
    of_it = [_NOT_THE_CAUSE.sub(" ", _cut_other(each.masked)) for each in whole.clauses]
    if any(_HURTS.search(each) or lexicon.has_guard("danger", each) for each in of_it):
        return None
    is_own = reacts_to_other(whole)
    for said in whole.clauses:
        clause = Clause(lexicon.cut(OFTEN.sub(" ", said.masked)))
        is_eaten = _EATS.search(said.masked) is not None or (is_own and clause.any("fine"))
        if THING not in said.masked or not is_eaten or CANNOT.search(said.masked):
            continue
        if not clause.negations and not clause.any("relation", "trouble", "quantity") and whole.is_meant(said):
            return said.span
    return None
