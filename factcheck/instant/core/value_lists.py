"""Several values of one statement: "to nuts, milk n honey", "на орехи и на мёд", "جلد ولا صوف", "- gore\\n- clowns".

Reading stops, it does not fail: a list ends at its clause, and what stands behind it unknown is left alone.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from factcheck.instant.core.concept_files import Concept
from factcheck.instant.core.concepts import MAX_NAME_WORDS, ConceptTable, make_key
from factcheck.instant.core.phrases import MAX_PHRASE_WORDS, name_thing
from factcheck.instant.core.value_types import ReadValue
from factcheck.instant.core.words import read_words

_TOKEN = re.compile(r"[^\W_][\w'‑-]*|[^\w\s]|\n")
_MAX_LIST_LENGTH = 300
_MAX_VALUES = 12
_MAX_UNKNOWN_WORDS = 3
"""Unknown words that may stand between two things of a list; with more of them it is another clause."""
_HARD_STOPS = frozenset('.!?؟;؛\n<>…|"«»“”')
_SOFT_STOPS = frozenset("()[]{}—–:*")
_LEADS = frozenset(":=—–->")
_BULLETS = frozenset("-–—•*·▪●+0123456789.)")
_COMMAS = frozenset(",،/+&")
_CONJUNCTIONS = read_words("conjunctions")
_FILLERS = read_words("fillers")
_CLAUSE_OPENERS = read_words("clause_openers")
_TAIL = read_words("tail")
_METAPHORS = read_words("metaphors")
_HARMLESS = read_words("harmless")
_BORDERS = read_words("borders")
_ARABIZI_ARTICLES = frozenset({"el", "al", "il", "l"})
_INSIDE_OF = frozenset({"in", "в", "على"})
_MIN_CONSEQUENCE_LENGTH = 6
"""«فالاكسسوارات لازم فضة»: what follows "so the …" is another clause."""
_GROUNDS = frozenset({"thing", "reasons", "reason", "grounds", "beliefs", "rules", "principles"})
"""«I don't eat pork, religious reasons»: why, not what."""
_DISCOURSE = frozenset({"so", "thx", "thanks", "pls", "please", "guys", "bro", "dude", "lol", "man", "plz", "and"})
"""Behind these "ok" is no verdict on the thing before: "with lanolin okay so skip it"."""
_IS = frozenset({"is", "are", "is totally", "s", "это", "يكون", "مش", "r"})
_NEGATIONS = frozenset(
    {
        "bala",
        "bila",
        "bidoon",
        "bdoon",
        "bidun",
        "wala",
        "balash",
        "بلا",
        "بلاش",
        "no",
        "nor",
        "not",
        "never",
        "без",
        "ни",
        "никаких",
        "никакого",
        "никакой",
        "не",
        "بدون",
        "ولا",
    }
)
_ONLY = frozenset({"only", "только", "فقط"})
_EMPHATIC = frozenset({"موت", "mot", "moot", "mawt"})
"""What is said for "awfully" behind other words: "بحر فيه موت" names no death."""
_NEITHER = frozenset({"neither", "nothing", "none", "ничего", "ничему", "nada", "ولاشي"})
_EXCEPTIONS = frozenset({"except", "besides", "кроме", "unless", "الا", "ماعدا", "not", "не", "no", "нет", "مو", "مش"})


@dataclass(frozen=True, slots=True)
class ListedValue(ReadValue):
    """One value of a list, and whether a concept is known for it or its words are its name."""

    is_known: bool


Token = tuple[str, int, int]


@dataclass(frozen=True, slots=True)
class Reading:
    """How a list is to be read: of which things, whether unknown ones count, and how strictly."""

    table: ConceptTable
    use: str
    phrases: bool = False
    closed: bool = False
    arabizi: bool = False
    corrects_spelling: bool = False
    strict: bool = False
    """No unknown word may stand between the things."""
    direct: bool = False
    """The first thing must stand in the clause of the introduction, with no comma between."""


def read_list(
    text: str,
    start: int,
    table: ConceptTable,
    use: str,
    *,
    end: int | None = None,
    phrases: bool = False,
    closed: bool = False,
    arabizi: bool = False,
    corrects_spelling: bool = False,
    direct: bool = False,
    column: bool = False,
) -> list[ListedValue]:
    """The values that a phrase introduces, read from `start` to the end of the clause.

    A value is a known concept, or with `phrases` up to four words that may name a thing. With `closed`, every word must
    belong to the list and the list must end its clause; `corrects_spelling` forgives a letter of a longer name.
    """
    limit = min(len(text), start + _MAX_LIST_LENGTH) if end is None else end
    reading = Reading(table, use, phrases, closed, arabizi, corrects_spelling, strict=end is not None, direct=direct)
    return _ListReader(text, split_tokens(text, start, limit), reading, is_column=column).read()


