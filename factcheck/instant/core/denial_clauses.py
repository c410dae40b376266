"""Clauses as denials read them: with names of things masked, and whether the author says them for themselves."""

from __future__ import annotations

import re
from collections.abc import Sequence

from factcheck.instant.core.author_spans import AuthorSpans
from factcheck.instant.core.clauses import Sentence, Span
from factcheck.instant.core.concepts import MAX_NAME_WORDS, ConceptTable
from factcheck.instant.core.known_facts import KnownFact
from factcheck.instant.core.lexicon import OTHER_THING, THING, Lexicon
from factcheck.instant.core.mentions import StemmedText
from factcheck.instant.core.messages import FoldedMessage
from factcheck.instant.core.takeback_words import load_takeback_words

CONDITIONS = {
    "gluten": re.compile(r"(?<!\w)(?:co?eliac(?: disease)?|целиаки[яиюей]+|سيلياك|السيلياك|سيلياكي)(?!\w)"),
    "lactose": re.compile(r"乳糖 ?不 ?耐 ?(?:受|症)?"),
}
"""Names of an intolerance that name its thing, too."""
VOCATIVE = re.compile(r"(?<!\w)(?:يا (?!ريت|ليت)|ya (?!r[ei]+t|l[ae]it))\w+")
"""Whom an author speaks to is no other person."""


def mask_fact(text: str, start: int, end: int, own: Sequence[Span], others: Sequence[Span], fact: KnownFact) -> str:
    """The range of a text masked for a fact; the name of an intolerance stands for its thing, too."""
    condition = CONDITIONS.get(fact.key) if fact.type == "allergy" else None
    if condition is None:
        return mask(text, start, end, own, others)
    own, others = ([span for span in spans if not condition.search(text, *span)] for spans in (own, others))
    return condition.sub(f" {THING} allergy ", mask(text, start, end, own, others))


def mask(text: str, start: int, end: int, own: Sequence[Span], others: Sequence[Span]) -> str:
    """The range of a text with one sign for each name of the fact, and another for names of other things."""
    own, others = ([span for span in spans if span[1] > start and span[0] < end] for spans in (own, others))
    marks = {first: (last, THING) for first, last in own}
    for first, last in others:
        if not any(known < last and first < stop for known, (stop, _) in marks.items()):
            marks[first] = (last, OTHER_THING)
    parts, place = [], start
    for first, (last, sign) in sorted(marks.items()):
        if first < place or first >= end:
            continue
        parts += [text[place:first], " ", sign, " "]
        place = last
    return "".join([*parts, text[place:end]])


def find_things(stemmed: StemmedText, use: str, concepts: ConceptTable) -> list[Span]:
    """The names of any thing that facts of a type may be about."""
    found: list[Span] = []
    words = [stemmed.text[start:end] for start, end in stemmed.words]
    index = 0
    while index < len(words):
        hit = concepts.find_prefix(words[index : index + MAX_NAME_WORDS], use)
        if hit and not _IDIOM.search(stemmed.text[: stemmed.words[index][1]]):
            found.append((stemmed.words[index][0], stemmed.words[index + hit[1] - 1][1]))
        index += hit[1] if hit else 1
    return found


def find_arabizi_names(stemmed: StemmedText, fact: KnownFact, concepts: ConceptTable) -> list[Span]:
    """The ranges that name a fact in Arabizi, in whatever spelling."""
    found: list[Span] = []
    words = [stemmed.text[start:end] for start, end in stemmed.words]
    for index, (start, end) in enumerate(stemmed.words):
        phrase = concepts.find_arabizi_phrase(words[index : index + 2], fact.type)
        if phrase and phrase[0].key == fact.key:
            found.append((start, stemmed.words[index + phrase[1] - 1][1]))
            continue
        concept = concepts.find_arabizi(words[index], fact.type)
        if concept is not None and concept.key == fact.key:
            found.append((start, end))
    return found


