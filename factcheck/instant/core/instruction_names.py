"""How somebody wants to be called, and what they do not want to be called."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator

from factcheck.instant.core.concepts import make_key
from factcheck.instant.core.forms import find_russian_nominative
from factcheck.instant.core.value_types import ReadValue
from factcheck.instant.core.wishes import WishedSentence

_TITLE = r"(?:(?:dr|mr|mrs|ms|mx|prof|st)\.?\s+)"
_WORD = re.compile(r"[^\W\d_][\w'-]*|\d{1,4}(?=\W|$)")
_POLITELY = (
    r"(?:please|pls|plz|kindly|if you (?:don't mind|like|please|would)|пожалуйста|плиз|плз|пж|будьте добры|если можно"
    r"|لو سمحت\w*|من فضلك\w*|رجاء|بليز|اذا ممكن|l[ae]?w sama7\w*|men fadlak|3afak)(?!\w)"
)
_TITLED = re.compile(r"(?:ابو|ام|بو|دكتور|استاذ|كابتن|حاج|شيخ)(?!\w)")
_SPEAKER = re.compile(r"I(?:'|$)")
_LEAD = re.compile(
    rf"(?P<polite>[\s,،]*{_POLITELY})?[\s:,،=\"'«“„「『《*-]*(?P<the>the\s+|a?l-?\s+)?(?P<title>{_TITLE})?"
)
_CLAUSE_END = re.compile(r"\s*(?:[.,!?;:()\n\"»”“」』》*؟،؛…。，！？]|[—–]|\s-\s|$)")
_BUT = re.compile(r"\s*,?\s*(?:but|но|بس|لكن|bas|但)(?!\w)")
_NOT_OTHER = re.compile(r"\s*,?\s*(?:not|а не|и не|مو|مش|msh|mesh)\s+\w")
_JUST = re.compile(r"\s*(?:(?:just|simply|просто|можно|بس|bas)\s+(?=\w)|就叫|就|叫)")
_NAME = re.compile(rf"{_TITLE}?[^\W\d_][\w'-]*(?: [^\W\d_][\w'-]*){{0,2}}", re.IGNORECASE)
_MAX_WORDS = 3
_HAN = re.compile("[\u4e00-\u9fff]")
_ENDINGS = re.compile(r"(?<=\w\w)(?:ой|ей|ом|ем|ою|ею)$")


def read_names(sentence: WishedSentence) -> Iterator[ReadValue]:
    """The form of address of a sentence, and the forms that it forbids."""
    refused = [match.span() for match in sentence.words.name_never.finditer(sentence.text)]
    yield from _read_refused(sentence, refused)
    yield from _read_ways(sentence)
    for match in sentence.words.name_cue.finditer(sentence.text):
        inside = any(start <= match.start() < end or start < match.end() <= end for start, end in refused)
        if (
            inside
            or sentence.is_negated(match.start())
            or sentence.is_released(match.start(), match.end())
            or not sentence.is_own_wish(match.start(), match.end())
        ):
            continue
        named = _read_name(sentence, match.end())
        if named is not None:
            yield sentence.make("name", named[0], match.start(), named[1])
            return
    yield from _read_own_name(sentence, is_corrected=bool(refused))


def read_given_name(sentence: WishedSentence, unsaid: Container[str]) -> ReadValue | None:
    """The name at the beginning of an answer, which ends its clause or is said to do: "Mags is fine"."""
    words = sentence.words
    start = 0
    for lead in (words.name_cue, words.name_mine, _JUST):
        match = lead.match(sentence.text, start)
        start = match.end() if match else start
    trailing = words.name_trailing.search(sentence.text, start)
    end = trailing.start() if trailing else start
    name = sentence.quote(start, end).strip(" \t\"'«»")
    if not _NAME.fullmatch(name):
        named = _read_name(sentence, start)
        if named is None or not _CLAUSE_END.match(sentence.text, named[1]):
            return None
        name, end = named
    said = _WORD.findall(sentence.text[start:end])
    if not said or any(word in unsaid or word in words.no_names for word in said):
        return None
    return sentence.make("name", name, start, end)


def _read_refused(sentence: WishedSentence, spans: list[tuple[int, int]]) -> Iterator[ReadValue]:
    for start, end in spans:
        named = _read_name(sentence, end)
        if named is None or sentence.is_negated(start) or sentence.is_released(start, end):
            continue
        if sentence.is_own_wish(start, end):
            last = named[1] + (sentence.text[named[1] : named[1] + 1] in _CLOSING)
            yield sentence.make(f"not_called_{make_key(named[0])}", sentence.quote(start, last), start, last)


def _read_ways(sentence: WishedSentence) -> Iterator[ReadValue]:
    """Address by a name that is known: "use my first name", «обращайся по имени»."""
    for cue in sentence.words.patterns["address"].finditer(sentence.text):
        for expression in sentence.words.name_by:
            match = expression.search(sentence.text, cue.end())
            if match and match.start() - cue.end() <= _NEAR and sentence.is_own_wish(cue.start(), cue.end()):
                if not sentence.is_negated(cue.start()):
                    yield sentence.make("name", f"by {_WAYS.get(match['which'], match['which'])}", *_join(cue, match))
                return


_BARE_PRONOUNS = ("я", "it's", "its")
"""Behind these a name has a capital: «я думаю, хватит» gives none."""
_CLOSING = tuple("\"'”»」』》")
_NEAR = 16
_WAYS = {
    "имени": "first name", "имени и отчеству": "first name and patronymic",
    "имени-отчеству": "first name and patronymic",
    "фамилии": "last name", "нику": "nickname", "званию": "title", "отчеству": "patronymic", "اسمي": "name",
    "اسمي الاول": "first name", "لقبي": "title", "كنيتي": "kunya", "esmi": "name", "ismi": "name", "la2abi": "title",
}  # fmt: skip


def _join(first: re.Match[str], second: re.Match[str]) -> tuple[int, int]:
    return first.start(), second.end()


def _read_own_name(sentence: WishedSentence, *, is_corrected: bool) -> Iterator[ReadValue]:
    """A name that is told as what to say: "the name's Margaret but Peggy will do", "it's Jo, not Joanna"."""
    mine = sentence.words.name_mine.search(sentence.text)
    if mine is None or not sentence.is_own_wish(mine.start(), mine.end()):
        return
    trailing = sentence.words.name_trailing.search(sentence.text, mine.end())
    if trailing is not None:
        before = list(_WORD.finditer(sentence.text, mine.end(), trailing.start()))
        name = sentence.quote(*before[-1].span()) if before else ""
        may_be_name = name[:1].isupper() or mine[0] not in _BARE_PRONOUNS
        if before and may_be_name and before[-1][0] not in sentence.words.no_names:
            yield sentence.make("name", name, before[-1].start(), trailing.end())
            return
    named = _read_name(sentence, mine.end())
    if named is None:
        return
    is_refused = is_corrected or sentence.words.name_never.search(sentence.message.text) is not None
    if is_refused or (_NOT_OTHER.match(sentence.text, named[1]) and named[0][:1].isupper()):
        yield sentence.make("name", named[0], mine.start(), named[1])


def _read_name(sentence: WishedSentence, place: int) -> tuple[str, int] | None:
    """The name that stands at a place of the sentence, and its end."""
    text = sentence.message.text  # the sentence may end with "Dr."
    lead = _LEAD.match(text, sentence.first + place)
    start = lead.end() if lead else sentence.first + place
    begin = lead.start("title") if lead and lead["title"] else start
    words: list[re.Match[str]] = []
    position = start
    while len(words) <= _MAX_WORDS:
        match = _WORD.match(text, position)
        if match is None or match[0] in sentence.words.no_names:
            break
        words.append(match)
        gap = re.compile(r"[ \t]+").match(text, match.end())
        if gap is None:
            break
        position = gap.end()
    if not words:
        return None
    kept = _keep_words(sentence, words)
    end = kept[-1].end()
    name = " ".join(sentence.message.quote(begin, end).split()).strip("'\"-")
    if lead and lead["polite"] and not (_is_plain_name(text[start:end], name) and _CLAUSE_END.match(text, end)):
        return None
    if _BUT.match(text, end) and name == name.lower() and name.isascii():
        return None
    return _in_nominative(name), end - sentence.first


def _is_plain_name(folded: str, name: str) -> bool:
    """Whether words behind "call me, please" are a name by their capital or title: it may mean to phone."""
    return _TITLED.match(folded) is not None or (name[:1].isupper() and _SPEAKER.match(name) is None)


def _keep_words(sentence: WishedSentence, words: list[re.Match[str]]) -> list[re.Match[str]]:
    """All words where they or the next one end the clause; else the first and what goes with it."""
    text = sentence.message.text
    is_whole = len(words) <= _MAX_WORDS and _ends_name(sentence, words[-1].end())
    if is_whole and (len(words) == 1 or _CLAUSE_END.match(text, words[-1].end())):
        return words
    if _HAN.match(words[0][0]):
        return words[:_MAX_WORDS]
    kept = words[:1]
    for word in words[1:_MAX_WORDS]:
        typed = sentence.message.quote(word.start(), word.end())
        if typed[:1].isupper() or kept[-1][0] in sentence.words.lists["with_more"]:
            kept.append(word)
        else:
            break
    return kept


def _ends_name(sentence: WishedSentence, end: int) -> bool:
    text = sentence.message.text
    if _CLAUSE_END.match(text, end):
        return True
    following = _WORD.match(text, end + 1)
    return following is not None and following[0] in sentence.words.no_names


def _in_nominative(name: str) -> str:
    """A Russian name out of the instrumental, in which one is called: капитаном → капитан."""
    words = []
    for word in name.split(" "):
        base = find_russian_nominative(word.casefold().replace("ё", "е")) if _ENDINGS.search(word.casefold()) else ""
        words.append(base.capitalize() if base and word[:1].isupper() else base or word)
    return " ".join(words)
