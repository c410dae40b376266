"""Sentences and clauses of a folded text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

Span = tuple[int, int]

_LETTER = r"(?:(?!\({2}|\){2})[^.!?؟;؛\n…])"
"""Of a sentence: brackets in a row are a smile, which ends it."""
_SENTENCE = re.compile(rf"{_LETTER}+(?:\.(?=\S){_LETTER}+)*(?:[.!?؟;؛\n…]|\({{2,}}|\){{2,}})*")
_JOINTS = re.compile(
    r"[,،:()\[\]{}—–]+|\s-+\s"
    r"|(?<![\w'])(?:but|so|because|cause|cuz|coz|btw|by the way|and|then|while|since|although|which|plus|after(?! all)"
    r"|а|но|и|кстати|поэтому|потому что|так что|зато|хотя|поскольку|то есть|после"
    r"|بس|لكن|لان|لاني|عشان|علشان|ف|و|يعني|فبالتالي|بعد(?! اليوم)"
    r"|bas|bs|lakin|laken|3ashan|3shan|w|ya3ni|y3ni|ba3d)(?![\w'])"
    r"|(?<![\w'])(?:但是?|不过|可是|所以|因为|因此|然后|而且|虽然|只是)(?![\w'])"
    r"|(?<=\s)(?=و?(?:تبين|طلع انه|طلع اني|صرت|بقيت|رجعت|تقدر|شيل|فاحذف)(?!\w))"
    r"|(?<=\s)(?=(?:ما عدت|ماعدت|لم اعد|ma ba2ets?h|mab2ets?h|ma 3edt|ma3edt)(?!\w))"
)
_INVERTED = re.compile(
    r"\W*(?:(?:so|and|but|wait|hey|ok|well),? )*(?:can|could|would|will|may|might|do|does|did|is|are|am"
    r"|was|were|should|have|has"
    r"|isn't|aren't|don't|didn't|can't|what|why|how|who|when|where|which|since when)"
    r" (?:you|u|i|we|he|she|it|they|the|there|this|that|my|your|are|is|do|does|did|if)(?!\w)"
    r"|\W*(?:难道|为什么|为啥|怎么|谁|哪个|哪里|凭什么|什么时候|是不是)(?!\w)"
    r"|\W*(?:разве|неужели|откуда|почему|зачем|кто|какой|какая|какие|сколько|когда это|с каких пор|هل|ليش"
    r"|لماذا|كيف|متي|مين|منو|وين|شلون|leesh|laish|keef|kaif|meen|wain|fein|hal)(?!\w)"
)

_HAN_QUESTION = re.compile(r"(?<!\w)(?:吗|么)[\s.!~,]*$")
_COMMAS = ",;،，.!\n"


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a folded text with its clauses, as ranges of the text."""

    start: int
    end: int
    clauses: tuple[Span, ...]
    is_question: bool


def split_sentences(text: str) -> list[Sentence]:
    """The sentences of a folded text, in reading order. A line's end ends a sentence.

    So does an ellipsis between words ("we're fine...i'm not allergic any more"): a denial fills its clause, and is lost
    in one that holds more. `list_sentences` of `value_candidates.py` has other borders: those of guards.
    """
    return [
        Sentence(start, end, tuple(_split_clauses(text, start, end)), is_question(text[start:end]))
        for start, end in (match.span() for match in _SENTENCE.finditer(text))
        if text[start:end].strip(" \t\n.!?؟;؛…,")
    ]


def is_question(sentence: str) -> bool:
    """Whether a folded sentence asks: by its mark, or by the order of its first words."""
    stripped = sentence.rstrip(" )\"'»”\n")
    return (
        stripped.endswith(("?", "؟")) or _INVERTED.match(sentence) is not None or bool(_HAN_QUESTION.search(stripped))
    )


def _split_clauses(text: str, start: int, end: int) -> Iterator[Span]:
    place = start
    for joint in _JOINTS.finditer(text, start, end):
        if text[place : joint.start()].strip():
            yield place, joint.start()
        place = joint.end()
    if text[place:end].strip(" \t\n.!?؟;؛…"):
        yield place, end


def cut_clause(text: str, start: int, end: int) -> str:
    """What stands around a place of a sentence, up to the next commas."""
    first = max(text.rfind(mark, 0, start) for mark in _COMMAS) + 1
    last = min((place for mark in _COMMAS if (place := text.find(mark, end)) >= 0), default=len(text))
    return text[first:last]
