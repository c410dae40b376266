"""Bare values that replace what was claimed: "nope, it's L now", «теперь L», `la2 800`; and "not M, S"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from factcheck.instant.core.clauses import cut_clause, is_question, split_sentences
from factcheck.instant.core.known_facts import KnownFact
from factcheck.instant.core.lexicon import load_lexicon
from factcheck.instant.core.measure_labels import list_labels
from factcheck.instant.core.messages import FoldedMessage
from factcheck.instant.core.money import read_money
from factcheck.instant.core.reader_words import compile_phrases
from factcheck.instant.core.said_values import (
    SaidValue,
    fits,
    in_thousands,
    is_near,
    is_same,
    list_said,
    write_value,
)
from factcheck.instant.core.takeback_words import TakebackWords
from knowledge.facts.core.types import NUMBER_TYPES

MAX_BARE_LENGTH = 90
_CLAUSE = re.compile(r"[^,،;.!?؟\n—–]+(?:\.(?=\d)[^,،;.!?؟\n—–]+|,(?=\d{3}(?!\d))[^,،;.!?؟\n—–]+)*")
_NEGATED = re.compile(
    r"(?<![\w'])(?:not|isn't|aren't|не|مو|مش|مب|و?ليس|و?ليست|msh|mesh|mish|machi|mo|mub|какой там"
    r"|不是|并非|不|而不是|不穿|别)(?: (?:an?|the|на|el|il|al|l|穿|要))?\s*$"
)
_WAS_NOT = re.compile(r"(?<!\w)(?:(?:is|was|are|were) never|(?:is|was|are|were)n'?t) (?:the )?$")
_NOT_IT = re.compile(
    r" (?:тут |здесь |вообще |совсем ){0,2}(?:ни ?при ?чем|не ?виноват\w*)"
    r"|(?: has| had)? nothing to do with (?:it|that|this)"
    r"| (?:مالو?ه?|ما ?له|ماله?ا?) (?:دخل|علاقه|ذنب)|(?: m[ae]lo?h?a?| ma loh?a?) (?:da5al|dakhal|3ala2a|zanb)"
    r"| ?(?:是 ?)?(?:无辜|冤枉|无关)"
)
_NOT_CHANGED = re.compile(r"(?:n't|not|never|won't|не|لا|ما|مش|مو|la|ma|别|不要|不)\s*$")
_GENERIC = re.compile(
    r"(?:make (?:it|that|this)|let's|go with|call it|改成|改为|换成|خليه?ا?|خلها?|خلو?ها|5al|khal"
    r"|пусть|давай|сделай|сделаем)"
)
"""Words of change that may be of anything: "make it 40"."""
_TODAY = re.compile(r"(?<!\w)(?:today|сегодня|اليوم|النهارده|el ?yom|enaharda|今天)(?!\w)")
"""When the reason for a new value came up: it is no limit of it."""
_CALLS = re.compile(r"bro|bruh|man|dude|mate|anyway|instead|honey|бро|братан|друг|يا|حبيبي|habibi|ya|吧|哈|啊|了|的")
"""Behind a value these count nothing: "make it 900 bro"."""
_HOW_MANY = re.compile(
    r"(?<!\w)(?:how (?:many|much|long|heavy|tall|far|old|big)|what (?:level|number)|volume|bet|сколько"
    r"|какой уровень|كم|kam)(?!\w)|多少|几"
)
_PLAY = re.compile(r"(?<!\w)(?:in (?:the|this|my) game|в игре|في اللعبه|fel? ?le3ba|poker|damage|урон\w*|伤害|游戏)")
_OWN = re.compile(
    r"(?<![\w'])(?:i|i'm|my|у меня|мне|мо[йяеи]|ношу|انا|مقاسي|ب?لبس|البس|صرت|ana|ma2as\w|b?alb[ei]s|我|穿)(?![\w'])"
)
_ORDERS = re.compile(
    r"(?<!\w)(?:(?:tell|ask|offer) (?!me|us)|(?:скажи|предложи|передай) (?!мне|нам|вариант)"
    r"|قولي? ل|قل ل|gol |2o+l |告诉 ?(?!我))[^.!?,،]*$"
)
"""Before a value: it is what another is to be told."""
_ANOTHERS = re.compile(
    r"(?<!\w)(?:my|our) (?:[^\W\d_]+ ){0,3}[^\W\d_]+['’]s(?: (?:size|one|number|height|weight))?\s*$"
    r"|(?<!\w)(?:his|hers|theirs)\s*$"
)
"""Of a clause whose value is not its author's: "9 is my brother's"."""
_ALIKE = re.compile(r"(?<!\w)(?:like|same as|as|как|тоже|зато|زي|مثل|كمان|zay|metl)(?!\w)|一样|也")
"""Of a clause that compares: the value may be its author's, too."""
_HAS = re.compile(
    r"(?<!\w)(?:i'?m|i am|i (?:take|wear|need|have)|mine(?:'s| is)|у меня|я ношу|ношу|мой|انا|ب?البس|مقاسي|ana"
    r"|b?alb[ei]s|ma2asi|我 ?(?:自己|其实)? ?(?:的 ?是|的|是|穿|要)?)\s*(?:(?:an?|the|size|размер\w*|مقاس|is|это)\s+)*$"
)
"""Right before a value that its author says to have."""
_SUM = re.compile(r"(?<!\w)(?:budget|limit|price cap)(?!\w)|бюджет|лимит|ميزاني|m[ie]z[ae]n[iey]|预算")
_SIGN = re.compile(r"[$€£₽¥₸₺₹]")
_UNIT = re.compile(
    r" ?(?:kgs?|kilos?|kilo(?:gram)?s?|lbs?|cm|кг|кило|килограмм\w*|см|كيلو\w*|كغ|سم|公斤|斤|厘米)(?!\w)"
)
"""Behind a measure."""
_COUNTED = re.compile(r"\w+(?:[^su]s|ов|ев|ей|ок|ек|ه|[^i]a|ah|eh)")
"""How names of things end behind a number: "orcs", «орков», كلمه, kelma."""
_BEHIND = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*")
_JOINS = re.compile(r" (?:and|but|so|и|а|но|و|w|bas|和|但|就)(?!\w)")
"""Behind a value: another clause begins."""


