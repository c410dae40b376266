"""The proposer without a model: names, place and time by rules, keywords by idf, a summary that quotes."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from episodes.events.core.plot import Entity, Plot
from factcheck.core.sentences import split_sentences
from factcheck.core.tokens import Tokens, tokenize
from factcheck.plots.core.chunk import ASSISTANT, Chunk, ChunkIndex, ChunkLine
from factcheck.plots.proposers.base import PlotProposal
from factcheck.plots.proposers.offline.names import find_entities
from factcheck.plots.proposers.offline.scenes import find_location, find_timestamp
from factcheck.plots.proposers.offline.words import CHINESE, StoryWords, get_story_words
from memoryproject.lazy_modules import LazyModule

rjieba = LazyModule("rjieba")
VERSION = "rules-1"
MAX_SUMMARY_LENGTH = 480
"""Characters: four sentences. A card of 15 messages stays below 200 tokens in all four languages."""
MAX_SENTENCES = 4
MAX_SENTENCE_LENGTH = 220
MIN_SENTENCE_WORDS = 4
MAX_KEYWORDS = 8
MAX_NAME_KEYWORDS = 5
MIN_WORD_LENGTH = 4
_QUESTION_MARKS = "?？؟"


@dataclass(frozen=True, slots=True)
class _Sentence:
    place: int
    text: str
    lexemes: frozenset[str]
    speaker: str
    is_question: bool


@dataclass(frozen=True)
class OfflinePlotProposer:
    """Extracts by rules: no relations, and a summary that quotes. It says so in `/status`."""

    name: str = "offline"
    model: str = ""
    prompt_version: str = VERSION

    def describe(self) -> str:
        """For `/status`."""
        return (
            "Rules extract events, without a model: names of the world and capitalised words, place and time by word "
            "lists, keywords by rarity, a summary of the talk's own sentences, no relations."
        )

    def propose(self, chunk: Chunk, *, timeout_seconds: float) -> PlotProposal:
        """What the rules make of the chunk, always something where anything was said."""
        words = get_story_words(chunk.language)
        index = ChunkIndex(chunk)
        entities = find_entities(chunk, index, words)
        location = find_location(chunk, index, entities, words)
        weights = _weigh(chunk, index, words)
        keywords = _choose_keywords(index, entities, location, weights, words)
        plot = Plot(
            summary=_summarise(chunk, entities, weights, words),
            keywords=tuple(keywords),
            timestamp=find_timestamp(chunk, words),
            location=location[:120],
            entities=tuple(entities),
        )
        return PlotProposal(plot.as_document())


def _weigh(chunk: Chunk, index: ChunkIndex, words: StoryWords) -> dict[str, float]:
    """Each lexeme's tf·idf: how often it is said here, and how rarely it was said before."""
    counts = Counter(word.lexeme for _, tokens in index.lines for word in tokens.words if word.kind != "number")
    total = chunk.documents + len(chunk.lines)
    weights = {}
    for lexeme, count in counts.items():
        if lexeme in words.functions:
            continue
        seen = chunk.frequencies.get(lexeme, 0) + sum(lexeme in set(tokens.lexemes()) for _, tokens in index.lines)
        weights[lexeme] = (1 + math.log(count)) * math.log((total + 1) / (seen + 0.5))
    return weights


def _choose_keywords(
    index: ChunkIndex, entities: Sequence[Entity], location: str, weights: Mapping[str, float], words: StoryWords
) -> list[str]:
    """Names and the place first, then the words that are said here and rarely elsewhere."""
    chosen = [entity.name for entity in entities[:MAX_NAME_KEYWORDS]]
    if location and location not in chosen:
        chosen.append(location)
    known = {word.lexeme for keyword in chosen for word in tokenize(keyword).words}
    for surface, lexemes in _list_candidates(index, words, weights):
        if len(chosen) >= MAX_KEYWORDS:
            break
        if not lexemes <= known:
            chosen.append(surface)
            known |= lexemes
    return [keyword[:80] for keyword in chosen] or [_first_words(index)]


