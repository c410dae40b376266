"""What players take back of their own: a joke, a word to be forgotten, a thing that was too wide."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from factcheck.instant.core.arabizi import is_arabizi
from factcheck.instant.core.author_spans import AuthorSpans
from factcheck.instant.core.clauses import is_question, split_sentences
from factcheck.instant.core.concept_files import Concept
from factcheck.instant.core.concepts import MAX_NAME_WORDS, ConceptTable, stems_of
from factcheck.instant.core.guards import blank_earnestness
from factcheck.instant.core.known_facts import KnownFact
from factcheck.instant.core.lexicon import load_lexicon
from factcheck.instant.core.mentions import StemmedText, find_mentions, stem_text
from factcheck.instant.core.messages import FoldedMessage
from factcheck.instant.core.narrative_modes import Span
from factcheck.instant.core.phrases import name_thing
from factcheck.instant.core.takeback_words import TakebackWords
from factcheck.instant.core.value_lists import split_tokens
from knowledge.facts.core.types import PROTECTED_TYPES

MAX_TAKEBACK_LENGTH = 90
_MAX_ONLY_WORDS, _MAX_ONLY_LENGTH = 8, 40
_MAX_NAMED = 6
"""Words before "was a joke" that name what was one: «про алкоголь это я прикалывался»."""
_BEHIND_JOKE = re.compile(r"[\W_]+|(?<!\w)(?:lol|haha+|ахах\w*|хах\w*|的|啦|呢|了|而已|btw|هه+|xd)(?!\w)")
_ABOUT = re.compile(r"\W*(?:about|with|on|про|насчет|о|об|عن|بخصوص|3an)(?!\w)")
_EXACT = re.compile(
    r"(?<!\w)(?:it's|i mean|i meant|really|actually|to be exact|specifically|речь|про|имел\w* в виду|точнее|вернее"
    r"|конкретно|اقصد|قصدي|يعني|a2?[sz]d[iy]|2a9di|ya3ni|我 是 说|指 的 是|我 说 的 是)(?!\w)"
)
"""What tells that a statement is made more exact, and nothing ordered: «речь только про копчёную рыбу»."""
_LIKED = re.compile(
    r"(?<!\w)(?:like|love|eat|enjoy|want|buy|have|люблю|ем|нравится|хочу|есть|احب|بحب|اكل|باكل|b7eb|bakol|喜欢|吃|爱)(?!\w)"
)
_NEAR = 16
"""Characters behind "only" in which a verb of liking makes it the opposite: "I only like fried fish"."""
_NOT_ONLY = re.compile(r"(?<![\w'])(?:not|isn't|aren't|не|مو|مش|مب|mo|mub|msh|mesh)\s*$")
_NOT_ALL = re.compile(
    r"(?<!\w)(?:not|не|مو|مش|مب|mo|mub|msh|mesh|mish|ma)(?: (?:to|на|من|min|mn))?(?: (?:all|every"
    r"|the other|other|все|всех|весь|вс[её]|كل|جميع|kol|kel))? *$"
)
_MARK = re.compile(r"[,،;:.!?؟\n—–…()]+")
_MAX_EXCEPTION_WORDS = 3
_OF_THEM = re.compile(r"of|them|it|those|nuts?|their|kinds?|я|ну|их|них|منهم|منها|منه|ala|ال\w+|el|l")
_ARTICLES = frozenset({"el", "il", "al", "l", "the"})
_REST = re.compile(
    r"(?<!\w)(?:(?:the )?(?:rest|others?)|everything else|остальн\w+|другие|другим|الباقي|الباقيه|غيره"
    r"|غيرها|el baqi|elba2i|el ba2[iy]|ba2i)(?!\w)"
    r"|(?<!\w)(?:not|не|مو|مش|مب|mo|mub|msh|mesh|mish)(?: (?:to|на|من|min|mn))? (?:all|every|все|всех|كل"
    r"|kol|kel)(?!\w)"
)


@dataclass(frozen=True, slots=True)
class Found:
    """A fact that is taken back, and the range of the folded text that does it."""

    fact: KnownFact
    start: int
    end: int
    is_named: bool = False
    is_over: bool = True
    """Whether an event will not be; one that is put off may be yet."""


@dataclass(frozen=True, slots=True)
class Narrowing:
    """A known fact that is too wide, and the narrower thing that holds."""

    fact: KnownFact
    key: str
    value: str
    start: int
    end: int


def find_joke(
    message: FoldedMessage, just_said: Sequence[KnownFact], facts: Sequence[KnownFact], concepts: ConceptTable,
    words: TakebackWords,
) -> list[Found]:  # fmt: skip
    """The facts that were a joke: all of the player's last statement, or those that "joking about …" names."""
    text = blank_earnestness(message.text)
    if is_question(text) or len(text) > MAX_TAKEBACK_LENGTH * 2:
        return []
    if len(text) <= MAX_TAKEBACK_LENGTH and words.joke.fullmatch(text):
        return [Found(fact, 0, len(text)) for fact in just_said]
    for sentence in split_sentences(text):
        part = text[sentence.start : sentence.end]
        joke = None if sentence.is_question else words.joke_inside.search(part)
        if joke is None:
            continue
        before, behind = part[: joke.start()], part[joke.end() :]
        is_led = not before.strip() and _ABOUT.match(part, joke.end())
        if is_led or (_only_names(before) and not _BEHIND_JOKE.sub("", behind).strip()):
            stemmed = stem_text(part if is_led else before)
            named = [fact for fact in facts if find_mentions(stemmed, fact, concepts)]
            if named:
                return [Found(fact, sentence.start, sentence.end, is_named=True) for fact in named]
    return []


