"""Denials told in a whole message: a clause pattern in one clause, about a thing named there or right before."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from factcheck.instant.core.author_spans import AuthorSpans
from factcheck.instant.core.clause_patterns import ClausePatterns, Group, PlainClause
from factcheck.instant.core.clauses import Sentence, Span
from factcheck.instant.core.denial_clauses import DOCTOR_SAYS, THAT, is_introduced, is_own, mask_fact
from factcheck.instant.core.denial_rules import Strength
from factcheck.instant.core.known_facts import KnownFact
from factcheck.instant.core.lexicon import OTHER_THING, THING, Lexicon
from factcheck.instant.core.messages import FoldedMessage

_MAX_SENTENCES_BACK = 1
"""How many sentences before a clause may name what it is about."""
_JOINS = re.compile(r"\W*(?:and|or|nor|n|и|или|ни|و|او|w|wa|aw)?\W*")
_JOINED = re.compile(
    r"(?:^|(?<=\s))[وف](?=(?:ما|مو|مب|مش|مافي|ماعندي|معنديش|لا|لم|ليس|لست|صار|صارت|صرت|رجع|رجعت|بقي|بقيت|طلع|طلعت|تبين|راحت"
    r"|تقدر|ممكن|عادي|انا|شيل|شيلها|شيلو|امسح|امسحها|احذف|الغي|لغيت|الحين|خلاص|حساسيه|الحساسيه|المنع|الحظر|مسموح)(?!\w))"
)
"""و or ف joined to a word that begins a statement of its own."""
_ADJUNCT_BEFORE = re.compile(r"(?<!\w)(?:after|since|thanks to|после|بعد|ba3d)\W*$")
_OWN_START = re.compile(r"(?<![\w'])(?:i|i'?m|i'?ve|my|у меня|мне|я|моя|ana|انا|صرت|رجعت|ما عندي)(?![\w'])")
_ASKS_TO_REMEMBER = re.compile(
    r"\W*(?:(?:so|and|hey|а|ну) )*(?:remember|recall|do you remember|помнишь|помните|فاكر\w*|تذكر|تتذكر|بتتذكر\w*|متذكر"
    r"|faker\w*|fakra|btetzakkar\w*|tetzakar)(?!\w)"
)
_RECALLED = re.compile(
    r"(?<!\w)(?:asked|told|said|banned|request\w*|rule|bans?|line|veil|limit\w*|boundar\w*"
    r"|просил\w*|говорил\w*|сказал\w*|запре\w*|ограничени\w*|вето|табу"
    r"|قلت\w*|قايل\w*|طلبت\w*|طالب\w*|منع\w*|ممنوع\w*|حظر\w*"
    r"|2olt\w*|gelt\w*|2elt\w*|6alabt\w*|talabt\w*|mana3\w*|man3|mamno+3\w*)(?!\w)"
)
"""What tells that something was asked for before."""
_REFUSED = re.compile(
    r"(?<!\w)(?:no|not|without|leave out|leaving out|skip\w*|avoid\w*|never|без|не|никак\w*|بدون|بلا|ما|لا"
    r"|bidoon|bdoon|bala)(?!\w)"
)
"""What asks for it now, or repeats what was asked for."""
_TAKEN_BACK = re.compile(
    r"(?<!\w)(?:jk|just kidding|kidding|joking|psych|scratch that|wait,? no|oh wait|actually no|nah jk"
    r"|шучу|шутка|прикол\w*"
    r"|ой нет|стоп нет|в смысле|امزح|بمزح|بهزر|نكته|مزح\w*|bamza7|amza7|bahazar|b3mel)(?!\w)"
)
_FIRST_PERSON = re.compile(
    r"(?<![\w'])(?:i|i'?m|i'?ve|my|me|mine|we|we're|our|я|мне|меня|мной|мой|мое|моя|мою|моей|мои|свой|свою|свое"
    r"|انا|عندي|لي|معي|عني|لدي|فيني|فيا|ماعندي|معندي|معنديش|ماني|لست|رجعت|صرت|بقيت|شفيت|تخلصت|تعالجت|رفعت|لغيت|الغيت"
    r"|ana|3[aei]?nd[iye]\w*|li|ma3i|m3i|m[ae]?[ ]?3[ae]?nd[iey]*[cs]?h?|rje?3t|raja3t|ba2e?it|sert"
    r"|lghet|rafa3t)(?![\w'])"
    r"|(?<!\w)\w{2,}(?:ю|юсь|ем|им)(?!\w)|(?<!\w)ت\w{2,}(?:ني|لي)(?!\w)"
)
_MAY_TELL = re.compile(r"(?:可以|能|随便|尽管|放心) ?(?:给 ?我 ?)?(?:讲|写|推荐|推|画)")
"""What the assistant alone does: 鬼故事可以讲了."""
_ADDRESSED = re.compile(
    r"(?<![\w'])(?:you|u|your|please|pls|feel free|go ahead|let's|можешь|можете|можно|пожалуйста|разреша\w+"
    r"|تقدر\w*|فيك\w*|ممكن|يمكنك|مسموح\w*|ta?2dar\w*|t[ie]2dar\w*|fik|feek)(?![\w'])"
)


@dataclass(frozen=True, slots=True)
class _Piece:
    """A clause of a sentence, masked for one fact and made plain."""

    sentence: Sentence
    index: int
    start: int
    end: int
    masked: str
    plain: PlainClause
    names_other: bool


@dataclass(frozen=True, slots=True)
class MatchedDenial:
    """How plainly a clause takes a fact back, and its range in the folded text."""

    strength: Strength
    start: int
    end: int


class DenialMatcher:
    """One message read for clause patterns, a fact at a time."""

    def __init__(
        self, message: FoldedMessage, spoken: AuthorSpans, sentences: Sequence[Sentence], lexicon: Lexicon,
        patterns: ClausePatterns, *, arabizi: bool,
    ) -> None:  # fmt: skip
        self._message, self._spoken, self._sentences = message, spoken, sentences
        self._lexicon, self._patterns, self._arabizi = lexicon, patterns, arabizi

    def read(
        self, fact: KnownFact, own: Sequence[Span], others: Sequence[Span], *, is_referred: bool
    ) -> MatchedDenial | None:
        """The plainest denial of a fact by a clause pattern; none where the message upholds the fact elsewhere."""
        pieces = [
            piece for index, each in enumerate(self._sentences) for piece in self._cut(index, each, fact, own, others)
        ]
        found: MatchedDenial | None = None
        named: _Piece | None = None
        is_near = is_referred
        for piece in pieces:
            has_thing = THING in piece.masked
            about = has_thing or (is_near and not piece.names_other and self._is_close(piece, named))
            strength = self._judge(piece, fact, named, has_thing=has_thing) if about else None
            if strength is not None and (found is None or found.strength == "doubtful"):
                found = MatchedDenial(strength, piece.start, piece.end)
            if has_thing and strength is None and self._is_upheld(piece):
                return None
            if has_thing:
                is_near, named = True, piece
            elif piece.names_other:
                is_near = False
        if found and (_TAKEN_BACK.search(self._message.text) or self._is_dangerous(fact)):
            return MatchedDenial("doubtful", found.start, found.end)
        return found

    def _cut(
        self, index: int, sentence: Sentence, fact: KnownFact, own: Sequence[Span], others: Sequence[Span]
    ) -> Iterator[_Piece]:
        """The clauses of a sentence; one that only names things belongs to the clause that it is listed with."""
        text = self._message.text
        spans: list[Span] = []
        for start, end in self._split_joined(sentence.clauses):
            is_joined = bool(spans) and _JOINS.fullmatch(text[spans[-1][1] : start]) is not None
            if is_joined and any(self._is_bare(*span, fact, own, others) for span in ((start, end), spans[-1])):
                spans[-1] = (spans[-1][0], end)
            else:
                spans.append((start, end))
        for start, end in self._join_reports(spans):
            masked = mask_fact(text, start, end, own, others, fact)
            if _ADJUNCT_BEFORE.search(text[sentence.start : start]):
                masked = _cut_adjunct(masked)
            plain = self._patterns.make_plain(masked, arabizi=self._arabizi)
            yield _Piece(sentence, index, start, end, masked, plain, OTHER_THING in plain.text)

    def _join_reports(self, spans: Sequence[Span]) -> list[Span]:
        """Clauses with "the doctor said," before "that …" as one: clause patterns know that opening."""
        joined: list[Span] = []
        text = self._message.text
        for start, end in spans:
            if joined and THAT.match(text, start, end) and DOCTOR_SAYS.search(text, *joined[-1]):
                joined[-1] = (joined[-1][0], end)
            else:
                joined.append((start, end))
        return joined

    def _split_joined(self, clauses: Sequence[Span]) -> Iterator[Span]:
        """Clauses cut once more where و or ف stands joined to the first word of a statement."""
        for start, end in clauses:
            place = start
            for joint in _JOINED.finditer(self._message.text, start, end):
                if self._message.text[place : joint.start()].strip():
                    yield place, joint.start()
                place = joint.end()
            yield place, end

    def _is_bare(self, start: int, end: int, fact: KnownFact, own: Sequence[Span], others: Sequence[Span]) -> bool:
        """Whether a clause names a thing and says nothing of it."""
        masked = mask_fact(self._message.text, start, end, own, others, fact)
        return self._patterns.make_plain(masked, arabizi=self._arabizi).text in (THING, OTHER_THING)

    def _is_close(self, piece: _Piece, named: _Piece | None) -> bool:
        return named is None or piece.index - named.index <= _MAX_SENTENCES_BACK + 1

    def _judge(self, piece: _Piece, fact: KnownFact, named: _Piece | None, *, has_thing: bool) -> Strength | None:
        """How plainly a clause denies the fact; None where it fits no pattern, or is not meant so."""
        group = self._find_group(piece, fact, named, has_thing=has_thing)
        if group is None or piece.sentence.is_question:
            return None
        text = self._message.text
        if not is_own(self._message, self._spoken, piece.start, piece.end) or is_introduced(
            text[piece.sentence.start : piece.start], self._lexicon
        ):
            return None
        around = self._patterns.blank_excused(text[piece.sentence.start : piece.sentence.end], arabizi=self._arabizi)
        if self._lexicon.has_guard("keep", around):
            return None
        is_first = _FIRST_PERSON.search(piece.masked) is not None or _MAY_TELL.search(piece.masked) is not None
        if self._lexicon.has_guard("others", around) and not is_first:
            return None
        everywhere = self._patterns.blank_excused(text, arabizi=self._arabizi)
        is_doubtful = (
            group == "doubt"
            or (group == "retract" and not self._is_recalled(named))  # "no spiders. forget it" may mean the chatter
            or (named is None and not has_thing and group != "relation")  # "I'm not afraid of him" after a claim
            or self._lexicon.has_guard("doubt", around)
            or self._lexicon.has_guard("danger", around)
            or self._patterns.is_limited(
                self._patterns.blank_excused(piece.masked, arabizi=self._arabizi), arabizi=self._arabizi
            )
            or (not is_first and not _ADDRESSED.search(piece.masked) and self._lexicon.has_guard("others", everywhere))
        )
        return "doubtful" if is_doubtful else "explicit"

    def _find_group(self, piece: _Piece, fact: KnownFact, named: _Piece | None, *, has_thing: bool) -> Group | None:
        plain = piece.plain
        groups: list[Group] = ["relation", "thing", *(["now"] if plain.has_again else []), "doubt"]  # type: ignore[list-item]
        if has_thing:
            found = self._patterns.find(fact.type, plain.text, groups, arabizi=self._arabizi)
            return found if THING in plain.text else None
        referring = plain.pronouns_as_thing
        found = self._patterns.find(fact.type, plain.text, ["relation"], arabizi=self._arabizi)
        if found is None and THING in referring:
            found = self._patterns.find(fact.type, referring, groups, arabizi=self._arabizi)
        if found is None and named is not None and self._is_request(named):
            found = self._patterns.find(
                fact.type, plain.text, ["retract"], arabizi=self._arabizi
            ) or self._patterns.find(fact.type, referring, ["retract"], arabizi=self._arabizi)
        return found

    def _is_request(self, named: _Piece) -> bool:
        """Whether the words that named the thing recall what the player asked for."""
        sentence = self._message.text[named.sentence.start : named.sentence.end]
        if named.sentence.is_question and not _ASKS_TO_REMEMBER.match(sentence):
            return False
        return _RECALLED.search(sentence) is not None or _REFUSED.search(sentence) is not None

    def _is_recalled(self, named: _Piece | None) -> bool:
        """Whether the words that named the thing say that it was asked for before: "remember …", "I asked for no …"."""
        if named is None:
            return False
        sentence = self._message.text[named.sentence.start : named.sentence.end]
        return _RECALLED.search(sentence) is not None or _ASKS_TO_REMEMBER.match(sentence) is not None

    def _is_upheld(self, piece: _Piece) -> bool:
        return self._patterns.is_upheld(piece.masked, arabizi=self._arabizi)

    def _is_dangerous(self, fact: KnownFact) -> bool:
        text = self._patterns.blank_excused(self._message.text, arabizi=self._arabizi)
        return fact.type == "allergy" and self._lexicon.has_guard("danger", text)


def _cut_adjunct(masked: str) -> str:
    """A clause behind "after" from the first word of its author on: what is before belongs to the adjunct."""
    start = _OWN_START.search(masked)
    return masked[start.start() :] if start else masked
