"""Slips that players mend right behind: "oops, not peaches, apricots", «не Лисичка, а Лиса», 打错了，不是碘伏，是酒精.

A name gives way to the one that was meant; what protects only where the relation is named ("it's mustard I'm allergic
to, not sesame") or the author's words right before are called wrong and a known thing is meant ("typo: not shrimp,
crab"). "Sorry, cashews, not almonds" may be an order: the one stays, in doubt, and the other is added.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from factcheck.instant.core.arabizi import is_arabizi
from factcheck.instant.core.author_spans import AuthorSpans
from factcheck.instant.core.clauses import is_question
from factcheck.instant.core.concepts import ConceptTable
from factcheck.instant.core.denial_clauses import is_own
from factcheck.instant.core.instruction_words import load_instruction_words
from factcheck.instant.core.known_facts import KnownFact
from factcheck.instant.core.lexicon import load_lexicon
from factcheck.instant.core.mentions import find_mentions, stem_text
from factcheck.instant.core.messages import FoldedMessage
from factcheck.instant.core.narrative_modes import Span
from factcheck.instant.core.phrases import name_thing
from factcheck.instant.core.takeback_words import TakebackWords
from factcheck.instant.core.value_lists import Token, split_tokens
from knowledge.facts.core.types import THING_TYPES

MAX_SLIP_LENGTH = 160
MAX_WORDS = 3
"""Of what is meant instead."""
_NAME, _LANGUAGE = "name", "language"
_AROUND_LANGUAGES = re.compile(
    r"not|in|then|instead|no|nope|wait|actually|ok|okay|please|pls|but|to|it|should|be|reply|answer|speak|write"
    r"|не|на|по|нет|тогда|лучше|а|ой|стой|пожалуйста|مش|مو|لا|بال?|في|بل|mish|mesh|msh|mo|la|la2|bel|b|f"
    r"|不是|不|是|用|要|说"
)
"""What may stand around two languages of which one was meant."""
_BORDER = re.compile(
    r"[,،;:.!?؟\n—–…()\U0001f300-\U0001faff]+|\s-\s"
    r"|(?<=[\u3400-\u9fff])\s(?=不 ?是\s)|(?<![不就也才都说的])\s(?=是\s)"
    r"|(?<![\w'])(?:but(?: to)?|it'?s|а|но|بل|bal|而是|and|و|w)(?!\w)"
)
_CLAUSE_MARK = re.compile(r"[,،;:.!?؟\n—–…()]")
_CLAUSE_JOINT = re.compile(rf"{_CLAUSE_MARK.pattern}|(?<!\w)(?:and|so|и|و|w)(?!\w)|(?<=[我妈])(?:说|說)?(?=我)")
_JOINED = re.compile(r"\s*(?:and|&|\+|n|и|و|w|和|跟|还有)\s*")
"""Between a thing and what is said instead: it is both."""
_NAMED = re.compile(r"(?<!\w)(?:the|a|an|my|his|her|their|they|he|she|we)(?!\w)|(?<!\w)ال\w{3}")
_MAX_WORDS_TO_MISTAKE = 3
_ASKS = re.compile(r"(?<!\w)(?:please|pls|plz|пожалуйста|плиз|лучше|بليز|لو سمحت|رجاء|law sama7|请|麻烦)")
"""What makes an order of it: "not almonds, cashews please"."""
_CHECKS = re.compile(r"(?<!\w)(?:right|correct|да|так|верно|صح|sa7|对吧|对 ?吧)\W*$")
"""At the end: it asks whether it is so."""
_EXPLAINS = re.compile(
    r"(?<!\w)(?:sneez\w*|itch\w*|cough\w*|чиха\w*|чешусь|кашля\w*|عطاس|اعطس|حكه|3atas|打喷嚏|也|too|also|тоже|كمان|kaman|kamen)(?!\w)"
)
"""What is said instead is one more thing, or the cause of today's sneezing: the first stays in doubt."""
_COPULA = re.compile(r"(?<!\w)(?:هو|هي|howa|huwwa|hiyya)(?= (?:ال+ي|e?l+[iy])(?!\w))")
"""No other person: "it is mustard that …"."""
_YOU = re.compile(r"(?<!\w)(?:you|u|ты|вы|тебя|вас|انت\w*|enta|enti|ente|inta|inti|你|您)(?!\w)")
"""It may be the other that was wrong: "you mixed it up"."""
_ME = re.compile(r"(?<!\w)(?:me|my|mine|i'm|i|меня|мне|мое|мо[йюя]|ني|اسمي|\w+ni|我)(?!\w)")
_CALLS = re.compile(
    r"(?<!\w)(?:call\w*|nam(?:e[sd]?|ing)|tell\w*|sound\w*|nick\w*|зов\w+|назыв\w+|имя|ناد\w*|يناد\w*|سم\w*|nad\w*|sam+\w*|叫|名字)(?!\w)"
)
_THIRD = re.compile(
    r"(?<!\w)(?:he|she|him|her|they|them|characters?|killer|dog|cat|bear|персонаж\w*|он|она|они|кот\w{0,2}|пес|соба\w+|هو|هي|شخصي\w*|他|她|角色)(?!\w)"
)
"""Behind a name: it is somebody else's."""
_RELATION = re.compile(r"all?erg|аллерги|حساسي|[7h]a?s+as|过敏")


