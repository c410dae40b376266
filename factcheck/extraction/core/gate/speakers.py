"""Of whom a statement speaks, more strictly than patterns ask: they know the words around it, the gate does not."""

from __future__ import annotations

import re
from functools import lru_cache

import pymorphy3

from factcheck.instant.core.chinese import join_chinese
from factcheck.instant.core.messages import FoldedMessage
from factcheck.instant.core.narrative_modes import Span
from factcheck.instant.core.subjects import Subject, detect_subject
from factcheck.instant.core.value_lists import split_tokens
from factcheck.instant.core.words import read_words

_BORDER = re.compile(
    r"[,،:()\[\]{}—–;\n]|\s-+\s|(?<![\w'])(?:but|and|so|а|но|и|بس|لكن|و|bas|lakin|w|但是?|不过|可是|所以)(?![\w'])"
)
_CYRILLIC = re.compile(r"[а-я]{3,}")
_ARABIC_SELF = re.compile(
    r"(?:ال)?(?:مقاسي|ميزانيتي|طولي|وزني|قياسي|حجمي|عرسي|زواجي|زفافي|خطوبتي|تخرجي|سفري|سفرتي|رجلي|خصري|نادي?ني|سميني|كلمني)"
    r"|(?:ب|ما ?ب?|لا )?(?:البس|الابس|اقدر|اصرف|ادفع|اتحمل|اطيق|اكره|اخاف|احب|ابي|ابغي|اسافر|اتزوج|انتقل|اتحسس)"
)
_ARABIZI_SELF = re.compile(
    r"(?:ma[2q]asi|mi?e?zan[iy]t[iy]|budgeti|bajti|[36]?ooli|toole?i|wazni|7ajmi|3irsi|3ersi|3orsi|zawaji|ta5arroji|safarti"
    r"|b?a?lb[ae]s|albes|asrof|basrof|adfa3|badfa3|nadeeni|nadini|sammeeni)"
)
_HABITS = frozenset({
    "носить", "надевать", "брать", "переносить", "есть", "пить", "любить", "ненавидеть", "бояться", "тратить",
    "выделять", "готовить", "весить", "покупать",
})  # fmt: skip
"""What Russian speakers say of somebody else in the third person, where a player says "I"."""
_STRANGER = re.compile(
    r"(?<![\w'])(?P<name>[a-z]{2,}) (?:is|has|gets|was|can't|cannot|cant|doesn't|wears|hates|suffers) "
    r"(?:[a-z]+ ){0,2}?(?=allerg|intoleran|sensitiv|a [a-z]+ allerg|an allerg|eat|drink|stand|have|size|from)"
    r"|(?<![\w'])(?P<spender>[a-z]{2,}) (?:spends|weighs|wears|measures|earns) "
)
_OWNER = re.compile(
    r"(?<![\w'])(?P<owner>[a-z]{2,})'s "
    r"(?=(?:[a-z]+ ){0,2}?(?:size|height|weight|waist|budget|allerg|shoe|\d|six|five|str)|allerg)"
)
"""Whose a measure or an allergy is: "our goalie's six foot four", "my barb's budget"."""
_NO_OWNERS = frozenset({
    "it", "that", "what", "there", "here", "let", "who", "how", "size", "height", "weight", "waist", "budget",
    "everything", "today", "this", "doctor", "mine", "women", "men", "lady", "ladies", "max", "limit",
})  # fmt: skip
_HAN_STRANGER = re.compile(
    r"(?:^|[\s,.!，。、])(?P<who>[\u4e00-\u9fff]{2,3}?)(?:也|都|就|会|是)?对"
    r"|(?P<who2>(?:小|老|阿)[\u4e00-\u9fff]|[\u4e00-\u9fff]{1,2}(?:哥|姐|总|老师|同学|先生|女士|叔|姨))(?:不能|穿|的)"
)
_NO_STRANGER = re.compile(
    "[我咱俺自己本]|从小|一直|天生|特别|非常|真的|其实|确实|好像|可能|体质|身体|皮肤|鼻子|医生|现在|最近|目前|反正|主要|另外|还有|严重|尤其|先天"
    "|遗传|检查|查出|测出|家里|记得|注意|因为|由于|不过|但是|而且|所以|对了|目前|以及|完全|绝对|轻微|重度|中度"
)
_OTHERS = read_words("other_people")
_LIGHT = (
    read_words("fillers")
    | read_words("tail")
    | read_words("conjunctions")
    | read_words("answer_openers")
    | read_words("borders")
    | read_words("first_person")
)
"""What may stand before an elliptic statement: "also allergic to nuts", «ну аллергия на орехи»."""


