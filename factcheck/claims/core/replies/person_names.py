"""Where a sentence names somebody, in scripts with capitals and without."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from factcheck.claims.core.replies.lexicon import Found, Lexicon
from factcheck.claims.core.replies.texts import word_set
from factcheck.core.tokens import ARTICLES, Token, find_sequence

OWNED = word_set("his her their its the a an our его ее её их свой своя своего своей 她 他 其 的")
CALLED = word_set(
    "called named one by name old young poor dear good late little twin only elder younger eldest youngest is was "
    "это по имени зовут звали старый покойный 叫 名 是 اسمه اسمها يدعى تدعى واسمه واسمها"
)
LINKS = word_set("is was that's it's that это был была то 是 هو هي كان كانت")
LEADS = OWNED | CALLED | LINKS
"""What may stand between a value and the name that it is said of."""
NAME_LENGTHS = (3, 2)
HAN_STOPS = frozenset("的了是在有和与也都就还又把被为这那我你您他她它上下中里不没很最着过呀啊呢吧吗嘛哦后时")
HAN_CALLED = frozenset("叫名")
HAN_FAMILIAR = frozenset("阿小老")


OWN = word_set(
    "my our your мой моя моего моей наш наша твой твоя ваш ваша أخي أختي أبي أمي زوجي ابني عمي خالي 我 咱 你"
)


@dataclass(frozen=True, slots=True)
class NameIndex:
    """What may be a name where a script has no capitals, and the titles within which no word is a value."""

    spellings: frozenset[tuple[str, ...]]
    words: frozenset[str]
    own: frozenset[tuple[str, ...]] = field(default=frozenset())
    """Titles and aliases: `Mother Quill` is nobody's mother."""


def name_of(words: Sequence[Token]) -> frozenset[str]:
    """The lexemes of a name; a Chinese one is one word."""
    if words and words[0].kind == "han":
        return frozenset({"".join(word.text for word in words)})
    return frozenset(word.lexeme for word in words if word.text not in ARTICLES)


def find_places(words: Sequence[Token], spellings: Iterable[tuple[str, ...]]) -> frozenset[int]:
    """The places of the words of all names."""
    return frozenset(
        place
        for spelling in spellings
        for start in find_sequence(words, spelling)
        for place in range(start, start + len(spelling))
    )


def list_name_runs(
    words: Sequence[Token],
    names: NameIndex,
    lexicon: Lexicon,
    *,
    taken: frozenset[int] = frozenset(),
    values: Sequence[Found] = (),
) -> list[tuple[int, int]]:
    """Where names stand: words with capitals in a row that are no values (`taken`); else what canon knows as a name."""
    if words and words[0].kind == "han":
        return _han_runs(words, names, values, lexicon)
    if words and "\u0600" <= words[0].text[:1] <= "\u06ff":
        return _arabic_runs(words, names, lexicon)
    runs: list[tuple[int, int]] = []
    place = 0
    while place < len(words):
        end = place
        while end < len(words) and _is_proper(words, end, taken) and (end == place or not words[end].gap):
            end += 1
        is_first = place == 0 and end == 1 and not (end < len(words) and words[end].gap)
        if end > place and (not is_first or words[0].lexeme in names.words):
            runs.append((place, end))
        place = max(end, place + 1)
    return runs


def _is_proper(words: Sequence[Token], place: int, taken: frozenset[int]) -> bool:
    word = words[place]
    is_first = place == 0 or bool(set(word.gap) & set(".!?"))
    is_idle = word.text in LEADS or word.text in OWN
    is_own = word.text.startswith(("i'", "i\u2019")) or word.text == "i"
    return word.capital and place not in taken and not (is_first and is_idle) and not is_own


def _arabic_runs(words: Sequence[Token], names: NameIndex, lexicon: Lexicon) -> list[tuple[int, int]]:
    given = {each.start for each in lexicon.lists["given_names"].find(words)}
    named = {place for place, word in enumerate(words) if place in given or word.lexeme in names.words}
    return [(place, place + 1) for place in sorted(named) if place - 1 not in named]


def _han_runs(
    words: Sequence[Token], names: NameIndex, values: Sequence[Found], lexicon: Lexicon
) -> list[tuple[int, int]]:
    """Names that canon knows, and behind a value what begins as names do or is introduced as one."""
    runs = [
        (start, start + len(spelling))
        for spelling in names.spellings
        if len(spelling) > 1
        for start in find_sequence(words, spelling)
    ]
    surnames = {each.start for each in lexicon.lists["surnames"].find(words)}
    for value in values:
        start = value.end
        while start < len(words) and words[start].text in CALLED and not words[start].gap:
            start += 1
        is_introduced = start > value.end and words[start - 1].text in HAN_CALLED
        if start >= len(words) or any(begin <= start < end for begin, end in runs):
            continue
        if not (is_introduced or start in surnames or words[start].text in HAN_FAMILIAR):
            continue
        end = start
        while end < len(words) and end - start < NAME_LENGTHS[0] and _goes_on(words, start, end):
            end += 1
        length = end - start
        if length in NAME_LENGTHS:
            runs.append((start, end))
    return sorted(set(runs))


def _goes_on(words: Sequence[Token], start: int, end: int) -> bool:
    word = words[end]
    return word.kind == "han" and word.text not in HAN_STOPS and (end == start or not word.gap)
