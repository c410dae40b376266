"""Which articles a clause speaks of: those that it names, else those of the question, else the last named, else all."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from factcheck.claims.core.replies.canon import Canon
from factcheck.claims.core.replies.lexicon import ARABIC_THE, Lexicon
from factcheck.claims.core.replies.texts import Text
from factcheck.core.tokens import Token, find_sequence

IDLE_LISTS = ("asking_filler", "address", "weak", "asked_self", "permit")
"""Words of a question that tell nothing of what it is about."""
HAN_NAME = 2
"""So many characters before the sort of a place are read as its name."""


def list_named(words: Sequence[Token], canon: Canon) -> frozenset[str]:
    """The articles that the words name by title or alias; a name within a longer one does not count."""
    spans: list[tuple[int, int, str]] = []
    for slug, spellings in canon.names.items():
        for spelling in spellings:
            spans += [
                (start, start + len(spelling), slug)
                for start in find_sequence(words, spelling)
                if _is_written_as_name(words[start], spelling)
            ]
    return frozenset(
        slug
        for start, end, slug in spans
        if not any(other[0] <= start and end <= other[1] and other[1] - other[0] > end - start for other in spans)
    )


def name_places(words: Sequence[Token], canon: Canon) -> frozenset[int]:
    """The places of words that belong to a name that canon knows."""
    places: set[int] = set()
    for name in canon.known_names:
        for start in find_sequence(words, name):
            if _is_written_as_name(words[start], name):
                places.update(range(start, start + len(name)))
    return frozenset(places)


class Subjects:
    """Keeps who was named last while a reply is read."""

    def __init__(self, canon: Canon, question: Text, told: Iterable[str], lexicon: Lexicon) -> None:
        self.canon = canon
        self.lexicon = lexicon
        self.question = question
        self.told = frozenset(told) or frozenset(canon.names)
        self.named = list_named(question.words, canon)
        self.asked = self.named | self._typed(question) or self._find_by_content(question)
        self.last: frozenset[str] = frozenset()
        self.said_by_canon = " ".join(article.text for article in canon.articles)

    def resolve(self, clause: Text, *, sentence: frozenset[str] = frozenset()) -> frozenset[str]:
        """The slugs that the clause may speak of; `sentence` are those that its sentence names."""
        named = list_named(clause.words, self.canon)
        if named:
            self.last = named
            return named | (self.asked if self.asked & named else frozenset())
        if not self.asked and not self.last and len(sentence) == 1:
            self.last = sentence
        return self.asked or self.last or self.told

    def is_of_stranger(self, clause: Text) -> bool:
        """Whether the clause, or a question that names no article, gives a name that no article has."""
        if list_named(clause.words, self.canon):
            return False
        texts = [clause] if self.named else [clause, self.question]
        return any(self._has_strange_name(text.words) or self._has_strange_place(text) for text in texts)

    def _has_strange_name(self, words: Sequence[Token]) -> bool:
        return any(
            word.capital and place > 0 and word.text != "i" and not word.text.startswith(("i'", "i\u2019"))
            and word.lexeme not in self.canon.name_words and not set(word.gap) & set(".!?\u2026\u00ab\u201c\"'")
            for place, word in enumerate(words)
        )  # fmt: skip

    def _has_strange_place(self, text: Text) -> bool:
        """Whether a sort of place stands with a name that canon lacks, where a script has no capitals."""
        words = text.words
        stops = self.lexicon.lists["stop"].places(words)
        for found in self.lexicon.lists["place_sorts"].find(words):
            first, end = (
                (found.start - HAN_NAME, found.end)
                if words[found.start].kind == "han"
                else (found.start, found.end + 1)
            )
            span = words[max(first, 0) : end]
            if first < 0 or len(span) != end - first or any(word.gap for word in span[1:]):
                continue
            is_name = (
                span[-1].text.startswith(ARABIC_THE)
                if words[found.start].kind != "han"
                else not stops & set(range(first, end - 1))
            )
            name = text.tokens.text[span[0].start : span[-1].end]
            if is_name and name not in self.said_by_canon and span[-1].lexeme not in self.canon.name_words:
                return True
        return False

    def is_named(self) -> bool:
        """Whether the question names an article or its sort."""
        return bool(self.named or self._typed(self.question))

    def names_any(self, clause: Text) -> bool:
        """Whether the clause names an article that was told, or its sort."""
        return bool(list_named(clause.words, self.canon) or self._typed(clause))

    def is_settled(self) -> bool:
        """Whether the question or the reply says what is spoken of, or only one article was told."""
        return bool(self.asked or self.last or len(self.told) == 1)

    def _find_by_content(self, text: Text) -> frozenset[str]:
        """The one told article that holds more of the words that were asked than any other."""
        idle = frozenset().union(*(self.lexicon.lists[name].places(text.words) for name in IDLE_LISTS))
        asked = [keys for place, keys in enumerate(text.keys) if keys and place not in idle]
        counts = dict.fromkeys(self.told, 0)
        for keys in asked:
            held = [slug for slug in self.told if keys & self.canon.keys_of.get(slug, frozenset())]
            for slug in held if len(held) == 1 else ():
                counts[slug] += 1
        best = max(counts.values(), default=0)
        leaders = [slug for slug, count in counts.items() if count == best]
        return frozenset(leaders) if best and len(leaders) == 1 else frozenset()

    def _typed(self, text: Text) -> frozenset[str]:
        """Told articles of the sort that the text speaks of (`the bridge`)."""
        keys = text.all_keys()
        return frozenset(slug for slug in self.told if keys & self.canon.types.get(slug, frozenset()))


def _is_written_as_name(first: Token, spelling: tuple[str, ...]) -> bool:
    """Of a script with capitals, a name of one word has one: `the Bell` is not any bell."""
    has_capitals = first.text[:1].isascii() or "\u0400" <= first.text[:1] <= "\u04ff"
    return not has_capitals or first.capital or len(spelling) > 1