def _only_names(before: str) -> bool:
    """Whether the words before "was a joke" may name one, and deny nothing: a denial in jest takes nothing back."""
    is_short = len(before.split()) <= _MAX_NAMED and not any(mark in before for mark in ",،;:")
    lexicon = load_lexicon()
    return (
        is_short and not lexicon.may_deny(before) and not any(each.kind == "negation" for each in lexicon.cut(before))
    )


def find_forgotten(
    message: FoldedMessage, just_said: Sequence[KnownFact], words: TakebackWords
) -> tuple[bool, list[Found]]:
    """Whether the whole message asks to forget what was just said, and the facts that were said there.

    "Forget it" and "never mind" are idioms: they take nothing back. With a reason behind it ("forget that, let's go
    north") it may be one, too: what protects the player is not forgotten by it.
    """
    text = message.text
    if len(text) > MAX_TAKEBACK_LENGTH or not just_said or text.rstrip().endswith(("?", "؟")):
        return False, []
    if words.keep.search(text):
        return False, []
    if words.forget.fullmatch(text):
        return True, [Found(fact, 0, len(text)) for fact in just_said]
    if words.forget_since.fullmatch(text) is None:
        return False, []
    open_ = [fact for fact in just_said if fact.type not in PROTECTED_TYPES]
    return bool(open_), [Found(fact, 0, len(text)) for fact in open_]


def may_narrow(text: str, words: TakebackWords) -> bool:
    """Whether a folded text may make what was stated last more exact."""
    return words.only.search(text) is not None and (
        len(text) <= _MAX_ONLY_LENGTH or any(each.search(text) for each in (words.not_all, _EXACT))
    )


def find_narrowing(
    message: FoldedMessage, spoken: AuthorSpans, facts: Sequence[KnownFact], referred: Sequence[KnownFact],
    concepts: ConceptTable, words: TakebackWords,
) -> Narrowing | None:  # fmt: skip
    """The narrower thing that a player names instead of a wider one: "only peanuts, not all nuts"."""
    text = message.text
    only = words.only.search(text)
    if only is None or is_question(text) or _NOT_ONLY.search(text[: only.start()]):
        return None
    if not spoken.contains(message.locate(only.start(), only.end())[0]):
        return None
    stemmed = stem_text(text)
    is_plain = _EXACT.search(text) is not None and _LIKED.search(text[: only.end() + _NEAR]) is None
    for fact in facts:
        if fact.type not in PROTECTED_TYPES:
            continue
        mentions = find_mentions(stemmed, fact, concepts)
        is_exact = fact in referred and is_plain
        for concept, start, end in _list_things(stemmed, fact.type, concepts):
            if concept.key == fact.key or any(first <= start < last for first, last in mentions):
                continue
            is_kind = is_exact and concept.key.endswith(f"_{fact.key}")
            narrower = (
                is_kind
                or concept.key in words.wider.get(fact.key, frozenset())
                or stems_of(text[start:end]) in words.kinds.get(fact.key, frozenset())
            )
            denies_rest = any(each.search(text) for each in (_REST, words.not_all)) or any(
                _NOT_ALL.search(text[max(0, first - 24) : first]) for first, _ in mentions
            )
            is_meant = (bool(mentions) and denies_rest) or (narrower and (fact in referred or denies_rest))
            is_meant = is_meant or (
                fact in referred and narrower and (is_exact or len(stemmed.words) <= _MAX_ONLY_WORDS)
            )
            if is_meant and (narrower or denies_rest) and _leads(text, only.end(), start, end):
                return Narrowing(fact, concept.key, concept.label, start, end)
        named = _name_part(text, only.end(), mentions, fact) if is_exact else None
        if named is None and (mentions or (referred and all(each.id == fact.id for each in referred))):
            named = _name_exception(text, fact, mentions, concepts, words)
        if named is not None:
            return named
    return None


