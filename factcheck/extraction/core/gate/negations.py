"""Whether a statement is denied in its own clause: what readers find, unlike a pattern, knows nothing of its verb."""

from __future__ import annotations

import re

from factcheck.instant.core.messages import FoldedMessage
from factcheck.instant.core.narrative_modes import Span

_NO = (
    r"not|no|never|isn't|ain't|don't|dont|doesn't|didn't|won't|wouldn't|without|zero"
    r"|не|нет|нету|ни|никогда не|никаких|никакой"
    r"|ما|مو|مش|مب|مهو|ليس|ليست|ماني|لا|بدون|ma|mo|mu|mub|mish|msh|mesh|mafi|不是|不算|不|没|没有|并非"
)
_BEFORE_MEASURE = re.compile(rf"(?<![\w'])(?:{_NO})\s+(?:[\w']+\s+)?$")
_BEHIND_MEASURE = re.compile(
    r"\s*(?:[\w']+\s+){0,3}(?:не|нет|ما|مو|مش|mish|msh|ma|isn't|is not|doesn't|no longer|不)\s+(?:[\w']+\s+)?"
    r"(?:нош\w*|надева\w*|подход\w*|налез\w*|влез\w*|мой|моя|البس\w*|بلبس\w*|مقاسي|ma2asi|fit\w*|work\w*|mine|my|穿|合适)"
)
"""A figure that is refused behind it: «46 размер я не ношу», "M doesn't fit"."""
_RELATION = "al+erg|аллерг|ал+ерг|حساسي|تحسس|متحسس|[7h]asas|7as+as|过敏"
_FORGET = r"(?:ever )?forget\w*|(?:\w+ )?забы[вдт]\w*|(?:\w+ )?забуд\w*|(?:ت|ان)نس\w*|tensa\w*|tinsa\w*|要 ?忘|忘"
"""«Не забудь», "don't forget": what follows is stated once more."""
_NO_RELATION = re.compile(
    rf"(?<![\w'])(?:{_NO})\s+(?!(?:only|just|joking|kidding|только|просто|بس|bas)(?!\w))"
    rf"(?!{_FORGET})"
    rf"(?:[\w']+\s+){{0,2}}?(?:ال|el )?(?:{_RELATION})"
    rf"|(?<!\w)(?:{_RELATION})\w*(?:\s+[\w']+){{0,4}}\s+(?:нет|нету|не было|не бывает|ma fi|mafi|ما في|مافي|none)(?!\w)"
)
_NO_BAN = re.compile(
    rf"(?<![\w'])(?:{_NO})\s+"
    r"(?:(?:have|got|any|a|an|food|real|such|у меня|никаких|عندي|اي|3[aei]?ndi|ay|什么)\s+){0,3}"
    r"(?:bans?|phobias?|lines?|veils?|limits?|triggers?|boundar\w+|no-gos?|issues?|restrictions?|hard nos?"
    r"|запрет\w*|фоби\w*|табу|ограничени\w*|границ\w*|триггер\w*|ممنوع\w*|محظور\w*|فوبيا|حدود"
    r"|mamnoo?3\w*|fobia|phobia|7odood|忌口|底线|雷点|禁忌|恐惧)"
)
"""«нет никаких запретов», "ma 3endi mamnoo3at": nothing is refused."""
_CALENDAR = re.compile(r"\s*(?:号|日|月)")
_CLOTHES = re.compile("[穿码鞋尺衣裤裙]")
"""Without one of these a number before 号 is a day."""
_BORDER = re.compile(r"[,،;:()—–\n]|(?<![\w'])(?:but|а|но|зато|بس|لكن|bas|lakin|但是?|不过)(?![\w'])")


def find_negation(message: FoldedMessage, fact_type: str, span: Span) -> str:
    """`negation` where the clause of a folded span denies what it states; empty where it does not.

    Bans are made of negations: they are denied only where it is said that there are none.
    """
    text = message.text
    first, last = message.sentence(*span)
    if fact_type == "body_params":
        if _CALENDAR.match(text, span[1]) and not _CLOTHES.search(text, first, last):
            return "a date"
        before, after = text[first : span[0]], text[span[1] : last]
        is_denied = _BEFORE_MEASURE.search(before) is not None or _BEHIND_MEASURE.match(after) is not None
        return "negation" if is_denied else ""
    if fact_type == "hard_ban":
        return "negation" if _NO_BAN.search(text, first, last) else ""
    if fact_type != "allergy":
        return ""
    for border in _BORDER.finditer(text, first, span[0]):
        first = border.end()
    closing = _BORDER.search(text, span[1], last)
    clause = text[first : closing.start() if closing else last]
    return "negation" if _NO_RELATION.search(clause) else ""
