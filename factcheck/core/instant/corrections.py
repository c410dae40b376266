"""Whether a message corrects, doubts or confirms what its author was told about themselves, and which fact is meant."""

from __future__ import annotations

import datetime
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from factcheck.core.instant.author_spans import AuthorSpans
from factcheck.core.instant.concepts import ConceptTable, stems_of
from factcheck.core.instant.extraction import ExtractedFact
from factcheck.core.instant.frames import Frame
from factcheck.core.instant.listing import read_list
from factcheck.core.instant.messages import FoldedMessage, fold, fold_message
from factcheck.core.instant.money import read_money
from factcheck.core.instant.patterns import CorrectionPattern, PatternSet
from factcheck.core.instant.sizes import CLOTHES_RANGE, read_letter_size, read_number_size

Outcome = Literal["denied", "replaced", "outdated", "wrong_subject", "ambiguous", "confirmed", "unmatched"]

_LONGEST_CORRECTION = 400
_LONGEST_BARE_VALUE = 40
_NUMBER_TYPES = ("body_params", "budget")
_WORD = re.compile(r"[^\W_][\w'-]*")
_NEGATION = re.compile(
    r"(?<!\w)(?:not|isn't|isnt|aren't|don't|dont|never|no|не|нет|нету|ни|مو|مب|مش|ما|ليس|ليست|لا|mo|mu|mub|mob|msh"
    r"|mish|mesh|ma|la)(?!\w)"
    r"|(?<!\w)(?:ماعندي|مابي|معنديش|ma3indi|ma3ndi)(?!\w)"
)
_CLAIM = re.compile(
    r"(?<!\w)(?:you(?:'re|'ve| are| have| wear| love| like| don't| do not| hate| never| can't| told| said| mentioned)?"
    r"|your|yours"
    r"|ты|вы|тебя|вас|тебе|вам|твой|твоя|твои|твоей|твою|ваш|ваша|вашей|помню|ведь|انت|انتي|عندك|مقاسك|تحب|تحبين|لديك"
    r"|ميزانيتك|حساسيتك|تلبس|تلبسين|تذكر|انك|لك|inta|inti|enta|enti|3indik|3ndk|ma2asik|ma2asak|t7ib|t7ibi)(?!\w)"
)
_TAG = re.compile(
    r"(?:right|correct|isn't it|aren't you|don't you|yes|is that right|still|верно|да|правильно|так|правда"
    r"|не так ли|все еще|"
    r"صح|صحيح|مو|اليس كذلك|sa7|9a7)\s*[?؟]"
)
_LIFTED = re.compile(
    r"(?<!\w)(?:don't mind|dont mind|don't hate|never said|didn't say|is fine|is ok|okay with|i wear|i do wear|i eat"
    r"|like|love|не против|не запрещал\w*|не говорил\w*|нормально отношусь|ношу|люблю|عادي|ما عندي مانع|ما قلت|البس|احب"
    r"|3adi|ma 3indi mani3|a7ib)(?!\w)"
)
_SIZE_TOKEN = re.compile(r"(?<!\w)(?:[2-6]?[xх]{0,4}[smlмл]|\d{2}|small|medium|large|эмка|эска|элька)(?!\w)")
_TYPE_NAMES = {
    "body_params": "size размер размера مقاس مقاسي مقاسك قياس ma2as ma2asi ma2asik",
    "budget": "budget бюджет бюджета ميزانيه ميزانيتي ميزانيتك بجت bajt bajti mizaniti",
    "allergy": "allergy allergic allergies аллергия аллергии аллергик حساسيه حساسيتك تحسس 7asasiya",
}
_OUTCOMES: dict[str, Outcome] = {"outdated": "outdated", "other_subject": "wrong_subject", "ambiguous": "ambiguous"}


@dataclass(frozen=True, slots=True)
class KnownFact:
    """An active fact that a correction may be about."""

    id: int
    type: str
    key: str
    value: str
    is_disputed: bool = False


