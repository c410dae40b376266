"""Events that will not be: "the wedding got cancelled", «поездку отменили», 婚礼取消了; and those that are put off.

What is cancelled must be the event itself, not something beside it: "the florist cancelled, the wedding is in 2 weeks".
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from factcheck.instant.core.arabizi import is_arabizi
from factcheck.instant.core.author_spans import AuthorSpans
from factcheck.instant.core.clauses import Sentence, cut_clause, split_sentences
from factcheck.instant.core.concepts import ConceptTable
from factcheck.instant.core.event_dates import find_event_date
from factcheck.instant.core.event_reader import list_events
from factcheck.instant.core.known_facts import KnownFact
from factcheck.instant.core.lexicon import Lexicon
from factcheck.instant.core.mentions import find_mentions, stem_text
from factcheck.instant.core.messages import FoldedMessage
from factcheck.instant.core.narrative_modes import Span
from factcheck.instant.core.takeback_words import TakebackWords
from factcheck.instant.core.takebacks import Found
from factcheck.instant.core.value_types import ReadEvent

_NOT_CANCELLED = re.compile(
    r"(?<![\w'])(?:not|isn't|wasn't|hasn't|haven't|never|не|ما|لم|مو|مش|ma|msh|mo|don't|won't"
    r"|没|没有|未|不会|不|别)(?: (?:been|be|get|getting))?\s*$"
)
_PUT_OFF = re.compile(
    r"(?<!\w)(?:if|unless|almost|nearly|might|maybe|hope|если|чуть не|почти|может|вдруг|لو|اذا|كاد|يمكن"
    r"|(?<!in-)(?<!in )law"
    r"|iza|yimkin|afraid|scared|worr\w+|fear\w*|nightmare|dream\w*|боюсь|страшно|приснил\w+|خايف\w*|حلمت\w*|5ayef\w*"
    r"|7elemt|怕|担心|梦见|梦到|万一)(?!\w)"
)
_HOLDS = re.compile(
    r"(?<!\w)(?:last (?:year|week|month|time)|second|other one|прошл\w+|втор\w+|الماضي\w*|باقي|去年|上次|上个月"
    r"|still (?:on|going|happening|planned)|(?:is|it's) on|goes ahead|в силе|по плану|все равно|قائمه?"
    r"|علي حاله|照常|照样|依旧|还是 (?:要|会)|仍然)(?!\w)"
)
"""Another thing was cancelled, and the event is on."""
_WITHOUT = re.compile(r"(?<!\w)(?:without|без|بدون|بلا|bala|bidoon)(?!\w)")
_OWN_OBJECT = re.compile(r"\s*(?:on )?(?:my|our|me|us|мо\w+|нам|мне|наш\w*|لي|لنا|li|lina)(?!\w)")
"""Behind "they cancelled": the author's own event, whoever cancels it."""
_BY_US = re.compile(r"[\u0620-\u064a]{3,}نا$|^(?:we|мы) ")
"""In a hit: the author and others cancelled it."""
_OF_OTHERS = re.compile(r"[\u0620-\u064a]{3,}(?:ها|هم|هن)")
"""An event whose name says that it is hers or theirs: زواجها."""
_NEGATED = re.compile(
    r"(?:not|no|isn't|aren't|не|ما|مش|لن|ma|mafi) |[^\W\d_]*(?:不|没)|(?:we|i|they|it)(?:'re|'m|'s)? not "
)
"""At the beginning of a hit: what follows says what there is not, "not going to eat"."""
_GOES = re.compile(r"(?:go|travell?|fly|mov)ing$|(?:еду|едем|поеду|поедем|лечу|летим)$|去 ?了?$|飞 ?了?$")
"""At the end of a hit: it leads to the event, "not going on the trip"."""
_TOKEN = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_ADJECTIVE = re.compile(r"[а-я]{3,}(?:ый|ий|ой|ая|яя|ое|ее|ые|ие|ую|юю|ого|его|ому|ему|ых|их|ом|ем)")
_ATTACHED = re.compile(r"(?:لل|بال|عال|فال)\w{2}")
"""An Arabic preposition in one word with the event."""
_DETERMINER = re.compile(r"the|my|our|this|that|a|an|whole|entire|mo[ийя]|мо\w+|наш\w*|эт\w+|сво\w+|всю|весь")
_JOINED = re.compile(r"the|a|an|my|your|any|is|are|was|were|be|just")
"""Behind "no wedding" or "not moving", these go on: "no trip is complete without snacks"."""
_MAX_ADJECTIVES = 2
_MAX_BEHIND = 3
"""Unknown words between an event and "was cancelled" that may tell which one it is, in Arabic and Russian."""
_NAMED = re.compile(r"(?<!\w)(?:wedding|party|trip|move|surgery|engagement|holiday|exam|interview)(?!\w)")
"""In a hit itself: it says what is off."""
_HELD = re.compile(r"حفل\w*|7afl\w*|موعد|ma?w3[ei]d|on")
"""Beside a place: what is held there is off, not the journey."""
_HAN = re.compile(r"[\u3400-\u9fff]")


