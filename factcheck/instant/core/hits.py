"""What a pattern's hit is worth where it stands: whether its anchors are near and no guard speaks against it."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from factcheck.instant.core.guards import FIRM_GUARDS, OTHER_SUBJECT, QUESTION, build_guard_context, cut_other_clauses
from factcheck.instant.core.messages import FoldedMessage
from factcheck.instant.core.narrative_modes import Span
from factcheck.instant.core.pattern_rows import InstantPattern
from factcheck.instant.core.patterns import CompiledPattern
from factcheck.instant.core.subjects import detect_subject
from knowledge.facts.core.types import FACT_TYPES, PROTECTED_TYPES, WISH_TYPES

ANCHORS = "anchors"
"""A kind beside those of guards: what a pattern needs is not near it, or what it must not meet is."""
MAX_HITS = 50
"""How often one pattern is read in one message: each hit costs up to milliseconds, and a megabyte holds 50,000."""


def is_hit(message: FoldedMessage, pattern: CompiledPattern) -> bool:
    """Whether a pattern occurs in a message and is believed there, whatever value it would find."""
    for match in itertools.islice(pattern.expression.finditer(message.text), MAX_HITS):
        start, end = trim_hit(message.text, match.start(), match.end())
        if passes_guards(message, pattern, start, end):
            return True
    return False


def trim_hit(text: str, start: int, end: int) -> Span:
    """The hit without the characters that only prove its word boundaries."""
    while start < end and not text[start].isalnum():
        start += 1
    while end > start and not text[end - 1].isalnum() and text[end - 1] not in "$€£₽₹":
        end -= 1
    return start, end


def _is_bound_to_author(row: InstantPattern) -> bool:
    """Whether a row states something of the person named last before it; a ban is about whoever it is told."""
    return OTHER_SUBJECT not in row.skips and FACT_TYPES[row.type].subject != "reader" and row.key_rule != "phrase"


def passes_guards(message: FoldedMessage, hit: CompiledPattern, start: int, end: int) -> bool:
    """Whether a hit is believed where it stands: its anchors are near, and no guard speaks against it."""
    return next(_list_against(message, hit, start, end), None) is None


def find_guards(message: FoldedMessage, hit: CompiledPattern, start: int, end: int) -> frozenset[str]:
    """The kinds of guards that speak against a hit where it stands; ANCHORS where what it needs is not near."""
    return frozenset(_list_against(message, hit, start, end))


def _list_against(message: FoldedMessage, hit: CompiledPattern, start: int, end: int) -> Iterator[str]:
    """Cheap ones first: most callers ask only whether there is any."""
    context = build_guard_context(message, start, end)
    if hit.anchors is not None and not _is_anchored(message, hit, context.sentence, start, end):
        yield ANCHORS
    if hit.anti_anchors is not None and message.holds(hit.anti_anchors, context.sentence):
        yield ANCHORS
    is_request = hit.row.type == "hard_ban" and context.is_polite_request
    if context.is_question and QUESTION not in hit.row.skips and not is_request and hit.row.type not in WISH_TYPES:
        yield QUESTION
    if _is_bound_to_author(hit.row):
        first, last = message.sentence(start, end)
        if detect_subject(message.text, first, end, last) == "other":
            yield OTHER_SUBJECT
    around = cut_other_clauses(context, hit.row.type) if hit.row.type in PROTECTED_TYPES else context.around
    yield from hit.guard_sets.list_against(message, around, hit.guards)


def is_refused(message: FoldedMessage, hit: CompiledPattern, start: int, end: int) -> bool:
    """Whether a guard that leaves no doubt speaks against a value, so that nothing may believe it; for a size so does
    somebody else who is named last before it.
    """
    if hit.row.type == "body_params":
        first, _ = message.sentence(start, end)
        if detect_subject(message.text, first, end, end) == "other":
            return True
    around = build_guard_context(message, start, end).around
    return next(hit.guard_sets.list_against(message, around, hit.guards & FIRM_GUARDS), None) is not None


def _is_anchored(message: FoldedMessage, hit: CompiledPattern, sentence: str, start: int, end: int) -> bool:
    """Whether an anchor stands in the sentence; of a ban in passing also in the sentence behind or before it."""
    if message.holds(hit.anchors, sentence):
        return True
    if hit.row.type != "hard_ban" or hit.row.key_rule != "nearby":
        return False
    first, last = message.sentence(start, end)
    around = []
    if last < len(message.text):
        around.append(message.text[slice(*message.sentence(last + 1, last + 1))])
    if first > 1:
        around.append(message.text[slice(*message.sentence(first - 1, first - 1))])
    return any(not each.rstrip().endswith(("?", "؟")) and message.holds(hit.anchors, each) for each in around)
