"""A value of a class in an answer, held against the one passage of canon that speaks of what was asked.

Unlike `alignment`, a passage is a whole sentence, its pronoun brings the words of the sentence before it, and a yes
takes over the value that the question names (`Is the belfry stone?` – `Aye.`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from factcheck.claims.core.replies.asked import lacks_character, list_telling
from factcheck.claims.core.replies.canon import Canon
from factcheck.claims.core.replies.clauses import Clause
from factcheck.claims.core.replies.findings import Finding, Said
from factcheck.claims.core.replies.lexicon import Lexicon
from factcheck.claims.core.replies.numbers import is_stated, list_cues_of
from factcheck.claims.core.replies.passages import Passage
from factcheck.claims.core.replies.person_names import LEADS
from factcheck.claims.core.replies.questions import read_answer
from factcheck.claims.core.replies.subjects import name_places
from factcheck.claims.core.replies.texts import TypedValue, is_placed, list_typed_values, word_set
from factcheck.core.tokens import Token

ANSWER_SENTENCES = 2
HEAD_WORDS = 7
"""An answer has its value among its first words."""
MIN_EXPLICIT = 0.5
"""Of the telling words of a question that names the class, so many must stand in the passage."""
PAST_GROUPS = frozenset({"death", "acquisition", "trade", "disaster"})
"""Of these canon and the reply speak in the past."""
BINARY = {"life": ("life:alive", "life:dead"), "open": ("open:open", "open:closed"), "fee": ("fee:free", "fee:charged")}
NAMING = frozenset({"army_rank", "cleric", "office"})
"""Held against the name that bears them alone (`epithets`)."""
OPEN_GROUPS = frozenset({"food", "drink", "beast", "building", "landform", "house_part", "disaster", "lodging"})
"""A thing may have several of these: compared where the passage says `only`, or the question asks for the class."""
PLACED = frozenset({"material", "stone_sort", "wood_sort", "metal_sort", "cloth_sort", "roofing"})
"""What stands on a stone is not of stone."""
OF_ANYBODY = frozenset({"kin", "sibling_age", "child_age", "trade", "gender"})
"""`Who is that?` points at somebody; the subject's own kin is asked for by more words."""
TIMES = frozenset({"daytime", "weekday", "season", "month", "celebration", "frequency"})
OF_PARTS = frozenset({"side", "body"})
"""One has two of them; `sides` compares what is said of one."""
POSSESSIVES = word_set("its his her their его ее её их")
MAKING = frozenset({"@make", "@build"})


@dataclass(frozen=True, slots=True)
class _Claim:
    """A value that the answer gives, or takes over from the question."""

    label: str
    is_said: bool

    @property
    def group(self) -> str:
        return self.label.partition(":")[0]


def compare_asked_value(said: Said, canon: Canon, clauses: Sequence[Clause], lexicon: Lexicon) -> list[Finding]:
    """What canon says to the values of one clause of an answer."""
    question = said.question
    if question.is_negated or said.clause.answer_index >= ANSWER_SENTENCES or said.is_own or not said.is_settled:
        return []
    if question.is_of_speaker:
        return []
    if not question.asks or lexicon.lists["asked_own_life"].is_in(question.text.words):
        return []
    claims = [*_list_said(said, canon, lexicon), *_list_taken_over(said, clauses, lexicon)]
    if not claims:
        return []
    asked = frozenset(each.label for each in lexicon.asked_kinds.find(question.text.words))
    for claim in claims:
        passage = _find_passage(said, claim, asked, canon, lexicon)
        if passage is not None:
            said = replace(said, is_of_stranger=False)
            expected = min(passage.labels_of(claim.group))
            shown = expected.partition(":")[2]
            return [said.finding("kind", passage.quote, passage.slug, shown, passage.field, is_sure=True)]
    return []


def _list_said(said: Said, canon: Canon, lexicon: Lexicon) -> Iterable[_Claim]:
    """The values among the first words of the clause; of each class the only one."""
    text = said.clause.text
    masked = name_places(text.words, canon)
    values = [each for each in said.values if not masked & set(range(each.start, each.end))]
    for value in values:
        cues = list_cues_of(said, value.start, lexicon)
        cues -= {"past", "bygone"} if value.group in PAST_GROUPS else set()
        if cues or value.start >= HEAD_WORDS or value.group in NAMING:
            continue
        is_only = len({each.label for each in values if each.group == value.group}) == 1
        if not is_only or not _is_plain(said, value, lexicon):
            continue
        yield _Claim(value.label, is_said=True)


def _is_plain(said: Said, value: TypedValue, lexicon: Lexicon) -> bool:
    words = said.clause.text.words
    bare = replace(said, clause=replace(said.clause, cues=frozenset()))
    if not is_stated(bare, value.start, lexicon) or lexicon.cues["simile"].is_in(words[: value.start]):
        return False
    if value.group in PLACED and is_placed(words, value.start):
        return False
    if value.group in OF_ANYBODY and any(word.text not in LEADS for word in words[: value.start]):
        return False
    if any(lexicon.lists[name].is_in(words[: value.start]) for name in ("part", "refers_on")):
        return False
    after = words[value.end].text if value.end < len(words) else ""
    if after in {"one", "ones", "of", "from", "от"} and value.group in {"direction", "side", "material"}:
        return False
    asked = {word.lexeme for word in said.question.text.words}
    is_echo = {word.lexeme for word in words[value.start : value.end]} <= asked
    return not is_echo or ("yes" in said.question.asks and said.clause.is_opening)


