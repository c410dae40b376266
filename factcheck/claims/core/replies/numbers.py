"""Numbers and years of a clause against those of canon that count the same."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import combinations

from factcheck.claims.core.replies.canon import ABSENT, YEAR_CONCEPTS, NumberFact
from factcheck.claims.core.replies.findings import Finding, Said
from factcheck.claims.core.replies.lexicon import Lexicon
from factcheck.claims.core.replies.quantities import Quantity
from factcheck.claims.core.replies.slots import list_nouns
from factcheck.claims.core.replies.texts import Text, find_mark, is_round, script_of

NEAR_SHARE = Fraction(12, 100)
"""A round number this near is a rounding: `three hundred miles` for 310."""
PEOPLE = frozenset({"#people", "#member"})
PEOPLE_SORTS = PEOPLE | {"#soldier"}
LARGE, SLIGHT_SHARE = 100, Fraction(2, 100)
"""Of a large number a few may have come or gone."""
LOOSE_RATIO = Fraction(3, 2)
"""`About`, `nearly` and dozens may miss by half."""
NEIGHBOURING_WORDS = 3
NEGATION_DISTANCE = 4
MAX_MEANT = 2
"""An answer that agrees with neither of two numbers of one article is wrong whichever was asked for."""
MIN_DISTINCT_DIGITS = 3
YEAR_PLACE = 2
LARGEST_FACTOR = 100
BEGINNINGS = frozenset({"@found", "@build", "@open_start", "@first_held", "@make"})
"""A town is built when it is founded, an inn opened."""
ARABIC_TO, ARABIC_OUR = "ل", ("نا", "ها", "هم")
"""`لسورنا`: our wall has."""
THEM = frozenset({"them", "em", "us", "those", "these", "you", "них", "нас", "هذه", "تلك"})
PLACED = frozenset({"there", "here", "in", "all", "altogether", "هناك", "هنا"})
"""`Two hundred of them there are` counts them all."""
CUES_OF_OTHER_THINGS = frozenset({"elsewhere", "plan", "exaggeration"})
"""Within what follows a mark these are of something else; `once` and `today` there are of the value too."""
TIMES = frozenset({"#day", "#night_count", "#month", "#year", "#hour"})
"""Of these a thing has many: how old it is, how long it took."""


def compare_numbers(said: Said, facts: Sequence[NumberFact], lexicon: Lexicon) -> list[Finding]:
    """What canon says to the numbers of one clause."""
    clause = said.clause
    found = []
    for quantity in clause.text.quantities:
        if quantity.value in (0, 1):
            continue
        if quantity.is_year or _answers_when(said, quantity):
            finding = _compare_year(said, quantity, facts, lexicon)
        else:
            finding = _compare_count(said, quantity, facts, lexicon)
        if finding is not None:
            found.append(finding)
    return found


def agrees(text: Text, quantity: Quantity, expected: Fraction, lexicon: Lexicon) -> bool:
    """Whether a speaker who knows the true number may have said this one: rounded, about, over, under."""
    value = quantity.value
    if value == expected:
        return True
    if expected <= 0 or value <= 0:
        return False
    ratio = max(value, expected) / min(value, expected)
    if _has(text, quantity, lexicon, "more_than"):
        return expected * LOOSE_RATIO >= value
    if _has(text, quantity, lexicon, "less_than"):
        return expected <= value * LOOSE_RATIO
    if quantity.is_loose or _is_inverted(text, quantity) or _has(text, quantity, lexicon, "approximate"):
        return ratio <= LOOSE_RATIO
    if expected >= LARGE and abs(value - expected) <= SLIGHT_SHARE * expected:
        return True
    return is_round(value) and abs(value - expected) <= NEAR_SHARE * expected


def is_stated(said: Said, place: int, lexicon: Lexicon) -> bool:
    """Whether the value at a place is claimed: nothing puts the clause in doubt, and no negation stands before it."""
    before = said.clause.text.words[max(place - NEGATION_DISTANCE, 0) : place]
    is_denied = lexicon.lists["negations"].is_in(before) or any(
        word.text in ABSENT for word in said.clause.text.words[place + 1 :]
    )
    return not list_cues_of(said, place, lexicon) and not is_denied


def list_cues_of(said: Said, place: int, lexicon: Lexicon) -> frozenset[str]:
    """The cues that bear on the value at a place.

    `Stone, and another round for me` speaks of no other house; `Nine, across the road` does.
    """
    words = said.clause.text.words
    mark = find_mark(words, place + 1)
    idle = lexicon.lists["idiom"].places(words)
    return frozenset(
        name
        for name in said.clause.cues
        if name not in CUES_OF_OTHER_THINGS
        or any(each.start <= mark and each.start not in idle for each in lexicon.cues[name].find(words))
    )


def _is_inverted(text: Text, quantity: Quantity) -> bool:
    """Whether a Russian number stands behind what it counts: `вёрст сто` are about a hundred."""
    before = text.words[quantity.start - 1] if quantity.start else None
    is_russian = before is not None and "\u0430" <= before.text[0] <= "\u044f"
    return is_russian and any(each.end == quantity.start for each in text.concepts if each.label[0] == "#")


def _compare_year(said: Said, quantity: Quantity, facts: Sequence[NumberFact], lexicon: Lexicon) -> Finding | None:
    keys = keys_of_clause = said.clause.text.all_keys()
    if "when" in said.question.asks and said.clause.is_opening:
        keys |= said.question.text.all_keys()
    years = [fact for fact in facts if fact.is_year and fact.slug in said.slugs]
    deeds = [fact for fact in years if keys & fact.context & YEAR_CONCEPTS]
    if not deeds and keys & BEGINNINGS:
        deeds = [fact for fact in years if fact.context & BEGINNINGS]
        keys_of_clause = keys_of_clause | BEGINNINGS if keys_of_clause & BEGINNINGS else keys_of_clause
    meant = deeds or [fact for fact in years if _shares_word(keys - said.type_keys, fact)]
    if not meant or any(fact.value == quantity.value for fact in meant):
        return None
    is_plain = bool(deeds and keys_of_clause & meant[0].context & YEAR_CONCEPTS) or not _says_more(
        said, quantity, meant[0]
    )
    is_plain = is_plain and is_stated(said, quantity.start, lexicon) and not said.is_own
    is_plain = is_plain and not _has(said.clause.text, quantity, lexicon, "approximate", "more_than", "less_than")
    is_other = any(fact.value == quantity.value for fact in years)
    is_sure = is_plain and not is_other and len({fact.value for fact in meant}) == 1
    return said.finding("year", meant[0].quote, meant[0].slug, str(meant[0].value), meant[0].field, is_sure=is_sure)


def _says_more(said: Said, quantity: Quantity, fact: NumberFact) -> bool:
    """Whether a clause that answers a question tells of a deed of its own (`I came here in 612`).

    Where the year opens the answer, what follows a mark is only remembered with it (`In 733, the year of the comets`).
    """
    text = said.clause.text
    known = said.question.text.all_keys() | fact.context | said.type_keys
    end = len(text.words)
    if quantity.start <= YEAR_PLACE and said.clause.is_opening:
        end = next((place for place in range(quantity.end, end) if text.words[place].gap.strip("-")), end)
    return any(keys and not keys & known for keys in text.keys[:end])


def _shares_word(keys: frozenset[str], fact: NumberFact) -> bool:
    return any(key[0] == "@" or (len(key) > MIN_DISTINCT_DIGITS and key[0] not in "%#") for key in keys & fact.context)


def _answers_when(said: Said, quantity: Quantity) -> bool:
    is_asked = "when" in said.question.asks and said.clause.is_opening
    return is_asked and 100 <= quantity.value < 3000 and not list_nouns(said.clause.text, quantity)


def _compare_count(said: Said, quantity: Quantity, facts: Sequence[NumberFact], lexicon: Lexicon) -> Finding | None:
    text = said.clause.text
    nouns = list_nouns(text, quantity)
    is_answer = "number" in said.question.asks and said.clause.is_opening
    is_answer = is_answer and ("measure" not in said.question.asks or _leads(text, quantity, lexicon))
    is_bare = not nouns
    counts = [fact for fact in facts if not fact.is_year and fact.slug in said.slugs]
    units = nouns & lexicon.units
    if units and quantity.start and text.keys[quantity.start - 1] & units:
        return None  # `метр восемьдесят`: the unit before, its parts behind
    if units:
        meant = _meant_by_unit(said, units, counts, lexicon, is_answer=is_answer)
    else:
        meant = [fact for fact in counts if fact.nouns & nouns and not fact.nouns & lexicon.units - nouns]
        is_of_people = is_answer and lexicon.lists["people_of_talk"].is_in(said.question.text.words)
        is_bare = is_bare or _is_pronoun_count(said) or (is_of_people and not any(key[0] == "#" for key in nouns))
        if not meant and is_bare and _leads(text, quantity, lexicon):
            asked = said.question.counted if is_answer else _things(said.question.text)
            asked |= PEOPLE if is_of_people else frozenset()
            meant = [fact for fact in counts if fact.nouns & asked and not fact.nouns & lexicon.units]
            is_answer = is_answer or bool(meant and _possesses(text, lexicon))
        if not meant and is_answer:
            meant = _meant_by_deed(said, quantity, counts, lexicon)
    if not meant or any(agrees(text, quantity, fact.value, lexicon) for fact in meant):
        return None
    if _is_explained(said, [fact.value for fact in meant]):
        return None
    is_supported = is_answer or _possesses(text, lexicon) or _shares_more(text, nouns, meant[0])
    is_supported = is_supported or _opens_answer(said, quantity, nouns, meant[0], lexicon)
    is_part = _has(text, quantity, lexicon, "part") or _is_part_of_them(text, quantity) or _is_seasonal(text)
    is_sure = (
        is_stated(said, quantity.start, lexicon)
        and is_supported
        and not is_part
        and not said.is_own
        and not _is_of_own_life(said, nouns, lexicon)
        and len({f.value for f in meant}) <= (MAX_MEANT if is_answer and len({f.slug for f in meant}) == 1 else 1)
    )
    return said.finding("number", meant[0].quote, meant[0].slug, str(meant[0].value), meant[0].field, is_sure=is_sure)


def _meant_by_deed(said: Said, quantity: Quantity, counts: Iterable[NumberFact], lexicon: Lexicon) -> list[NumberFact]:
    """People counted in answer to a question of what befell them (`Did we lose many?` – `A thousand men.`)."""
    behind = said.clause.text.words[quantity.end : quantity.end + 2]
    if not lexicon.lists["counted_people"].is_in(behind):
        return []
    deeds = {label for label in said.question.text.labels() if label[0] == "@"}
    return [fact for fact in counts if fact.nouns & PEOPLE_SORTS and deeds & fact.context]


def _opens_answer(said: Said, quantity: Quantity, nouns: frozenset[str], fact: NumberFact, lexicon: Lexicon) -> bool:
    """Whether the answer opens with a number of what canon counts (`Is it far up?` – `Three hundred steps`).

    Also with a number of `them`, where the question names them, and with the number that is part of a name that tells
    where (`Deck Four`).
    """
    text = said.clause.text
    if not (said.is_settled and said.clause.is_opening) or quantity.start > 1 or "number" in said.question.asks:
        return False
    if lexicon.lists["asked_self"].is_in(said.question.text.words) or lexicon.lists["part"].is_in(
        said.question.text.words
    ):
        return False
    if quantity.start == 1:
        is_label = text.words[0].capital and text.words[1].capital and "which" in said.question.asks
        return is_label and bool(text.keys[0] & fact.nouns)
    if _is_pronoun_count(said):
        return bool(said.question.text.all_keys() & fact.nouns)
    return bool(nouns & fact.nouns - lexicon.units)


def _is_of_own_life(said: Said, nouns: frozenset[str], lexicon: Lexicon) -> bool:
    """Whether a bare number answers what the speaker was asked of themselves: their age, their years, their deeds."""
    return not nouns and lexicon.lists["asked_own_life"].is_in(said.question.text.words)


def _meant_by_unit(
    said: Said, units: frozenset[str], counts: Iterable[NumberFact], lexicon: Lexicon, *, is_answer: bool
) -> list[NumberFact]:
    """A unit alone does not say what is measured: the words around it, or the question, must."""
    same = [fact for fact in counts if fact.nouns & units and _is_same_unit(said, fact)]
    keys = said.clause.text.all_keys() | said.question.text.all_keys()
    weak = lexicon.units | said.type_keys
    wanted = 1 if said.is_settled or is_answer else 2
    meant = [fact for fact in same if len((keys & fact.context) - weak) >= wanted]
    if meant:
        return meant
    is_plain_measure = not units & lexicon.coins and not units & TIMES
    return same if is_answer and len(same) == 1 and said.is_settled and is_plain_measure else []


def _is_same_unit(said: Said, fact: NumberFact) -> bool:
    """Two coins of one metal are two coins where one language has a word for each: `грош` and `медяк`."""
    if script_of(fact.quote) != script_of(said.clause.quote):
        return True
    words = {key for key in said.clause.text.all_keys() if key[0] not in "#@%"}
    return bool(words & fact.context) or script_of(fact.quote) == "han"


def _leads(text: Text, quantity: Quantity, lexicon: Lexicon) -> bool:
    """Whether nothing is told before the number: `we lost forty` answers no `how many are you`."""
    idle = lexicon.lists["approximate"].places(text.words) | lexicon.lists["possession"].places(text.words)
    return not any(text.keys[place] and place not in idle for place in range(quantity.start))


def _is_part_of_them(text: Text, quantity: Quantity) -> bool:
    """Whether something is said of so many of them: `three of them are rotten`; `she has eleven of them` is a count."""
    words = [word.text for word in text.words[quantity.end : quantity.end + 2]]
    after = quantity.end + 2
    is_of_them = len(words) == 2 and words[0] in {"of", "من", "из"} and words[1] in THEM
    is_followed = after < len(text.words) and not text.words[after].gap
    return is_of_them and is_followed and text.words[after].text not in PLACED


def _is_seasonal(text: Text) -> bool:
    return any(kind.group == "season" for kind in text.kinds)


def _is_pronoun_count(said: Said) -> bool:
    """Whether the number counts what was spoken of: `eleven of them`, `их у нас семеро`."""
    words = {word.text for word in said.clause.text.words}
    return bool(words & {"them", "em", "их", "هي", "它们"})


def _things(text: Text) -> frozenset[str]:
    return frozenset(label for label in text.labels() if label[0] == "#")


def _possesses(text: Text, lexicon: Lexicon) -> bool:
    first = text.words[0].text
    is_arabic = first.startswith(ARABIC_TO) and first.endswith(ARABIC_OUR)
    return is_arabic or lexicon.lists["possession"].is_in(text.words)


def _shares_more(text: Text, nouns: frozenset[str], fact: NumberFact) -> bool:
    """Whether the clause shares a word with canon besides what is counted."""
    return bool((text.all_keys() - nouns) & (fact.context - fact.nouns))


def _has(text: Text, quantity: Quantity, lexicon: Lexicon, *names: str) -> bool:
    """Whether words of a list stand beside the number."""
    start = max(quantity.start - NEIGHBOURING_WORDS, 0)
    end = quantity.end + NEIGHBOURING_WORDS
    if names == ("part",) and quantity.start == 0 and quantity.end < len(text.words) and text.words[quantity.end].gap:
        end = quantity.end  # `Eight, and every one of them leaks`
    near = text.words[start:end]
    inside = set(range(quantity.start, quantity.end)) | lexicon.lists["idiom"].places(text.words)
    return any(
        not set(range(start + each.start, start + each.end)) <= inside
        for name in names
        for each in lexicon.lists[name].find(near)
    )


def _is_explained(said: Said, expected: Sequence[Fraction]) -> bool:
    """Whether the reply holds canon's number as well, or numbers that make it up: `four, and two water gates`."""
    numbers = said.numbers
    made = {*numbers, sum(numbers)}
    made |= {first + second for first, second in combinations(numbers, 2)}
    made |= {abs(first - second) for first, second in combinations(numbers, 2)}
    asked = [each.value for each in said.question.text.quantities]
    factors = {number for number in (*numbers, *asked) if 1 < number <= LARGEST_FACTOR}
    for value in expected:
        if value in made:
            return True
        if any(value * factor in numbers for factor in factors):
            return True
    return False
