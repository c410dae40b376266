"""Values that may answer a question: durations, years, kinds of things, seasons and months, persons, places."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction

from factcheck.claims.core.replies.findings import Rule
from factcheck.claims.core.replies.lexicon import Lexicon
from factcheck.claims.core.replies.questions import Question
from factcheck.claims.core.replies.texts import Text, word_set
from factcheck.core.tokens import Token

DAYS = {"day": Fraction(1), "night": Fraction(1), "week": Fraction(7), "fortnight": Fraction(14), "month": Fraction(30),
        "year": Fraction(365), "hour": Fraction(1, 24)}  # fmt: skip
NEAR_RATIO, LOOSE_RATIO = Fraction(5, 4), Fraction(3, 2)
"""`A month` may be four weeks; `about a week` five days."""
SEASONS_OF_MONTH = {
    "january": {"winter"}, "february": {"winter", "spring"}, "march": {"spring", "winter"}, "april": {"spring"},
    "may": {"spring", "summer"}, "june": {"summer", "spring"}, "july": {"summer"}, "august": {"summer", "autumn"},
    "september": {"autumn", "summer"}, "october": {"autumn"}, "november": {"autumn", "winter"},
    "december": {"winter", "autumn"},
}  # fmt: skip
WHICH = frozenset({"material", "stone_sort", "wood_sort", "fish", "beast", "drink", "direction", "trade", "colour"})
WHEN = frozenset({"season", "month", "daytime", "always", "only"})
COMPARABLE = {"season": {"season", "month"}, "month": {"season", "month"}, "always": {"only"}}
PERSON_TITLES = word_set(
    "captain sergeant king queen lord lady master mistress mother father old sir dame saint brother sister margrave "
    "duke abbess abbot guildmaster bishop baron count earl prince princess emperor superior high council guild elder "
    "elders our some the a an good young князь княгиня старый дядя тётка мастер воевода зодчий смотритель"
)
PLACE_HEADS = {
    "road": word_set("street lane road alley row way"),
    "hill": word_set("mount mountain mountains hill hills peak"),
    "wood": word_set("wood woods forest"),
    "gate": word_set("gate"),
    "water": word_set("river lake sea bay"),
    "square": word_set("square market"),
}
HAN_NAME = range(2, 5)
HAN_COMMON_ENDINGS = frozenset("人匠家师村们兵官民祖爷叔伯公工帮")
"""A surname before one of these begins no name: `石匠`, `高人`, `李家`."""


@dataclass(frozen=True, slots=True)
class Value:
    """A value in a text, [start, end)."""

    start: int
    end: int
    group: str
    shown: str
    rule: Rule
    amount: Fraction = Fraction(0)
    is_loose: bool = False
    parts: frozenset[str] = field(default=frozenset(), compare=False)
    """Where a reply holds one of these as well, it knows canon's value."""

    @property
    def comparable(self) -> frozenset[str]:
        """The classes whose values this one can be held against."""
        return frozenset(COMPARABLE.get(self.group, {self.group}))


def find_values(text: Text, question: Question, lexicon: Lexicon, *, is_canon: bool = False) -> list[Value]:
    """The values that may answer the question, in reading order."""
    found: list[Value] = []
    if "number" in question.asks:
        found += _find_durations(text, lexicon)
    if "when" in question.asks:
        found += _find_times(text, lexicon, is_canon=is_canon)
    if question.asks & {"which", "who"} or lexicon.lists["ask_which"].is_in(question.text.words):
        found += _find_sorts(text, lexicon, WHICH)
        found += _find_places(text)
    if "who" in question.asks:
        found += _find_persons(text, question, lexicon)
    return sorted(found, key=lambda value: (value.start, -value.end, value.group == "material"))


def differs(said: Value, known: Value) -> bool:
    """Whether both cannot be true of one thing."""
    if said.group == "duration":
        low, high = sorted((said.amount, known.amount))
        return low > 0 and high / low >= (LOOSE_RATIO if said.is_loose or known.is_loose else NEAR_RATIO)
    if {said.group, known.group} == {"season", "month"}:
        season, month = (said, known) if said.group == "season" else (known, said)
        return season.shown not in SEASONS_OF_MONTH[month.shown]
    if said.group == "place":
        return said.shown.split()[0] == known.shown.split()[0] and not said.parts & known.parts
    if said.group == "person":
        return not said.parts & known.parts
    return said.shown != known.shown


