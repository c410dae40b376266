"""What a language is to the service: every part is there, or is None and said so."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from knowledge.text.languages.dialogue_words import DialogueWords


def split_words(text: str) -> frozenset[str]:
    """A list of words as it is written in a module."""
    return frozenset(text.split())


Boundary = Literal["word", "joined", "none"]
"""Where a word ends: at anything but a letter; the same, but `و` and prepositions may be written onto it; nowhere."""


@dataclass(frozen=True, slots=True)
class SceneWords:
    """The few words that summaries and cards of events are put together with."""

    outcomes: dict[str, str]
    """Of a scene, by the name that the engine sends; a name without an entry is told as it is."""
    yes: str
    no: str
    card_labels: tuple[str, str, str, str]
    """Time, place, keywords, what happened."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """One language. No part has a default: who adds one answers for each."""

    code: str
    """ISO 639-1; `arabizi` for Arabic in Latin letters."""
    name: str
    """In English."""

    script: str
    is_script_default: bool
    """Whether words of its script are read as its own while nothing tells their language."""
    boundary: Boundary
    analyser: str
    """How search finds other forms of a word, in the words of the README."""
    stem: Callable[[str], str] | None
    """A normalised word to its stem; None: no stems are made."""
    known_words: frozenset[str] | None
    """Words that tell the language of a short message."""
    foreign_letters: str | None
    """Letters of its script that it does not have, as a regular expression."""
    prior: float
    """Nats in its favour before a letter is read: what players of a game write most."""

    asking_words: str | None
    """Words that only ask, which queries leave out. None that another language of the script has for a thing."""
    dialogue: DialogueWords | None
    """Question words of time, months and units in all their forms, persons."""
    negations: str | None

    prompts: str | None
    """Folder of `config/prompts` whose frames its speakers get."""
    proposer_prompts: str | None
    """The folder of what a proposing model is told (`extraction.yaml`, `plot.yaml`); None: the English one."""
    reply_name: str | None
    """Prompts may call it by the word `language_<this>`; None: by its own and its English name."""
    scenes: SceneWords | None

    patterns: tuple[str, ...] | None
    """Pattern sets of `factcheck/pattern_sets` with rows of the language; None: what its speakers say of themselves is not heard."""
    word_section: str | None
    """Its section in the word files of the packs."""
    concept_names: str | None
    """Its names of things in the concept files."""
    has_claim_check: bool
    """Whether claims and replies are held against canon."""
