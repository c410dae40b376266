"""What the fitted model makes of values: by the words that state them, or by the vector of the text they stand in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from factcheck.instant.core.hearing_model import HearingModel, Thresholds
from factcheck.instant.core.messages import FoldedMessage
from factcheck.instant.core.narrative_modes import Span
from factcheck.instant.core.statement_kinds import Array
from factcheck.instant.core.tagged_words import TaggedPieces, TaggedWords, Tagger, tag_words
from factcheck.instant.core.tagger_model import TaggerModel
from factcheck.instant.core.value_choice import Candidate
from knowledge.facts.core.types import FACT_TYPES

MAX_WINDOW = 300
"""Characters that are embedded together: a message of this length is one text, of a longer one sentences are."""
MAX_WINDOWS = 4
"""How many texts of one message are embedded at most."""


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
    is_sure: bool = True
    """Whether it is out of doubt where it is believed."""


def judge_candidates(
    message: FoldedMessage,
    candidates: Sequence[Candidate],
    scorer: Scorer,
    tagged: Mapping[Span, TaggedWords] | None = None,
) -> list[Judgement]:
    """Each candidate with its odds, and whether it is believed: a pattern's is where the model has nothing to say.

    Fitted layers judge the kinds that they have limits for, by words: `tagged` is what `tag_windows` gave, where that
    is at hand. The message's vector judges the others.
    """
    tagger = scorer.tagger
    by_words = [tagger is not None and _get_kind(each) in tagger.thresholds for each in candidates]
    words = [each for each, is_tagged in zip(candidates, by_words, strict=True) if is_tagged]
    others = [each for each, is_tagged in zip(candidates, by_words, strict=True) if not is_tagged]
    if tagged is None:
        tagged = tag_windows(message, words, scorer) if words else {}
    spoken = iter(_judge_by_words(message, words, tagged, tagger) if tagger is not None else [])
    embedded = iter(judge_by_vectors(message, others, list_windows(message, candidates), scorer))
    return [next(spoken if is_tagged else embedded) for is_tagged in by_words]


def tag_windows(
    message: FoldedMessage, candidates: Sequence[Candidate], tagger: Tagger, question: str = ""
) -> dict[Span, TaggedWords]:
    """The texts of `list_windows` with what fitted layers say of their words, read behind the `question` that the
    message may answer.
    """
    return {window: tag_words(message, window, tagger, question) for window in list_windows(message, candidates)}


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
    message: FoldedMessage,
    candidates: Sequence[Candidate],
    tagged: Mapping[Span, TaggedWords],
    model: TaggerModel,
) -> list[Judgement]:
    """By what the fitted layers of the embedder say of each word of the texts."""
    judged = []
    for candidate in candidates:
        kind = _get_kind(candidate)
        words = next((each for window, each in tagged.items() if _stands_in(candidate, window)), None)
        if words is None:
            judged.append(_believe_heard(candidate, None))
            continue
        column = model.kinds.index(kind)
        score = model.choice.score(candidate, message.text, words, column, kind)
        about = float(words.about[column])
        limits = model.thresholds[kind]
        believed = score >= limits.find(is_heard=candidate.is_heard)
        is_sure = score >= limits.find_sure(is_heard=candidate.is_heard)
        judgement = Judgement(candidate, about, score, believed, limits.accept, model.version, by_words=True)
        judged.append(replace(judgement, is_sure=is_sure))
    return judged


def _believe_heard(candidate: Candidate, kind: float | None) -> Judgement:
    """Nothing is known of the value but whether a pattern heard it."""
    return Judgement(candidate, kind, None, candidate.is_heard)


def _weigh(candidate: Candidate, kind: float, score: float, limits: Thresholds, version: str) -> Judgement:
    """What a pattern heard is refused only below a limit of its own; vectors know no word that no reader knows."""
    is_likely = score >= limits.find(is_heard=candidate.is_heard)
    is_open = candidate.is_heard or not (candidate.is_guarded or candidate.is_found)
    is_sure = score >= limits.find_sure(is_heard=candidate.is_heard)
    return Judgement(candidate, kind, score, is_likely and is_open, limits.accept, version, is_sure=is_sure)


def _keep_asked(windows: Sequence[Span], candidates: Sequence[Candidate], scorer: Scorer) -> list[Span]:
    """The texts with a value that vectors can judge."""
    fitted = [each for each in candidates if _get_kind(each) in scorer.model.thresholds]
    return [window for window in windows if any(_stands_in(each, window) for each in fitted)]


def _get_kind(candidate: Candidate) -> str:
    return FACT_TYPES[candidate.fact.type].heard_as


def _stands_in(candidate: Candidate, window: Span) -> bool:
    return window[0] <= candidate.fact.start < window[1]


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
