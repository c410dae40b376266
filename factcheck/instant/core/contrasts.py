"""Things that stand beside what harms or is refused, because they are not: "wool gives me hives, cashmere doesn't"."""

from __future__ import annotations

import re

from factcheck.instant.core.chinese import allow_spaces

_MAX_BEHIND = 48
"""Characters behind a thing in which it is called harmless."""
_LISTED = r"(?:\s*(?:&|/|and|or|и|или|و(?!لا\s)|w|wel|和|跟)\s*(?:ال|el |l |al )?\w{2,12})?"
"""One more thing between: "gold and silver I wear"."""
_CLOSED = (
    r"(?= ?(?:[.,،;!)\n]|$)"
    r"| (?:fine|ok|okay|daily|every|all|tho|though|too|with|спокойно|норм\w*|и|عادي|كل|3adi|kol)(?!\w))"
)
"""Behind a verb that has no other object: not "I eat around them"."""
_BEHIND = (
    (
        r" (?:(?:on the other hand|weirdly|oddly|somehow|strangely|funnily|just|i) )*"
        r"(?:(?:do|does|did|is|are)n'?t|never did)(?= ?(?:[.,;!)]|$| tho| though| at all))"
        r"| (?:has |have )?never (?:g[ai]ve[sn]?|bother\w*|hurt|caused?|troubled) "
        r"| (?:does|do|did|is|are)(?:n'?t| not) (?:bother|affect|hurt|do anything|a problem|an issue)"
        rf"| (?:i |we )(?:can |do |always |happily )?(?:eat|drink|wear|handle){_CLOSED}"
        r"| (?:is|are) (?:my life|welcome|totally|perfectly|always)"
    ),
    rf"(?:-то)? (?:я )?(?:ем|пью|ношу|сколько угодно|без проблем|на здоровье|живу душа в душу){_CLOSED}",
    (
        rf" (?:ا|ب|ن|كن|بن|ت)?(?:لبس|اكل|شرب|البس)\w*{_CLOSED}"
        r"| (?:ما|مو|مش) (?:(?:ي|بي|ت)ا?ثر|عندي (?:مع\w+ )?مشكل\w*|فيه\w* (?:شي|مشكل\w*))"
        r"| (?:ف?لا مانع|مافي مشكل\w*|مرحبا|اهلا وسهلا|سيد المائده|تمام)(?!\w)"
    ),
    (
        r" (?:mer+7ba|mar7aba|normal|ma(?:ku|fi) m[ou]shk\w*)(?!\w)"
        r"| ma? ?3[ae]?nd[iey]\w* (?:m3\w+ )?m[aeo]sh?k[iae]?l\w*"
        rf"| (?:b?akol\w*|n?a?kol\w*|n?akel\w*){_CLOSED}"
    ),
)
"""English, Russian, Arabic, Arabizi."""
_HAN_BEHIND = r" ?(?:(?:这种|这些|那种|之类) ?)?(?:(?:反而|却|我) ?)?(?:倒 ?)?" + allow_spaces(
    "(?:不怕|没事|不过敏(?!药)|随便吃|照吃|能吃|可以吃|是可以|是没事|都行)"
)
_HARMLESS = re.compile("|".join(f"{_LISTED}(?:{group})" for group in (*_BEHIND, _HAN_BEHIND)))

_MAX_TO_PUTTING_UP = 24
"""Characters between the thing and these words."""
_PUT_UP_WITH = re.compile(
    rf"[^.!?\n]{{0,{_MAX_TO_PUTTING_UP}}}?(?:(?<!\w)(?:"
    r"but (?:whatever|fine|it'?s (?:fine|ok|okay)"
    r"|i(?:'ll| can) (?:live|deal|cope|manage)(?: with (?:it|that|them))?(?= ?(?:[.,;!)]|$)))"
    r"|но (?:ладно|пофиг|пусть|терпимо|не критично|переживу|потерплю)"
    r"|(?:بس|لكن) (?:عادي|ماشي|يمشي|مش مشكل\w*|مو مشكل\w*)"
    r"|bas? (?:3adi|3ady|mashi|m[eu]sh moshkela)"
    r")(?!\w)|" + allow_spaces("(?:但是?|不过)(?:无所谓|没关系|能忍)") + ")"
)
_LIKED = re.compile(
    r"(?<!\w)(?<!not )(?<!n't )(?<!to )(?<!не )(?<!ما )(?<!مو )(?<!مش )(?<!ma )(?<!mesh )"
    r"(?:love|adore|enjoy|live on|обожаю|люблю|ب?ا?حب|بعشق|b?[ae]?7eb+|b?3sha2)(?: (?:my|all|a|the|ال|el))? ?$"
    r"|(?<!不)(?<!不 )" + allow_spaces("(?:爱吃|喜欢吃|超爱|最爱)") + r" ?$"
)
"""Right before a thing, with no negation: its author likes it."""


def is_put_up_with(text: str, end: int) -> bool:
    """Whether the words behind a thing that its author hates say that they bear it: "can't stand gore but whatever"."""
    return _PUT_UP_WITH.match(text, end) is not None


def is_liked(text: str, start: int) -> bool:
    """Whether the words right before a thing of a folded text say that its author likes it: "god yes, love cheese"."""
    return _LIKED.search(text[:start]) is not None


def is_called_harmless(text: str, end: int) -> bool:
    """Whether the words right behind a thing of a folded text say that it does no harm."""
    return _HARMLESS.match(text[: end + _MAX_BEHIND], end) is not None
