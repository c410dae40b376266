"""What a message says about the player, as answers tell it."""

from __future__ import annotations

from typing import Annotated

from typing_extensions import TypedDict

from knowledge.facts.models import CorrectionOutcome, CorrectionType
from memoryproject.rest.typed_dicts import Time, Uuid, build_example, member

OUTCOMES = ("written", "superseded", "confirmed", "restored", "outdated")


class ExtractedFact(TypedDict):
    """A fact that a message states about the player."""

    fact_id: Annotated[int | None, member(31, "Null where it is outdated.")]
    type: Annotated[str, member("allergy")]
    key: Annotated[str, member("nickel")]
    value: Annotated[str, member("nickel")]
    outcome: Annotated[
        str,
        member(
            "written",
            "`outdated` changed nothing: later words stand, or the event was over before the message came.",
            choices=OUTCOMES,
        ),
    ]
    superseded_id: Annotated[int | None, member(None, "The fact in whose place it came.")]
    confidence: Annotated[float, member(0.95)]
    language: Annotated[str, member("en")]
    expires_at: Annotated[Time | None, member(None)]
    evidence: Annotated[
        list[int],
        member([91], "The messages that prove it: this one, where it answers a question that one, and earlier ones."),
    ]
    evidence_span: Annotated[
        list[int],
        member([90], "The message before, and, once it has come, the one after: they explain it and prove nothing."),
    ]
    quote: Annotated[str, member("I am allergic to nickel", "The words that say so.")]
    is_disputed: Annotated[
        bool,
        member(
            False,
            "It is not sure that the player says so, or it was doubted before: what protects is kept to all the same, "
            "and the game asks.",
        ),
    ]


class CorrectedFact(TypedDict):
    """A fact that a message corrects, as it was known; empty once it is forgotten."""

    type: Annotated[str, member("body_params")]
    key: Annotated[str, member("size")]
    value: Annotated[str, member("M")]


class ExtractedCorrection(TypedDict):
    """What a message corrects of what is known or was claimed.

    An allergy, a ban or a stated fact ends (`deactivated`) only on an explicit denial of the relation itself.
    Everything less makes it `disputed` at most: it still holds, and the game asks.
    """

    outcome: Annotated[
        str,
        member(
            "superseded",
            "`unmatched` only sounded like a correction and changed nothing.",
            choices=CorrectionOutcome.values,
        ),
    ]
    type: Annotated[str, member("user_denied", choices=CorrectionType.values)]
    language: Annotated[str, member("en")]
    quote: Annotated[str, member("no, not M, S", "The words that correct.")]
    fact_id: Annotated[int | None, member(31)]
    fact: Annotated[CorrectedFact | None, member(description="The fact that it is about, as it was known.")]
    corrected_message_id: Annotated[int | None, member(92, "The assistant's message that it is about.")]
    receipt_id: Annotated[
        Uuid | None, member(None, "The receipt of what the player asked to forget; null in a repeat.")
    ]
    replacement: Annotated[ExtractedFact | None, member(description="What was said instead.")]


class MessageExtraction(TypedDict):
    """What a message says about the player."""

    facts: list[ExtractedFact]
    corrections: Annotated[list[ExtractedCorrection], member([])]


_CORRECTED = build_example(ExtractedFact, fact_id=32, type="body_params", key="size", value="S", superseded_id=31)
CORRECTING = {"facts": [], "corrections": [build_example(ExtractedCorrection, replacement=_CORRECTED)]}