@dataclass(frozen=True, slots=True)
class Slip:
    """A known fact that was said by mistake, and what is meant instead."""

    fact: KnownFact
    key: str
    value: str
    start: int
    end: int
    is_sure: bool
    """Whether the fact is plainly taken back; else it may still hold."""


def find_slip(
    message: FoldedMessage, spoken: AuthorSpans, facts: Sequence[KnownFact], just_said: Sequence[KnownFact],
    concepts: ConceptTable, words: TakebackWords, *, asked: bool = False,
) -> Slip | None:  # fmt: skip
    """What a message says that was meant instead of a thing or a name that its author stated last.

    `asked`: the assistant asked who, which "not Lisa, Tom" may answer.
    """
    text = message.text
    if len(text) > MAX_SLIP_LENGTH or is_question(text) or _CHECKS.search(text):
        return None
    names = [] if asked else [fact for fact in facts if fact.key == _NAME]
    said = [fact for fact in just_said if fact.type in THING_TYPES or fact in names] or names
    marks = list(words.slip.finditer(text))
    plain = _blank(text, [mark.span() for mark in marks])
    pieces = list(_cut(plain, words)) if said else []
    is_mistake = words.slip_own.search(text) is not None and _YOU.search(text) is None
    stemmed = stem_text(text)
    for fact in said:
        mentions = find_mentions(stemmed, fact, concepts)
        for index, piece in enumerate(pieces):
            if not piece.is_denied or not _is_all(text, piece, mentions, words):
                continue
            read = (_read(message, each, fact, concepts, words, marks) for each in _list_beside(pieces, index))
            found = max(filter(None, read), key=lambda each: each.is_sure, default=None)
            if found is None or _is_guarded(message, spoken, piece, found):
                continue
            first, last = message.sentence(found.start, found.end)
            is_name = fact.key == _NAME
            others = [each for each in pieces if each is not piece and not each.start <= found.start < each.end]
            if is_name and first <= piece.start and _may_stand_beside(text[:first], text[last:], words):
                others = [each for each in others if first <= each.start < last]
            again = [] if is_name else _find_again(text, found)
            says_more = any(_says_more(plain, each, words) and not _is_of(each, [*mentions, *again]) for each in others)
            if says_more or _ASKS.search(text):
                if found.is_sure and not is_name:
                    return found
                continue
            is_known = concepts.find(found.key.replace("_", " "), fact.type) is not None
            of_it = [each for each in others if _is_of(each, mentions)]
            is_fine = any(_is_fine(text, each, mentions, words) for each in of_it)
            is_plain = fact in just_said and (is_fine or (is_mistake and is_known)) and not _EXPLAINS.search(text)
            return replace(found, is_sure=found.is_sure or is_plain)
    return None


def is_mistake_alone(text: str, words: TakebackWords) -> bool:
    """Whether the author calls their own words a mistake in a clause that names nothing: no "I mixed up the jars"."""
    if any(each.search(text) for each in (_YOU, _ASKS, _CHECKS, _EXPLAINS)):
        return False
    for mark in words.slip_own.finditer(text):
        before, behind = _CLAUSE_JOINT.split(text[: mark.start()])[-1], _CLAUSE_MARK.split(text[mark.end() :])[0]
        said = [word for word, _, _ in split_tokens(before, 0, len(before)) if word[0].isalnum()]
        is_own = len(said) <= _MAX_WORDS_TO_MISTAKE and not load_lexicon().has_guard("others", before)
        if is_own and not _NAMED.search(before) and not _says_more(behind, _Piece(0, len(behind)), words):
            return True
    return False


def denies_alone(text: str, mentions: Sequence[Span], new: Span | None, words: TakebackWords) -> bool:
    """Whether a clause of a folded text says of a thing that it is not, and nothing else: "it's not latex", no "the
    bottle isn't penicillin"; and the clause of what is meant instead (`new`) does not name it once more.
    """
    if new is not None and any(_JOINED.fullmatch(text[slice(*_between(each, new))]) for each in mentions):
        return False
    plain = _blank(text, [mark.span() for mark in words.slip.finditer(text)])
    place, found = 0, False
    for border in (*_BORDER.finditer(plain), None):
        end = len(plain) if border is None else border.start()
        denied = words.denied.search(plain, place, end)
        if denied is None and new is not None and place <= new[0] < end and _is_of(_Piece(place, end), mentions):
            return False
        if denied is not None and not _says_more(plain, _Piece(place, denied.start()), words):
            found = found or _is_all(plain, _Piece(denied.end(), end, is_denied=True), mentions, words)
        place = end if border is None else border.end()
    return found


