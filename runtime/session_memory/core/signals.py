"""What a player's words say about how to answer them: deterministic rules, in five ways of writing.

A signal is about answers, not about the play: a short story, a formal dress and what somebody else asked for are none.
Whoever is in doubt reads nothing. Standing wishes are read by the readers of instructions and are signals as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from factcheck.core.yaml_files import read_yaml
from factcheck.instant.core.instruction_words import load_instruction_words
from factcheck.instant.core.instructions import read_instructions
from factcheck.instant.core.messages import fold_message
from knowledge.text.analysis import analyse
from knowledge.text.folding import normalise
from knowledge.text.languages import LANGUAGES, find_prompt_language

SINGLE_FIELDS = ("verbosity", "tone", "language")
"""Of these a player has one value at a time; what a message says twice and differently it does not say."""
MAX_READ_CHARACTERS = 600
"""Of a longer message only the first and the last part may say how to answer: the rest is told or pasted."""
MAX_TAG_LENGTH = 60
MAX_TOPIC_WORDS = 4
MAX_TOPIC_HAN = 8
MAX_PHRASE_WORDS = 25
"""In longer sentences such words are about what is told."""
_FILE = Path(__file__).with_name("signal_words.yaml")
_QUOTED = re.compile(r"«[^»]*»|“[^”]*”|\"[^\"]*\"|「[^」]*」|(?<!\w)'[^'\n]{3,}'(?!\w)|„[^“]*“")
_SENTENCE = re.compile(r"[^.!?\n。！？؟]+[.!?\n。！？؟]*")
_CLAUSE = re.compile(r"[,;:—–()،؛，；：]|\s-\s|\.\.+|…")
_PIECE = re.compile(r"\\.|\(\?P<x>|(?:(?!\(\?P<x>)[^\\])+")
"""Of an expression: an escape, the name of a group, or what is folded."""
_WORD = re.compile(r"[^\W_][\w'-]*")
_HAN = re.compile(r"[\u3400-\u9fff]")
_ARABIC = re.compile(r"[\u0620-\u064a]")
_CYRILLIC = re.compile(r"[\u0400-\u052f]")
_RESPECT = re.compile(r"respect|polite|courte|уваж|вежлив|почтит|учтив|احترام|ادب|e7teram|i7tiram|尊|礼貌|敬")


@dataclass(frozen=True, slots=True)
class Signal:
    """A field of a preference and the value that a message speaks for; of a topic, its words as typed."""

    field: str
    value: str


@dataclass(frozen=True, slots=True)
class _Value:
    field: str
    value: str
    whole: re.Pattern[str] | None
    clause: re.Pattern[str] | None
    phrase: re.Pattern[str] | None


@dataclass(frozen=True, slots=True)
class _Words:
    """The expressions of one way of writing."""

    values: tuple[_Value, ...]
    content: re.Pattern[str]
    told: re.Pattern[str]
    language: re.Pattern[str]
    denied: re.Pattern[str]
    interests: tuple[re.Pattern[str], ...]
    before: re.Pattern[str] | None
    stop: frozenset[str]
    articles: frozenset[str]


def read_signals(text: str) -> tuple[Signal, ...]:
    """The signals of a player's message, each field and value once. No text breaks it."""
    plain = _QUOTED.sub(" ", _shorten(text))
    said = list(_read_words(plain))
    fields = {signal.field for signal in said}
    said += [signal for signal in _read_wishes(plain) if signal.field not in fields]
    found: dict[tuple[str, str], Signal] = {}
    for signal in said:
        found.setdefault((signal.field, make_key(signal)), signal)
    contrary = {field for field in SINGLE_FIELDS if sum(name == field for name, _ in found) > 1}
    return tuple(signal for signal in found.values() if signal.field not in contrary)


def make_key(signal: Signal) -> str:
    """What makes two signals the same: the value, of a topic its stems."""
    return signal.value if signal.field != "interest_tags" else " ".join(sorted(set(analyse(signal.value))))


def _shorten(text: str) -> str:
    if len(text) <= MAX_READ_CHARACTERS:
        return text
    half = MAX_READ_CHARACTERS // 2
    return f"{text[:half]}\n{text[-half:]}"


def _read_wishes(text: str) -> Iterator[Signal]:
    """Standing wishes that have a place among preferences, where they are about answers and the player's own."""
    message = fold_message(text)
    if not any(expression.search(message.text) for expression in _list_wish_cues()):
        return
    for match in _SENTENCE.finditer(message.text):
        sentence = match[0].replace(" ", "") if _HAN.search(match[0]) else match[0]
        if any(words.content.search(sentence) or words.told.search(sentence) for words in _find_words(sentence)):
            continue
        for wish in read_instructions(message, match.start(), match.end()):
            words = message.text[wish.start : wish.end]
            if wish.key == "length":
                yield Signal("verbosity", "detailed" if wish.value == "detailed answers" else "brief")
            elif wish.key == "formality":
                formal = "respectful" if _RESPECT.search(words) else "formal"
                yield Signal("tone", "casual" if wish.value == "informal" else formal)
            elif wish.key == "language":
                language = load_instruction_words().find_language(normalise(wish.value))
                if language is not None:
                    yield Signal("language", find_prompt_language(language.code) or language.code)


@lru_cache(maxsize=1)
def _list_wish_cues() -> tuple[re.Pattern[str], ...]:
    """What every wish has that is a preference too: the whole reader is asked only where one of them stands."""
    words = load_instruction_words()
    kinds = (kind.expression for kind in words.kinds if kind.key in ("length", "formality"))
    return (*kinds, *words.counted, *words.language_request)


