"""What limits a denial so that it leaves the fact in doubt: a jest behind it, a place, symptoms, one's own cat."""

from __future__ import annotations

import re
from collections.abc import Sequence

from factcheck.instant.core.clauses import split_sentences
from factcheck.instant.core.denial_clauses import VOCATIVE, blank_doctors
from factcheck.instant.core.known_facts import KnownFact
from factcheck.instant.core.lexicon import load_lexicon
from factcheck.instant.core.narrative_modes import Span
from factcheck.instant.core.subjects import has_occasion
from factcheck.instant.core.takeback_words import load_takeback_words

_UNSAID = re.compile(
    r"(?<!\w)(?:not[.!]|not$|jk|j/k|just kidding|(?<!was )kidding|psych|sike|gotcha|i wish|(?:or )?so they say"
    r"|what i tell|my a(?:rse|ss)"
    r"|i (?:so |totally |really |actually |do |still )?am[.! ]*$|шучу|шутка|прикол|вр[её]т|ага,? конечно"
    r"|конечно,? конечно"
    r"|(?<!كنت )(?:ب?امزح|بمزح|بهزر)|يا ?ريت|(?<!kont )(?:b?amza7|bahazar)|ya ?re?it|开 ?玩笑|骗 ?你|就 ?好 ?了)(?!\w)"
)
"""Behind a denial: it was none, "… NOT. I am"."""
_SUFFERS = re.compile(
    r"(?<!\w)(?:(?:can'?t|cannot) breathe|опуха\w+|чешусь|тошнит|(?:بت|ت|ي)?نتفخ\w*|اهضم\w*|بطني|عدم تحمل"
    r"|batni\w*|ahdom|ahdem"
    r"|intoleran\w*|(?<!нет )(?<!никакой )непереносимост\w+|不 ?耐受|(?<!乳糖)不耐受|严重 ?过敏|重度 ?过敏)(?!\w)"
)
"""Behind a denial of an allergy: it still does harm, "just intolerant"."""
_RESTRICTED = re.compile(
    r"(?<!\w)(?:but (?:don'?t|do not|no|not|never)|но не|بس (?:لا|ما|مو|مش|برا)"
    r"|bas (?:la|ma|mo|mesh|msh|barra)|但 ?(?:别|不|是 别))(?!\w)"
)
"""Behind a permission: "you can mention snakes but don't describe them"."""
_LISTED = re.compile(
    r"(?<!\w)(?:on|to|onto|in) (?:the |my |that )?(?:ban(?:ned)?|no-?go|avoid|black)[ -]?list|(?:в|на) (?:черн"
    r"|стоп)\w*[ -]?лист"
)
"""What is put back there is banned anew."""
_PARTLY = re.compile(
    r"(?<!\w)(?:(?:that|very|so|super|badly|terribly) all?ergic|after a (?:pill|tablet)|staying away"
    r"|antihistamine\w*|таблет\w+|завтра"
    r"|на даче|одн[оа]|好 ?(?:了 ?)?一点|好转|减轻|缓解)(?!\w)"
)
_IN_PLAY = re.compile(
    r"(?<!\w)(?:in (?:the |this |our |my )?(?:game|story|campaign|sims)|в (?:игре|сюжете|истории|кампании)"
    r"|(?:في |ب)(?:ال)?(?:لعبه|قصه|فيلم|روايه)|(?:fel|bel|fi el) ?(?:le3ba|2es+a|2os+a|film))(?!\w)|(?:游戏|故事"
    r"|剧情) ?(?:里|中)"
)
"""Whose allergy is over there is a character's."""
_AUTHOR_WORD = re.compile(
    r"(?<!\w)(?:i|i'm|im|i've|me|my|я|меня|мне|мо[йяеи]|انا|عندي|لي|ana|3andi|3endi|3indi)(?!\w)|我"
)
_PRONOUN = re.compile(
    r"(?<!\w)(?:he|she|they|(?:he|she|they)'s|him|her|his|their|он|она|они|ему|ей|него|нее|них|هو|هي|هم|عند(?:ه|ها|هم|و|ا)"
    r"|ho?w+a|hey+a|hom+a|3ando|3andaha)(?!\w)|[他她]们?"
)
"""Where a message names a doctor, it may mean that one."""
_NOT_ALONE = re.compile(
    r"(?<!\w)(?:بس|فقط|لحاله?ا?|bas|bs|ba2as|only|alone|только|лишь|одни|одна|один)[\s,،.;!]+(?:а |и |و ?|w )?"
    r"(?:عندي |3andi )?(?:كمان|برضو|برضه|ايضا|حتي|kaman|kamen|bardo|barda|7atta|also|but also|еще|также|и)"
    r"(?!\w)"
    r"|(?:而已|一样) ?[,，]?\s?(?:还有|也|还)"
)
"""It is not that alone: «ما عندي حساسية مكسرات بس، كمان سمسم»."""
_OTHER_BEFORE = re.compile(
    r"(?<!\w)(?:(?:the )?(?:other|rest of(?: the)?)|(?:все )?(?:остальны\w+|други\w+)|باقي|ba2[iy]|be2[iy])"
    r" (?:ال|el |l )?$|(?:其他|其它|别的) ?(?:的 ?)?$"
)
_OTHER_BEHIND = re.compile(r" (?:ال(?:تاني(?:ه|ين)?|ثاني(?:ه|ين)?|باقيه?|اخري)|el ?(?:th?any\w*|ba2y\w*|okhra))(?!\w)")
"""It is of the others: "the other insects are fine"."""
_REFUSED_BEFORE = re.compile(
    r"(?<!\w)(?:no|without|zero|без|بلا|بدون|من غير|bala|bidoon|bdoon|bidun|bla|blech|不要|没有) (?:ال|el |al |il )?$"
)
_WITHOUT = re.compile(r"(?<!\w)(?:bala|bidoon|bdoon|bidun|bla|blech)(?!\w)")
_BAN_BEHIND = re.compile(r"(?: ?的|s)? ?(?:ban|rule|limit|veil|禁令|规则)(?!\w)")
_FINE = re.compile(
    r"(?<!\w)(?:fine|ok|okay|cool|good|alright|works|норм\w*|ок|хорошо|устраивает|عادي|تمام|اوكي|3adi|tamam|可以"
    r"|没问题|行|好)(?!\w)"
)
_ANIMALS = frozenset({"cats", "dogs", "animals", "horses", "birds", "rabbits", "hamsters"})
_OWN_BEFORE = re.compile(r"(?<!\w)(?:my|our|this|мо\w+|сво\w+|наш\w+|эт\w+|我(?: ?家)?(?: ?的)?|自己 ?的?) ?$")
_RELATION = re.compile(r" ?(?:all?erg|аллерг|حساسي|过敏)")
_OWN_BEHIND = re.compile(r" ?(?:taba3[iy]|beta3\w*|dyal[iy]|تبعي|بتاع\w+|ديالي|حق\w+)(?!\w)")