def _list_candidates(
    index: ChunkIndex, words: StoryWords, weights: Mapping[str, float]
) -> list[tuple[str, frozenset[str]]]:
    """Words worth a key, the weightiest first, each as it is written most often."""
    if words is CHINESE:
        tagged = Counter(
            word
            for _, tokens in index.lines
            for word, tag in rjieba.tag(tokens.text[:4000], hmm=True)
            if len(word) >= 2 and tag.startswith(("n", "vn")) and word not in words.functions
        )
        ranked = sorted(tagged, key=lambda word: -tagged[word] * sum(weights.get(each, 0.0) for each in word))
        return [(word, frozenset(word)) for word in ranked]
    spellings: dict[str, Counter[str]] = {}
    for _, tokens in index.lines:
        for word in tokens.words:
            if word.kind == "word" and len(word.text) >= MIN_WORD_LENGTH and word.lexeme in weights:
                spellings.setdefault(word.lexeme, Counter())[word.text] += 1
    ranked = sorted(spellings, key=lambda lexeme: (-weights[lexeme] * sum(spellings[lexeme].values()), lexeme))
    return [(spellings[lexeme].most_common(1)[0][0], frozenset({lexeme})) for lexeme in ranked]


def _first_words(index: ChunkIndex) -> str:
    for _, tokens in index.lines:
        if tokens.words:
            return tokens.text[tokens.words[0].start : tokens.words[min(2, len(tokens.words) - 1)].end][:80]
    return "…"


def _summarise(chunk: Chunk, entities: Sequence[Entity], weights: Mapping[str, float], words: StoryWords) -> str:
    """The sentences that say most of what is said only here, in their order, each with who said it."""
    named = {word.lexeme for entity in entities for word in tokenize(entity.name).words}
    sentences = _list_sentences(chunk, words)
    if not sentences:
        return " ".join(line.shown.strip() for line in chunk.lines if line.shown.strip())[:MAX_SUMMARY_LENGTH] or "…"
    chosen: list[_Sentence] = []
    told: set[str] = set()
    length = 0
    waiting = list(sentences)
    while waiting and len(chosen) < MAX_SENTENCES:
        best = max(waiting, key=lambda each: (_score(each, told, named, weights), -each.place))
        waiting.remove(best)
        if chosen and length + len(best.text) > MAX_SUMMARY_LENGTH:
            continue
        chosen.append(best)
        told |= best.lexemes
        length += len(best.text)
    chosen.sort(key=lambda each: each.place)
    return " ".join(f"{each.speaker}: {each.text}" for each in chosen)[:1000]


def _score(sentence: _Sentence, told: set[str], named: set[str], weights: Mapping[str, float]) -> float:
    fresh = sentence.lexemes - told
    gain = sum(weights.get(lexeme, 0.0) * (1.5 if lexeme in named else 1.0) for lexeme in fresh)
    score = gain / math.sqrt(len(sentence.lexemes) + 4)
    return score * (0.5 if sentence.is_question else 1.0)


def _list_sentences(chunk: Chunk, words: StoryWords) -> list[_Sentence]:
    sentences: list[_Sentence] = []
    for line in chunk.lines:
        for text in split_sentences(line.shown):
            tokens: Tokens = tokenize(text)
            if len(tokens.words) < MIN_SENTENCE_WORDS:
                continue
            shown = text if len(text) <= MAX_SENTENCE_LENGTH else f"{text[:MAX_SENTENCE_LENGTH].rstrip()}…"
            sentences.append(
                _Sentence(
                    len(sentences),
                    shown,
                    frozenset(tokens.lexemes()),
                    _name_speaker(line, words),
                    text.rstrip("\"'»”*) ").endswith(tuple(_QUESTION_MARKS)),
                )
            )
    return sentences


def _name_speaker(line: ChunkLine, words: StoryWords) -> str:
    return line.speaker or words.roles[line.role == ASSISTANT]