def _read_words(text: str) -> Iterator[Signal]:
    for match in _SENTENCE.finditer(normalise(text)):
        sentence = " ".join(match[0].split()).strip(" .!?。！？؟")
        if not sentence:
            continue
        for words in _find_words(sentence):
            said = list(_read_sentence(sentence, words))
            yield from said
            if said:
                break


def _read_sentence(sentence: str, words: _Words) -> Iterator[Signal]:
    if len(_WORD.findall(sentence)) <= MAX_PHRASE_WORDS and not words.content.search(sentence):
        yield from _read_values(sentence, words)
        yield from _read_language(sentence, words)
    yield from _read_interests(sentence, words)


def _read_language(sentence: str, words: _Words) -> Iterator[Signal]:
    """A request to go on in another language, for now or for good."""
    match = words.language.search(sentence)
    if match is None or words.told.search(sentence[: match.start()]):
        return
    language = load_instruction_words().find_language(match[0])
    if language is not None:
        yield Signal("language", find_prompt_language(language.code) or language.code)


def _read_values(sentence: str, words: _Words) -> Iterator[Signal]:
    clauses = [clause.strip() for clause in _CLAUSE.split(sentence)]
    for value in words.values:
        is_said = value.whole is not None and value.whole.fullmatch(sentence) is not None
        if not is_said and value.clause is not None and not words.told.search(sentence):
            is_said = any(map(value.clause.fullmatch, clauses))
        if not is_said and value.phrase is not None:
            match = value.phrase.search(sentence)
            is_said = match is not None and not words.told.search(sentence[: match.start()])
        if is_said:
            yield Signal(value.field, value.value)


def _read_interests(sentence: str, words: _Words) -> Iterator[Signal]:
    for expression in words.interests:
        for match in expression.finditer(sentence):
            before = sentence[: match.start()]
            if words.told.search(before) or words.denied.search(before.rstrip()):
                continue
            topic = _cut_topic(sentence[match.end() :], words)
            if topic:
                yield Signal("interest_tags", topic)
    known = words.before.search(sentence) if words.before else None
    if known is not None and not words.told.search(sentence[: known.start()]):
        topic = _cut_topic(known["x"], words)
        if topic:
            yield Signal("interest_tags", topic)


def _cut_topic(text: str, words: _Words) -> str:
    """The topic at the head of a text: up to the clause's end, a word that ends it, or four words."""
    clause = _CLAUSE.split(text.strip(), maxsplit=1)[0]
    if _HAN.search(clause):
        topic = re.split(r"的故事|的传说|的事情?|吗|吧|呢|了", clause)[0].strip()
        is_topic = 0 < len(topic) <= MAX_TOPIC_HAN and not any(topic.startswith(word) for word in words.stop)
        return topic if is_topic else ""
    kept: list[str] = []
    for word in clause.split():
        if word in words.stop or len(kept) == MAX_TOPIC_WORDS:
            break
        if kept or word not in words.articles:
            kept.append(word)
    topic = " ".join(kept)
    return topic if 1 < len(topic) <= MAX_TAG_LENGTH and _WORD.search(topic) else ""


_SECTIONS = tuple(each.word_section for each in LANGUAGES.values() if each.word_section)


def _find_words(sentence: str) -> tuple[_Words, ...]:
    """The expressions that a sentence may be read by: in Latin letters stands English, or Arabic."""
    words = _load_words()
    if _HAN.search(sentence):
        return (words["zh"],)
    if _ARABIC.search(sentence):
        return (words["ar"],)
    if _CYRILLIC.search(sentence):
        return (words["ru"],)
    return words["en"], words["az"]


@lru_cache(maxsize=1)
def _load_words() -> Mapping[str, _Words]:
    content: dict[str, Any] = read_yaml(_FILE)
    return {code: _build(content, code) for code in _SECTIONS}


def _build(content: Mapping[str, Any], code: str) -> _Words:
    fillers = content["fillers"][code]
    values = []
    for row in content["values"]:
        whole, clause = row["whole"].get(code), row["clause"].get(code)
        cores = "|".join(each for each in (whole, clause) if each)
        values.append(
            _Value(
                row["field"],
                row["value"],
                _compile_bare(cores, fillers, code),
                _compile_bare(clause, fillers, code) if clause else None,
                _compile(row["phrase"][code], code) if row["phrase"].get(code) else None,
            )
        )
    before = content["interest_before"].get(code)
    return _Words(
        values=tuple(values),
        content=_compile(content["content"][code], code),
        told=_compile(content["told"][code], code),
        language=_compile(content["language"][code], code),
        denied=_compile(content["denied"][code], code),
        interests=tuple(_compile(each, code) for each in content["interests"][code]),
        before=_compile(before, code) if before else None,
        stop=frozenset(normalise(content["stop"][code]).split()),
        articles=frozenset(normalise(content["articles"][code]).split()),
    )


def _compile(expression: str, code: str) -> re.Pattern[str]:
    folded = _fold(expression)
    return re.compile(folded if code == "zh" else rf"(?<![\w'])(?:{folded})(?:(?!\w)|(?<=[ ب]))")


def _compile_bare(cores: str, fillers: str, code: str) -> re.Pattern[str]:
    gap = r"[\W_]*" if code == "zh" else r"(?:[\W_]+|$)"
    filler = rf"(?:(?:{_fold(fillers)}){gap})*"
    return re.compile(rf"[\W_]*{filler}(?:{_fold(cores)}){gap}{filler}[\W_]*")


def _fold(expression: str) -> str:
    """The expression in the spelling of folded text; `~` stands for the rest of a word."""
    return "".join(
        each if each.startswith(("\\", "(?P")) else normalise(each) for each in _PIECE.findall(expression)
    ).replace("~", r"\w*")