def split_tokens(text: str, start: int, end: int) -> list[Token]:
    """Words, marks and line breaks of a part of a folded text, with their places."""
    return [(match[0], match.start(), match.end()) for match in _TOKEN.finditer(text, start, end)]


def list_words(folded: str) -> list[str]:
    """The words and numbers of a folded text, without marks."""
    return [word for word, _, _ in split_tokens(folded, 0, len(folded)) if word[0].isalnum()]


class _ListReader:
    def __init__(self, text: str, tokens: list[Token], reading: Reading, *, is_column: bool = False) -> None:
        self._text, self._tokens, self._reading = text, tokens, reading
        self._values: list[ListedValue] = []
        self._index = 0
        self._unknown = 0
        self._is_column = is_column
        """Whether things stand one a line."""
        self._is_joined = True
        """Whether a comma, a conjunction or the introduction stands right before the index."""

    def read(self) -> list[ListedValue]:
        self._skip_lead()
        while self._index < len(self._tokens) and len(self._values) < _MAX_VALUES:
            if not self._step():
                break
        if self._reading.closed and self._values and not self._ends_clause():
            return []
        return self._values

    def read_mentions(self) -> list[ListedValue]:
        """Every known thing, whatever stands between, without those that are called harmless."""
        while self._index < len(self._tokens) and len(self._values) < _MAX_VALUES:
            taken = self._take_concept() if self._word()[0].isalnum() else None
            if taken is None:
                self._index += 1
                continue
            concept, count = taken
            index = self._index
            start, last = self._tokens[index][1], self._tokens[index + count - 1][2]
            self._index += count
            is_inside = index > 0 and self._tokens[index - 1][0] in _INSIDE_OF
            if not self._is_said_harmless() and not (is_inside and self._values):
                self._values.append(ListedValue(concept.key, concept.label, start, last, is_known=True))
        return self._values

    def _word(self, ahead: int = 0) -> str:
        index = self._index + ahead
        return self._tokens[index][0] if index < len(self._tokens) else ""

    def _skip_lead(self) -> None:
        while self._word() in _LEADS or (self._word() == "\n" and self._index > 0):
            self._is_column = self._is_column or self._word() == "\n"
            self._index += 1
        if self._word() == "\n":
            self._is_column = True
            self._index += 1

    def _step(self) -> bool:
        """Takes what stands at the index; False where the list is over."""
        word = self._word()
        if word == "\n" and self._is_column:
            self._index += 1
            while self._word() in _BULLETS:
                self._index += 1
            self._is_joined = True
            return self._word() != "\n"
        if word in _HARD_STOPS or (word in _SOFT_STOPS and not self._passes_soft_stop(word)):
            return False
        if word in _NEITHER and not self._values:
            return False
        if not word[0].isalnum() or word in _CONJUNCTIONS:
            if self._reading.direct and not self._values and word in _COMMAS:
                return False
            self._is_joined = self._is_joined or word in _COMMAS or word in _CONJUNCTIONS
            self._index += 1
            return True
        if self._is_over(word):
            return False
        taken = self._take_concept()
        if taken is not None:
            return self._add_concept(*taken)
        return self._pass_unknown(word)

    def _passes_soft_stop(self, word: str) -> bool:
        if self._reading.closed or word == ":" or (self._reading.direct and not self._values and word in "(["):
            return False
        self._is_joined = True
        return True

    def _is_over(self, word: str) -> bool:
        if word in _BORDERS and self._values:
            return True
        if not self._values:
            return word in _BORDERS and word not in _FILLERS
        if word.startswith("فال") and len(word) >= _MIN_CONSEQUENCE_LENGTH:
            return True
        return word in _CLAUSE_OPENERS or (word in _EXCEPTIONS and not self._denies(word))

    def _denies(self, word: str) -> bool:
        """Whether a negation goes on with a list of bans: "no fur, no feathers"."""
        return self._reading.use == "hard_ban" and word in _NEGATIONS

    def _take_concept(self) -> tuple[Concept, int] | None:
        words, counts = self._list_words_ahead()
        table, use = self._reading.table, self._reading.use
        found = table.find_prefix(words, use)
        if found is not None and counts[found[1] - 1]:
            return found[0], counts[found[1] - 1]
        if self._reading.arabizi:
            phrase = table.find_arabizi_phrase(words, use)
            if phrase is not None and counts[phrase[1] - 1]:
                return phrase[0], counts[phrase[1] - 1]
        word = self._word()
        concept = table.find_arabizi(word, use) if self._reading.arabizi else None
        if concept is None and self._values and word.startswith("و"):
            concept = table.find(word[1:], use)  # short words keep it: ودم, "and blood"
        if concept is None and self._reading.corrects_spelling and word not in _TAIL and word not in _FILLERS:
            concept = table.find_misspelt(word, use)
        return (concept, 1) if concept else None

    def _list_words_ahead(self) -> tuple[list[str], list[int]]:
        """The next words, hyphens split and articles left out, and how many tokens end with each of them; 0: none."""
        words: list[str] = []
        counts: list[int] = []
        for count, (word, _, _) in enumerate(self._tokens[self._index : self._index + MAX_NAME_WORDS], 1):
            if not word[0].isalnum():
                break
            if words and word in _ARABIZI_ARTICLES:
                continue
            parts = word.replace("‑", "-").split("-") if "-" in word or "‑" in word else [word]
            words += parts
            counts += [0] * (len(parts) - 1) + [count]
        return words, counts

    def _add_concept(self, concept: Concept, count: int) -> bool:
        start, last = self._tokens[self._index][1], self._tokens[self._index + count - 1][2]
        self._index += count
        if self._word() in _GROUNDS and self._values:
            return True
        if self._is_said_harmless() or self._word() in _METAPHORS:
            return False
        if self._unknown and self._values and self._text[start:last] in _EMPHATIC:
            return False
        if self._reading.closed and not self._is_closed():
            self._index = len(self._tokens)
            return False
        self._values.append(ListedValue(concept.key, concept.label, start, last, is_known=True))
        self._unknown, self._is_joined = 0, False
        return True

    def _is_said_harmless(self) -> bool:
        """Whether the thing that was just read is called allowed: "milk is fine", "молоко можно"."""
        ahead = 1 if self._word() in _IS or self._word() == "'" else 0
        if not ahead and self._word() in ("ok", "okay", "okey") and self._word(1) in _DISCOURSE:
            return False
        return self._word(ahead) in _HARMLESS or (self._reading.use == "hard_ban" and self._word() in _ONLY)

    def _pass_unknown(self, word: str) -> bool:
        if word in _FILLERS or (self._denies(word) and not self._reading.strict):
            self._index += 1
            return True
        if self._reading.strict:
            return False
        if (
            self._reading.phrases
            and self._is_joined
            and (not self._values or not self._values[-1].is_known or self._is_column)
        ):
            phrase = self._take_phrase()
            self._is_joined = phrase is not None
            if phrase is not None:
                self._values.append(phrase)
                self._unknown, self._is_joined = 0, False
                return True
        if self._reading.closed or (word in _TAIL and not self._values):
            return word in _TAIL and not self._reading.closed and self._count_unknown()
        if word in _TAIL and self._values and not self._is_joined:
            return False
        return self._count_unknown()

    def _may_be_unknown(self) -> bool:
        return not self._values or not self._values[-1].is_known or self._is_column

    def _count_unknown(self) -> bool:
        self._unknown += 1
        self._index += 1
        return self._unknown <= _MAX_UNKNOWN_WORDS

    def _take_phrase(self) -> ListedValue | None:
        last = self._index
        while last < len(self._tokens) and last - self._index <= MAX_PHRASE_WORDS:
            word = self._tokens[last][0]
            if not word[0].isalnum() or word in _CONJUNCTIONS or word in _TAIL or word in _BORDERS:
                break
            last += 1
        words = [word for word, _, _ in self._tokens[self._index : last]]
        name = name_thing(words, self._reading.use) if words and len(words) <= MAX_PHRASE_WORDS else None
        if name is None:
            return None
        start, end = self._tokens[self._index][1], self._tokens[last - 1][2]
        key = make_key(name)
        self._index = last
        return ListedValue(key, name, start, end, is_known=False) if key else None

    def _is_closed(self) -> bool:
        word = self._word()
        if not word or not word[0].isalnum() or word in _CONJUNCTIONS or word in _TAIL:
            return True
        return len(word) >= 4 and word.startswith("و")

    def _ends_clause(self) -> bool:
        end = self._values[-1].end
        rest = [word for word, start, _ in self._tokens if start >= end]
        return not rest or not rest[0][0].isalnum() or rest[0] in _TAIL


def list_mentions(
    text: str, start: int, end: int, table: ConceptTable, use: str, *, arabizi: bool = False
) -> list[ListedValue]:
    """Every known thing that a part of a folded text names, in reading order, joined to a list or not."""
    reader = _ListReader(text, split_tokens(text, start, end), Reading(table, use, arabizi=arabizi))
    return reader.read_mentions()


def is_between_things(text: str, start: int, end: int) -> bool:
    """Whether what stands between two things joins them to one list: marks, conjunctions, at most one other word."""
    unknown = 0
    for word, _, _ in split_tokens(text, start, end):
        if word in _HARD_STOPS or word == ")":
            return False
        if word[0].isalnum() and word not in _CONJUNCTIONS and word not in _FILLERS:
            unknown += 1
    return unknown <= 1