def find_cancelled(
    message: FoldedMessage, spoken: AuthorSpans, facts: Sequence[KnownFact], referred: Sequence[KnownFact],
    concepts: ConceptTable, lexicon: Lexicon, words: TakebackWords, now: datetime.datetime,
) -> list[Found]:  # fmt: skip
    """The events that will not be: named in the clause ("the wedding got cancelled"), or the one spoken of ("it").

    One that was put off is one of them where nobody knows the day; where no other day is named it is in doubt.
    """
    events = [fact for fact in facts if fact.type == "life_event"]
    if not events:
        return []
    text = message.text
    named_by = _EventNames(message, events, concepts, now)
    for sentence in split_sentences(text):
        part = text[sentence.start : sentence.end]
        hits = () if sentence.is_question else (*words.cancelled.finditer(part), *words.postponed.finditer(part))
        for hit in hits:
            place = (sentence.start + hit.start(), sentence.start + hit.end())
            if not spoken.contains(message.locate(*place)[0]):
                continue
            is_off = hit.re is words.cancelled
            is_negated = is_off and _NEGATED.match(hit[0]) is not None
            if is_negated and (find_event_date(part[hit.end() :], now) is not None or _WITHOUT.search(part)):
                continue  # "no exam this week": on another day; "no wedding without a cake"
            if not is_off and words.no_day.search(text) is None and find_event_date(text, now) is not None:
                continue
            clause = cut_clause(part, hit.start(), hit.end())
            around = part if is_off else clause  # until when it is put off is said beside that
            if _NOT_CANCELLED.search(part[: hit.start()]) or lexicon.has_guard("keep", around):
                continue
            if _PUT_OFF.search(around) or _HOLDS.search(text) or (is_off and words.made_up_for.search(text)):
                continue
            wording = _find_wording(text, sentence, place, words)
            named = named_by.list_in(sentence, wording)
            is_open = is_off and _NAMED.search(hit[0]) is None and wording.is_left_open()
            about = named or [fact for fact in events if fact in referred and is_open]
            is_own = _OWN_OBJECT.match(part, hit.end()) is not None or _BY_US.search(hit[0]) is not None
            if lexicon.has_guard("others", clause.replace("'s ", " ")) and not is_own:
                about = [fact for fact in about if "_" in fact.key and find_mentions(stem_text(part), fact, concepts)]
            if about and (named or len(about) == 1):
                is_over = is_off or words.no_day.search(text) is not None
                return [Found(fact, sentence.start, sentence.end, bool(named), is_over) for fact in about]
    return []


