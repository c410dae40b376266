"""Coming events in the life of the author of a sentence, read without a pattern, with the dates said for them."""

from __future__ import annotations

import datetime
import re
from collections.abc import Sequence
from dataclasses import dataclass

from factcheck.instant.core.arabizi import is_arabizi
from factcheck.instant.core.concept_files import Concept
from factcheck.instant.core.concepts import ConceptTable, make_key
from factcheck.instant.core.event_dates import find_event_date, month_name, without_date
from factcheck.instant.core.messages import FoldedMessage
from factcheck.instant.core.narrative_modes import Span
from factcheck.instant.core.reader_words import compile_phrases, may_hold, read_group
from factcheck.instant.core.takeback_words import load_takeback_words
from factcheck.instant.core.value_lists import list_mentions
from factcheck.instant.core.value_types import ReadEvent

_MAX_EVENTS = 4
_MAX_WORDS_OF_NAME = 2
"""Among more words the event may be but a part of what is named."""
_WORDS_TO_PERSON = 3
_WORK = "work"
ADDRESSES = ("يا", "ya")
"""What stands before who is spoken to: يا خوي."""
_ADDRESSED = re.compile(rf"(?<!\w)(?:{'|'.join(ADDRESSES)})\s+$")
_MARKS = r"[,،;:()\n]|\s[-–—]+\s"
_MARK = re.compile(_MARKS)
_BORDER = re.compile(
    _MARKS + r"|(?<![\w'])(?:but|then|and then|and|while|though|because|但|但是|不过|然后|所以|因为|а|но"
    r"|потом|затем|и|بس|لكن|"
    r"وبعدين|bas|w ba3deen)(?![\w'])"
)
_WORD = re.compile(r"[^\W_]+(?:'[^\W\d_]+)*")
_OWN = re.compile(
    r"(?<![\w'])(?:my|our|i|i'm|im|i've|ive|i'll|we|we're|we've|we'll|me|us|у меня|у нас|мо[йяею]\w{0,2}|"
    r"наш\w{0,3}|сво[йюеи]\w{0,2}|я|мы|мне|нам|"
    r"انا|احنا|نحن|عندي|عندنا|لدي|3[aeiu]?ndi|3[aeiu]?ndna|ana|e7na|ne7na|我|我们|咱|咱们|我的|本人|俺)(?![\w'])"
)
_OWN_ENDING = re.compile(r"(?:[\u0620-\u064a]{2,}(?:ي|نا)|[a-z0-9']*[237a-z]{2,}(?:i|y|na))$")


_FIRST_PERSON = re.compile(
    r"[а-я]{3,}(?:ю|у|юсь|усь|ем|им|емся|имся)(?!\w)|[\u0620-\u064a]|[a-z]*[2357][a-z]*|(?<!\w)i(?:'m)? "
)
"""What shows in the words themselves that their speaker does it: «переезжаю», بتزوج, "i retire"."""


@dataclass(frozen=True, slots=True)
class _Mention:
    key: str
    start: int
    end: int
    is_verb: bool
    is_recent: bool = False


def read_events(message: FoldedMessage, span: Span, concepts: ConceptTable, now: datetime.datetime) -> list[ReadEvent]:
    """The coming events that a sentence names, one for each key, with their days where those are said.

    An event without a date holds for 30 days. What is over, or talk of such events in general, gives none; whose event
    it is stands in the key (`wedding_sister`).
    """
    return [event for event in list_events(message, span, concepts, now) if not event.is_doubtful]


def list_events(message: FoldedMessage, span: Span, concepts: ConceptTable, now: datetime.datetime) -> list[ReadEvent]:
    """All events that a sentence names, one for each key, doubtful ones too where none of their key is sure."""
    text = message.text
    mentions = _list_mentions(text, span, concepts)
    found: dict[str, ReadEvent] = {}
    for index, mention in enumerate(mentions):
        part = _find_part(text, span, mentions, index)
        is_doubtful = not (mention.is_recent or _is_coming(text, span, part, mention, now))
        event = _make_event(text, part, mention, concepts, now, is_doubtful=is_doubtful)
        known = found.setdefault(event.key, event)
        if known.is_doubtful and not is_doubtful:
            found[event.key] = event
    return list(found.values())


def _find_concept_in(name: str, concepts: ConceptTable) -> Concept | None:
    """The event that one of a few words names: «в командировку»."""
    words = name.split()
    found = [concept for word in words if (concept := concepts.find(word, "event"))]
    return found[0] if len(found) == 1 and len(words) <= _MAX_WORDS_OF_NAME else None


def make_event(
    message: FoldedMessage,
    span: Span,
    place: Span,
    name: str,
    concepts: ConceptTable,
    now: datetime.datetime,
    *,
    likely: str = "",
) -> ReadEvent:
    """The event that words at a place of a sentence name; where no reader knows them the `likely` one."""
    concept = concepts.find(name, "event") or _find_concept_in(name, concepts)
    key = concept.key if concept is not None else likely or make_key(name)
    return _make_event(message.text, span, _Mention(key, *place, is_verb=False), concepts, now)