def _between(one: Span, other: Span) -> Span:
    return (one[1], other[0]) if one[1] <= other[0] else (other[1], one[0])


def find_language_slip(
    message: FoldedMessage, spoken: AuthorSpans, facts: Sequence[KnownFact], just_said: Sequence[KnownFact],
    words: TakebackWords,
) -> Slip | None:  # fmt: skip
    """The language that was meant in place of the one that its author wished last: "Portuguese then, not Spanish".

    The message says nothing else: "he's Portuguese, not Spanish" is of somebody, "French wine, not Spanish" of wine.
    """
    text = message.text
    wished = next((fact for fact in facts if fact.key == _LANGUAGE), None)
    marks = list(words.slip.finditer(text))
    if wished is None or not (marks or wished in just_said) or is_question(text):
        return None
    plain = _blank(text, [mark.span() for mark in marks])
    languages = load_instruction_words()
    pieces = list(_cut(plain, words))
    spans = [match.span() for each in languages.languages for match in each.names.finditer(plain)]
    around = [word for word, start, _ in split_tokens(plain, 0, len(plain)) if not _is_within(start, spans)]
    if _ME.search(plain) or any(not _AROUND_LANGUAGES.fullmatch(word) for word in around if word[0].isalnum()):
        return None
    for index, piece in enumerate(pieces):
        refused = languages.find_language(plain[piece.start : piece.end]) if piece.is_denied else None
        if refused is None or refused.name != wished.value:
            continue
        for beside in _list_beside(pieces, index):
            meant = languages.find_language(plain[beside.start : beside.end])
            if meant is not None and is_own(message, spoken, beside.start, beside.end):
                return Slip(wished, _LANGUAGE, meant.name, beside.start, beside.end, is_sure=True)
    return None


def _is_within(place: int, spans: Sequence[Span]) -> bool:
    return any(start <= place < end for start, end in spans)


def _is_guarded(message: FoldedMessage, spoken: AuthorSpans, piece: _Piece, found: Slip) -> bool:
    """Whether a slip is another's, or not meant so. Anybody may be why one is called by a name: "my gran says so"."""
    text, lexicon = message.text, load_lexicon()
    first, last = message.sentence(found.start, found.end)
    own = text[first:last] if found.key == _NAME else text
    if lexicon.has_guard("others", _COPULA.sub(" ", own)):
        return True
    if found.is_sure and lexicon.has_guard("keep", text[first:last]):
        return True
    return not all(is_own(message, spoken, *span) for span in ((piece.start, piece.end), (found.start, found.end)))


def _may_stand_beside(before: str, behind: str, words: TakebackWords) -> bool:
    """Whether the sentences around one that mends a name leave it the author's."""
    is_open = "?" not in before and not _THIRD.search(before) and not load_lexicon().has_guard("keep", before)
    return is_open and (not behind.strip() or _tells_of_author(behind, words))


def _tells_of_author(behind: str, words: TakebackWords) -> bool:
    """Whether the words behind a name are of its author and of how they are called: "my grandma calls me that"."""
    if _THIRD.search(behind) or load_lexicon().has_guard("keep", behind):
        return False
    return words.slip_own.search(behind) is not None or (_ME.search(behind) and _CALLS.search(behind)) is not None


def may_mend(text: str, words: TakebackWords) -> bool:
    """Whether a folded text denies something and names another beside it, whatever is known of its author."""
    if len(text) > MAX_SLIP_LENGTH or words.denied.search(text) is None:
        return False
    pieces = list(_cut(_blank(text, [mark.span() for mark in words.slip.finditer(text)]), words))
    return any(
        _list_meant(text, each, words)
        for index, piece in enumerate(pieces)
        if piece.is_denied
        for each in _list_beside(pieces, index)
    )


@dataclass(frozen=True, slots=True)
class _Piece:
    start: int
    end: int
    is_denied: bool = False


def _says_more(text: str, piece: _Piece, words: TakebackWords) -> bool:
    """Whether a piece says anything but what may stand around a slip."""
    return any(
        not words.slip_words.fullmatch(word)
        for word, _, _ in split_tokens(text, piece.start, piece.end)
        if word[0].isalnum()
    )


def _is_of(piece: _Piece, mentions: Sequence[Span]) -> bool:
    """Whether a piece speaks of the fact itself: "almonds I eat by the fistful"."""
    return any(piece.start <= start and end <= piece.end for start, end in mentions)


