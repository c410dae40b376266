"""Free standing instructions: what is always or never to be said or done in talk, or on which occasion."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from factcheck.instant.core.arabizi import is_arabizi
from factcheck.instant.core.concepts import make_key
from factcheck.instant.core.forms import is_russian_order
from factcheck.instant.core.messages import fold
from factcheck.instant.core.value_types import ReadValue
from factcheck.instant.core.wishes import WishedSentence
from knowledge.facts.core.instructions import MAX_INSTRUCTION_LENGTH, widens_powers

Span = tuple[int, int]

_WORD = re.compile(r"[^\W\d_][\w'-]*|\d[\w'-]*")
_CYRILLIC = re.compile(r"[а-я]")
_HAN = re.compile(r"[\u4e00-\u9fff]")
_MAX_KEY = 90
_CLAUSE_BORDER = re.compile(
    r"[,،;:.!?؟()\n，。；！？]|\s[-–—]+\s|(?<=[\u4e00-\u9fff\"”])\s+(?=[\u4e00-\u9fff])"
    r"|(?<!\w)(?:but|because|cos|cuz|а|но|потому что)(?!\w)"
    r"|(?P<joint>(?<!\w)(?:and|и)(?!\w)|\s[&+]\s|(?<=[\u0620-\u064a])\s+(?=و))"
    r"|(?P<arabizi>(?<!\w)(?P<w>w|ou)(?![\w/])|(?<!\w)(?:bas|bs|fa|3ashan|3shan|la2enn?[io]?)(?!\w))"
)
"""Marks and the words that join clauses; in Chinese a space."""
_BARE_NEGATION = re.compile(
    r"\W*(?:no|without|skip|без|никаких|و?(?:بدون|بلا|من غير|بلاش|بطل)|bala|bela|bidoon|bla)(?!\w)"
)
_NEAR_JOINT = 24
"""Characters behind a word that joins clauses in which the next wish begins."""
_NEGATION_BEFORE = re.compile(r"(?<!\w)(?:never|don'?t|do not|не|لا|ما|la|ma|别|不要)\W*$")
_BEGINS = re.compile(
    r"(?:^|[,،.!;:…—–-]|(?<!\w)(?:please|pls|plz|and|so|just|but|also|ok|okay|hey|listen|слушай|пожалуйста|плиз|и|а|но"
    r"|и еще|لو سمحت|لو سمحتي|من فضلك|بليز|3afak|plz|请|麻烦|求 ?你|拜托))\W*$"
)
"""What stands before an order: nothing of who does it."""
_ASKED_POLITELY = re.compile(r"\W*(?:would|could|can|will) (?:you|u) (?:(?:please|pls|plz|kindly|just) )*(?=\w)")
_ENDS_CLAUSE = re.compile(r"\s*(?:please|pls|plz|ok|okay|thanks|thx)?\s*(?:[,.!?;:)—–]|$)")
_QUOTED = re.compile(r"\"[^\"\n]{1,60}\"|“[^”\n]{1,60}”|«[^»\n]{1,60}»|(?<!\w)'[^'\n]{1,60}'(?!\w)")


def read_wishes(sentence: WishedSentence) -> Iterator[ReadValue]:
    """The free instruction of a sentence, in its own words; what asks for more than talk and care is none."""
    if widens_powers(sentence.text) or sentence.words.release_soft.search(sentence.text):
        return
    start = _find_start(sentence)
    if start is None:
        return
    span = _cut(sentence, start)
    value = sentence.quote(*span).strip(" \t,.!?:;—–-،؟…")
    key = _make_key(sentence, value)
    if key and len(value) <= MAX_INSTRUCTION_LENGTH:
        yield sentence.make(key, value, *span)


def read_stated_wish(sentence: WishedSentence, start: int, end: int) -> ReadValue | None:
    """The clause around words that are known to state a wish, in its own words; doubtful where its author or somebody
    else does what it says. None of one that asks for more.
    """
    borders = list(_list_borders(sentence))
    first = max((border[1] for border in borders if border[1] <= start), default=0)
    last = min((border[0] for border in borders if border[0] >= end), default=len(sentence.text))
    asked = _ASKED_POLITELY.match(sentence.text, first, end)
    first = asked.end() if asked else first
    value = sentence.quote(first, last).strip(" \t,.!?:;—–-،؟…")
    key = _make_key(sentence, value)
    if not key or len(value) > MAX_INSTRUCTION_LENGTH or widens_powers(value):
        return None
    wish = sentence.make(key, value, first, last)
    return wish if sentence.is_own_wish(start, end) else replace(wish, is_doubtful=True)


def _list_borders(sentence: WishedSentence) -> Iterator[Span]:
    """Where clauses end and begin; what is quoted is part of its clause, and so is what "and" adds to a wish without
    being one: "don't flatter me and lecture me".
    """
    quoted = [match.span() for match in _QUOTED.finditer(sentence.text)]
    may_be_arabizi = is_arabizi(sentence.text)
    start = 0
    for match in _CLAUSE_BORDER.finditer(sentence.text):
        if match["arabizi"] and not may_be_arabizi:
            continue
        if (match["joint"] or match["w"]) and not _begins_wish(sentence, start, match.span()):
            continue
        is_space = not match[0].strip()
        around = sentence.quote(match.start() - 1, match.end() + 1) if is_space else " "
        is_folded = not any(character.isspace() for character in around)  # folding parts words of Chinese
        if not is_folded and not any(first < match.end() and match.start() < last for first, last in quoted):
            start = match.end()
            yield match.span()


def _begins_wish(sentence: WishedSentence, start: int, joint: Span) -> bool:
    """Whether a clause of its own stands behind a joint: it asks or forbids, and no negation before it holds for it."""
    behind = sentence.text[joint[1] : joint[1] + _NEAR_JOINT]
    if sentence.words.negation.search(behind) or _BARE_NEGATION.match(behind):
        return True
    is_act = any(joint[1] <= first < joint[1] + _NEAR_JOINT for first, _ in _list_acts(sentence))
    is_name = sentence.words.name_cue.search(behind) is not None
    is_negated = sentence.words.negation.search(sentence.text, start, joint[0]) is not None
    return is_name or (is_act and not is_negated)


def _find_start(sentence: WishedSentence) -> Span | None:
    """Where the wish begins and its verb ends: an occasion, a word for good or a negation, with an act of speaking."""
    for read in (_read_manner, _read_always, _read_answers, _read_occasion, _read_no_more, _read_aspect):
        found = read(sentence)
        if found is not None and not _is_told(sentence, found[0]):
            return found
    return None


def _is_told(sentence: WishedSentence, start: int) -> bool:
    """Whether somebody else is said to do it, or the author themselves."""
    before = sentence.text[:start]
    return bool(sentence.words.others.search(before) or sentence.words.patterns["habit"].search(before))


def _read_manner(sentence: WishedSentence) -> Span | None:
    """A manner that is not wanted: "stop apologizing", «хватит поучать»."""
    for negation in sentence.words.negation.finditer(sentence.text):
        manner = sentence.words.manner.search(sentence.text, negation.end())
        if manner is None or len(_WORD.findall(sentence.text[negation.end() : manner.start()])) > 3:
            continue
        if sentence.words.patterns["habit"].search(sentence.text[: negation.start()]) or sentence.words.others.search(
            sentence.text[: manner.end()]
        ):
            continue
        when = sentence.words.when.search(sentence.text, 0, negation.start())
        return (when.start() if when else negation.start()), manner.end()
    return None


def _read_no_more(sentence: WishedSentence) -> Span | None:
    """What is to be asked about or reminded of no more: "stop asking about my mood", «не спрашивай про работу»."""
    match = sentence.words.no_more.search(sentence.text)
    return match.span() if match and _BEGINS.search(sentence.text, 0, match.start()) else None


def _read_always(sentence: WishedSentence) -> Span | None:
    """A word for good with an act: "always confirm …", "could you always end with …"."""
    for always in sentence.words.always.finditer(sentence.text):
        is_asked = _is_asked(sentence, always.start())
        if sentence.words.patterns["habit"].search(sentence.text[: always.start()]):
            continue
        for act in _list_acts(sentence):
            if _is_ban(sentence, act):
                continue
            between = _between(sentence, always.end(), act[0])
            is_behind = act[0] >= always.end() and len(between) <= 3 and not _is_advice(sentence, always, act, between)
            is_before = act[1] <= always.start() and _leads(sentence, act[0])
            if not is_asked and not (is_before and _is_of_talk(sentence, act) and _ends_with(sentence, act, always)):
                continue
            if is_behind and not _has_subject(sentence, always.end(), act[0]):
                return always.start(), act[1]
            if is_before:
                return _widen_to_negation(sentence, act[0]), max(act[1], always.end())
    return None


def _is_asked(sentence: WishedSentence, place: int) -> bool:
    """Whether a word for good may begin an order: "you can always …", "it's always …", "I never …" tell how it is."""
    if not sentence.text[place : place + 1].isascii():
        return True
    clause = re.split(r"[,،;:.!?()\n—–]|\s-\s", sentence.text[:place])[-1]
    lists = sentence.words.lists
    if not all(word in lists["leads"] or word in lists["wishers"] for word in _WORD.findall(clause)):
        return False
    return sentence.words.patterns["telling"].search(clause) is None


def _is_advice(sentence: WishedSentence, always: re.Match[str], act: Span, between: list[str]) -> bool:
    """Whether it is advice or praise: "never give up", "be sure to try it", "always here to help"."""
    verb = sentence.text[act[0] : act[1]]
    if not verb.isascii() or not always[0].isascii() or is_arabizi(f"{always[0]} {verb}"):
        return False
    if always[0] == "never":
        return sentence.words.patterns["never_acts"].fullmatch(verb) is None
    if always[0] == "always":
        return any(word not in sentence.words.lists["leads"] for word in between)
    if _is_of_talk(sentence, act):
        return False
    return verb in ("keep", "send") or sentence.words.patterns["to_author"].search(sentence.text, act[0]) is None


def _is_of_talk(sentence: WishedSentence, act: Span) -> bool:
    """Whether an English verb is one of how the assistant talks: "talk like a pirate", "reply in rhymes"."""
    return sentence.words.patterns["talking_acts"].fullmatch(sentence.text[slice(*act)]) is not None


def _ends_with(sentence: WishedSentence, act: Span, always: re.Match[str]) -> bool:
    """Whether the clause of an act ends with a word for good: "reply in rhymes from now on, please"."""
    is_one = re.search(r"[,،;:.!?()\n—–]", sentence.text[act[1] : always.start()]) is None
    return is_one and _ENDS_CLAUSE.match(sentence.text, always.end()) is not None


def _read_answers(sentence: WishedSentence) -> Span | None:
    """What is always to be done when the author asks: "always report timestamps when I ask about …", of any verb."""
    match = sentence.words.patterns["always_when"].search(sentence.text)
    return match.span("wish") if match else None


def _read_occasion(sentence: WishedSentence) -> Span | None:
    """An occasion with an act: "whenever I talk about …, remind me to …", "ask me … before you recommend …"."""
    for when in sentence.words.when.finditer(sentence.text):
        patterns = sentence.words.patterns
        is_strong = patterns["strong_when"].match(sentence.text, when.start()) is not None
        is_strong = is_strong and patterns["when_you"].match(sentence.text, when.start()) is None
        is_habit = (
            is_strong
            or patterns["before_you"].match(sentence.text, when.start())
            or patterns["when_i"].match(sentence.text, when.start())
        )
        is_other = not re.match(r"[a-z']", sentence.text[when.start() :]) and not _HAN.search(sentence.text)
        for act in _list_acts(sentence):
            if _is_ban(sentence, act):
                continue
            behind = act[0] > when.end() and _opens_clause(sentence, when.end(), act[0])
            if behind and (is_habit or is_other):
                return when.start(), act[1]
            before = act[1] <= when.start() and _leads(sentence, act[0])
            if before and (is_strong or sentence.words.patterns["before_you"].match(sentence.text, when.start())):
                return _widen_to_negation(sentence, act[0]), max(act[1], when.end())
    return None


def _read_aspect(sentence: WishedSentence) -> Span | None:
    """A Russian order of an imperfective verb of speaking, to the author: «напоминай мне пить воду»."""
    for act in _list_acts(sentence):
        verb = sentence.text[act[0] : act[1]]
        if _CYRILLIC.search(verb) and verb.startswith(_ASPECT) and _leads(sentence, act[0]):
            start = _widen_to_negation(sentence, act[0])
            is_bare = start < act[0] and not _WORD.search(sentence.text, act[1])
            return None if is_bare else (start, act[1])
    return None


_ASPECT = (
    "напоминай", "предупреждай", "уточняй", "спрашивай", "переспрашивай", "проверяй", "подтверждай", "хвали",
    "подбадривай", "поддерживай", "объясняй", "здоровайся", "исправляй", "поправляй", "советуйся", "помечай",
    "суммируй", "резюмируй",
)  # fmt: skip


def _list_acts(sentence: WishedSentence) -> list[Span]:
    """The verbs of the sentence that ask for an act of speaking or care."""
    found = [match.span() for match in sentence.words.act.finditer(sentence.text)]
    if _CYRILLIC.search(sentence.text):
        words = (word for word in _WORD.finditer(sentence.text) if word[0] not in sentence.words.no_start)
        found += [word.span() for word in words if is_russian_order(word[0])]
    return sorted(found)


def _is_ban(sentence: WishedSentence, act: Span) -> bool:
    """Whether a negation makes a topic of it ("never show me spiders"): that is a ban, and said elsewhere."""
    before = sentence.text[: act[0]]
    is_negated = re.search(
        r"(?<!\w)(?:never|don'?t|dont|do not|stop|никогда|не|لا|ما|ابدا|la|ma|abadan)(?: \w+)?\W*$", before
    )
    if is_negated is None:
        return False
    if sentence.words.manner.search(sentence.text, act[0]):
        return False
    verb = sentence.text[act[0] : act[1]]
    return not verb.isascii() or sentence.words.patterns["topics"].fullmatch(verb) is not None


def _widen_to_negation(sentence: WishedSentence, start: int) -> int:
    """Where an act begins with the negation right before it: without its «не» a wish would be the opposite."""
    negation = _NEGATION_BEFORE.search(sentence.text, 0, start)
    return negation.start() if negation else start


def _between(sentence: WishedSentence, start: int, end: int) -> list[str]:
    return _WORD.findall(sentence.text[start:end])


def _has_subject(sentence: WishedSentence, start: int, end: int) -> bool:
    between = _between(sentence, start, end)
    return any(word in sentence.words.lists["subjects"] - sentence.words.lists["leads"] for word in between) or any(
        mark in sentence.text[start:end] for mark in ".!?;"
    )


def _leads(sentence: WishedSentence, place: int) -> bool:
    """Whether an act begins its clause: only words that ask stand before it."""
    if _HAN.search(sentence.text):
        return not sentence.text[:place].rstrip().endswith("我")
    clause = re.split(r"[,،;:.!?()\n—–]|\s-\s", sentence.text[:place])[-1]
    words = _WORD.findall(clause)
    if sentence.text[place : place + 1].isascii():
        return (all(word in sentence.words.lists["leads"] for word in words) and words[-1:] != ["to"]) or words[
            -2:
        ] == ["you", "to"]
    return len(words) <= 4


def _opens_clause(sentence: WishedSentence, start: int, place: int) -> bool:
    """Whether an act behind an occasion is asked for and not part of it: "… to the gym remind me"."""
    if _HAN.search(sentence.text):
        return "我" not in sentence.text[max(start, place - 1) : place]
    before = sentence.text[start:place]
    if re.search(r"[,،:—–]\s*$", before):
        return True
    clause = re.split(r"[,،;:—–]", before)[-1]
    words = _WORD.findall(clause)
    if not words:
        return False
    if len(clause) < len(before) and all(word in sentence.words.lists["leads"] for word in words):
        return True
    verb = sentence.text[place : place + 1]
    if not verb.isascii():
        return len(words) >= 1
    follows_me = (
        re.match(r"\w+(?: \w+)? (?:me|us|if|whether|what|how|about|for)(?!\w)", sentence.text[place:]) is not None
    )
    return len(words) >= 2 and words[-1] not in sentence.words.lists["subjects"] and follows_me


def _cut(sentence: WishedSentence, found: Span) -> Span:
    """From the wish's first word to where reasons and thanks begin."""
    opening = sentence.words.patterns["opening"].match(sentence.text, 0)
    start = found[0]
    if opening and opening.end() <= start and sentence.is_lasting and start - opening.end() <= 60:
        start = min(start, opening.end()) if not re.search(r"[,.!?;:]", sentence.text[opening.end() : start]) else start
    place = found[1]
    reason = sentence.words.patterns["reason"].search(sentence.text, place)
    while reason is not None and not re.match(r"\s*[,.;:—–-]", reason[0]) and reason.end() - place < 12:
        reason = sentence.words.patterns["reason"].search(sentence.text, reason.end())
    end = (
        reason.start()
        if reason and re.match(r"\s*[,.;:—–-]|.*(?:ok|thx|thanks|pls|plz|please|because|cuz|cause)$", reason[0])
        else None
    )
    return start, end if end is not None else len(sentence.text.rstrip())


def _make_key(sentence: WishedSentence, value: str) -> str:
    """The words of a wish in their order, without those that say nothing of it."""
    words = [word for word in _WORD.findall(fold(value)) if word not in sentence.words.lists["no_content"]]
    if _HAN.search(value):
        return make_key(value)[:_MAX_KEY]
    return make_key(" ".join(words))[:_MAX_KEY].rstrip("_")
