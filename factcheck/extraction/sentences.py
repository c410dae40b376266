"""Codes of the second stage in sentences, for people who look at its pages."""

from __future__ import annotations

from factcheck.extraction.core.verdicts import VerdictCode
from factcheck.extraction.models import (
    CandidateState,
    DeltaOutcome,
    MessageOutcome,
    RunMode,
    RunState,
    RunTrigger,
)

VERDICTS = {
    VerdictCode.ACCEPTED: "It passed every rule of the gate.",
    VerdictCode.MALFORMED: "The proposal is not in the agreed form, or proposes no type of fact that we keep.",
    VerdictCode.CANARY: "It repeats a reserved word of the prompt's examples: the model copied instead of reading.",
    VerdictCode.FACT_UNKNOWN: "It changes a fact that is not among those that the model was shown.",
    VerdictCode.SUBJECT: "It is not about the player.",
    VerdictCode.STANCE: "The player does not state it: it is asked, quoted, denied or meant as a joke.",
    VerdictCode.LOW_CONFIDENCE: "The proposer was not sure enough, or proposals as sure as this were wrong too often.",
    VerdictCode.EVIDENCE_UNKNOWN: "It quotes a message that is not one of this run.",
    VerdictCode.QUOTE_NOT_FOUND: "The quoted words do not stand in the message.",
    VerdictCode.NOT_SAID_BY_USER: "The quoted words are not the player's.",
    VerdictCode.FICTION: "It was said in character: play proves nothing about the player.",
    VerdictCode.ECHO: "The player only repeats what they were told.",
    VerdictCode.NO_ANCHOR: "The quoted words do not say what makes it a fact of this type.",
    VerdictCode.VALUE_NOT_SAID: "The value does not stand in the quoted words.",
    VerdictCode.GUARDED: "A guard speaks against it: a negation, a condition, a question, another person, or the past.",
    VerdictCode.DUPLICATE: "The same was proposed in this run before.",
}
FAILURES = {
    "model_unavailable": "The chat model did not answer: it is down, too slow, or not configured.",
    "model_unusable": "The chat model answered, and not in the agreed form, even when asked again.",
    "model_refused": "The chat model declined to answer.",
    "messages_forgotten": "What it read was forgotten before its answer was applied; the rest is read again.",
    "extraction_stopped": "Extraction was switched off, or a breaker opened, before its answer was applied.",
    "worker_lost": "Every worker that took the run was lost before it was over.",
}
DELTA_OUTCOMES = {
    DeltaOutcome.REJECTED: "Nothing was written.",
    DeltaOutcome.SHADOWED: "It would have been written: the run was not allowed to write.",
    DeltaOutcome.CANDIDATE: "It waits for a second, independent statement.",
    DeltaOutcome.WRITTEN: "It became a fact.",
    DeltaOutcome.SUPERSEDED: "It became a fact in the place of another value.",
    DeltaOutcome.CONFIRMED: "It confirmed a fact that was known.",
    DeltaOutcome.DISPUTED: "It put a fact in doubt: games ask again before they use it.",
    DeltaOutcome.ENDED: "It ended a fact.",
    DeltaOutcome.OUTDATED: "Something later is known, or it no longer holds: nothing was written.",
}
MESSAGE_OUTCOMES = {
    MessageOutcome.EXTRACTED: "Something that it states passed the gate.",
    MessageOutcome.NOTHING: "Nothing was proposed of it.",
    MessageOutcome.REJECTED: "All that was proposed of it was refused.",
    MessageOutcome.FAILED: "The run came to nothing: it waits for the next.",
}
RUN_STATES = {
    RunState.CLAIMED: "A worker asks the proposer now.",
    RunState.ANSWERED: "The proposer has answered; the answer is not applied yet.",
    RunState.APPLIED: "The run is over.",
    RunState.FAILED: "The run came to nothing. Its messages wait for the next.",
}
RUN_MODES = {
    RunMode.SHADOW: "It proposed only: nothing was written.",
    RunMode.ON: "What passed the gate was written.",
    RunMode.TRIAL: (
        "A breaker tried whether extraction is good again. What nobody found wrong is written once it closes."
    ),
}
CANDIDATE_STATES = {
    CandidateState.OPEN: "It waits for a second, independent statement. No context pack tells it.",
    CandidateState.HELD: "A taste or a mood that was stated more than once. It never becomes a fact.",
    CandidateState.PROMOTED: "It is a fact.",
    CandidateState.REJECTED: "A person rejected it.",
    CandidateState.EXPIRED: "Nothing confirmed it in 90 days.",
    CandidateState.CONTRADICTED: "The player said otherwise later.",
    CandidateState.BLOCKED: "It was denied or forgotten: it is never proposed again, and its words are gone.",
}
BADGES = {
    **dict.fromkeys(("applied", "extracted", "written", "promoted", "confirmed", "accepted", "on"), "green"),
    **dict.fromkeys(("claimed", "answered", "superseded", "candidate", "open", "held", "trial"), "blue"),
    **dict.fromkeys(("failed", "ended", "blocked"), "red"),
    **dict.fromkeys(("disputed", "contradicted", "undone"), "orange"),
    "shadow": "purple",
    "shadowed": "purple",
}
"""Colour of a state's badge; all others are grey."""
TRIGGERS = {trigger.value: str(trigger.label) for trigger in RunTrigger}


def word_verdict(code: str) -> str:
    """Why the gate decided so; of a code that failed a run, why that failed."""
    known = {verdict.value: words for verdict, words in VERDICTS.items()}
    return known.get(code) or FAILURES.get(code) or code.replace("_", " ")


def get_badge(state: str) -> str:
    """The class of the badge."""
    colour = BADGES.get(state, "")
    return f"m-badge m-badge-{colour}" if colour else "m-badge"