@dataclass(frozen=True, slots=True)
class NewValue:
    """What a known size, measure or budget is now, and where the folded text says so."""

    fact: KnownFact
    value: str
    start: int
    end: int


def find_new_value(
    message: FoldedMessage, named: Sequence[KnownFact], words: TakebackWords, *, others: Sequence[KnownFact] = ()
) -> NewValue | None:
    """The value that a short message gives for a fact that the assistant just named; None where it is not plain.

    The words around it must all be known ("no", "make it", «теперь»), or the old value must be denied beside it; of
    `others`, which nobody named, it must.
    """
    facts = [fact for fact in (*named, *others) if fact.type in NUMBER_TYPES]
    text = message.text
    if not facts or len(text) > MAX_BARE_LENGTH or is_question(text):
        return None
    said = list_said(text)
    for fact in facts:
        if _is_of_other_kind(text, fact):
            continue
        new = [each for each in said if fits(each, fact) and not is_same(each, fact)]
        denied = [each for each in said if is_same(each, fact) and _is_denied(text, each)]
        plain = [
            each
            for each in new
            if (denied and _may_replace(text, each, fact, denied, words))
            or (fact in named and _is_bare(text, each, words))
        ]
        candidates = {each.value for each in plain if not is_negated(text[: each.start])}
        if len(candidates) == 1 and len([other for other in facts if any(fits(each, other) for each in plain)]) == 1:
            chosen = next(each for each in plain if each.value in candidates)
            return NewValue(fact, write_value(chosen, fact), chosen.start, chosen.end)
    return None


def _is_denied(text: str, said: SaidValue) -> bool:
    """Whether a value is not the author's: "not M", "9 is my brother's"."""
    return is_negated(text[: said.start]) or _is_of_another(text, said)


def _is_of_another(text: str, said: SaidValue) -> bool:
    clause = cut_clause(text, said.start, said.end)
    is_others = load_lexicon().has_guard("others", clause) or _ANOTHERS.search(clause) is not None
    return is_others and _ALIKE.search(clause) is None


def _may_replace(
    text: str, said: SaidValue, fact: KnownFact, denied: Sequence[SaidValue], words: TakebackWords
) -> bool:
    """Whether a value may stand in place of denied ones: of a size that is another's, one that its author says to have,
    and nothing behind it.
    """
    if not _counts_nothing(text, said, words):
        return False
    if any(is_negated(text[: each.start]) for each in denied):
        return True
    before, _, behind = cut_clause(text, said.start, said.end).rpartition(said.text)
    is_own = fact.type == "body_params" and _HAS.search(before) is not None and _is_made_of(behind, words.tail)
    return is_own and not _is_of_another(text, said)