class _EventNames:
    """Where a message names the known events, read when first asked for."""

    def __init__(
        self, message: FoldedMessage, events: Sequence[KnownFact], concepts: ConceptTable, now: datetime.datetime
    ) -> None:
        self._message, self._events, self._concepts, self._now = message, events, concepts, now
        self._read: list[ReadEvent] | None = None
        self._places: dict[int, list[Span]] = {}
        self._towns: set[Span] = set()
        """Where a journey is named by its place alone."""

    def list_in(self, sentence: Sentence, wording: _Wording) -> list[KnownFact]:
        """The events that a wording of a sentence cancels by their names."""
        text = self._message.text
        if self._read is None:
            self._read = list_events(self._message, (0, len(text)), self._concepts, self._now)
            stemmed = stem_text(text)
            for fact in self._events:
                read = [(event.start, event.end) for event in self._read if event.key == fact.key]
                plain = {*read, *find_mentions(stemmed, replace(fact, places=()), self._concepts)}
                self._places[fact.id] = [*plain, *find_mentions(stemmed, fact, self._concepts)]
                self._towns |= set(self._places[fact.id]) - plain
        keys = {event.key for event in self._read if sentence.start <= event.start < sentence.end}
        open_ = [fact for fact in self._events if not _is_of_other(fact, keys)]
        return [fact for fact in open_ if any(self._is_named(place, wording) for place in self._places[fact.id])]

    def _is_named(self, place: Span, wording: _Wording) -> bool:
        if _OF_OTHERS.fullmatch(self._message.text[slice(*place)]):
            return False
        return wording.is_about(place) and (place not in self._towns or wording.is_alone(place))


def _is_of_other(fact: KnownFact, read: Collection[str]) -> bool:
    """Whether the event that is read is somebody else's: `wedding_sister` beside `wedding`."""
    return fact.key not in read and any(key.startswith(f"{fact.key}_") for key in read)


