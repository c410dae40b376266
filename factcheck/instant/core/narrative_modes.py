"""Who speaks: the player, or a character that the player speaks for."""

from __future__ import annotations

import re
from typing import Literal

NarrativeMode = Literal["in_character", "out_of_character", "unknown"]
Span = tuple[int, int]

_MAX_QUOTE_LENGTH = 400
_QUOTES = re.compile(
    rf"«[^»]{{1,{_MAX_QUOTE_LENGTH}}}»|“[^”]{{1,{_MAX_QUOTE_LENGTH}}}”|「[^」\n]{{1,{_MAX_QUOTE_LENGTH}}}」"
    rf"|『[^』\n]{{1,{_MAX_QUOTE_LENGTH}}}』"
    rf"|《[^》\n]{{1,{_MAX_QUOTE_LENGTH}}}》|„[^“”\n]{{1,{_MAX_QUOTE_LENGTH}}}[“”]"
    rf'|(?<!\w)"[^"\n]{{1,{_MAX_QUOTE_LENGTH}}}"(?!\w)|(?<!\w)‘[^’\n]{{1,{_MAX_QUOTE_LENGTH}}}’(?!\w)'
    rf"|(?<!\w)'(?=[^'\n]{{1,{_MAX_QUOTE_LENGTH}}}[.,!?]?'(?!\w))[^'\n]{{1,{_MAX_QUOTE_LENGTH}}}'"
)
_CODE = re.compile(rf"`[^`\n]{{1,{_MAX_QUOTE_LENGTH}}}`")
_QUOTED_LINE = re.compile(r"^[ \t]*>[^\n]*", re.MULTILINE)
_DIALOGUE_LINE = re.compile(r"^[ \t]*[—–]\s*\S[^\n]*", re.MULTILINE)
_ACTION = re.compile(rf"(?<![*\w])\*(?![*\s])([^*\n]{{1,{_MAX_QUOTE_LENGTH}}})(?<![\s*])\*(?![*\w])")
_UNDERLINED_ACTION = re.compile(rf"(?<![_\w])_(?![_\s])([^_\n]{{3,{_MAX_QUOTE_LENGTH}}})(?<![\s_])_(?![_\w])")
_OUTSIDE = (
    r"(?:ooc|оос|out of (?:character|game|play|role)|вне (?:роли|игры)"
    r"|(?:برا|برات|خارج) (?:ال)?(?:لعب[ةه]|دور|شخصي[ةه]|قص[ةه]|جيم)"
    r"|(?:barra|5arej|kharej) (?:el |l )?(?:le?3be?[ae]?|lo3ba|dor|game)|场外|题外话|皮下|戏外|游戏外)"
)
"""What people call speaking out of character."""
_ASIDE = re.compile(
    r"\(\([^\n]{1,2000}?\)\)"
    rf"|[(\[{{]\s*(?:{_OUTSIDE}|оффтоп)(?!\w)[^)\]}}\n]{{1,2000}}[)\]}}]"
    rf"|^[ \t]*(?://|{_OUTSIDE}[^\S\n]*(?:说一句)?[^\S\n]*[:：\-—])[^\n]*",
    re.IGNORECASE | re.MULTILINE,
)
_ASIDE_MARKS = (
    "((", "//", "ooc", "оос", "вне ", "out of", "خارج", "оффтоп", "场外", "皮下", "戏外", "题外", "برا", "barra",
    "kharej", "5arej", "游戏外",
)  # fmt: skip
_IN_CHARACTER_LINE = re.compile(
    r"^[ \t]*[(\[]?(?:ic|in character|в роли|отыгрыш)[)\]]?\s*[:\-—][^\n]*", re.IGNORECASE | re.MULTILINE
)
_REAL_LIFE = re.compile(
    r"(?<!\w)(?:irl|in real life|ирл|в реале|в реальной жизни|(?:في |ب)(?:ال)?حيا(?:[ةه]|تي) الحقيقي[ةه])(?!\w)"
    r"|现实(?:里|中|生活)|三次元",
    re.IGNORECASE,
)
"""In a clause beside an action: its player speaks, "*waves* I'm allergic to nuts irl"."""
_CLAUSE = re.compile(r"[^.!?؟。！？,،，;；\n*]+")
_HAN = re.compile("[\u4e00-\u9fff]")
_WORDS_OF_AN_EMPHASIS = 2