def find_changed_value(
    message: FoldedMessage, facts: Sequence[KnownFact], words: TakebackWords, *, is_named: bool, previous: str = ""
) -> NewValue | None:
    """The value that words such as "make it" give in place of the only one of the facts that it may be of.

    None where somebody else says so: "my brother told me to make it 1500", but not "make it 1500, mum chips in"; and
    where the assistant's words before (`previous`) ask or count something else.
    """
    text, lexicon = message.text, load_lexicon()
    if is_question(text) or _PLAY.search(text):
        return None
    has_reason = words.change_reason.search(text) or lexicon.has_guard("others", text)  # "my brother helps out"
    is_open = not (is_named or has_reason) and _speaks_of_other(previous)
    for said in list_said(text):
        clause = cut_clause(text, said.start, said.end)
        before = text[_find_start(text, said.start) : said.start]
        if lexicon.has_guard("keep", _TODAY.sub(" ", clause)) or lexicon.has_guard("others", before):
            continue
        if not _counts_nothing(text, said, words) or _ORDERS.search(text[: said.start]):
            continue
        open_ = [
            fact
            for fact in facts
            if fact.type in NUMBER_TYPES
            and not (is_open and (fact.type == "budget" or not _OWN.search(text)))
            and fits(said, fact)
            and is_near(said, fact)
            and not _is_of_other_kind(clause, fact)
        ]
        if (
            len(open_) == 1
            and not is_same(said, open_[0])
            and _is_changed(text, said, open_[0], words, is_named=is_named)
        ):
            return NewValue(open_[0], write_value(said, open_[0]), said.start, said.end)
    return None


def is_negated(before: str) -> bool:
    """Whether folded words end with "not" of what stands behind them."""
    return _NEGATED.search(before) is not None


def is_ruled_out(text: str, place: tuple[int, int]) -> bool:
    """Whether "not" or "it was never" stands right before a thing, or "has nothing to do with it" right behind."""
    before = text[: place[0]]
    return is_negated(before) or _WAS_NOT.search(before) is not None or _NOT_IT.match(text, place[1]) is not None


def read_said_value(
    message: FoldedMessage, fact: KnownFact, place: tuple[int, int], words: TakebackWords, *, previous: str = ""
) -> NewValue | None:
    """The value at a place of the folded text, if the fact may have it and has another; none of a game, of what is
    counted, or of a number that the assistant asked for right before (`previous`).
    """
    text, numbers = message.text, list_said(message.text)
    is_told = bool(words.change_reason.search(text) or _SUM.search(text)) or len(numbers) > 1  # the other is answered
    if _PLAY.search(text) or (fact.type == "budget" and not is_told and _speaks_of_other(previous)):
        return None
    for said in (in_thousands(each, fact) for each in numbers):
        is_there = said.start < place[1] and place[0] < said.end
        if not is_there or not fits(said, fact) or not is_near(said, fact) or is_same(said, fact):
            continue
        is_alone = _JOINS.match(text, said.end) is not None or _counts_nothing(text, said, words)
        is_alone = is_alone or (fact.type == "body_params" and _UNIT.match(text, said.end) is not None)
        if is_alone and not _ORDERS.search(text[: said.start]):
            return NewValue(fact, write_value(said, fact), said.start, said.end)
    return None


def names_sum(text: str) -> bool:
    """Whether a folded text names a budget or a limit as such."""
    return _SUM.search(text) is not None


def _speaks_of_other(previous: str) -> bool:
    """Whether the words before ask for a number of something, or name one, that is no sum to spend."""
    said = previous.casefold()
    has_sum = names_sum(said) or _SIGN.search(said) is not None
    return not has_sum and (
        _HOW_MANY.search(said) is not None or (re.search(r"\d", said) is not None and read_money(said) is None)
    )


def _find_start(text: str, place: int) -> int:
    """Where the clause that holds a place begins: "my sister chips in so make it 90" is the author's own order."""
    sentences = split_sentences(text)
    return next((start for each in sentences for start, end in each.clauses if start <= place < end), 0)