def _list_taken_over(said: Said, clauses: Sequence[Clause], lexicon: Lexicon) -> Iterable[_Claim]:
    """The value that a yes takes over from the question; of classes of two values a no takes the other."""
    question = said.question
    if "yes" not in question.asks or not said.clause.is_opening or said.clause.cues:
        return
    first = clauses[0] if clauses else said.clause
    answer = read_answer(first.text, lexicon)
    if answer is None or said.clause is not first:
        return
    for value in list_typed_values(question.text, lexicon):
        if value.group in NAMING:
            continue
        if answer:
            yield _Claim(value.label, is_said=False)
        elif value.group in BINARY:
            yield _Claim(next(each for each in BINARY[value.group] if each != value.label), is_said=False)


def _find_passage(said: Said, claim: _Claim, asked: frozenset[str], canon: Canon, lexicon: Lexicon) -> Passage | None:
    """The passage that speaks of what was asked and gives another value of the class; None where there is none."""
    passages = [each for each in canon.passages if each.slug in said.slugs]
    known = {label for each in passages for label in each.labels if label.startswith(f"{claim.group}:")}
    if not known or not all(lexicon.excludes(claim.label, label) for label in known):
        return None
    if any(f"%{label}" in said.reply_keys and label != claim.label for label in known):
        return None
    is_explicit = claim.group in asked
    if claim.group in OF_PARTS and not is_explicit:
        return None
    is_open = claim.group in TIMES and not _names_subject(said, canon)
    words = _list_words(said, claim.group, lexicon, is_explicit=is_explicit)
    if not words and is_open:
        return None
    is_explicit = is_explicit and claim.group not in OF_ANYBODY
    chosen = _choose(words, claim.group, passages, lexicon, is_explicit=is_explicit)
    if chosen is not None and claim.group in PLACED and lacks_character(said, chosen.quote, lexicon):
        return None
    if chosen is None or chosen.is_unsure or (chosen.is_past and claim.group not in PAST_GROUPS):
        return None
    if claim.group in OPEN_GROUPS and not (chosen.is_only or (is_explicit and chosen.field is not None)):
        return None
    return chosen


def _names_subject(said: Said, canon: Canon) -> bool:
    """Whether the question names what it asks of, or its sort; `When?` alone may be of anything."""
    text = said.question.text
    names = canon.list_name_words(said.slugs)
    return bool(text.all_keys() & said.type_keys or {word.lexeme for word in text.words if word.capital} & names)


def _list_words(said: Said, group: str, lexicon: Lexicon, *, is_explicit: bool) -> list[frozenset[str]]:
    """The words of the question that say of what a value is asked for: not the value, nor what asks for its class."""
    text = said.question.text
    covered = lexicon.asked_kinds.places(text.words)
    values = (each for each in list_typed_values(text, lexicon) if each.group == group and not is_explicit)
    covered |= {place for each in values for place in range(each.start, each.end)}
    words = list_telling(said, lexicon, covered=covered)
    return words if "number" in said.question.asks else [keys for keys in words if "#people" not in keys]


def _choose(
    words: Sequence[frozenset[str]], group: str, passages: Sequence[Passage], lexicon: Lexicon, *, is_explicit: bool
) -> Passage | None:
    """The passage with one value of the class that holds the words, or most of them where the class is asked for."""
    holders = [each for each in passages if each.labels_of(group)]
    if any(lexicon.excludes(*pair) for each in holders for pair in combinations(each.labels_of(group), 2)):
        return None
    if not words:
        return _choose_of_subject(holders, group, is_explicit=is_explicit)
    ranked = sorted(
        ((sum(bool(keys & each.context) for keys in words), -index) for index, each in enumerate(holders)), reverse=True
    )
    if not ranked or not ranked[0][0]:
        return None
    held, index = ranked[0]
    best = holders[-index]
    values = {holders[-place].labels_of(group) for count, place in ranked if count == held}
    if len(values) > 1:
        return None
    if held == len(words):
        return best
    missing = [keys for keys in words if not keys & best.context]
    is_elsewhere = any(keys & each.keys for keys in missing for each in passages)
    is_meant = is_explicit or best.is_only
    return best if is_meant and held >= MIN_EXPLICIT * len(words) and not is_elsewhere else None


def _choose_of_subject(holders: Sequence[Passage], group: str, *, is_explicit: bool) -> Passage | None:
    """Where nothing but the subject is asked of: the one passage that gives it the value itself."""
    if not is_explicit:
        return None
    own = [each for each in holders if not _is_of_part(each.words)]
    made = [each for each in own if each.keys & MAKING] if group in PLACED else []
    chosen = made if len(made) == 1 else own
    return chosen[0] if len({each.labels_of(group) for each in chosen}) == 1 else None


def _is_of_part(words: Sequence[Token]) -> bool:
    return bool(words) and words[0].text in POSSESSIVES
