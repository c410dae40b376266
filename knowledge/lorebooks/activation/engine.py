"""Activation: books, a chat, settings, timed state and a seed in; placements, the next state and a trace out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from knowledge.lorebooks.activation.budget import TokenCounter
from knowledge.lorebooks.activation.candidates import Candidate, build_candidates
from knowledge.lorebooks.activation.compiled_books import compile_books
from knowledge.lorebooks.activation.dice import Dice
from knowledge.lorebooks.activation.inputs import ActivationSettings, BoundBook, Chat
from knowledge.lorebooks.activation.placements import Placements, build_placements, has_place
from knowledge.lorebooks.activation.scan import Scan
from knowledge.lorebooks.activation.segments import ScanBuffer
from knowledge.lorebooks.activation.timed_effects import build_timed_effects
from knowledge.lorebooks.activation.timed_state import TimedState
from knowledge.lorebooks.activation.trace import EntryTrace, RegexIssue, Trace
from knowledge.lorebooks.activation.work import WorkMeter
from knowledge.text.tokens import count_tokens

_NO_STATE = TimedState()


@dataclass(frozen=True, slots=True)
class Activation:
    """What came of one activation."""

    placements: Placements
    state: TimedState
    trace: Trace


def activate(
    books: Sequence[BoundBook],
    chat: Chat,
    settings: ActivationSettings,
    state: TimedState = _NO_STATE,
    seed: int = 0,
    *,
    rolls: Sequence[float] = (),
    count: TokenCounter = count_tokens,
    work: WorkMeter | None = None,
) -> Activation:
    """Which entries come in, where, and why. The same input has the same output.

    `rolls` are used before those of the seed: those of a trace replay it. `count` counts tokens. Only a regular
    expression that needs backtracking may depend on the machine: it is given up after 50 ms, and listed. Raises
    ActivationTooLarge for what would take more steps than `work` has.
    """
    candidates, indexes = build_candidates(compile_books(books, settings), settings)
    timed = build_timed_effects(state, chat.message_count, settings)
    timed.check(candidates)
    work = work or WorkMeter()
    scan = Scan(
        settings, candidates, ScanBuffer(chat, settings, indexes, work), timed, Dice(seed, rolls), count,
        len(chat.messages), work,
    )  # fmt: skip
    if candidates:
        scan.run()
    activated = list(scan.activated.values())
    timed.start(activated)
    return Activation(build_placements(activated, settings), timed.build_state(), _build_trace(scan, seed))


def _build_trace(scan: Scan, seed: int) -> Trace:
    issues = []
    for candidate in scan.candidates:
        problem = scan.keys.find_problem(candidate) if candidate.compiled.has_regex_keys else None
        if problem is not None:
            needle, text = problem
            code, _, detail = text.partition(": ")
            issues.append(RegexIssue(candidate.compiled.world, candidate.entry.uid, needle.key, code, detail))
            if candidate.rule == "no_key_found":
                candidate.stop("regex_problem", candidate.loop, f"({text})")
    return Trace(
        scan.settings.dialect.value, seed, scan.budget, scan.used_tokens, scan.has_overflowed,
        tuple(_build_entry_trace(candidate) for candidate in scan.candidates),
        tuple(scan.loops), tuple(scan.dice.rolls), tuple(issues), scan.is_cut_short,
    )  # fmt: skip


def _build_entry_trace(candidate: Candidate) -> EntryTrace:
    entry = candidate.entry
    return EntryTrace(
        candidate.compiled.world, entry.uid, entry.comment or entry.name, candidate.is_active, candidate.rule,
        candidate.detail, candidate.loop, candidate.match, candidate.secondary_matches, candidate.tokens,
        candidate.is_active and has_place(candidate),
    )  # fmt: skip