_IDIOM = re.compile(r"(?<!\w)(?:out of|up to|to|due|save the) dates?$")
THAT = re.compile(r"\W*(?:that|что|будто|ان|اني|انه|انها|enno|inno|inni|enni)(?!\w)")
"""What begins a clause that somebody says, knows or supposes."""
DOCTOR_SAYS = re.compile(
    r"(?:врач|доктор|аллерголог|дерматолог|терапевт|анализ|тест)\w*(?: мне)?"
    r" (?:сказал|подтвердил|говорит|показал)\w*(?: мне)?\W*$"
    r"|(?:doctor|allergist|dermatologist|specialist|gp|tests?) (?:said|says|confirmed|told me|showed?)\W*$"
    r"|(?:دكتور|طبيب)\w* (?:قال|قالت|اكد|اكدت)\w*\W*$"
)
_SAID_TO_BE_SO = re.compile(
    r"(?:turns? out|turned out|found out|learn(?:ed|t)|know|sure|confirmed|happy|glad|say"
    r"|оказал\w+|выяснил\w+|узнал\w*|знаю"
    r"|уверен\w*|подтвердил\w*|сообщаю|рад|рада|говорю|скажу|потому|تبين|طلع|اتضح|عرفت|اكتشفت|ثبت|متاكد\w*|اقول|tele3|6ele3|3reft)\W*$"
)


def is_hearsay(text: str, sentences: Sequence[Sentence], start: int) -> bool:
    """Whether a clause is what somebody else says or supposes («сестра твердит, что …»), and no doctor confirms it."""
    sentence = next((each for each in sentences if each.start <= start < each.end), None)
    if sentence is None or not THAT.match(text, start):
        return False
    before = text[sentence.start : start]
    return bool(before.strip()) and not DOCTOR_SAYS.search(before) and not _SAID_TO_BE_SO.search(before)


_SPEAKS = re.compile(r"(?:\w+s|\w+ed|\w+[её]т|\w+ит|\w+[аие]л[аи]?|قال|قالت|يقول|تقول|همس|همست|صرخ|صرخت|رد|ردت)\W*$")
"""A verb of the third person at the end: "she whispers", «говорит»."""


_ORDERS = re.compile(
    r"(?<!\w)(?:say|fake|pretend|write|repeat|translate|type|read|quote|imagine|sing|recite|скажи|повтори|напиши|переведи"
    r"|притворись|представь|прочитай|спой|قل|قولي?|اكتبي?|ترجمي?|كرري?|تخيلي?|oul|2ool|ektob|翻译|翻成|译成|写|念|重复|假装)\w*"
    r"(?: \w+){0,2}\W*$"
)
"""An order at the end: "say it:", «переведи:»."""


def is_introduced(before: str, lexicon: Lexicon) -> bool:
    """Whether words that are not the author's ("the priest whispers:") or an order lead to a clause by a colon."""
    head, colon, rest = before.rstrip().rpartition(":")
    if colon and not rest.strip() and _ORDERS.search(head):
        return True
    if not colon or rest.strip() or not _SPEAKS.search(head):
        return False
    kinds = {token.kind for token in lexicon.cut(head)}
    return "unknown" in kinds and "first" not in kinds


def is_own(message: FoldedMessage, spoken: AuthorSpans, start: int, end: int) -> bool:
    """Whether the author says a clause for themselves from its first word to its last."""
    text = message.text[start:end]
    first = start + len(text) - len(text.lstrip(" \t\n\"'«“*_"))
    last = start + len(text.rstrip(" \t\n.!?؟;؛…*_\"'»”")) - 1
    return (
        last >= first
        and spoken.contains(message.locate(first, first + 1)[0])
        and spoken.contains(message.locate(last, last + 1)[0])
    )


def blank_doctors(text: str, near: str | None = None) -> str:
    """A text without who found it out and that they say so, where it names a doctor or a test, or words beside it do
    (`near`): that is no hearsay.
    """
    words = load_takeback_words()
    is_named = words.doctor.search(text if near is None else near) is not None
    return words.doctor_says.sub(" ", words.doctor.sub(" ", text)) if is_named else text