@dataclass(frozen=True, slots=True)
class Correction:
    """What a message does to known facts. `replacement` is the value said instead, not yet written anywhere."""

    outcome: Outcome
    facts: tuple[KnownFact, ...]
    language: str
    pattern: str
    quote: str
    replacement: ExtractedFact | None = None


def may_correct(text: str, *, compiled: PatternSet) -> bool:
    """Whether a message holds words of a correction at all: one pass, before anything is looked up."""
    return len(text) <= _LONGEST_CORRECTION and bool(compiled.match_corrections(fold(text)))


def detect_correction(
    text: str,
    *,
    previous_assistant_text: str,
    facts: Sequence[KnownFact],
    extracted: Sequence[ExtractedFact] = (),
    compiled: PatternSet,
    concepts: ConceptTable,
    frame: Frame = "unknown",
    now: datetime.datetime | None = None,
) -> Correction | None:
    """The correction that a message makes; None if it makes none.

    A denial that names a fact deactivates it (`denied`, `outdated`, `wrong_subject`) or, with another value, replaces
    it; a bare "no" or "where did you get that" is about the facts that the previous assistant message claims: one fact
    and a plain "no" is a denial, anything less certain is `ambiguous`. A correction that no fact fits is `unmatched`.
    """
    if len(text) > _LONGEST_CORRECTION:
        return None
    message = fold_message(text)
    hits = _spoken_hits(message, text, frame, compiled)
    if not hits:
        return None
    previous = fold(previous_assistant_text[-4_000:])
    claimed = _list_claimed(previous, facts, concepts)
    for read in (_read_named, _read_replaced, _read_short, _read_doubt):
        found = read(message, hits, claimed, facts, extracted, concepts)
        if found is not None:
            return found
    doubts = [hit for hit, _ in hits if hit.kind in ("ambiguous", "other_subject")]
    if doubts and previous:
        return _make("unmatched", (), doubts[0], message)
    return None


_Hits = list[tuple[CorrectionPattern, int]]


def _spoken_hits(message: FoldedMessage, text: str, frame: Frame, compiled: PatternSet) -> _Hits:
    matched = compiled.match_corrections(message.text)
    if not matched:
        return []
    spoken = AuthorSpans(text, frame)
    hits: _Hits = []
    for pattern, expression in matched:
        match = expression.search(message.text)
        if (
            match
            and spoken.says_anything
            and spoken.contains(message.locate(_first_word(message.text, match.start()), match.end())[0])
        ):
            hits.append((pattern, match.start()))
    return hits


def _first_word(text: str, start: int) -> int:
    match = _WORD.search(text, start)
    return match.start() if match else start


def _read_named(
    message: FoldedMessage, hits: _Hits, claimed: list[KnownFact], facts: Sequence[KnownFact],
    extracted: Sequence[ExtractedFact], concepts: ConceptTable,
) -> Correction | None:  # fmt: skip
    """A denial with the denied thing named in the message: "no, I'm not allergic to nuts", "لا غلط، مو M، أنا S"."""
    kinds = {hit.kind for hit, _ in hits}
    if not kinds & {"denied", "outdated", "other_subject"}:
        return None
    for fact in sorted(facts, key=lambda fact: fact not in claimed):
        place = _find_mention(message.text, fact, concepts)
        if place is None or any(
            new.type == fact.type and new.key == fact.key and new.value == fact.value for new in extracted
        ):
            continue
        is_denied = bool(_NEGATION.search(message.text, max(0, place - 40), place + 1)) and _same_clause_denies(
            message.text, place
        )
        outdated = next((hit for hit, _ in hits if hit.kind == "outdated"), None)
        other = next((hit for hit, _ in hits if hit.kind == "other_subject"), None)
        if not (is_denied or outdated or other):
            continue
        if fact.type == "hard_ban" and not (outdated or other) and not _lifts_ban(message.text):
            continue
        hit = outdated or other or next(hit for hit, _ in hits if hit.kind == "denied")
        replacement = _find_replacement(message, fact, place, extracted, concepts)
        if replacement is not None:
            return _make("replaced", (fact,), hit, message, replacement)
        return _make(_OUTCOMES.get(hit.kind, "denied"), (fact,), hit, message)
    return None


