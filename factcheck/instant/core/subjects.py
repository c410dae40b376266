"""Of whom a clause speaks: of its author, or of somebody else."""

from __future__ import annotations

import re
from typing import Literal

from factcheck.instant.core.words import read_words

Subject = Literal["author", "other", "unsaid"]

_WORD = re.compile(r"[^\W_][\w'-]*")
_OTHERS = read_words("other_people")
_AUTHOR = read_words("first_person")
_BORDERS = read_words("borders")
_OWNERS = frozenset({"у", "عند", "3and", "3end"})
"""Who stands behind these has it: "у Юльки аллергия", "عند سارة حساسية"."""
_NO_OWNERS = frozenset({"этого", "этой", "этих"})
_POSSESSED = re.compile(r"([^\W_][\w'-]*) у (?:меня|нас)$")
"""Whom the author has: in «сестра у меня аллергик» the sister is spoken of; «сестра, у меня аллергия» calls her."""
_WITH = frozenset({"和", "跟", "与"})
_TOGETHER = re.compile(
    r"(?<!\w)(?:(?:and|&|n|plus) (?:i|me|myself)|i and (?:my|our|the)|incl(?:\.|uding)? me|me (?:too|included|as well)"
    r"|we(?:'re| are|'ve)? (?:all|both)|(?:all|both) of us"
    r"|и (?:у )?(?:меня|я|мне)(?: тоже)?|(?:я|у меня) и|мы с|мы (?:все|оба|обе)|(?:все|оба) мы"
    r"|انا و\w+|وانا|و انا|كلنا|كلياتنا|ana w|w ana|ana wi|kol+na)(?!\w)"
    r"|我 ?(?:和|跟|与)|(?:和|跟|与) ?我|(?:我们|咱们?) ?(?:全家|都|俩)"
)
"""The author beside somebody else."""
_WORDS_OF_COMPANION = 2
"""Who is joined to the author in Chinese is no other subject: `我和我妈都对芒果过敏`."""
_OTHERS_HAVE = re.compile(
    r"^(?:ما)?عند(?:ه|ها|هم|هن|و)(?:ا?ش)?$"
    r"|^(?:ma)?3[eia]?n+[eai]?d+[aeiou]*(?:h|ha|hom|hum|hon|o|u|on)(?:sh)?$"
)
"""Who has it is somebody else: عندها, 3andaha, 3endo."""
_ANY_OTHER = "|".join(sorted(map(re.escape, _OTHERS), key=len, reverse=True))
_OCCASION = re.compile(
    r"(?<!\w)(?:(?:wedding|funeral|engagement) of"
    r"|свадьб\w+|похорон\w*|помолвк\w+|(?:ال)?(?:عرس|فرح|زواج|زفاف|خطوبه|خطبه|ملكه)"
    r"|(?:el |l)?(?:3[ei]?rs|fara7|5otoba|khotoba|khotba|malka))"
    r" (?:(?:у|к|my|our|his|her|the|мо\w+|наш\w+|лучш\w+|بتاع|تبع|ديال|beta3|ta3|dyal|tab3|bent|bint|e?bn|بنت|ابن)"
    r" ){0,3}"
    rf"(?:{_ANY_OTHER}|братан\w*|3ammi|5ali|khali|عمي|خالي|عمتي|خالتي)(?!\w)"
    rf"|(?<!\w)(?:{_ANY_OTHER})'?s? (?:wedding|funeral|engagement)(?!\w)"
    rf"|(?:{_ANY_OTHER}) ?的? ?(?:婚礼|葬礼|喜酒|订婚宴)"
)
"""An occasion that others dress for, with whose it is: «свадьба у братана», "my cousin's wedding", 同事的婚礼. What a
birthday or a graduation is talked of with may be a present.
"""
_OCCASION_PARTS = (
    "wedding", "funeral", "engagement", "birthday", "bday", "graduation", "christening", "party", "свадьб", "похорон",
    "помолвк", "рождения", "днюх", "выпускн", "юбиле", "عرس", "فرح", "زواج", "زفاف", "خطوب", "خطبه", "ملكه", "ميلاد",
    "تخرج", "3ers", "3irs", "3rs", "fara7", "khot", "5ot", "malka", "婚礼", "葬礼", "喜酒", "订婚",
    "生日", "毕业", "满月",
)  # fmt: skip
"""One of them is in whatever both of these find: a cheap look, since they know all words for people."""
_PARTY = re.compile(
    rf"(?<!\w)(?:{_ANY_OTHER})'?s? (?:birthday|bday|graduation|christening|party)(?!\w)"
    rf"|(?<!\w)(?:день рождения|днюх\w+|выпускн\w+|юбилей)(?: у| мо\w+)? (?:{_ANY_OTHER})(?!\w)"
    rf"|(?<!\w)(?:عيد ميلاد|حفله تخرج|تخرج) (?:{_ANY_OTHER})(?!\w)|(?:{_ANY_OTHER}) ?的? ?(?:生日|毕业典礼|满月酒)"
)
_OWN_SUFFIX = re.compile(r"^(?:ب?ت?ي?)?[\u0620-\u064a]{2,}ني$")
"""Arabic verbs whose object is the speaker: تخنقني, يذبحني."""


