"""What is scanned: messages, other texts and the content of entries that fired, each a segment of its own.

SillyTavern joins them to one text, each segment behind `\\x01`. No plain key can match across that character, so each
segment is searched once, whatever the depths of entries; only regular expressions see the joined text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from knowledge.lorebooks.activation.character_sets import JS_SPACES
from knowledge.lorebooks.activation.inputs import MAX_SCAN_DEPTH, ActivationSettings, Chat
from knowledge.lorebooks.activation.key_index import Hits, KeyIndex, Needle, Span
from knowledge.lorebooks.activation.regexes import ScannedText
from knowledge.lorebooks.activation.trace import KeyMatch, Where
from knowledge.lorebooks.activation.work import JOIN_STEPS, WorkMeter
from knowledge.lorebooks.core.vocabulary import ScanSource

MARK = "\x01"
JOINER = f"\n{MARK}"


class ScanState(StrEnum):
    """Why the entries are gone through once more."""

    INITIAL = "initial"
    RECURSION = "recursion"
    MIN_ACTIVATIONS = "min_activations"


@dataclass(slots=True)
class Segment:
    """One text that is searched for keys, and what was found in it."""

    text: str
    source: str  # message, injection, recursion, or a scan source
    index: int = 0  # of a message in the chat; of a recursion: the loop that added it
    skipped: int = 0  # characters before the message itself: its name, less what was trimmed
    hits: Hits | None = None

    def find_all(self, indexes: Sequence[KeyIndex], work: WorkMeter) -> Hits:
        """Every key found here, searched for once."""
        if self.hits is None:
            self.hits = {}
            for index in indexes:
                self.hits.update(index.search(self.text, work))
        return self.hits

    def locate(self, span: Span | None) -> Where:
        """Where a span of the segment is, for the trace."""
        if span is None or span[0] < self.skipped:
            return Where(self.source, self.index)
        return Where(self.source, self.index, span[0] - self.skipped, span[1] - self.skipped)


@dataclass(slots=True)
class View:
    """What one entry sees: the last `depth` messages and further segments. Entries that see the same share it."""

    messages: Sequence[Segment]
    further: Sequence[Segment]
    message_hits: dict[int, tuple[int, Span | None]]
    indexes: Sequence[KeyIndex]
    work: WorkMeter
    is_blank: bool = False  # depth 0 in SillyTavern: nothing at all
    depth: int = 0
    _text: ScannedText | None = None
    _further_hits: dict[int, tuple[Segment, Span | None]] | None = None
    regex_hits: dict[str, KeyMatch | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.depth = len(self.messages)
        if self.is_blank:
            self.depth, self.further = 0, ()

    def find(self, needle: Needle) -> KeyMatch | None:
        """Where an indexed key is first found."""
        hit = self.message_hits.get(needle.id)
        if hit is not None and hit[0] < self.depth:
            return KeyMatch(needle.key, self.messages[hit[0]], hit[1])
        if not self.further:
            return None
        if self._further_hits is None:
            self._further_hits = {}
            for segment in self.further:
                for needle_id, span in segment.find_all(self.indexes, self.work).items():
                    self._further_hits.setdefault(needle_id, (segment, span))
        found = self._further_hits.get(needle.id)
        return KeyMatch(needle.key, *found) if found else None

    @property
    def scanned(self) -> ScannedText:
        """All segments joined."""
        if self._text is None:
            texts = [segment.text for segment in self._segments()]
            self.work.spend(sum(map(len, texts)) * JOIN_STEPS)
            self._text = ScannedText("" if self.is_blank else MARK + JOINER.join(texts))
        return self._text

    def match_joined(self, key: str, span: Span | None) -> KeyMatch | None:
        """A match by its span in the joined text: in the segment of its first character."""
        if span is None:
            return None
        start = 0
        for segment in self._segments():
            start += 1
            end = start + len(segment.text)
            if span[0] <= end:
                inside = (span[0] - start, span[1] - start)
                return KeyMatch(key, segment, inside if inside[0] >= 0 and span[1] <= end else None)
            start = end + 1
        return KeyMatch(key)

    def _segments(self) -> Iterator[Segment]:
        yield from self.messages
        yield from self.further


class ScanBuffer:
    """The segments of one activation, and the view of each entry on them."""

    def __init__(self, chat: Chat, settings: ActivationSettings, indexes: Sequence[KeyIndex], work: WorkMeter) -> None:
        self._settings = settings
        self._indexes = indexes
        self._work = work
        self._newest_first = [
            _build_message_segment(chat, index, settings.include_names)
            for index in range(len(chat.messages) - 1, max(-1, len(chat.messages) - 1 - MAX_SCAN_DEPTH), -1)
        ]
        self._sources = {
            source: Segment(chat.sources[source], source.value.removeprefix("match_"))
            for source in ScanSource
            if chat.sources.get(source)
        }
        self._injections = [Segment(text, "injection", index) for index, text in enumerate(chat.injections)]
        self._recursion: list[Segment] = []
        self._message_hits: dict[int, tuple[int, Span | None]] = {}
        self._searched_messages = 0
        self._views: dict[tuple[object, ...], View] = {}
        self.depth = settings.scan_depth

    @property
    def has_recursion(self) -> bool:
        """Whether content of entries is scanned too."""
        return bool(self._recursion)

    def add_recursion(self, text: str, loop: int) -> None:
        """Content of the entries that fired in a loop, scanned from the next one on."""
        self._recursion.append(Segment(text, "recursion", loop))

    def view(self, scan_depth: int | None, sources: Sequence[ScanSource], state: ScanState) -> View:
        """What an entry with this depth and these sources sees."""
        depth = min(self.depth if scan_depth is None else scan_depth, MAX_SCAN_DEPTH)
        with_recursion = len(self._recursion) if state is not ScanState.MIN_ACTIVATIONS else 0
        key = (min(max(depth, 0), len(self._newest_first) + 1), tuple(sources), with_recursion)
        view = self._views.get(key)
        if view is None:
            view = self._views[key] = self._build_view(depth, sources, with_recursion)
        return view

    def _build_view(self, depth: int, sources: Sequence[ScanSource], with_recursion: int) -> View:
        messages = self._newest_first[: max(depth, 0)]
        for place in range(self._searched_messages, len(messages)):
            for needle_id, span in messages[place].find_all(self._indexes, self._work).items():
                self._message_hits.setdefault(needle_id, (place, span))
        self._searched_messages = max(self._searched_messages, len(messages))
        chosen = [self._sources[source] for source in ScanSource if source in sources and source in self._sources]
        further = [*chosen, *self._injections, *self._recursion[:with_recursion]]
        is_blank = depth <= 0 if self._settings.is_faithful else False
        return View(messages, further, self._message_hits, self._indexes, self._work, is_blank)


def _build_message_segment(chat: Chat, index: int, include_names: bool) -> Segment:
    message = chat.messages[index]
    prefix = f"{message.name}: " if include_names and message.name else ""
    text = prefix + message.text
    trimmed = text.strip(JS_SPACES)
    start = len(text) - len(text.lstrip(JS_SPACES))
    return Segment(trimmed, "message", index, max(0, len(prefix) - start))