ENDING_KINDS = frozenset({"negation", "concord", "ended", "lift", "unban"})
"""Of words that make a clause with a relation a denial, too."""
_RELATION_WORD = re.compile(r"all?erg|intoleran|аллерг|непереносим|حساسي|تحسس|[7h]a?s+as|过敏|不 ?耐受")
_MISTAKEN = re.compile(r"ошиб|mistak|wrong|غلط|8alat|ghalat|误")


def names_relation(text: str) -> bool:
    """Whether a folded text speaks of an allergy as such."""
    return _RELATION_WORD.search(text) is not None


def is_attributed(text: str, clause: Span) -> bool:
    """Whether a clause is said to be another's right beside it."""
    words = load_takeback_words()
    behind = words.said_behind.match(text, clause[1])
    return behind is not None or words.said_before.search(text, 0, clause[0]) is not None


def is_not_alone(text: str, start: int) -> bool:
    """Whether it is said from a place on that there is more than that: "it isn't nuts only, also sesame"."""
    return _NOT_ALONE.search(text, start) is not None


def is_limited(text: str, clause: Span, mentions: Sequence[Span], fact: KnownFact) -> bool:
    """Whether a denial in a clause leaves the fact in doubt for what stands in the clause or behind it."""
    start, end = clause
    if _UNSAID.search(text, end) or _RESTRICTED.search(text, end) or _LISTED.search(text, start, end):
        return True
    if is_not_alone(text, start) or (fact.type == "allergy" and _IN_PLAY.search(text, start, end)):
        return True
    if _is_turned(text, clause, fact):
        return True
    if any(_OTHER_BEFORE.search(text[:first]) or _OTHER_BEHIND.match(text, last) for first, last in mentions):
        return True
    is_allergy = fact.type == "allergy"
    if _PARTLY.search(text, start) or _is_placed(text, clause, mentions):
        return True
    if _is_accepted(text, clause, mentions, is_allergy=is_allergy):
        return True
    if _is_contradicted(text, clause, is_allergy=is_allergy):
        return True
    return is_allergy and (_SUFFERS.search(text, end) is not None or _is_own_animal(text, mentions, fact))