@dataclass(frozen=True, slots=True)
class _Wording:
    """The words by which something is cancelled, and the clause they stand in."""

    text: str
    clause: Span
    hit: Span
    words: TakebackWords

    def is_about(self, event: Span) -> bool:
        """Whether the event at a place is what the words cancel: as their subject, their object, or said before."""
        start, end = event
        if start < self.hit[1] and self.hit[0] < end:
            return self._ends_at(max(end, self.hit[1]))
        if self.clause[0] <= start and end <= self.hit[0]:
            return self._is_subject(start, end)
        if self.hit[1] <= start and end <= self.clause[1]:
            return self._is_object(start, end)
        return end <= self.clause[0] and self.is_left_open()

    def is_alone(self, place: Span) -> bool:
        """Whether a clause says of a place that it is off, and names nothing else: no flight to it, no party in it."""
        low, high = sorted((place, self.hit))
        parts = [(low[1], high[0]), (high[1], self.clause[1])]
        if not self._is_chinese():
            parts.append((self.clause[0], low[0]))
        return all(self._is_plain(word) and not _HELD.fullmatch(word) for part in parts for word in self._cut(*part))

    def is_left_open(self) -> bool:
        """Whether the clause names nothing that is cancelled: "it got cancelled", «всё отменили»."""
        if not all(self._is_plain(word) for word in self._cut(self.clause[0], self.hit[0])):
            return False
        behind = self._cut(self.hit[1], self.clause[1])
        if self._is_negated() and not self._ends_at(self.hit[1]):
            return False
        if self._goes() and not all(self._is_plain(word) for word in behind):
            return False
        return not behind or (self._is_plain(behind[0]) and not (len(behind) > 1 and _is_determiner(behind[0])))

    def _is_subject(self, start: int, end: int) -> bool:
        if self._is_occasion(start, end):
            return False
        between = self._cut(end, self.hit[0])
        if self._is_chinese():
            plain = all(self._is_plain(word) and not self._is(self.words.event_when, word) for word in between)
            return plain and (not self._is_negated() or self._ends_at(self.hit[1]))
        if self._is_negated() and not self._ends_at(self.hit[1]):
            return False
        unknown = [word for word in between if not self._is_plain(word)]
        if self._is_english():
            head = [word for word in between if not self._is(self.words.event_whole, word)]
            return not unknown or not head or self._is_plain(head[0])
        return len(unknown) <= _MAX_BEHIND and not (unknown and _ADJECTIVE.fullmatch(self.text[start:end]))

    def _is_object(self, start: int, end: int) -> bool:
        between = self._cut(self.hit[1], start)
        if not self._goes() and any(self._is_of(word) for word in between):
            return False
        unknown = [word for word in between if not self._is_plain(word)]
        if self._is_chinese():
            return (not unknown or between[-1] == "的") and self._is_whole(end)
        if self._is_negated() and not self._ends_at(end):
            return False
        if self._is_english():
            is_led = bool(between) and _is_determiner(between[0])
            return (not unknown or (is_led and len(unknown) <= _MAX_ADJECTIVES)) and self._is_whole(end)
        return all(_ADJECTIVE.fullmatch(word) for word in unknown) and not _ADJECTIVE.fullmatch(self.text[start:end])

    def _is_occasion(self, start: int, end: int) -> bool:
        """Whether what stands before the event makes it the occasion of something else: «на свадьбе»."""
        if _ATTACHED.match(self.text, start):
            return True
        before = self._cut(self.clause[0], start)
        while before and _is_determiner(before[-1]):
            before.pop()
        if not before:
            lead = self.text[: self.clause[0]].split()[-1:]  # "because of the exam": the joint is cut away
            return bool(lead) and self._is_of(lead[0].strip(",.;:!"))
        if self._is_of(before[-1]):
            return True
        is_arabic = "\u0600" <= self.text[start] <= "\u06ff" or (self.text[start].isascii() and is_arabizi(self.text))
        return is_arabic and not self._is_plain(before[-1])  # the head of a compound: "the hall of the wedding"

    def _ends_at(self, place: int) -> bool:
        """Whether nothing that says more follows right behind a place: "no wedding", but not "no wedding talk"."""
        behind = self._cut(place, self.clause[1])
        if not behind or behind[:2] == ["after", "all"]:
            return True
        return self._is_plain(behind[0]) and not _JOINED.fullmatch(behind[0]) and not self._is_of(behind[0])

    def _is_whole(self, end: int) -> bool:
        """Whether the event is no first part of another name: "the wedding", but not "the wedding cake"."""
        behind = self._cut(end, self.clause[1])
        return (
            not behind
            or not self.text[end : end + 1].isspace()
            or self._is_plain(behind[0])
            or self._is(self.words.event_whole, behind[0])
        )

    def _cut(self, start: int, end: int) -> list[str]:
        return _TOKEN.findall(self.text, start, end) if start < end else []

    def _is_plain(self, word: str) -> bool:
        return word.isdigit() or self._is(self.words.event_around, word) or self._is_of(word)

    def _is(self, group: re.Pattern[str], word: str) -> bool:
        return group.fullmatch(word) is not None

    def _is_of(self, word: str) -> bool:
        return self._is(self.words.event_of, word)

    def _goes(self) -> bool:
        return _GOES.search(self.text[slice(*self.hit)]) is not None

    def _is_negated(self) -> bool:
        return _NEGATED.match(self.text[slice(*self.hit)]) is not None

    def _is_chinese(self) -> bool:
        return _HAN.match(self.text, self.hit[0]) is not None

    def _is_english(self) -> bool:
        return self.text[self.hit[0]].isascii() and not is_arabizi(self.text)


def _is_determiner(word: str) -> bool:
    return _DETERMINER.fullmatch(word) is not None


def _find_wording(text: str, sentence: Sentence, hit: Span, words: TakebackWords) -> _Wording:
    around: Iterator[Span] = (span for span in sentence.clauses if span[0] <= hit[0] < span[1])
    start, end = next(around, (sentence.start, sentence.end))
    return _Wording(text, (min(start, hit[0]), max(end, hit[1])), hit, words)