def _list_mentions(text: str, span: Span, concepts: ConceptTable) -> list[_Mention]:
    """Events by what the author does or by their names, the longest first; of two that meet the plainer one is left."""
    keys = read_group("event_verbs") if may_hold("event_verbs", text[span[0] : span[1]]) else ()
    verbs = [
        _Mention(key, *match.span(), is_verb=True)
        for key in keys
        for match in compile_phrases("event_verbs", key).finditer(text, *span)
    ]
    nouns = [
        _Mention(value.key, value.start, value.end, is_verb=False)
        for value in list_mentions(text, *span, concepts, "event", arabizi=is_arabizi(text))
    ]
    recent = _list_recent(text, span)
    kept: list[_Mention] = []
    for mention in [*recent, *sorted([*verbs, *nouns], key=lambda each: (each.start - each.end, not each.is_verb))]:
        if not any(mention.start < other.end + 1 and other.start < mention.end + 1 for other in kept):
            kept.append(mention)
    return sorted(kept, key=lambda mention: mention.start)[: _MAX_EVENTS * 2]


def _list_recent(text: str, span: Span) -> list[_Mention]:
    """What has just happened to the author of a sentence, or to somebody of theirs who is named in its clause."""
    found = []
    for group in ("recent_own", "recent_kin"):
        if not may_hold(group, text[span[0] : span[1]]) or compile_phrases("recent_not").search(text, *span):
            continue
        for key in read_group(group):
            for match in compile_phrases(group, key).finditer(text, *span):
                mention = _Mention(key, *match.span(), is_verb=True, is_recent=True)
                clause = _find_clause(text, span, mention)
                if group == "recent_own" or compile_phrases("recent_who").search(text, *clause):
                    found.append(mention)
    return found


def _find_part(text: str, span: Span, mentions: Sequence[_Mention], index: int) -> Span:
    """The part of the sentence that is about one event: up to the clauses of the events beside it."""
    first, last = span
    for before in range(index, 0, -1):
        borders = list(_BORDER.finditer(text, mentions[before - 1].end, mentions[before].start))
        if borders:
            first = borders[-1].end()
            break
    for after in range(index, len(mentions) - 1):
        borders = list(_BORDER.finditer(text, mentions[after].end, mentions[after + 1].start))
        if borders:
            last = borders[-1].start()
            break
    return first, last


def _is_coming(text: str, span: Span, part: Span, mention: _Mention, now: datetime.datetime) -> bool:
    said = text[part[0] : part[1]]
    clause = text[slice(*_find_clause(text, part, mention))]
    if _is_past(text, part, mention):
        return False
    is_dated = find_event_date(said, now) is not None
    words = load_takeback_words()
    if not is_dated and (words.cancelled.search(clause) or words.postponed.search(clause)):
        return False
    is_soon = compile_phrases("event_soon").search(said) is not None
    named = text[mention.start : mention.end]
    is_own = _OWN.search(said) is not None or _OWN_ENDING.fullmatch(named.split()[-1]) is not None
    is_bare = not text[span[0] : span[1]].replace(named, "").strip(" .!,:)(")
    speaks = mention.is_verb and _FIRST_PERSON.search(named) is not None
    if is_bare:
        return speaks or _OWN_ENDING.fullmatch(named.split()[-1]) is not None or mention.is_verb
    if compile_phrases("event_general").search(clause) and not (is_dated and is_own):
        return False
    if compile_phrases("event_weak").fullmatch(named):
        return is_dated or (is_own and is_soon) or _is_possessed(text, part, mention)
    return is_dated or is_own or speaks or is_soon


def _is_past(text: str, part: Span, mention: _Mention) -> bool:
    return compile_phrases("event_past").search(text, *_find_clause(text, part, mention)) is not None


def _is_possessed(text: str, part: Span, mention: _Mention) -> bool:
    before = text[max(part[0], mention.start - 24) : mention.start]
    return re.search(r"(?<![\w'])(?:my|our|моя|мой|мою|моей|наш|наша|нашу)(?:\s+[\w']+)?\s+$", before) is not None


def _find_clause(text: str, part: Span, mention: _Mention) -> Span:
    """The words around an event up to the marks beside it, within its part of the sentence."""
    first, last = part
    for mark in _MARK.finditer(text, part[0], mention.start):
        first = mark.end()
    mark_after = _MARK.search(text, mention.end, part[1])
    return first, mark_after.start() if mark_after else last


def _make_event(
    text: str,
    part: Span,
    mention: _Mention,
    concepts: ConceptTable,
    now: datetime.datetime,
    *,
    is_doubtful: bool = False,
) -> ReadEvent:
    said = None if mention.is_recent else find_event_date(text[part[0] : part[1]], now)
    date = said or without_date(now)
    parts = [mention.key]
    person = _find_person(text, part, mention, concepts)
    concept = concepts.concepts.get(mention.key)
    if person:
        parts.append(person)
    elif concept is not None and concept.by_month and date.month:
        parts.append(month_name(date.month))
    key = "_".join(parts)
    return ReadEvent(
        key, key.replace("_", " "), mention.start, mention.end, date.day, date.expires_at, is_doubtful=is_doubtful,
        is_recent=mention.is_recent,
    )  # fmt: skip


def is_own_work(person: str, event: str) -> bool:
    """Whether "work" beside an event is its author's own, and no colleague: "fired from work"."""
    return person == _WORK and any(word in event for word in ("job", _WORK))


def _find_person(text: str, part: Span, mention: _Mention, concepts: ConceptTable) -> str:
    """Whose event it is, by a person named within three words of it."""
    for person in list_mentions(text, *part, concepts, "person"):
        if is_own_work(person.key, mention.key) or _ADDRESSED.search(text, part[0], person.start):
            continue
        low, high = sorted((person.end, mention.start)) if person.start < mention.start else (mention.end, person.start)
        if len(_WORD.findall(text[low:high])) < _WORDS_TO_PERSON and person.start != mention.start:
            return person.key
    return ""