def _name_exception(
    text: str, fact: KnownFact, mentions: Sequence[Span], concepts: ConceptTable, words: TakebackWords
) -> Narrowing | None:
    """What stands alone with "only" in its clause, behind "not all", whatever it is: "not all of them, only lupins"."""
    not_all = words.not_all.search(text)
    match = words.only.search(text, not_all.end()) if not_all else None
    if not_all is None or match is None:
        return None
    only = match.span()
    if not _denies_alone(text, not_all.span(), mentions, words):
        return None
    first = max((match.end() for match in _MARK.finditer(text, 0, only[0])), default=0)
    mark = _MARK.search(text, only[1])
    for first_letter, last_letter in ((only[1], mark.start() if mark else len(text)), (first, only[0])):
        lead = words.slip_lead.match(text, first_letter, last_letter)
        start = lead.end() if lead else first_letter
        behind = words.not_all_behind.search(text, start, last_letter)
        said_words = split_tokens(text, start, behind.start() if behind else last_letter)
        tokens = [token for token in said_words if token[0][0].isalnum() and token[0] not in _ARTICLES]
        if not tokens or len(tokens) > _MAX_EXCEPTION_WORDS:
            continue
        place = (tokens[0][1], tokens[-1][2])
        if any(span[0] < place[1] and place[0] < span[1] for span in mentions):
            continue
        said = text[slice(*place)]
        concept = concepts.find(said, fact.type)
        if concept is None and is_arabizi(text):
            concept = concepts.find_arabizi(tokens[-1][0], fact.type)
        name = concept.label if concept else name_thing([word for word, _, _ in tokens], fact.type)
        if name and (concept is None or concept.key != fact.key):
            return Narrowing(fact, concept.key if concept else name.replace(" ", "_"), name, *place)
    return None


def _denies_alone(text: str, not_all: Span, mentions: Sequence[Span], words: TakebackWords) -> bool:
    """Whether "not all" stands with nothing but the thing in its clause: not "not all of them came"."""
    first = max((match.end() for match in _MARK.finditer(text, 0, not_all[0])), default=0)
    border = _MARK.search(text, not_all[1]) or words.only.search(text, not_all[1])
    last = border.start() if border else len(text)
    known = [not_all, *mentions]
    return all(
        any(start <= place < end for start, end in known)
        or words.slip_words.fullmatch(word)
        or _OF_THEM.fullmatch(word)
        or words.only.fullmatch(word)
        for word, place, _ in split_tokens(text, first, last)
        if word[0].isalnum()
    )


def _name_part(text: str, only: int, mentions: Sequence[Span], fact: KnownFact) -> Narrowing | None:
    """The kind of the thing itself that stands behind "only": «только про копчёную рыбу», "only fried fish"."""
    for first, last in mentions:
        if first < only or not _leads(text, only, first, last):
            continue
        words = [word for word, _, _ in split_tokens(text, only, last) if word[0].isalnum()]
        named = name_thing(words, fact.type)
        if named is not None and len(named.split()) > len(text[first:last].split()):
            return Narrowing(fact, named.replace(" ", "_"), named, first, last)
    return None


def _leads(text: str, only: int, start: int, end: int) -> bool:
    """Whether "only" stands before the thing in its clause, a few words away at most, or right behind it."""
    between = text[only:start] if only <= start else text[end:only]
    return len(between.split()) <= 4 and not any(mark in between for mark in ",.;!?،؛")


def _list_things(stemmed: StemmedText, use: str, concepts: ConceptTable) -> list[tuple[Concept, int, int]]:
    words = [stemmed.text[start:end] for start, end in stemmed.words]
    found, index = [], 0
    while index < len(words):
        hit = concepts.find_prefix(words[index : index + MAX_NAME_WORDS], use)
        if hit:
            found.append((hit[0], stemmed.words[index][0], stemmed.words[index + hit[1] - 1][1]))
        index += hit[1] if hit else 1
    return found