def detect_subject(text: str, first: int, end: int, last: int) -> Subject:
    """Whose the words up to `end` are, within the sentence from `first` to `last` of a folded text.

    Who is named last before the end of the words is spoken of: "my mom and i are allergic" is the author's, "i think
    my mom is allergic" is hers; whose wedding it is tells of nothing but the wedding. Where nobody is
    named before, who is named first behind them in their clause.
    """
    subject: Subject = "unsaid"
    previous, joined = "", 0
    may_hold = any(map(text.__contains__, _OCCASION_PARTS))
    occasions = [match.span() for match in _OCCASION.finditer(text, first, end)] if may_hold else []
    for match in _WORD.finditer(text, first, end):
        if any(start <= match.start() < behind for start, behind in occasions):
            previous = ""
            continue
        found = _classify(match[0])
        joined = _WORDS_OF_COMPANION if match[0] in _WITH and subject == "author" else joined - 1
        if found == "other" and joined >= 0:
            found = "author"
        if found == "author" and previous == "у" and _is_of_possessed(text[first : match.end()]):
            found = "other"
        if found == "unsaid" and previous in _OWNERS and match[0] not in _NO_OWNERS:
            found = "other"
        if found != "unsaid":
            subject = found
        previous = match[0]
    if subject != "unsaid":
        return subject
    for match in _WORD.finditer(text, end, last):
        if match[0] in _BORDERS:
            break
        found = _classify(match[0])
        if found != "unsaid":
            return found
    return "unsaid"


def has_occasion(text: str) -> bool:
    """Whether a folded text names an occasion of somebody else, a birthday or a graduation as well."""
    if not any(map(text.__contains__, _OCCASION_PARTS)):
        return False
    return _OCCASION.search(text) is not None or _PARTY.search(text) is not None


def is_shared(text: str, first: int, end: int, last: int) -> bool:
    """Whether the words are the author's and somebody else's, too: "my dad and I are allergic to bees"."""
    is_joint = _TOGETHER.search(text, first, last) is not None
    return is_joint and detect_subject(text, first, end, last) == "author"


def _is_of_possessed(said: str) -> bool:
    owned = _POSSESSED.search(said)
    return owned is not None and owned[1] in _OTHERS


def _classify(word: str) -> Subject:
    if word in _OTHERS:
        return "other"
    if word in _AUTHOR:
        return "author"
    if _OTHERS_HAVE.match(word):
        return "other"
    bare = word[1:] if word[:1] in "وفل" and len(word) > 3 else word
    if bare != word and bare in _OTHERS:
        return "other"
    if (bare != word and bare in _AUTHOR) or _OWN_SUFFIX.match(word):
        return "author"
    return "unsaid"