def _is_fine(text: str, piece: _Piece, mentions: Sequence[Span], words: TakebackWords) -> bool:
    """Whether a piece says of the fact that it does no harm, and nothing else: no "only in my dreams"."""
    fine = words.slip_fine.search(text, piece.start, piece.end)
    if fine is None:
        return False
    known = [fine.span(), *mentions]
    return all(
        _is_within(start, known) or words.slip_fine_around.fullmatch(word) or words.slip_words.fullmatch(word)
        for word, start, _ in split_tokens(text, piece.start, piece.end)
        if word[0].isalnum()
    )


def _find_again(text: str, slip: Slip) -> list[Span]:
    """Where what is meant is said: once more behind, perhaps, "el gambary. 7asasety men el gambary"."""
    said = re.escape(text[slip.start : slip.end])
    return [match.span() for match in re.finditer(rf"(?<!\w){said}(?!\w)", text)]


def _blank(text: str, spans: Sequence[Span]) -> str:
    for start, end in spans:
        text = f"{text[:start]}{',' * (end - start)}{text[end:]}"
    return text


def _cut(text: str, words: TakebackWords) -> Iterator[_Piece]:
    """Pieces between marks and joints, cut once more before "not"; those without a word left out."""
    place = 0
    for border in (*_BORDER.finditer(text), None):
        end = len(text) if border is None else border.start()
        denied = words.denied.search(text, place, end)
        if denied is None:
            parts = [_Piece(place, end)]
        else:
            parts = [_Piece(place, denied.start()), _Piece(denied.end(), end, is_denied=True)]
        yield from (part for part in parts if any(character.isalnum() for character in text[part.start : part.end]))
        place = len(text) if border is None else border.end()


def _is_all(text: str, piece: _Piece, mentions: Sequence[Span], words: TakebackWords) -> bool:
    """Whether a piece names the fact and says nothing else."""
    inside = [span for span in mentions if piece.start <= span[0] and span[1] <= piece.end]
    if not inside:
        return False
    before, behind = _Piece(piece.start, inside[0][0]), _Piece(inside[-1][1], piece.end)
    return not _says_more(text, before, words) and not _says_more(text, behind, words)


def _list_beside(pieces: Sequence[_Piece], index: int) -> list[_Piece]:
    """The piece behind one, then the one before it, as far as they deny nothing."""
    beside = [pieces[place] for place in (index + 1, index - 1) if 0 <= place < len(pieces)]
    return [piece for piece in beside if not piece.is_denied]


def _list_meant(text: str, piece: _Piece, words: TakebackWords) -> list[Token]:
    """The few words of a piece that name a thing, without what leads to them or follows; none if it says more."""
    lead = words.slip_lead.match(text, piece.start, piece.end)
    start = lead.end() if lead else piece.start
    tail = words.slip_tail.search(text, start, piece.end)
    tokens = [
        token for token in split_tokens(text, start, tail.start() if tail else piece.end) if token[0][0].isalnum()
    ]
    is_thing = len(tokens) <= MAX_WORDS and not any(_RELATION.search(token[0]) for token in tokens)
    return tokens if is_thing else []


def _read(
    message: FoldedMessage, piece: _Piece, fact: KnownFact, concepts: ConceptTable, words: TakebackWords,
    marks: Sequence[re.Match[str]],
) -> Slip | None:  # fmt: skip
    """What a piece names, if it names one thing and says nothing else."""
    text = message.text
    tokens = _list_meant(text, piece, words)
    if not tokens:
        return None
    start, end = tokens[0][1], tokens[-1][2]
    is_related = fact.type == "allergy" and _RELATION.search(text, piece.start, piece.end) is not None
    is_sure = is_related and _EXPLAINS.search(text) is None
    if fact.key == _NAME:
        first, last = message.locate(start, end)
        if message.source[first].islower() or (len(tokens) > 1 and message.source[first].isupper()):
            return None
        return Slip(fact, _NAME, message.source[first:last], start, end, is_sure=True)
    concept = concepts.find(text[start:end], fact.type)
    if concept is None and is_arabizi(text):
        phrase = concepts.find_arabizi_phrase([word for word, _, _ in tokens], fact.type)
        concept = phrase[0] if phrase and phrase[1] == len(tokens) else None
        concept = concept or (concepts.find_arabizi(tokens[0][0], fact.type) if len(tokens) == 1 else None)
    if concept is not None and concept.key != fact.key:
        return Slip(fact, concept.key, concept.key, start, end, is_sure)
    is_meant = is_sure or bool(marks)
    named = name_thing([word for word, _, _ in tokens], fact.type) if concept is None and is_meant else None
    return None if not named else Slip(fact, named.replace(" ", "_"), named, start, end, is_sure)