def _is_of_other_kind(text: str, fact: KnownFact) -> bool:
    """Whether words about a value name another measure, or a sum: "my new weight is 80" is no size of shoes."""
    labels = {label.key for label in list_labels(text, (0, len(text)))}
    has_sum = names_sum(text)
    if fact.type == "budget":
        return bool(labels) and not has_sum
    return (bool(labels) or has_sum) and fact.key not in labels


def _counts_nothing(text: str, said: SaidValue, words: TakebackWords) -> bool:
    """Whether what follows a value is no thing that it counts: "500", "500 euros", but not "500 orcs"."""
    place = said.end + len(text[said.end :]) - len(text[said.end :].lstrip(" "))
    if compile_phrases("sum_units").match(text, place):
        return False
    behind = _BEHIND.match(text, place)
    if read_money(text[said.start : said.end + 4].strip()) is not None:
        return True  # "900eur"
    if text[said.end : said.end + 1].isalpha() and text[said.end].isascii() and not said.is_letter:
        return False  # "500g"
    if behind is not None and _ends_clause(text, behind.end()) and not _is_known_behind(text, behind, words):
        return False  # "500 dead", "700 瓦"
    if behind is None or _COUNTED.fullmatch(behind[0]) is None or load_lexicon().has_guard("others", behind[0]):
        return True  # "make it 900, mum adds some": who is named next is nothing that is counted
    return (
        words.tail.match(text, place) is not None
        or words.event_around.fullmatch(behind[0]) is not None
        or words.event_of.fullmatch(behind[0]) is not None
        or compile_phrases("sum_scopes").match(text, place) is not None
        or read_money(text[said.start : behind.end()]) is not None
    )


def _ends_clause(text: str, place: int) -> bool:
    return not text[place:].strip() or text[place:].lstrip(" ")[0] in ",،.;!?؟。，\n"


def _is_known_behind(text: str, behind: re.Match[str], words: TakebackWords) -> bool:
    """Whether a word alone behind a value is no thing that it counts: "now", "instead", "mum"."""
    return (
        words.change_reason.match(behind[0]) is not None
        or _CALLS.fullmatch(behind[0]) is not None
        or words.tail.match(text, behind.start()) is not None
        or words.lead.match(text, behind.start()) is not None
        or words.event_around.fullmatch(behind[0]) is not None
        or words.event_of.fullmatch(behind[0]) is not None
        or compile_phrases("sum_scopes").match(text, behind.start()) is not None
        or read_money(f"1 {behind[0]}") is not None
    )


def _is_changed(text: str, said: SaidValue, fact: KnownFact, words: TakebackWords, *, is_named: bool) -> bool:
    """Whether words of change, with no negation before them, lead to a value and, of a size, nothing follows it.

    "Make it 40" is of a size only where that was named right before.
    """
    change = words.change.search(text[: said.start])
    if change is None or _NOT_CHANGED.search(text[: change.start()]):
        return False
    clause = cut_clause(text, said.start, said.end)
    if (
        fact.type == "body_params"
        and not is_named
        and _GENERIC.match(change[0])
        and not list_labels(clause, (0, len(clause)))
        and not _OWN.search(text)
    ):
        return False
    return fact.type == "budget" or _is_made_of(clause.rpartition(said.text)[2], words.tail)


def _is_bare(text: str, said: SaidValue, words: TakebackWords) -> bool:
    """Whether every word before the value, and in its clause behind it, only leads to it."""
    end = next(
        (match.end() for match in _CLAUSE.finditer(text) if match.start() <= said.start < match.end()), len(text)
    )
    before = text[: said.start]
    behind = text[said.end : end]
    for match in _CLAUSE.finditer(before):
        if not _is_made_of(match[0], words.lead):
            return False
    money = read_money(text[said.start : end])
    if money is not None:
        behind = re.sub(r"^\s*(?:[kк]|тыс\w*)?\.?\s*[^\W\d_]+|^\s*[$€£₽₹]", "", behind, count=1)
    return _is_made_of(behind, words.tail)


def _is_made_of(text: str, words: re.Pattern[str]) -> bool:
    place = 0
    while place < len(text):
        if not text[place].isalnum():
            place += 1
            continue
        match = words.match(text, place)
        if match is None or match.end() == place:
            return False
        place = match.end()
    return True