def detect_narrative_mode(text: str) -> NarrativeMode:
    """Whether a message is said in character, by its actions, dialogue dashes and out-of-character marks.

    Quotes alone tell nothing: people quote others out of character as well.
    """
    asides = list_asides(text)
    rest = _without(text, asides)
    if _list_actions(rest) or _DIALOGUE_LINE.search(rest) or _IN_CHARACTER_LINE.search(rest):
        return "in_character"
    if asides and not rest.strip():
        return "out_of_character"
    return "unknown"


def list_asides(text: str) -> list[Span]:
    """The ranges of a message that are marked as spoken out of character."""
    lowered = text.lower()
    if not any(mark in lowered for mark in _ASIDE_MARKS):
        return []
    return [match.span() for match in _ASIDE.finditer(text)]


def list_real_life(text: str) -> list[Span]:
    """The clauses of a message in character that say of themselves that they are of real life, with the clause behind
    one that says nothing else: "in real life, I'm allergic". What is quoted or told of a character is none.
    """
    if _REAL_LIFE.search(text) is None:
        return []
    told = _list_actions(text)
    for pattern in (_QUOTES, _DIALOGUE_LINE, _IN_CHARACTER_LINE):
        told += [match.span() for match in pattern.finditer(text)]
    clauses = [each.span() for each in _CLAUSE.finditer(text) if each[0].strip()]
    found: list[Span] = []
    for place, (start, end) in enumerate(clauses):
        is_told = any(first < end and start < last for first, last in told)
        if is_told or _REAL_LIFE.search(text, start, end) is None:
            continue
        found.append((start, end))
        if not _REAL_LIFE.sub("", text[start:end]).strip():
            found += clauses[place + 1 : place + 2]
    return found


def list_foreign_spans(text: str, mode: NarrativeMode = "unknown") -> list[Span]:
    """The ranges of a message that are not its author's own words: quotes, quoted lines, code, actions, dialogue.

    In character quotes and dialogue are not looked for: nothing there counts but what is marked as out of character.
    """
    if mode == "in_character":
        return []
    spans: list[Span] = []
    if any(mark in text for mark in "«“„\"‘'「『《"):
        spans += [match.span() for match in _QUOTES.finditer(text)]
    if "`" in text:
        spans += [match.span() for match in _CODE.finditer(text)]
    if ">" in text:
        spans += [match.span() for match in _QUOTED_LINE.finditer(text)]
    if "—" in text or "–" in text:
        spans += [match.span() for match in _DIALOGUE_LINE.finditer(text)]
    return spans + _list_actions(text)


def _list_actions(text: str) -> list[Span]:
    """Ranges between asterisks or underscores that tell what a character does; one or two stressed words are none."""
    if "*" not in text and "_" not in text:
        return []
    actions: list[Span] = []
    for match in _ACTION.finditer(text):
        opens_line = not text[text.rfind("\n", 0, match.start()) + 1 : match.start()].strip()
        if opens_line or _count_words(match[1]) > _WORDS_OF_AN_EMPHASIS:
            actions.append(match.span())
    actions += [
        match.span() for match in _UNDERLINED_ACTION.finditer(text) if _count_words(match[1]) > _WORDS_OF_AN_EMPHASIS
    ]
    return actions


def _count_words(text: str) -> int:
    """The words of a text; two Chinese characters count as one."""
    return len(text.split()) + len(_HAN.findall(text)) // 2


def _without(text: str, spans: list[Span]) -> str:
    kept, position = [], 0
    for start, end in spans:
        kept.append(text[position:start])
        position = max(position, end)
    return "".join([*kept, text[position:]])
