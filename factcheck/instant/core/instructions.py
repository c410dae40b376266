"""Standing instructions in a sentence: how its author wants to be spoken to from now on.

`read_instructions` works on any sentence of a folded message, whether a pattern hit it or not. What is asked for once,
said by somebody else or of a text is none; a wish that reaches beyond the manner of speaking is refused.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from factcheck.instant.core.instruction_names import read_names
from factcheck.instant.core.instruction_wishes import read_wishes
from factcheck.instant.core.instruction_words import InstructionWords, load_instruction_words
from factcheck.instant.core.messages import FoldedMessage
from factcheck.instant.core.value_types import ReadValue
from factcheck.instant.core.wishes import WishedSentence
from knowledge.facts.core.instructions import MAX_INSTRUCTION_LENGTH, widens_powers

_NUMBERS = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
    "one or two": 2, "two or three": 3, "a couple": 2, "a couple of": 2, "fifty": 50, "hundred": 100, "a hundred": 100,
    "a few": 3, "одно": 1, "одна": 1, "одной": 1, "два": 2, "две": 2, "двух": 2, "три": 3, "трех": 3, "четыре": 4,
    "пять": 5, "пяти": 5, "пару": 2, "пара": 2, "несколько": 3, "десять": 10, "ثلاث": 3, "ثلاثه": 3, "اربع": 4,
    "خمس": 5, "عشر": 10, "كم": 3, "talat": 3, "tlat": 3, "arba3": 4, "5ams": 5, "kam": 3,
    "一": 1, "两": 2, "二": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9, "十": 10,
}  # fmt: skip
_DUAL, _DUAL_ENDING = "2", re.compile(r"(?:ين|[ae]i?n)$")
"""An Arabic unit that says by itself that there are two: سطرين, satren."""
_UNITS = {
    "sentences": ("sentence", "предложени", "фраз", "جمل", "jom", "jum", "句"),
    "lines": ("line", "стро", "سطور", "اسطر", "سطر", "stoor", "astor", "satr", "行"),
    "words": ("word", "слов", "كلم", "kelm", "kalimat", "字", "个"),
    "paragraphs": ("paragraph", "абзац", "فقر", "段"),
    "bullet points": ("bullet",),
}
_OPPOSITES = {
    "short answers": "detailed answers",
    "detailed answers": "short answers",
    "formal": "informal",
    "informal": "formal",
    "use emoji": "no emoji",
    "bullet points": "no lists or markdown",
}
"""What is wished for where a value is not wanted: "I hate long answers"."""
_MINE = re.compile(r"(?<!\w)(?:i'?m|i am|i use|i go by|my pronouns(?: are)?|мои местоимения) $")
_MAX_SENTENCE = 400


def read_instruction(message: FoldedMessage, first: int, last: int) -> ReadValue | None:
    """The first standing instruction of the sentence from `first` to `last` of a folded message, if it states one."""
    return next(iter(read_instructions(message, first, last)), None)


def read_instructions(message: FoldedMessage, first: int, last: int) -> list[ReadValue]:
    """All standing instructions of the sentence, one a key, in reading order."""
    if last - first > _MAX_SENTENCE:
        return []
    known = message.instructions.get((first, last))
    if known is None:
        known = message.instructions[first, last] = tuple(_read_sentence(message, first, last))
    return list(known)


def _read_sentence(message: FoldedMessage, first: int, last: int) -> list[ReadValue]:
    sentence = WishedSentence(message, first, last, load_instruction_words())
    if not sentence.may_wish:
        return []
    found: dict[str, ReadValue] = {}
    for read in (_read_kinds, _read_count, _read_languages, _read_pronouns, read_names):
        for each in _list_safe(read, sentence):
            found.setdefault(each.key, each)
    for each in _list_safe(read_wishes, sentence):
        if not any(each.start < known.end and known.start < each.end for known in found.values()):
            found.setdefault(each.key, each)
    return sorted(found.values(), key=lambda each: each.start)


def _list_safe(read: Callable[[WishedSentence], Iterator[ReadValue]], sentence: WishedSentence) -> Iterator[ReadValue]:
    for each in read(sentence):
        if each.key and len(each.value) <= MAX_INSTRUCTION_LENGTH and not widens_powers(each.value):
            yield each


def _read_kinds(sentence: WishedSentence) -> Iterator[ReadValue]:
    """Wishes of a kind that has set values: emoji, units, length, tone …"""
    if sentence.is_task or not sentence.is_plain:
        return
    words: InstructionWords = sentence.words
    for kind in words.kinds:
        match = kind.expression.search(sentence.text)
        if match is None or not sentence.is_own_wish(match.start(), match.end()):
            continue
        value = kind.value
        if not value.startswith("no "):
            if sentence.is_released(match.start(), match.end()):
                continue
            if sentence.is_disliked(match.start()):
                value = _OPPOSITES.get(value, "")
        if kind.needs == "wish" and not words.wish.search(sentence.text):
            continue
        if kind.needs == "lasting" and not (sentence.is_lasting or words.wish.search(sentence.text)):
            continue
        if value:
            yield sentence.make(kind.key, value, match.start(), match.end())


def _read_count(sentence: WishedSentence) -> Iterator[ReadValue]:
    """The most that an answer may hold: "two sentences max"."""
    if sentence.is_task or not sentence.is_plain:
        return
    for expression in sentence.words.counted:
        match = expression.search(sentence.text)
        if match is None or not (sentence.words.limit.search(sentence.text) or sentence.is_lasting):
            continue
        said = match["count"] or (_DUAL if _DUAL_ENDING.search(match["unit"]) else "")
        count = int(said) if said.isdecimal() else _NUMBERS.get(said, 0)
        unit = next((name for name, starts in _UNITS.items() if match["unit"].startswith(starts)), "")
        if count and unit and sentence.is_own_wish(match.start(), match.end()):
            text = f"at most {count} {unit if count > 1 else unit.removesuffix('s')}"
            yield sentence.make("length", text, match.start(), match.end())
            return


def _read_languages(sentence: WishedSentence) -> Iterator[ReadValue]:
    if sentence.is_task or not sentence.is_plain:
        return
    for expression in sentence.words.language_request:
        for match in expression.finditer(sentence.text):
            language = sentence.words.find_language(match[0])
            is_denied = sentence.is_negated(match.start()) or sentence.is_released(match.start(), match.end())
            if language and not is_denied and sentence.is_own_wish(match.start(), match.end()):
                yield sentence.make("language", language.name, match.start(), match.end())
                return


def _read_pronouns(sentence: WishedSentence) -> Iterator[ReadValue]:
    words = sentence.words
    match = words.pronoun_forms.search(sentence.text)
    if match is None or not words.pronouns_about.search(sentence.text):
        return
    is_mine = _MINE.search(sentence.text, 0, match.start()) is not None
    if (not is_mine and words.others.search(_without(sentence.text, match))) or sentence.is_negated(match.start()):
        return
    if sentence.is_released(match.start(), match.end()) or words.release_hard.search(sentence.text):
        return
    said = sentence.quote(match.start(), match.end()).lower()  # «она/её» is folded to «она/ее» in the text
    yield sentence.make("pronouns", re.sub(r"\s*([/\\])\s*", "/", said), match.start(), match.end())


def _without(text: str, match: re.Match[str]) -> str:
    return text[: match.start()] + " " + text[match.end() :]
