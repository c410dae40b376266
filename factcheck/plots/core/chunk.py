"""A chunk of talk as proposers and the gate read it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from factcheck.core.tokens import Tokens, find_sequence, name_sequence, tokenize
from factcheck.extraction.core.prompt_input import LEFT_OUT, hide_spans
from factcheck.instant.core.narrative_modes import Span
from knowledge.text.tokens import count_tokens, truncate_to_tokens

USER, ASSISTANT = "user", "assistant"
_MIN_LINE_TOKENS = 40


@dataclass(frozen=True, slots=True)
class ChunkLine:
    """One message. `recalled` are the spans that only repeat what events told: they are no source of another."""

    message_id: int
    role: str
    speaker: str
    """The name of whoever speaks; empty where nobody told it."""
    content: str
    recalled: tuple[Span, ...] = ()

    @property
    def shown(self) -> str:
        """The content without what is recalled."""
        return hide_spans(self.content, self.recalled) if self.recalled else self.content


@dataclass(frozen=True, slots=True)
class KnownName:
    """A name of the world: of an article of canon, or of an earlier event. `names` are all that it goes by."""

    names: tuple[str, ...]
    type: str


@dataclass(frozen=True, slots=True)
class Chunk:
    """The messages of one event, in order, with the names that their world knows."""

    lines: tuple[ChunkLine, ...]
    known: tuple[KnownName, ...] = ()
    language: str = ""
    frequencies: Mapping[str, int] = field(default_factory=dict)
    """In how many of the conversation's earlier messages a lexeme stands; `documents` is how many there were."""
    documents: int = 0


@dataclass(frozen=True, slots=True)
class Place:
    """Where a name stands: the message, and the range in what is shown of it."""

    message_id: int
    start: int
    end: int


class ChunkIndex:
    """What stands where in a chunk: names are found in any of their cases, and under each of their aliases."""

    def __init__(self, chunk: Chunk) -> None:
        self._lines = [(line.message_id, tokenize(line.shown)) for line in chunk.lines]
        self.lexemes = frozenset(word.lexeme for _, tokens in self._lines for word in tokens.words)
        self._aliases: dict[tuple[str, ...], list[KnownName]] = {}
        for known in chunk.known:
            for name in known.names:
                self._aliases.setdefault(name_sequence(name), []).append(known)

    @property
    def lines(self) -> list[tuple[int, Tokens]]:
        """Message ids and the words of each."""
        return self._lines

    def find(self, name: str) -> Place | None:
        """Where the name itself first stands."""
        sequence = name_sequence(name)
        if not sequence or not self.lexemes.issuperset(sequence):
            return None
        for message_id, tokens in self._lines:
            for first in find_sequence(tokens.words, sequence):
                words = tokens.words
                return Place(message_id, words[first].start, words[first + len(sequence) - 1].end)
        return None

    def find_known(self, name: str) -> Place | None:
        """Where the name stands, or another name of the same thing."""
        found = self.find(name)
        if found is not None:
            return found
        for known in self._aliases.get(name_sequence(name), ()):
            for other in known.names:
                found = self.find(other)
                if found is not None:
                    return found
        return None

    def share(self, text: str) -> float:
        """How much of a text's words stand in the chunk, by lexemes; 1 for a text without words."""
        words = {word.lexeme for word in tokenize(text).words}
        return len(words & self.lexemes) / len(words) if words else 1.0


def shorten_lines(texts: Iterable[str], max_tokens: int) -> list[str]:
    """The texts so that together they take at most so many tokens: long ones lose their middle, short ones nothing."""
    texts = list(texts)
    sizes = [count_tokens(text) for text in texts]
    left, waiting = max_tokens, sorted(range(len(texts)), key=lambda place: sizes[place])
    shown = list(texts)
    while waiting:
        share = max(left // len(waiting), _MIN_LINE_TOKENS)
        place = waiting.pop(0)
        if sizes[place] > share:
            shown[place] = _cut_middle(texts[place], share)
        left -= min(sizes[place], share)
    return shown


def _cut_middle(text: str, tokens: int) -> str:
    head = truncate_to_tokens(text, tokens // 2)
    tail = truncate_to_tokens(text[::-1], tokens // 2)[::-1]
    return f"{head} {LEFT_OUT} {tail}"
