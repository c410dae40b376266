"""A reply cut into the clauses that state something, without who is spoken to and what is called out."""

from __future__ import annotations

import re
from dataclasses import dataclass

from factcheck.claims.core.replies.lexicon import CONDITION, CUES_OF_THE_CLAUSE, CUES_OF_THE_SENTENCE, Lexicon
from factcheck.claims.core.replies.texts import Text, read_text
from factcheck.core.tokens import Tokens, tokenize

_SENTENCE = re.compile(r"[^.!?…。！？؟\n]+(?:(?<=\d)[.,](?=\d)[^.!?…。！？؟\n]+)*[.!?…。！？؟\n]*[\"'»”’」]?")
_PIECE = re.compile(r"[^,;:،؛，；：—–]+(?:(?<=\d)[,:](?=\d{3})[^,;:،؛，；：—–]+)*")
_QUESTION = re.compile(r"[?？؟]")
_LONG_QUOTE = re.compile(r"[\"“«「『‘]([^\"”»」』’]{24,})[\"”»」』’]")
_CONTRAST = re.compile(
    r"\s+(?:but|although|though|whereas|while|yet)\s+"
    r"|\s+(?:and|so)\s+(?=(?:it|she|he|they|the|we|you|never|may not|no one|nobody)\b)"
    r"|\s+(?=(?:وليس|ولا|ولم|ولن)\b)",
    re.IGNORECASE,
)
ASKING_PARTICLES = frozenset({"هل", "разве", "неужели"})
SHORT_WORDS = 3
SHORT_CHARACTERS = 4


@dataclass(frozen=True, slots=True)
class Clause:
    """A part of a reply that says one thing."""

    quote: str
    """As it stands in the reply."""
    start: int
    text: Text
    sentence: int
    cues: frozenset[str]
    """Why it states nothing: `rumour`, `hypothetical`, `past` … Empty where it does."""
    is_negated: bool
    is_opening: bool
    """Whether it is of the first sentence that answers."""
    answer_index: int
    """Of its sentence, counted from the first that answers."""

    @property
    def tokens(self) -> Tokens:
        """Its words."""
        return self.text.tokens


def split_clauses(reply: str, lexicon: Lexicon) -> list[Clause]:
    """The clauses of a reply in order; those of questions, and what only addresses someone, are left out."""
    sentences = [(match.start(), match[0]) for match in _SENTENCE.finditer(reply) if match[0].strip()]
    cues = [find_cues(sentence, lexicon, CUES_OF_THE_SENTENCE) for _, sentence in sentences]
    is_joke = any("joke" in each for each in cues)
    clauses: list[Clause] = []
    answering: int | None = None
    for number, (start, whole) in enumerate(sentences):
        is_question = _QUESTION.search(whole) or _begins_asking(whole)
        sentence = _without_offer(whole, lexicon) if is_question else whole
        of_sentence = cues[number] | ({"joke"} if is_joke else set())
        if number + 1 < len(cues) and "denial" in cues[number + 1]:
            of_sentence |= {"denial"}
        if _LONG_QUOTE.search(sentence):
            of_sentence |= {"quote"}
        pieces = split_pieces(sentence, lexicon) if sentence else []
        if not pieces:
            continue
        answering = number if answering is None else answering
        texts = [read_text(quote, lexicon) for _, quote in pieces]
        conditional = _first_conditional(texts, lexicon)
        for place, ((offset, quote), text) in enumerate(zip(pieces, texts, strict=True)):
            own = find_cues(quote, lexicon, CUES_OF_THE_CLAUSE)
            if place >= conditional:
                own.add("hypothetical")
            clauses.append(
                Clause(
                    quote=quote,
                    start=start + offset,
                    text=text,
                    sentence=number,
                    cues=frozenset(of_sentence | own),
                    is_negated=_is_negated(text, lexicon),
                    is_opening=number == answering,
                    answer_index=number - answering,
                )
            )
    return clauses