def _is_turned(text: str, clause: Span, fact: KnownFact) -> bool:
    """Whether the words beside a denial make it another person's ("no cat allergy now! My brother's, I mean") or
    mockery, or say that the allergy is back.
    """
    start, end = clause
    limits = load_takeback_words().limits
    if limits["meant"].search(text, end) or limits["mocked"].search(text):
        return True
    if has_occasion(text) and not _AUTHOR_WORD.search(text, start, end):
        return True  # "my son's birthday, no longer allergic to nuts"
    return fact.type == "allergy" and limits["back"].search(text, end) is not None


def may_be_of_others(text: str, clause: str) -> bool:
    """Whether a message speaks of another person, and a clause of it does not say that it is about its author: "my son
    got tested. Not allergic!".
    """
    lexicon, words = load_lexicon(), load_takeback_words()
    if _AUTHOR_WORD.search(clause) or any(token.kind == "first" for token in lexicon.cut(clause)):
        return False
    beside = VOCATIVE.sub(" ", blank_doctors(text))
    if words.doctor.search(text):
        beside = _PRONOUN.sub(" ", beside)  # "she tested me again"
    return lexicon.has_guard("others", beside)


def _is_contradicted(text: str, clause: Span, *, is_allergy: bool) -> bool:
    """Whether the words beside a denial speak against it, or make it one of these very dogs or eggs."""
    start, end = clause
    limits, beside = load_takeback_words().limits, f"{text[:start]} {text[end:]}"
    if limits["reported"].search(text) and limits["distrusted"].search(text, end):
        return True
    is_relation = _RELATION_WORD.search(text, *clause) is not None
    if not is_relation and (limits["keepers"].search(text) or limits["bought"].search(beside)):
        return True
    if not is_allergy:
        return limits["forbids"].search(beside) is not None
    return load_takeback_words().said_inside.search(text, *clause) is not None or _is_stated_again(text, clause)


def _is_stated_again(text: str, clause: Span) -> bool:
    """Whether a clause behind a denial states the relation: "I'm not allergic to them. I'm extremely allergic"."""
    behind = text[clause[1] :]
    for sentence in split_sentences(behind):
        for first, last in sentence.clauses:
            part = behind[first:last]
            kinds = {token.kind for token in load_lexicon().cut(part)}
            is_stated = "relation" in kinds and not kinds & ENDING_KINDS and not sentence.is_question
            if is_stated and load_takeback_words().limits["strongly"].search(part) and not _MISTAKEN.search(part):
                return True
    return False


def _is_placed(text: str, clause: Span, mentions: Sequence[Span]) -> bool:
    """Whether a clause speaks of a place that is not the story or the menu: "alcohol is allowed in this bar".

    The thing itself is no place: "in heels".
    """
    words = load_takeback_words()
    named = {start for start, _ in mentions}
    return any(
        match.end() not in named and words.place_stage.match(text, match.end(), clause[1]) is None
        for match in words.place.finditer(text, *clause)
    )


def _is_accepted(text: str, clause: Span, mentions: Sequence[Span], *, is_allergy: bool) -> bool:
    """Whether it is the ban that is fine: "no snakes is fine with me", "the snake ban is okay now"; in Arabizi, with
    however it is spelled: "sama7t bala snakes".
    """
    is_spelt = not is_allergy and _WITHOUT.search(text, *clause) is not None
    if _FINE.search(text, *clause) is None and not is_spelt:
        return False
    inside = [span for span in mentions if clause[0] <= span[0] < clause[1]]
    return any(_REFUSED_BEFORE.search(text[:first]) or _BAN_BEHIND.match(text, last) for first, last in inside)


def _is_own_animal(text: str, mentions: Sequence[Span], fact: KnownFact) -> bool:
    """Whether nothing but the author's own animal is named: "I'm not allergic to my cat"."""
    return (
        fact.key in _ANIMALS
        and bool(mentions)
        and all(
            (_OWN_BEFORE.search(text[:first]) and not _RELATION.match(text, last)) or _OWN_BEHIND.match(text, last)
            for first, last in mentions
        )
    )
