"""Facts that no pattern heard: readers find values in a sentence, the embedder's layers say whether they are stated.

Neither is believed alone, and nothing is believed against a guard. A pattern's hit is not believed either where the
sentence looks like no statement of its kind.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from factcheck.core.instant.arabizi import is_arabizi
from factcheck.core.instant.author_spans import AuthorSpans
from factcheck.core.instant.concepts import ConceptTable
from factcheck.core.instant.event_reader import read_events
from factcheck.core.instant.extracted import ExtractedFact, make_fact
from factcheck.core.instant.frames import Frame, Span
from factcheck.core.instant.hearing_model import HearingModel, Thresholds
from factcheck.core.instant.hits import passes_guards
from factcheck.core.instant.instructions import read_instructions
from factcheck.core.instant.measure_reader import read_measures
from factcheck.core.instant.messages import FoldedMessage, fold_message
from factcheck.core.instant.patterns import CompiledPattern, PatternSet
from factcheck.core.instant.statement_kinds import Array
from factcheck.core.instant.sum_reader import read_sums
from factcheck.core.instant.tagged_words import TaggedPieces, tag_words
from factcheck.core.instant.tagger_model import TaggerModel
from factcheck.core.instant.value_choice import Candidate
from factcheck.core.instant.value_lists import list_mentions
from factcheck.core.instant.value_types import ReadEvent, ReadValue
from knowledge.facts.core.types import FACT_TYPES, THING_TYPES, WISH_TYPES, get_wish_type

MAX_WINDOW = 300
"""Characters that are embedded together: a message of this length is one text, of a longer one sentences are."""
MAX_WINDOWS = 4
"""How many texts of one message are embedded at most."""
MAX_SENTENCES = 40
MAX_CANDIDATES = 60


class Scorer(Protocol):
    """The fitted model with an embedder that makes its vectors."""

    @property
    def model(self) -> HearingModel:
        """The weights."""
        ...

    @property
    def tagger(self) -> TaggerModel | None:
        """The weights that judge by words the kinds that they have limits for; None where vectors judge all."""
        ...

    @property
    def version(self) -> str:
        """Of the weights that judge."""
        ...

    def embed(self, texts: Sequence[str]) -> Array:
        """Shape (len(texts), dims)."""
        ...

    def tag(self, text: str) -> TaggedPieces:
        """Where there is a tagger: what it says of the pieces of a text."""
        ...


@dataclass(frozen=True, slots=True)
class Judgement:
    """A value with what the model makes of it."""

    candidate: Candidate
    kind: float | None
    """The log-odds that its text states its kind; None where the text was not looked at or the kind is not fitted."""
    score: float | None
    """The log-odds that it is a fact."""
    is_believed: bool
    accept: float | None = None
    """The log-odds from which on it would be believed if no pattern heard it."""
    version: str = ""
    """Of the weights that judged it; none where it was not judged."""
    by_words: bool = False
    """Whether fitted layers judged it by its words."""


def read_by_meaning(
    message: FoldedMessage,
    heard: Sequence[ExtractedFact],
    *,
    own: AuthorSpans,
    readers: Mapping[str, CompiledPattern],
    concepts: ConceptTable,
    now: datetime.datetime,
    scorer: Scorer,
) -> list[ExtractedFact]:
    """What patterns heard, as far as it looks like a statement of its kind, and what else the sentences state.

    `readers` hold the guards of each kind. Nothing is embedded where nothing was heard and no value is found.
    """
    candidates = list_candidates(message, heard, own=own, readers=readers, concepts=concepts, now=now)
    kept = {(fact.type, fact.key): fact for fact in heard if fact.answers_previous}
    judgements = judge_candidates(message, [each for each in candidates if not each.is_guarded], scorer)
    for judged in sorted(judgements, key=lambda each: not each.candidate.is_heard):  # bounds cut the others first
        fact = judged.candidate.fact
        if judged.is_believed:
            is_heard = judged.candidate.is_heard
            told = fact if is_heard else replace(fact, pattern=f"{fact.pattern}@{judged.version}")
            kept.setdefault((fact.type, fact.key), told)
    return list(kept.values())


def judge_candidates(message: FoldedMessage, candidates: Sequence[Candidate], scorer: Scorer) -> list[Judgement]:
    """Each candidate with its odds, and whether it is believed: a pattern's is where the model has nothing to say.

    Fitted layers judge the kinds that they have limits for, by words; the message's vector judges the others.
    """
    windows = list_windows(message, candidates) if candidates else []
    tagger = scorer.tagger
    by_words = [tagger is not None and _get_kind(each) in tagger.thresholds for each in candidates]
    words = [each for each, is_tagged in zip(candidates, by_words, strict=True) if is_tagged]
    others = [each for each, is_tagged in zip(candidates, by_words, strict=True) if not is_tagged]
    tagged = iter(_judge_by_words(message, words, windows, tagger, scorer) if tagger is not None else [])
    embedded = iter(judge_by_vectors(message, others, windows, scorer))
    return [next(tagged if is_tagged else embedded) for is_tagged in by_words]


def list_embedded(message: FoldedMessage, candidates: Sequence[Candidate], scorer: Scorer) -> list[str]:
    """The texts whose vectors `judge_candidates` asks for, and those of values that a pattern heard."""
    tagged = scorer.tagger.thresholds if scorer.tagger is not None else {}
    others = [each for each in candidates if each.is_heard or _get_kind(each) not in tagged]
    return [message.source[start:end] for start, end in _keep_asked(list_windows(message, candidates), others, scorer)]


def judge_by_vectors(
    message: FoldedMessage, candidates: Sequence[Candidate], windows: Sequence[Span], scorer: Scorer
) -> list[Judgement]:
    """By the vector of the text and the hashed words around each value."""
    model = scorer.model
    asked = _keep_asked(windows, candidates, scorer)
    logits = model.kinds.score(scorer.embed([message.source[start:end] for start, end in asked])) if asked else []
    judged = []
    for candidate in candidates:
        limits = model.thresholds.get(_get_kind(candidate))
        kind = find_logit(candidate, asked, logits)
        if limits is None or kind is None:
            judged.append(_believe_heard(candidate, kind))
            continue
        score = model.values.score(message, candidate, kind)
        judged.append(_weigh(candidate, kind, score, limits, model.version))
    return judged


def _judge_by_words(
    message: FoldedMessage, candidates: Sequence[Candidate], windows: Sequence[Span], model: TaggerModel, scorer: Scorer
) -> list[Judgement]:
    """By what the fitted layers of the embedder say of each word of the texts."""
    asked = [window for window in windows if any(_stands_in(each, window) for each in candidates)]
    tagged = [tag_words(message, window, scorer) for window in asked]
    judged = []
    for candidate in candidates:
        kind = _get_kind(candidate)
        at = _find_window(candidate, asked)
        if at is None:
            judged.append(_believe_heard(candidate, None))
            continue
        column = model.kinds.index(kind)
        score = model.choice.score(candidate, message.text, tagged[at], column, kind)
        about = float(tagged[at].about[column])
        weighed = _weigh(candidate, about, score, model.thresholds[kind], model.version)
        judged.append(replace(weighed, by_words=True))
    return judged


def _believe_heard(candidate: Candidate, kind: float | None) -> Judgement:
    """Nothing is known of the value but whether a pattern heard it."""
    return Judgement(candidate, kind, None, candidate.is_heard and not candidate.is_guarded)


def _weigh(candidate: Candidate, kind: float, score: float, limits: Thresholds, version: str) -> Judgement:
    """What a pattern heard is refused only below a limit of its own."""
    is_likely = score >= (limits.refuse if candidate.is_heard else limits.accept)
    return Judgement(candidate, kind, score, is_likely and not candidate.is_guarded, limits.accept, version)


def _keep_asked(windows: Sequence[Span], candidates: Sequence[Candidate], scorer: Scorer) -> list[Span]:
    """The texts with a value that vectors can judge."""
    fitted = [each for each in candidates if _get_kind(each) in scorer.model.thresholds]
    return [window for window in windows if any(_stands_in(each, window) for each in fitted)]


def _get_kind(candidate: Candidate) -> str:
    return FACT_TYPES[candidate.fact.type].heard_as


def _stands_in(candidate: Candidate, window: Span) -> bool:
    return window[0] <= candidate.fact.start < window[1]


def find_candidates(
    text: str,
    heard: Sequence[ExtractedFact],
    *,
    compiled: PatternSet,
    concepts: ConceptTable,
    now: datetime.datetime,
    frame: Frame = "unknown",
) -> tuple[FoldedMessage, list[Candidate]]:
    """A message folded, and its candidates beside what patterns heard of it; see `list_candidates`."""
    message = fold_message(text)
    own = AuthorSpans(text, frame, is_topic=concepts.names_thing)
    return message, list_candidates(message, heard, own=own, readers=compiled.readers, concepts=concepts, now=now)


def list_candidates(
    message: FoldedMessage,
    heard: Sequence[ExtractedFact],
    *,
    own: AuthorSpans,
    readers: Mapping[str, CompiledPattern],
    concepts: ConceptTable,
    now: datetime.datetime,
) -> list[Candidate]:
    """All values that may be facts of the author: found by readers, with or without a guard against them, and heard.

    What patterns heard is always among them; of the rest the first `MAX_CANDIDATES` are.
    """
    known = {(fact.type, fact.key): fact for fact in heard if not fact.answers_previous}
    candidates: list[Candidate] = []
    guarded: list[Candidate] = []
    room = MAX_CANDIDATES
    for sentence in list_sentences(message):
        for group in _read_values(message, sentence, readers, concepts, now):
            said = [(fact, span, is_guarded) for fact, span, is_guarded in group if own.contains(fact.start)]
            guarded += [Candidate(fact, span, sentence, is_guarded=True) for fact, span, against in said if against]
            values = [(fact, span) for fact, span, against in said if not against]
            for place, (fact, span) in enumerate(values):
                told = known.pop((fact.type, fact.key), None)
                if told is None and not room:
                    continue
                room -= told is None
                candidates.append(Candidate(told or fact, span, sentence, place, len(values), told is not None))
    candidates += [_make_heard(message, fact) for fact in known.values()]
    return [*candidates, *guarded[:MAX_CANDIDATES]]


def _make_heard(message: FoldedMessage, fact: ExtractedFact) -> Candidate:
    """What a pattern heard and no reader finds by itself."""
    start, end = message.find_place(fact.start), message.find_place(fact.end)
    return Candidate(fact, (start, end), message.sentence(start, end), is_heard=True)


def list_sentences(message: FoldedMessage) -> list[Span]:
    """The sentences of a folded message that hold a word, as far as they are looked at.

    They are those of `FoldedMessage.sentence`, so that readers see what guards look at, and text without marks is cut
    after 240 characters, so that all of it can be embedded. `split_sentences` of `clauses.py` has other borders: it
    must not miss one.
    """
    found: list[Span] = []
    place = 0
    while place < len(message.text) and len(found) < MAX_SENTENCES:
        start, end = message.sentence(place, place + 1)
        start, end = max(start, place), max(end, place + 1)
        if any(character.isalnum() for character in message.text[start:end]):
            found.append((start, end))
        place = end
    return found


def _read_values(
    message: FoldedMessage,
    sentence: Span,
    readers: Mapping[str, CompiledPattern],
    concepts: ConceptTable,
    now: datetime.datetime,
) -> Iterator[list[tuple[ExtractedFact, Span, bool]]]:
    """The values of a sentence kind by kind, as facts, with whether a guard speaks against them."""
    arabizi = is_arabizi(message.text)
    values: dict[str, Sequence[ReadValue]] = {
        kind: list_mentions(message.text, *sentence, concepts, kind, arabizi=arabizi) for kind in THING_TYPES
    }
    values["body_params"] = read_measures(message, sentence, is_expected=True)
    values["budget"] = read_sums(message, sentence, is_expected=True)
    values["life_event"] = read_events(message, sentence, concepts, now)
    wishes = read_instructions(message, *sentence)
    for name in WISH_TYPES:
        values[name] = [wish for wish in wishes if get_wish_type(wish.key) == name]
    for kind, found in values.items():
        reader = readers[kind]
        yield [
            (
                _make_fact(message, reader, value),
                (value.start, value.end),
                not passes_guards(message, reader, value.start, value.end),
            )
            for value in found
        ]


def _make_fact(message: FoldedMessage, reader: CompiledPattern, value: ReadValue) -> ExtractedFact:
    fact = make_fact(message, reader.row, value.key, value.value, value.start, value.end)
    if isinstance(value, ReadEvent):
        return replace(fact, happens_on=value.happens_on, expires_at=value.expires_at)
    return fact


def list_windows(message: FoldedMessage, candidates: Sequence[Candidate]) -> list[Span]:
    """The parts of the message as typed that are embedded: all of it, or the sentences of candidates."""
    if len(message.source) <= MAX_WINDOW:
        return [(0, len(message.source))]
    sentences = dict.fromkeys(candidate.sentence for candidate in candidates)
    windows = [message.locate(*sentence) for sentence in list(sentences)[:MAX_WINDOWS]]
    return [(start, min(end, start + MAX_WINDOW)) for start, end in windows]


def find_logit(candidate: Candidate, windows: Sequence[Span], logits: Sequence[Mapping[str, float]]) -> float | None:
    """The log-odds of the candidate's kind in the text that holds it; None where that was not looked at."""
    at = _find_window(candidate, windows)
    return None if at is None else logits[at].get(_get_kind(candidate))


def _find_window(candidate: Candidate, windows: Sequence[Span]) -> int | None:
    """The number of the text that holds the candidate."""
    return next((number for number, window in enumerate(windows) if _stands_in(candidate, window)), None)