def _first_conditional(texts: list[Text], lexicon: Lexicon) -> int:
    """The first clause that only holds on a condition: `we have two, if it stinks you are near` has two."""
    for place, text in enumerate(texts):
        idle = lexicon.lists["idiom"].places(text.words)
        if any(each.start not in idle for each in lexicon.cues[CONDITION].find(text.words)):
            return 0 if lexicon.lists["reckoning"].is_in(text.words) else place
    return len(texts)


def _is_negated(text: Text, lexicon: Lexicon) -> bool:
    """Whether the clause denies something; the `no` that opens an answer denies the question alone."""
    words = text.words
    opening = [each.end for each in lexicon.lists["no"].find(words) if each.start <= 1]
    start = max((end for end in opening if end < len(words) and words[end].gap), default=0)
    idle = lexicon.lists["idiom"].places(words)
    return any(each.start >= start and each.start not in idle for each in lexicon.find_negations(words))


def _without_offer(sentence: str, lexicon: Lexicon) -> str:
    """What a question tells before it offers something (`Eight pence a jug, want one?`); else nothing."""
    pieces = list(_PIECE.finditer(sentence))
    offers = [number for number, piece in enumerate(pieces) if _has_list(piece[0], lexicon, "offers")]
    asking = ("ask_who", "ask_which", "ask_when", "ask_number", "ask_yes")
    if not offers or not offers[0]:
        return ""
    told = sentence[: pieces[offers[0]].start()]
    is_asking = any(_has_list(told, lexicon, name) for name in asking)
    return "" if is_asking or _begins_asking(sentence) else told


def _has_list(text: str, lexicon: Lexicon, name: str) -> bool:
    return lexicon.lists[name].is_in(tokenize(text).words)


def _begins_asking(sentence: str) -> bool:
    words = tokenize(sentence).words
    return bool(words) and words[0].text in ASKING_PARTICLES


def find_cues(text: str, lexicon: Lexicon, names: tuple[str, ...]) -> set[str]:
    words = tokenize(text).words
    idle = lexicon.lists["idiom"].places(words)
    return {name for name in names if any(each.start not in idle for each in lexicon.cues[name].find(words))}


def split_pieces(sentence: str, lexicon: Lexicon) -> list[tuple[int, str]]:
    """Where clauses begin in a sentence, and their words; a short one belongs to the one that follows it."""
    cut = _CONTRAST.sub(lambda match: "," + " " * (len(match[0]) - 1), sentence)
    found: list[tuple[int, int]] = []
    for match in _PIECE.finditer(cut):
        words = tokenize(match[0]).words
        if not words or _is_address(match[0], lexicon):
            continue
        if found and _is_short(sentence[slice(*found[-1])]):
            found[-1] = (found[-1][0], match.end())
        else:
            found.append((match.start(), match.end()))
    if len(found) > 1 and _is_short(sentence[slice(*found[-1])]):
        last = found.pop()
        found[-1] = (found[-1][0], last[1])
    return [_trim(sentence, start, end) for start, end in found]


def _is_address(piece: str, lexicon: Lexicon) -> bool:
    """Whether a piece only speaks to someone or calls out."""
    words = tokenize(piece).words
    if any(each.start == 0 for name in ("yes", "no") for each in lexicon.lists[name].find(words)):
        return False
    known = lexicon.lists["address"].places(words)
    return len(known) == len(words)


def _is_short(piece: str) -> bool:
    words = tokenize(piece).words
    return len(words) < (SHORT_CHARACTERS if words and words[0].kind == "han" else SHORT_WORDS)


def _trim(sentence: str, start: int, end: int) -> tuple[int, str]:
    piece = sentence[start:end]
    left = len(piece) - len(piece.lstrip(" \t\n,;:،؛，；：—–-\"'«“"))
    return start + left, piece.strip(" \t\n,;:،؛，；：—–-\"'«“».!…。！؟?”")