def detect_speaker(message: FoldedMessage, sentence: Span, span: Span) -> Subject:
    """Whose the words of a span are: `author` only where the sentence says so, or says nothing else before them.

    "katya is allergic to nuts" names nobody that is known and is not the author's; "allergic to nuts" is.
    """
    text, (start, end) = message.text, span
    first, last = sentence
    subject = detect_subject(text, first, end, last)
    if subject == "other" or names_stranger(message, sentence, span):
        return "other"
    if subject == "author" or speaks_of_self(text[first:last]):
        return "author"
    opening = first
    for border in _BORDER.finditer(text, first, start):
        opening = border.end()
    words = [word for word, _, _ in split_tokens(text, opening, start) if word[0].isalnum()]
    return "author" if all(word in _LIGHT for word in words) else "unsaid"


def names_stranger(message: FoldedMessage, sentence: Span, span: Span) -> bool:
    """Whether somebody whom no list of words knows is spoken of: "katya is allergic", «серега не переносит»."""
    text = message.text
    said = text[sentence[0] : span[1]]
    if any(match["owner"] not in _NO_OWNERS for match in _OWNER.finditer(said)):
        return True
    habits = [match for match in _CYRILLIC.finditer(said) if _is_third_person(match[0])]
    if habits and not _OTHERS.isdisjoint(said.split()):
        return True
    if detect_subject(text, sentence[0], span[1], sentence[1]) == "author":
        return False
    if any((match["name"] or match["spender"]) not in _LIGHT for match in _STRANGER.finditer(said)):
        return True
    if any(
        _NO_STRANGER.search(match["who"] or match["who2"]) is None
        for match in _HAN_STRANGER.finditer(join_chinese(said))
    ):
        return True
    return bool(habits)


def is_declared(message: FoldedMessage, sentence: Span, span: Span) -> bool:
    """Whether a sentence is in the first person outright."""
    subject = detect_subject(message.text, sentence[0], span[1], sentence[1])
    return subject == "author" or (subject == "unsaid" and speaks_of_self(message.text[slice(*sentence)]))


def speaks_of_self(text: str) -> bool:
    """Whether a form of a word says that its speaker does it or has it: «ношу», ميزانيتي, mizaniti."""
    words = text.split()
    if any(_is_first_person(match[0]) for match in _CYRILLIC.finditer(text)):
        return True
    return any(_ARABIC_SELF.fullmatch(word) or _ARABIZI_SELF.fullmatch(word) for word in _strip(words))


def _strip(words: list[str]) -> list[str]:
    """The words without marks, and without a joined و or ف as well."""
    bare = [word.strip(".,!?;:،؛؟()\"'«»") for word in words]
    return bare + [word[1:] for word in bare if word[:1] in ("و", "ف") and len(word) > 3]


@lru_cache(maxsize=1)
def _morphology() -> pymorphy3.MorphAnalyzer:
    return pymorphy3.MorphAnalyzer(lang="ru")


@lru_cache(maxsize=20_000)
def _is_third_person(word: str) -> bool:
    """Whether a Russian word is what somebody else does with clothes and food: «носит», «не переносит», «тратит»."""
    if not word.endswith(("ет", "ит", "ёт", "ут", "ют", "ат", "ят")):
        return False
    reading = _morphology().parse(word)[0]
    return reading.tag.POS == "VERB" and "3per" in reading.tag and reading.normal_form in _HABITS


@lru_cache(maxsize=20_000)
def _is_first_person(word: str) -> bool:
    """Whether the likeliest reading of a Russian word is a verb of the first person."""
    if not word.endswith(("у", "ю", "усь", "юсь", "ем", "им", "ём", "мся", "м")):
        return False
    tag = _morphology().parse(word)[0].tag
    return tag.POS == "VERB" and "1per" in tag
