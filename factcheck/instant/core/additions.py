"""Things added to the allergy or the ban that a player stated last: "and to kiwi too", «ещё сороконожек туда же»."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from factcheck.instant.core.arabizi import is_arabizi
from factcheck.instant.core.author_spans import AuthorSpans
from factcheck.instant.core.change_cases import ReadChange
from factcheck.instant.core.clauses import is_question
from factcheck.instant.core.concepts import ConceptTable
from factcheck.instant.core.correction_results import state_fact
from factcheck.instant.core.denial_clauses import find_arabizi_names, is_own
from factcheck.instant.core.extracted import ExtractedFact
from factcheck.instant.core.known_facts import KnownFact
from factcheck.instant.core.layer_changes import LayerChanges
from factcheck.instant.core.lexicon import load_lexicon
from factcheck.instant.core.mentions import find_mentions, stem_text
from factcheck.instant.core.messages import fold, fold_message
from factcheck.instant.core.narrative_modes import NarrativeMode, Span
from factcheck.instant.core.phrases import name_thing
from factcheck.instant.core.takeback_words import TakebackWords, load_takeback_words
from factcheck.instant.core.value_lists import read_list, split_tokens
from knowledge.facts.core.types import PROTECTED_TYPES
from knowledge.text.language import detect_language

MAX_ADDITION_LENGTH = 120
MAX_WORDS = 3
"""Of an added thing that no concept knows."""
_SENTENCE = re.compile(r"[^;.!?؟\n—–()]+")
_PART = re.compile(r"[^,،]+")
_NOTED = re.compile(
    r"(?<!\w)(?:noted|got it|understood|i'll (?:keep|avoid|remember|leave|skip)|saved|записал\w*|учту"
    r"|учтено|понял\w*|понятно|запомнил\w*|исключ\w+|حفظت\w*|سجلت\w*|ابشر|تكرم\w*|فهمت|sajjalt\w*|fhemt|noté"
    r"|记住 ?了?|记下 ?了?|收到|明白)(?!\w)"
)
"""How an assistant says that it keeps to what was stated."""
_SERVED = re.compile(r"(?<!\w)(?:a|an|some|one|two|another|more|один|одну|два|واحد|wa7ad|一|两|杯|份|个)(?!\w)")
"""What is ordered: "and a beer too"."""


def may_add(folded: str, words: TakebackWords) -> bool:
    """Whether a folded text may add to what its author stated last."""
    if len(folded) > MAX_ADDITION_LENGTH:
        return False
    return any(group.search(folded) for group in (words.add_also, words.add_list, words.add_and))


def find_additions(
    source: str,
    *,
    just_said: Sequence[KnownFact],
    previous_assistant_text: str,
    concepts: ConceptTable,
    mode: NarrativeMode = "unknown",
    changes: Sequence[ReadChange] = (),
) -> list[ExtractedFact]:
    """The things that a message adds to its author's last statement, if that was of an allergy or a ban; where rules
    find none, those that fitted layers take it to add (`changes`).

    Without a word of the relation ("to", «на») they are added only where the assistant has just said that it keeps to
    the statement; and without that or a word of a list only where nothing else is said and nothing ordered.
    """
    found = _read_additions(source, just_said, previous_assistant_text, concepts, mode)
    return found or list_layer_additions(source, changes, concepts=concepts, mode=mode)


def list_layer_additions(
    source: str, changes: Sequence[ReadChange], *, concepts: ConceptTable, mode: NarrativeMode = "unknown"
) -> list[ExtractedFact]:
    """What fitted layers take a message to add, as far as rules let them."""
    if not any(each.change == "added" for each in changes):
        return []
    spoken = AuthorSpans(source, mode, is_topic=concepts.names_thing)
    return list(LayerChanges(fold_message(source), spoken, changes, (), concepts).list_additions())


def _read_additions(
    source: str, just_said: Sequence[KnownFact], previous_assistant_text: str, concepts: ConceptTable,
    mode: NarrativeMode,
) -> list[ExtractedFact]:  # fmt: skip
    if not just_said or len(source) > MAX_ADDITION_LENGTH:
        return []
    message, words = fold_message(source), load_takeback_words()
    text = message.text
    types = {fact.type for fact in just_said if fact.type in PROTECTED_TYPES}
    if not types or not may_add(text, words) or is_question(text):
        return []
    if load_lexicon().has_guard("others", text):
        return []
    spoken = AuthorSpans(source, mode, is_topic=concepts.names_thing)
    type_ = "allergy" if "allergy" in types else min(types)
    keys = {fact.key for fact in just_said}
    previous = fold(previous_assistant_text)
    is_noted = not previous or _is_noted(previous, just_said, concepts)
    language = detect_language(source)
    added: list[ExtractedFact] = []
    for span in _list_pieces(text):
        if not is_own(message, spoken, *span):
            continue
        for key, value, start, end in _read_piece(text, span, type_, concepts, words, is_noted=is_noted):
            if key not in {*keys, *(fact.key for fact in added)}:
                added.append(
                    state_fact(message, type_, key, value, (start, end), language=language, pattern="addition")
                )
    return added


def _is_noted(previous: str, stated: Sequence[KnownFact], concepts: ConceptTable) -> bool:
    """Whether the assistant's words between are about the statement: they say that it is noted, or name its thing."""
    stemmed = stem_text(previous)
    return _NOTED.search(previous) is not None or any(
        find_mentions(stemmed, fact, concepts) or find_arabizi_names(stemmed, fact, concepts) for fact in stated
    )


def _list_pieces(text: str) -> Iterator[Span]:
    """The sentences of a text, then their parts between commas."""
    for sentence in _SENTENCE.finditer(text):
        yield sentence.span()
        if any(mark in sentence[0] for mark in ",،"):
            yield from (part.span() for part in _PART.finditer(text, *sentence.span()))


def _read_piece(
    text: str, piece: Span, type_: str, concepts: ConceptTable, words: TakebackWords, *, is_noted: bool
) -> Iterator[tuple[str, str, int, int]]:
    """The key, value and place of each thing of a piece that says nothing else; none where it adds nothing."""
    lead = words.add_lead.match(text, *piece)
    start = lead.end() if lead else piece[0]
    tail = words.add_tail.search(text, start, piece[1])
    end = tail.start() if tail else piece[1]
    around = f"{text[piece[0] : start]} {text[end : piece[1]]}"
    is_listed = words.add_list.search(around) is not None
    is_also = words.add_also.search(around) is not None
    if start >= end or not (is_listed or is_also or words.add_and.search(text, *piece)):
        return
    is_related = words.add_of.search(around) is not None and type_ == "allergy"
    if not is_noted and not is_related:
        return
    if not (is_listed or is_related):
        rest = f"{text[: piece[0]]} {text[piece[1] :]}"
        says_more = words.add_lead.fullmatch(rest) is None
        if says_more or _SERVED.search(text[slice(*piece)]):
            return
    tokens = [token for token in split_tokens(text, start, end) if token[0][0].isalnum()]
    values = read_list(text, start, concepts, type_, end=end, arabizi=is_arabizi(text))
    if values and values[-1].end == end and values[0].start == start:
        yield from ((value.key, value.value, value.start, value.end) for value in values)
    elif is_listed and not values and 0 < len(tokens) <= MAX_WORDS:
        named = name_thing([word for word, _, _ in tokens], type_)
        if named:
            yield named.replace(" ", "_"), named, tokens[0][1], tokens[-1][2]
