"""What the assistant asks, as its reader would say it of themselves."""

from __future__ import annotations

import re

from factcheck.instant.core.arabizi import is_arabizi
from factcheck.instant.core.assistant_claims import TAG
from factcheck.instant.core.forms import find_russian_first_person
from factcheck.instant.core.words import read_words

_SAID_BY_READER = dict(pair.split("=") for pair in read_words("said_by_reader"))
_WORD = re.compile(r"[^\W_](?:[\w'’-]*[^\W_])?")
_ASKED_ORDER = re.compile(r"(?<!\w)(?:are i|i are)(?!\w)")
_CALL_ME = re.compile(r"(?<!\w)(call|address) i(?!\w)")
_ARABIC_YOUR = re.compile(r"(?<=[\u0620-\u064a]{3})ك(?!\w)")
_ARABIZI_YOUR = re.compile(r"(?<=[a-z0-9]{4})[aei]k(?!\w)")
OFFERED = re.compile(r"^\W*(?:so |ok |okay )?(?:(?:shall|should) i|(?:do you |would you )?(?:want|like) me to) ")
"""What an offer begins with: "Shall I stop asking about your day?"."""
_RUSSIAN_VERB = re.compile(r"[а-я]+(?:[еи]шь|[еи]те|[еи]шься|[еи]тесь)")
_ARABIC_VERB = re.compile(
    r"(?P<will>[سبهح])?ت(?P<verb>ريد|حب|بي|بغي|كره|فضل|تحسس|اكل|شرب|لبس|سافر|طير|تزوج|خاف|حتاج|ستخدم|رغب|عاني|قدر|تخرج|ختبر|متحن"
    r"|نتقل|نقل|ولد|صرف|دفع|سكن|ستطيع)(?:ين|ي|ون|وا)?"
)
"""What people do of whom facts are told; a noun may begin with ت: تمر, تونه."""
_ARABIZI_VERB = re.compile(
    r"^([bh7]?)[ie]?t[aei]?(rid|reed|7ib|7eb|hib|heb|bi|bghi|bghy|kra?h|fadd?[ae]l|akol|akul|shrab|lbas|elbas|safer|sefer"
    r"|tgawwez|tjawwaz|khaf|5af|7tag|7taj)i?$"
)
_CHINESE_SPACE = re.compile(r"(?<=[\u3400-\u9fff]) (?=[\u3400-\u9fff])")


def say_as_reader(check: str) -> str:
    """A question as its reader would state it: "you're allergic to penicillin, right?" as "i'm allergic to
    penicillin".
    """
    check = OFFERED.sub("", check)
    said = _WORD.sub(lambda match: _to_first_person(match[0]), TAG.sub(" ", check))
    said = _CALL_ME.sub(r"\1 me", _ASKED_ORDER.sub("i am", said))
    said = _ARABIC_YOUR.sub("ي", said)
    said = _ARABIZI_YOUR.sub("i", said) if is_arabizi(check) else said
    return _CHINESE_SPACE.sub("", said.rstrip(" ?؟.,،"))


def say_plainly(check: str) -> str:
    """A question as it stands, without its marks and its tag: what `say_as_reader` gives where it speaks to nobody."""
    return _CHINESE_SPACE.sub("", TAG.sub(" ", OFFERED.sub("", check)).rstrip(" ?؟.,،"))


def _to_first_person(word: str) -> str:
    """A word to its reader as they would say it of themselves."""
    if word in _SAID_BY_READER:
        return _SAID_BY_READER[word]
    if _RUSSIAN_VERB.fullmatch(word):
        return find_russian_first_person(word)
    arabic = _ARABIC_VERB.fullmatch(word)
    if arabic:
        mine = "" if arabic["will"] == "ب" else "ا"
        return f"{arabic['will'] or ''}{mine}{arabic['verb'].removeprefix('ا')}"
    return _ARABIZI_VERB.sub(r"\1a\2", word)


def list_sayings(question: str) -> list[str]:
    """A question as it stands, as its reader would say it, and without Arabizi's "your": "emti7anak" as "emti7an"."""
    return list(dict.fromkeys((question, say_as_reader(question), _ARABIZI_YOUR.sub("", question))))