def _same_clause_denies(text: str, place: int) -> bool:
    """Whether a negation stands before the place with no other clause between them."""
    before = text[max(0, place - 60) : place]
    clause = re.split(r"[.!?;؟؛\n]|,\s+(?=(?:i|я|انا|my|мой|у меня)\b)|\b(?:but|но|а|بس|لكن|bs)\b", before)[-1]
    return _NEGATION.search(clause) is not None


def _lifts_ban(text: str) -> bool:
    """Whether a message takes a ban back: "I don't mind leather", "я не против кожи", "عادي الجلد"."""
    return _LIFTED.search(text) is not None


def _read_replaced(
    message: FoldedMessage, hits: _Hits, claimed: list[KnownFact], facts: Sequence[KnownFact],
    extracted: Sequence[ExtractedFact], concepts: ConceptTable,
) -> Correction | None:  # fmt: skip
    """A correction that states the right value instead: "no, my size is L"."""
    hit = next((hit for hit, _ in hits if hit.kind in ("no", "not_value", "denied", "ambiguous")), None)
    if hit is None:
        return None
    is_leading = hit.kind == "not_value" or any(other.kind == "not_value" for other, _ in hits)
    for fact in claimed:
        new = next(
            (new for new in extracted if (new.type, new.key) == (fact.type, fact.key) and new.value != fact.value), None
        )
        if new is not None:
            return _make("replaced", (fact,), hit, message, new)
        is_bare_value = fact.type in _NUMBER_TYPES and is_leading and len(message.text) <= _LONGEST_BARE_VALUE
        said = _find_replacement(message, fact, 0, (), concepts) if is_bare_value else None
        if said is not None and _find_mention(message.text, fact, concepts) is None:
            return _make("replaced", (fact,), hit, message, said)
    return None


def _read_short(
    message: FoldedMessage, hits: _Hits, claimed: list[KnownFact], facts: Sequence[KnownFact],
    extracted: Sequence[ExtractedFact], concepts: ConceptTable,
) -> Correction | None:  # fmt: skip
    """A bare yes or no to what was just claimed."""
    said_no = next((hit for hit, _ in hits if hit.kind == "no"), None)
    said_yes = next((hit for hit, _ in hits if hit.kind == "yes"), None)
    if said_yes is not None:
        disputed = tuple(fact for fact in claimed if fact.is_disputed)
        return _make("confirmed", disputed, said_yes, message) if disputed else None
    if said_no is None or not claimed or any(hit.kind == "ambiguous" for hit, _ in hits):
        return None
    return _make("denied" if len(claimed) == 1 else "ambiguous", tuple(claimed), said_no, message)


def _read_doubt(
    message: FoldedMessage, hits: _Hits, claimed: list[KnownFact], facts: Sequence[KnownFact],
    extracted: Sequence[ExtractedFact], concepts: ConceptTable,
) -> Correction | None:  # fmt: skip
    doubt = next((hit for hit, _ in hits if hit.kind == "ambiguous"), None)
    other = next((hit for hit, _ in hits if hit.kind == "other_subject"), None)
    if other is not None and len(claimed) == 1:
        return _make("wrong_subject", tuple(claimed), other, message)
    hit = doubt or other
    return _make("ambiguous", tuple(claimed), hit, message) if hit is not None and claimed else None


def _list_claimed(previous: str, facts: Sequence[KnownFact], concepts: ConceptTable) -> list[KnownFact]:
    """The facts that an assistant message states about the user; a disputed one counts when it is only asked about."""
    claimed: list[KnownFact] = []
    sentences = re.findall(r"[^.!?؟\n]+[.!?؟]*", previous)
    for sentence in sentences[-12:]:
        if not _CLAIM.search(sentence):
            continue
        is_asked = sentence.rstrip().endswith(("?", "؟")) and not _TAG.search(sentence)
        for fact in facts:
            if fact in claimed or (is_asked and not fact.is_disputed):
                continue
            if _find_mention(sentence, fact, concepts) is not None:
                claimed.append(fact)
    return claimed