def _find_durations(text: Text, lexicon: Lexicon) -> Iterable[Value]:
    loose = lexicon.lists["approximate"].is_in(text.words) or lexicon.lists["more_than"].is_in(text.words)
    loose = loose or lexicon.lists["less_than"].is_in(text.words)
    taken: set[int] = set()
    for unit in lexicon.spans.find(text.words):
        name, _, times = unit.label.partition(":")
        counted = next((each for each in text.quantities if each.end == unit.start), None)
        if unit.start in taken:
            continue
        taken.update(range(unit.start, unit.end))
        if counted is not None and not counted.is_year:
            amount, start = counted.value, counted.start
        elif times == "2":
            amount, start = Fraction(2), unit.start
        elif times == "1" or (unit.start and text.words[unit.start - 1].text in {"a", "an", "one"}):
            amount, start = Fraction(1), unit.start
        else:
            continue
        days = amount * DAYS[name]
        is_loose = loose or (counted is not None and counted.is_loose)
        yield Value(start, unit.end, "duration", f"{days} days", "number", days, is_loose)


def _find_times(text: Text, lexicon: Lexicon, *, is_canon: bool) -> Iterable[Value]:
    yield from _find_sorts(text, lexicon, WHEN)
    for each in lexicon.lists["every_time"].find(text.words):
        yield Value(each.start, each.end, "always", "always", "kind")
    if is_canon and not lexicon.lists["every_time"].is_in(text.words):
        for each in lexicon.lists["only"].find(text.words)[:1]:
            yield Value(each.start, each.end, "only", "only", "kind")


def _find_sorts(text: Text, lexicon: Lexicon, groups: frozenset[str]) -> Iterable[Value]:
    found = [(each.start, each.end, each.label) for each in lexicon.sorts.find(text.words)]
    found += [(each.start, each.end, f"{each.group}:{each.value}") for each in text.kinds]
    for start, end, label in found:
        group, _, value = label.partition(":")
        if group in groups:
            yield Value(start, end, group, value, "kind", parts=frozenset({f"%{label}"}))


def _find_places(text: Text) -> Iterable[Value]:
    for start, end in _capital_runs(text.words):
        words = [word.text for word in text.words[start:end]]
        for group, heads in PLACE_HEADS.items():
            rest = frozenset(word.lexeme for word in text.words[start:end] if word.text not in heads | {"the", "in"})
            if rest and len(rest) < len(words) and {words[0], words[-1]} & heads:
                shown = f"{group} {' '.join(words)}"
                yield Value(start, end, "place", shown, "name", parts=rest)


def _find_persons(text: Text, question: Question, lexicon: Lexicon) -> Iterable[Value]:
    """Two capitals in a row; in Arabic and Chinese what stands where a name must, and begins as names do."""
    words = text.words
    heads = frozenset().union(*PLACE_HEADS.values())
    for start, end in _capital_runs(words):
        names = [word for word in words[start:end] if word.text not in PERSON_TITLES]
        is_named = len(names) > 1 or (names and len(names) < end - start and words[start].text not in {"the", "a"})
        if is_named and not any(word.text in heads or word.text.endswith("'s") for word in names):
            shown = " ".join(word.text for word in words[start:end])
            parts = frozenset(word.lexeme for word in names)
            yield Value(start, end, "person", shown, "name", parts=parts)
    for each in lexicon.lists["given_names"].find(words):
        if each.end < len(words) and not words[each.end].gap and words[each.end].text.startswith("ال"):
            parts = frozenset(word.lexeme for word in words[each.start : each.end + 1])
            yield Value(each.start, each.end + 1, "person", words[each.start].text, "name", parts=parts)
    yield from _find_han_persons(text, question, lexicon)


def _find_han_persons(text: Text, question: Question, lexicon: Lexicon) -> Iterable[Value]:
    words = text.words
    deeds = [each for each in text.concepts if each.label in question.text.all_keys() & lexicon.roles]
    for each in lexicon.lists["surnames"].find(words):
        stop = next((deed.start for deed in deeds if deed.start > each.end), None)
        is_first = not each.start or words[each.start].gap or words[each.start - 1].text in {"是", "匠", "师"}
        if not is_first or stop is None or stop - each.start not in HAN_NAME:
            continue
        name = "".join(word.text for word in words[each.start : stop])
        if name[-1] in HAN_COMMON_ENDINGS or name[1] in HAN_COMMON_ENDINGS:
            continue
        yield Value(each.start, stop, "person", name, "name", parts=frozenset({name}))


def _capital_runs(words: tuple[Token, ...]) -> Iterable[tuple[int, int]]:
    place = 0
    while place < len(words):
        end = place
        while end < len(words) and words[end].capital and (end == place or not words[end].gap):
            end += 1
        if end - place > 1:
            yield place, end
        place = max(end, place + 1)
