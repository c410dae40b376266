"""What a short message says yes to: all that was asked, or a part of it by its place or its name."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from factcheck.instant.core.answer_choices import BOTH, list_places
from factcheck.instant.core.extracted import ExtractedFact
from factcheck.instant.core.measure_labels import list_labels
from factcheck.instant.core.reader_words import compile_phrases
from factcheck.instant.core.takeback_words import load_takeback_words
from factcheck.instant.core.value_lists import list_words, split_tokens
from factcheck.instant.core.words import read_words
from knowledge.facts.core.types import LIFE_EVENT, NUMBER_TYPES, THING_TYPES

_YES = read_words("answer_yes")
_BUTS = read_words("answer_buts")
_NO = read_words("answer_refusals") | _BUTS
_OTHERS = read_words("other_people")
_AUTHOR = read_words("first_person")
_CONFIRMING = _YES | read_words("confirming")
_MORE = read_words("and_more")
_NONE_MORE = _MORE | read_words("and_none_more")
AGAINST = frozenset({"do", "does", "am", "is", "can"})
"""To a question in the negative these say the opposite: "You don't eat pork, right?" – "I do"."""
_MAX_WORDS_TOGETHER = 4
"""Of a clause that goes on behind a yes without a mark: "yes on friday", «да конечно уже в субботу»."""
_MAX_WORDS_OF_REST = 14
"""Of more words behind a yes nobody can tell what the yes is to."""
_MAX_WORDS_TO_NO = 2
"""Of a clause: "well not the milk" takes back, "i am really not joking" does not."""
_MAX_WORDS_TO_MORE = 6
"""Behind a yes: farther "too" and "and" add to something else."""
_MARKS = re.compile(r"\W*")
_NOT = r"(?:не|not|مش|مو|لا|وليس|不是|msh|mish|mo|instead of|вместо)"
_NUMBER = r"\d+(?:[.,]\d+)?"
_FIGURE = re.compile(r"(?<!\w)\d+(?:[.,]\d+)?(?:cm|kg|m|k|€|\$)?(?!\w)")
_NUMBER_INSTEAD = re.compile(
    rf"(?<!\d)(?P<is>{_NUMBER})[\s,،]*(?:а |and )?{_NOT}\s*(?P<not>{_NUMBER})(?!\d)"
    rf"|(?<!\w){_NOT}\s*(?P<not_before>{_NUMBER})[\s,،]*(?:а|but|بل|而是|bal)?\s*(?P<is_behind>{_NUMBER})(?!\d)"
)
"""A number that is put right: "70, not 80", "not 80 but 70"."""
_SHORT_YES = re.compile(
    r"(?:yes |yeah |yep )?(?:it|that|they|i|we|she|he) (?:sure )?(?:is|are|am|do|does|did|have|will)"
    r"(?: indeed| so)?(?=[,.!;]|$)"
)
"""Yes as English says it: "it is", "I do"."""
NO_LONGER = compile_phrases("answers", "no_longer")
_BUT_YES = re.compile(
    r"(?:[^\s.!?,،]+,? ){1,4}(?:but|но|بس|bas|但) (?P<yes>yes|yeah|yep|yup|да|ага|ايه|ايوه|اه|aywa|eh|ah|是的?)(?!\w)"
)
"""What puts a day right and says yes: "october but yeah"."""
_UNCHANGED = compile_phrases("answers", "unchanged")
_WELL_SAID = re.compile(r"(?:صح|صحيح|sa7+|s7|9a7) (?:عليك\w?|لسانك\w?|3al[aeiy]+k|l[ei]?sanak)(?!\w)")
"""Yes as Arabic says it to whom is right: صح لسانك."""
_LEADING_YES = re.compile(rf"(?:\W*(?:{'|'.join(sorted(map(re.escape, _YES), key=len, reverse=True))})(?!\w))?\W*")
NO_MORE = re.compile(
    r"(?<!\w)(?:(?:no|not|nothing) (?:more|over|above|higher)(?: than)?|не (?:больше|дороже|выше|более|свыше)"
    r"|(?:la|ma|msh|mish|mesh) ?(?:te?t3ad+a|te?tjawaz|[ty]e?zeed|aktar|akthar|fo2|foo2)"
    r"|(?:ما|مش|مو|لا) ?(?:ي?زيد|اكثر|اكتر|فوق|ي?تجاوز|ي?تعدى)(?: (?:عن|من))?)(?!\w)|不 ?(?:超过|高于|多于)"
)
"""A limit in the negative."""
_NO_DENIAL = re.compile(
    rf"{NO_MORE.pattern}|(?<!\w)(?:can'?t wait|cannot wait|couldn'?t be (?:more|happier)|no (?:worries|doubt|question)"
    r"|не терпится|не дождусь"
    r"|(?:مش|مو|ما) (?:قادر\w*|قدران\w*) (?:استن|اصبر)\w*"
    r"|(?:mesh|msh|mo|ma) (?:2a?der|ader|gader)\w* a?stan\w*)(?!\w)|等 ?不及|迫不及待"
)
"""What has a no in it and takes nothing back: "yeah can't wait"."""
SPOKEN_TO = re.compile(
    r"[,،]\s*(?:ya |يا )?(?:bro|bruv|brother|sis|mate|man|dude"
    r"|брат|братан|братишка|бро|сестра|сестренка|اخي|اخوي|خوي|اختي|khoya|akhi|khouya|5oya|5ouya|sa7bi|兄弟|姐妹|老哥)\W*$"
)
"""Who is spoken to at the end: «правильно понимаешь, брат»."""
_CONTRADICTS = re.compile(
    r"(?<!\w)(?:do|does|can|am|love|like|eat|drink|have|only|sometimes|occasionally|ем|едим|пью|пьем|люблю|обожаю|иногда"
    r"|بحب\w*|باكل\w*|بشرب\w*|احيانا|ba7eb\w*|bakol\w*|bashrab\w*|a7yanan)(?!\w)|偶尔|有时|[会能][吃喝]"
)
"""Behind a yes to a question in the negative: "You don't drink, right?" – "yeah, on fridays i do"."""
_FIRST_OF_ALL = re.compile(r"\d+|(?<!\w)first(?:ly)? of all|(?<!\w)in the first place")
"""What tells no place among what was asked; nor do figures, which are values."""
_CLAUSE_END = re.compile(r"[,.!?;:،؛؟\n]|(?<!\w)(?:but|а|но|بس|لكن|bas|但|但是)(?!\w)")
_CLAUSE_MARK = re.compile(r"[,.!?;:،؛؟\n]")


@dataclass(frozen=True, slots=True)
class Yes:
    """What a message says yes to."""

    end: int
    """Of the words that say it."""
    is_plain: bool = True
    """Whether it takes nothing back; else it adds a thing to a thing, or is of somebody else."""
    has_number: bool = False
    """Whether a number stands behind it that no measure is named for: no number is confirmed then."""
    is_of_others: bool = False
    """Whether it takes nothing back and speaks of another person, whose event it may be: "yes, my brother's"."""
    places: frozenset[int] | None = None
    """Of what is confirmed among what is asked; None for all."""
    keys: frozenset[str] | None = None
    """Of the measures that are confirmed by name; None for all."""
    swaps: Mapping[str, str] = field(default_factory=dict)
    """Numbers that it puts right: "all correct, only 70, not 80"."""

    def covers(self, place: int, count: int, fact: ExtractedFact) -> bool:
        """Whether it confirms a fact at a place among so many that were asked; the last has the place -1 as well."""
        is_placed = self.places is None or place in self.places or place - count in self.places
        is_meant = is_placed and (self.keys is None or fact.key in self.keys)
        if self.has_number and fact.type in NUMBER_TYPES:
            return False
        if self.is_of_others:
            return is_meant and fact.type == LIFE_EVENT
        return is_meant and (self.is_plain or fact.type in THING_TYPES)


def read_yes(folded: str, *, is_negative: bool, asked_values: frozenset[str]) -> Yes | None:
    """The yes of a message; None where it says none, or one that nobody can tell what it is to. `asked_values` are the
    numbers that the question names.
    """
    places = _choose_places(folded)
    if places is not None:
        return Yes(len(folded.rstrip()), places=places) if places else None
    end = skip_yes(folded, is_negative=is_negative)
    but_yes = _read_but_yes(folded, is_negative=is_negative)
    if but_yes:
        return Yes(but_yes, has_number=True)
    both = _skip_both(folded, end)
    if both and _is_plain(folded, both, is_negative=is_negative) and not _speaks_of_others(folded[both:]):
        return Yes(both)
    if not (end or both):
        return None
    swaps = {
        match["not"] or match["not_before"]: match["is"] or match["is_behind"]
        for match in _NUMBER_INSTEAD.finditer(folded)
    }
    if not asked_values.isdisjoint(swaps):
        return Yes(both or end, swaps=swaps)
    rest = folded[end:]
    is_plain = _is_plain(folded, end, is_negative=is_negative)
    has_number = _has_number(rest)
    adds = _adds_more(rest, is_negative=is_negative)
    if is_plain and _speaks_of_others(rest):
        return Yes(end, is_plain=False, has_number=has_number, is_of_others=not adds)
    return Yes(end, is_plain, has_number) if is_plain or adds else None


def _read_but_yes(folded: str, *, is_negative: bool) -> int:
    """The place behind a yes that few other words stand before, which confirms no number: "october but yeah"; 0 without
    one, or where those words deny, or are of somebody else.
    """
    but_yes = _BUT_YES.match(folded)
    if but_yes is None or not _is_plain(folded, but_yes.end(), is_negative=is_negative):
        return 0
    before = list_words(folded[: but_yes.start("yes")])[:-1]
    is_denial = not (_NO | _OTHERS | AGAINST).isdisjoint(before) or NO_LONGER.search(folded) is not None
    return 0 if is_denial or _speaks_of_others(folded) else but_yes.end()


def _skip_both(folded: str, start: int) -> int:
    """The place behind words for all of it, of which nothing is said: "yes, both!", كلاهما صحيح; 0 without them."""
    begin = _MARKS.match(folded, start).end()  # type: ignore[union-attr]
    both = BOTH.match(folded, begin)
    if both is None:
        return 0
    behind = folded[both.end() :].lstrip(" ")
    words = list_words(behind)
    if behind and behind[0].isalnum() and words[0] not in _YES:
        return 0
    end = both.end()
    for word, _, last in split_tokens(folded, end, len(folded)):
        if word not in _YES:
            break
        end = last
    return end


def _choose_places(folded: str) -> frozenset[int] | None:
    """Which of several things a message says yes to by their place ("first one yes, second no"); None by no place."""
    said = _FIRST_OF_ALL.sub(" ", folded)
    named = {place: is_wanted for place, is_wanted in list_places(said) if is_wanted is not None}
    return frozenset(place for place, is_wanted in named.items() if is_wanted) if named else None


def list_confirmed_keys(folded: str) -> frozenset[str]:
    """The measures that a message says yes to by name: "yes on the weight, no on the height", «рост верно, вес 70»."""
    labels = list_labels(folded, (0, len(folded)))
    confirmed = set()
    for number, label in enumerate(labels):
        before = folded[labels[number - 1].end if number else 0 : label.start]
        behind = folded[label.end : labels[number + 1].start if number + 1 < len(labels) else len(folded)]
        parts = _CLAUSE_END.split(before)[-1], _CLAUSE_END.split(behind)[0]
        words = [word for part in parts for word in list_words(part)]
        if not _YES.isdisjoint(words) and _NO.isdisjoint(words):
            confirmed.add(label.key)
    return frozenset(confirmed)


def skip_yes(folded: str, *, is_negative: bool = False) -> int:
    """The place behind the yes that a folded message begins with; 0 where it begins with none, or takes it back, which
    a no behind it does but to a question in the negative.
    """
    unchanged = _WELL_SAID.match(folded) or _UNCHANGED.match(folded, _LEADING_YES.match(folded).end())  # type: ignore[union-attr]
    if unchanged and not (is_negative and not AGAINST.isdisjoint(unchanged[0].split())):
        return unchanged.end()
    short = None if is_negative else _SHORT_YES.match(folded)
    end = short.end() if short else 0
    for word, _, last in split_tokens(folded, end, len(folded)):
        if not word[0].isalnum():
            continue
        if is_negative and word in AGAINST:
            return 0
        if word not in _CONFIRMING or (word not in _YES if not end else word in _MORE):
            break
        end = last
    following = list_words(folded[end:])
    takes_back = bool(following) and following[0] in _NO and not is_negative
    return 0 if takes_back and not _adds_more(folded[end:], is_negative=is_negative) else end


def _is_plain(folded: str, end: int, *, is_negative: bool) -> bool:
    """Whether what stands behind the yes is nothing, or talk that takes nothing back: a no in its first clause or at
    the beginning of another does, but not to a question in the negative ("You don't drink, right?" – "yes, never").
    """
    rest = list_words(folded[end:])
    if not rest:
        return True
    behind = _NO_DENIAL.sub(" ", folded[end:])
    clauses = [words for part in _CLAUSE_MARK.split(behind) if (words := list_words(part))] or [[]]
    denies = not is_negative and (
        not _NO.isdisjoint(clauses[0]) or any(not _NO.isdisjoint(words[:_MAX_WORDS_TO_NO]) for words in clauses[1:])
    )
    is_apart = rest[0] in _AUTHOR or not folded[end:].lstrip(" ")[0].isalnum()
    is_apart = is_apart or _NO_DENIAL.match(folded[end:].lstrip()) is not None
    is_near = is_apart or len(clauses[0]) <= _MAX_WORDS_TOGETHER
    is_over = NO_LONGER.search(behind) is not None or load_takeback_words().cancelled.search(behind) is not None
    is_over = is_over or (is_negative and _CONTRADICTS.search(behind) is not None)
    return is_near and not (denies or is_over) and len(rest) <= _MAX_WORDS_OF_REST


def _has_number(rest: str) -> bool:
    """Whether a number behind a yes stands before any name of a measure: "yes 39", not "yes, and height 190"."""
    number = _FIGURE.search(rest)
    labels = list_labels(rest, (0, len(rest)))
    return number is not None and not any(label.start < number.start() for label in labels)


def _speaks_of_others(rest: str) -> bool:
    return not _OTHERS.isdisjoint(list_words(SPOKEN_TO.sub(" ", rest)))


def _adds_more(rest: str, *, is_negative: bool = False) -> bool:
    """Whether words behind a yes add to it: "yes, and cashews", «угу, ещё на новокаин», 嗯，虾也不行; to a question in
    the negative also "nor".
    """
    more = _NONE_MORE if is_negative else _MORE
    return not more.isdisjoint(list_words(rest)[:_MAX_WORDS_TO_MORE]) and NO_LONGER.search(rest) is None