def _find_mention(text: str, fact: KnownFact, concepts: ConceptTable) -> int | None:
    """Where a folded text names a fact: its value, its key, or another name of its concept."""
    if fact.type == "body_params":
        for match in _WORD.finditer(text):
            word = match[0]
            if (read_letter_size(word) or read_number_size(word, CLOTHES_RANGE) or word) in (
                fact.value,
                fact.value.lower(),
            ):
                return match.start()
        return _find_type_name(text, fact)
    if fact.type == "budget":
        amount = fact.value.split(" ")[0]
        said = re.search(rf"(?<!\d){re.escape(amount)}(?!\d)", text)
        return said.start() if said else _find_type_name(text, fact)
    names = {stems_of(fact.value), stems_of(fact.key.replace("_", " ")), *concepts.list_stems(fact.key)} - {()}
    words = list(_WORD.finditer(text))
    stems = [stems_of(word[0]) for word in words]
    for place, mention in enumerate(words):
        joined: tuple[str, ...] = ()
        for following in stems[place : place + 5]:
            joined += following
            if joined in names:
                return mention.start()
    return None


def _find_type_name(text: str, fact: KnownFact) -> int | None:
    if fact.key not in ("size", "general"):
        return None
    names = _TYPE_NAMES[fact.type].split()
    match = re.search(rf"(?<!\w)(?:{'|'.join(names)})(?!\w)", text)
    return match.start() if match else None


def _find_replacement(
    message: FoldedMessage, fact: KnownFact, place: int, extracted: Sequence[ExtractedFact], concepts: ConceptTable
) -> ExtractedFact | None:
    """The value said instead of a denied one, of the same type: "not M, S"; "not nuts but honey"."""
    for new in extracted:
        if new.type == fact.type and (new.key, new.value) != (fact.key, fact.value):
            return new
    key, value, start, end = fact.key, None, place, len(message.text)
    if fact.type == "body_params" and fact.key == "size":
        for match in _SIZE_TOKEN.finditer(message.text, place):
            size = read_letter_size(match[0]) or read_number_size(match[0], CLOTHES_RANGE)
            if size and size != fact.value:
                value, start, end = size, match.start(), match.end()
                break
    elif fact.type == "budget":
        after = place + len(fact.value.split(" ")[0]) if place else _after_no(message.text)
        money = read_money(message.text[after:])
        value = money[0] if money and money[0] != fact.value else None
    elif fact.type in ("allergy", "hard_ban"):
        value, key, start, end = _read_other_concept(message, fact, place, concepts)
    if value is None:
        return None
    first, last = message.locate(start, end)
    return ExtractedFact(
        type=fact.type, key=key, value=value, language="", confidence=0.95, pattern="correction/replacement",
        start=first, end=last, quote=message.source[first:last],
    )  # fmt: skip


def _after_no(text: str) -> int:
    match = re.match(r"\W*\w+[ ,.!،—–-]+", text)
    return match.end() if match else 0


_INSTEAD = re.compile(r"(?<!\w)(?:but(?: to)?|it's|а(?: на)?|это|بل|لكن من|bas|bs|bal)\s+")


def _read_other_concept(
    message: FoldedMessage, fact: KnownFact, place: int, concepts: ConceptTable
) -> tuple[str | None, str, int, int]:
    match = _INSTEAD.search(message.text, place)
    if match is not None:
        values = read_list(message.text, match.end(), concepts, fact.type)
        if values and values[0].key != fact.key:
            return values[0].value, values[0].key, values[0].start, values[0].end
    return None, fact.key, place, place


def _make(
    outcome: Outcome,
    facts: tuple[KnownFact, ...],
    hit: CorrectionPattern,
    message: FoldedMessage,
    replacement: ExtractedFact | None = None,
) -> Correction:
    return Correction(outcome, facts, hit.language, hit.name, message.source.strip(), replacement)
