"""What fitted layers take a message to do to known facts, as far as rules let them.

Layers alone end no fact that protects a person: at most they put it in doubt, and add another one beside it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from factcheck.instant.core.author_spans import AuthorSpans
from factcheck.instant.core.change_cases import Change, ReadChange
from factcheck.instant.core.clause_patterns import load_clause_patterns
from factcheck.instant.core.clauses import is_question, split_sentences
from factcheck.instant.core.concepts import ConceptTable
from factcheck.instant.core.correction_results import Basis, Correction, Effect, Outcome
from factcheck.instant.core.denial_clauses import find_arabizi_names
from factcheck.instant.core.denial_limits import is_not_alone, names_relation
from factcheck.instant.core.eaten_slips import (
    IT_IS,
    blank_kin,
    find_eaten,
    has_thing,
    is_eaten_as_habit,
    names_other_relation,
    reacts_to_other,
    states_again,
)
from factcheck.instant.core.extracted import ExtractedFact
from factcheck.instant.core.known_facts import KnownFact
from factcheck.instant.core.layer_numbers import may_be_idiom, names_number
from factcheck.instant.core.layer_values import KINDS_OF_WISHES, PATTERN, LayerValues
from factcheck.instant.core.lexicon import load_lexicon
from factcheck.instant.core.masked_messages import MaskedMessage, mask_message
from factcheck.instant.core.mentions import find_mentions, stem_text
from factcheck.instant.core.messages import FoldedMessage, fold
from factcheck.instant.core.narrative_modes import Span
from factcheck.instant.core.new_values import is_ruled_out
from factcheck.instant.core.slips import denies_alone, is_mistake_alone
from factcheck.instant.core.takeback_words import load_takeback_words
from factcheck.instant.core.value_lists import list_mentions
from factcheck.instant.core.vouched_denials import find_vouched
from knowledge.facts.core.types import LIFE_EVENT, NUMBER_TYPES, THING_TYPES, WISH_TYPES

MIN_JOURNEY = 0.98
"""The probability from which on a journey is off of which but the place is named, though a hotel there might be meant:
near misses of this kind are among the lines."""
MIN_VOUCHING = 0.8
"""The probability from which on layers vouch for a clause that denies what protects its author."""
_UNMEANT = ("others", "keep", "doubt", "danger")
"""Kinds of words by which a denial in their sentence is not meant."""
MIN_EATEN = 0.98
"""The probability from which on one allergy was said for another, where its author denies the first and eats the thing,
though nobody spoke of it right before, or kin say so."""
MIN_SLIP = 0.9
"""The probability from which on layers take one allergy to have been said for another in a sentence that speaks of
harm."""
_MAKE_BELIEVE = re.compile(
    r"(?<!\w)(?:dream\w*|dreamt|horoscope|april fools?|(?:alternate|parallel|another) universe|in the sims"
    r"|(?:при)?снил(?:ось|ся|ась)|гороскоп\w*|перв(?:ое|ым) апреля|(?:و?حلمت|المنام|ابراج|كذبه ابريل)\w*"
    r"|7[ei]?lemt)(?!\w)"
    r"|梦见|梦到|愚人节|星座"
)
"""Dreams, jests and games: in a message that speaks of one nothing that protects its author is over."""
_OF_THINGS = re.compile(
    r"(?<!\w)(?:i want|i'?d like|order\w*|recipe|table|cake|salad|soup|bag|cart|basket|bought|buy|menu|dish"
    r"|заказ\w*|рецепт\w*|салат\w*|суп\w*|торт\w*|корзин\w*|куп\w+|блюд\w*|хочу"
    r"|(?:ال)?(?:طلب|طبق|سله|وصفه|سلطه)\w*|اشتري\w*|طلبت\w*|ابي|عايز\w*|talab\w*|3ayez\w*|eshtare\w*)(?!\w)"
    r"|там|тут|банк\w+|столе|买|袋|盒|罐|饼|馅|桌|家里|点 ?的|订单|购物车|菜谱|汤里|沙拉|蛋糕|想 ?[要吃]"
)
"""What was mixed up may be a thing that is ordered, or in a dish, and no allergy."""
_END_OF_NAME = re.compile(
    r"\s*(?:$|[.,!?;،؛؟。，！？]|(?:i |я )?(?:said|told|mentioned|говорил\w*|сказал\w*|рассказ\w*|писал\w*)(?!\w))"
)
"""Behind the name of what is to be forgotten: "the interview nerves" are something else."""
DENYING_CHANGES: tuple[Change, ...] = ("ends", "replaced")
"""Those by which a fact that protects its author may be over."""
_WORD = re.compile(r"[^\W_][\w'-]*")
_COUNTED_WISHES = frozenset({"length", "units", "format"})
"""Of what may be said in figures: "three sentences at most"."""


class LayerChanges:
    """The changes of one message, by what rules allow."""

    def __init__(
        self, message: FoldedMessage, spoken: AuthorSpans, changes: Sequence[ReadChange],
        extracted: Sequence[ExtractedFact], concepts: ConceptTable, *, referred: Collection[int] = (),
        just_said: Collection[int] = (), previous: str = "",
    ) -> None:  # fmt: skip
        """`referred` are the ids of facts that the author or the assistant named right before, `just_said` of those
        that the author stated then, `previous` is what the assistant said.
        """
        self._just_said = just_said
        self._previous = previous
        self._message, self._spoken, self._concepts = message, spoken, concepts
        self._changes, self._referred = changes, referred
        self._masked: dict[int, MaskedMessage] = {}
        self._values = LayerValues(message, spoken, extracted, concepts, previous=previous)

    def list_corrections(self) -> Iterator[Correction]:
        """What ends, is replaced, or is in doubt; nothing where the author but asks, or another says a part of it."""
        if not self._is_said():
            return
        for read in self._changes:
            fact = read.fact
            if not self._may_be_meant(read):
                continue
            clause = self._find_vouched(read)
            if clause is not None:
                yield self._deny(read, clause)
            elif not read.is_sure:
                continue
            elif read.change == "doubted":
                yield self._make(read, "retracted", "disputed")
            elif read.change == "replaced" and not fact.is_protected:
                yield from self._replace(read)
            elif read.change == "replaced" or (read.change == "narrowed" and fact.type in THING_TYPES):
                yield from self._narrow(read)
            elif read.change == "ends":
                yield self._end(read)

    def _end(self, read: ReadChange) -> Correction:
        """The fact is over; in doubt where it protects its author, or something else may be meant."""
        fact = read.fact
        if fact.is_protected or may_be_idiom(self._message, fact) or self._is_of_place(read):
            return self._make(read, "ambiguous", "disputed")
        other = self._values.find_other_measure(read)
        if other is not None:
            return self._make(read, "replaced", "replaced", replacement=other, basis="layers")
        outcome: Outcome = "outdated" if fact.type == LIFE_EVENT else "denied"
        return self._make(read, outcome, "ended", basis="layers")

    def _may_be_meant(self, read: ReadChange) -> bool:
        """Whether the message speaks of the fact at all, and ends it neither in a wish nor in a question: "don't forget
        my weight", "if only I had a budget".
        """
        fact = read.fact
        if fact.is_protected and fact.type in THING_TYPES and not self._is_spoken_of(fact):
            return False
        if read.change != "ends":
            return True
        if load_takeback_words().keep.search(self._message.text) or self._all_imagined():
            return False
        if fact.type not in NUMBER_TYPES:
            return True
        return names_number(self._message.text, fact, self._concepts, is_referred=fact.id in self._referred)

    def _is_spoken_of(self, fact: KnownFact) -> bool:
        """Whether the message names what protects its author, or the relation, or somebody named it right before."""
        if fact.id in self._referred or (fact.type == "allergy" and names_relation(self._message.text)):
            return True
        texts = [stem_text(text) for text in (self._message.text, fold(self._previous))]
        find = (find_mentions, find_arabizi_names)
        return any(each(text, fact, self._concepts) for text in texts for each in find)

    def _deny(self, read: ReadChange, clause: Span) -> Correction:
        """The fact is over, since layers and a clause of the message both say so; what was meant instead is known."""
        if read.change == "replaced" and self._is_of_others(read):
            return self._make(read, "ambiguous", "disputed")
        instead = self._read_instead(read) if read.change == "replaced" else None
        if instead is None:
            return self._make(read, "denied", "ended", basis="explicit", clause=clause)
        return self._make(read, "replaced", "replaced", replacement=instead, basis="explicit", clause=clause)

    def _read_instead(self, read: ReadChange) -> ExtractedFact | None:
        """The thing that is meant instead, where no sentence says that it is somebody else's."""
        place = self._values.find_place(read)
        if place is None or self._is_of_others(read):
            return None
        return self._values.read_thing(read, place, "replacement")

    def _is_of_others(self, read: ReadChange) -> bool:
        """Whether the sentence with what is so instead speaks of somebody else than kin who tell the author."""
        place = self._values.find_place(read)
        if place is None:
            return False
        first, last = self._message.sentence(*place)
        return load_lexicon().has_guard("others", blank_kin(IT_IS.sub(" ", self._message.text[first:last])))

    def list_additions(self) -> Iterator[ExtractedFact]:
        """A thing that is said as well, of the type of a fact that protects its author: in doubt without a word such as
        "also" beside it, and none of another person.
        """
        for read in self._changes:
            place = self._values.find_place(read)
            if read.change == "added" and read.fact.type in THING_TYPES and place is not None and self._is_said():
                added = self._values.read_thing(read, place, "addition") if self._is_meant(place, ("others",)) else None
                if added is not None:
                    yield replace(added, is_doubtful=not self._says_also(place))

    def _says_also(self, place: Span) -> bool:
        """Whether the sentence around a place has a word of additions."""
        first, last = self._message.sentence(*place)
        words = load_takeback_words()
        groups = (words.add_also, words.add_list, words.add_and)
        return any(group.search(self._message.text, first, last) for group in groups)

    def _is_said(self) -> bool:
        """Whether the author says the first and the last word for themselves, and not all of it is a question."""
        text = self._message.text
        words = list(_WORD.finditer(text))
        ends = [self._message.locate(word.start(), word.end())[0] for word in (*words[:1], *words[-1:])]
        is_own = bool(words) and all(self._spoken.contains(place) for place in ends)
        return is_own and not all(sentence.is_question for sentence in split_sentences(text))

    def _is_meant(self, place: Span, guards: Sequence[str], *, told_by_kin: bool = False) -> bool:
        """Whether the sentence around a place is the author's, no question, and has none of these guards; with
        `told_by_kin` it may be kin who say so.
        """
        first, last = self._message.sentence(*place)
        sentence, lexicon = IT_IS.sub(" ", self._message.text[first:last]), load_lexicon()
        sentence = blank_kin(sentence) if told_by_kin else sentence
        if is_question(sentence) or any(lexicon.has_guard(guard, sentence) for guard in guards):
            return False
        return self._spoken.contains(self._message.locate(*place)[0])

    def _is_of_place(self, read: ReadChange) -> bool:
        """Whether of a journey but its place is named, which rules left alone: a hotel or a concert there is off."""
        fact = read.fact
        if not fact.places or read.probability >= MIN_JOURNEY:
            return False
        text = stem_text(self._message.text)
        is_named = bool(find_mentions(text, fact, self._concepts))
        return is_named and not find_mentions(text, replace(fact, places=()), self._concepts)

    def _all_imagined(self) -> bool:
        """Whether each sentence asks, or says what would be."""
        return all(self._values.is_imagined((each.start, each.end)) for each in split_sentences(self._message.text))

    def _narrow(self, read: ReadChange) -> Iterator[Correction]:
        """The other thing is known first, and the old one is in doubt. What is denied by its name beside the other was
        said wrong, where the message speaks of the allergy; a ban, where it was named right before.
        """
        place = self._values.find_place(read) if read.fact.type in THING_TYPES else None
        instead = self._read_instead(read) if read.fact.type in THING_TYPES else None
        is_wrong = read.change == "replaced" and (self._is_denied(read) or self._is_slip(read))
        is_wrong = is_wrong and not self._is_upheld(read.fact)
        if instead is None:
            yield self._make(read, "ambiguous", "disputed")
        elif is_wrong and self._is_of_relation(read, place):
            yield self._make(read, "replaced", "replaced", replacement=instead, basis="explicit")
        else:
            yield self._make(read, "narrowed", "disputed", replacement=instead)

    def _find_vouched(self, read: ReadChange) -> Span | None:
        """The clause that speaks against what layers read to be over; of what was meant instead, where it is not but
        another order ("shrimp is fine, it's crab I want instead").
        """
        fact = read.fact
        if read.change not in DENYING_CHANGES or fact.type not in THING_TYPES or read.probability < MIN_VOUCHING:
            return None
        if read.change == "replaced" and not (fact.id in self._referred or names_relation(self._message.text)):
            return None
        if self._is_upheld(fact):
            return None
        is_named = bool(find_mentions(stem_text(fold(self._previous)), fact, self._concepts))
        is_referred = is_named or fact.id in self._referred
        return find_vouched(self._mask(fact), is_referred=is_referred)

    def _is_of_relation(self, read: ReadChange, new: Span | None) -> bool:
        """Whether the message is about the relation to another thing, mends what was said right before, or says that
        its author eats what was spoken of, or what layers read with certainty to be meant: "not almonds, cashews" alone
        may be of an order or a recipe, and "no peanuts, almonds, I'm allergic" is.
        """
        fact, text = read.fact, self._message.text
        is_referred = fact.id in self._referred
        if fact.type != "allergy":
            return is_referred
        words = load_takeback_words()
        is_mistake = fact.id in self._just_said and is_mistake_alone(text, words) and not _OF_THINGS.search(text)
        if names_other_relation(self._mask(fact)):
            return True
        if is_mistake and denies_alone(text, find_mentions(stem_text(text), fact, self._concepts), new, words):
            return True
        if is_referred:
            return find_eaten(self._mask(fact)) is not None
        return self._is_eaten_as_habit(read) and not _OF_THINGS.search(text)

    def _is_eaten_as_habit(self, read: ReadChange) -> bool:
        """Whether layers read a slip with certainty, and the author says that they eat the thing all the time."""
        return read.probability >= MIN_EATEN and is_eaten_as_habit(self._mask(read.fact))

    def _mask(self, fact: KnownFact) -> MaskedMessage:
        """The message with the names of a fact masked, made once."""
        whole = self._masked.get(fact.id)
        if whole is None:
            whole = self._masked[fact.id] = mask_message(self._message, self._spoken, fact, self._concepts)
        return whole

    def _is_upheld(self, fact: KnownFact) -> bool:
        """Whether the message is of a dream or a jest by its words, or states the allergy to the thing again."""
        if _MAKE_BELIEVE.search(self._message.text):
            return True
        return fact.type == "allergy" and states_again(self._mask(fact))

    def _is_denied(self, read: ReadChange) -> bool:
        """Whether "not" stands right before the fact's name, or "has nothing to do with it" behind it, with no sign in
        the sentence that it is not meant, or of that alone. Kin may say so of an allergy whose author eats the thing.
        """
        fact, text = read.fact, self._message.text
        is_eaten = self._is_eaten_as_habit(read)
        return any(
            is_ruled_out(text, place)
            and not is_not_alone(text, place[0])
            and self._is_meant(place, _UNMEANT, told_by_kin=is_eaten)
            and not self._values.is_imagined(place)
            for place in find_mentions(stem_text(text), fact, self._concepts)
        )

    def _is_slip(self, read: ReadChange) -> bool:
        """Whether an allergy is denied by its name in a clause that its author means, and in others they say that it is
        fine and that they react to another thing, which may be in the same sentence: "it was never mango, it was
        lychee that gave me hives. mango's ok".
        """
        fact, text = read.fact, self._message.text
        if read.probability < MIN_SLIP or load_clause_patterns().is_ironic(self._message.source):
            return False
        whole = self._mask(fact)
        if not reacts_to_other(whole) or find_eaten(whole) is None:
            return False
        told = [IT_IS.sub(" ", said.masked) for said in whole.clauses if has_thing(said)]
        if any(load_lexicon().has_guard("others", masked) for masked in told):
            return False
        denied = [place for place in whole.own if is_ruled_out(text, place)]
        return any(
            said.span[0] <= place[0] < said.span[1] and whole.is_meant(said)
            for said in whole.clauses
            for place in denied
        )

    def _replace(self, read: ReadChange) -> Iterator[Correction]:
        """Another value in the place of the old one; an event that is another one by now is over."""
        fact = read.fact
        new = None if fact.type == LIFE_EVENT else self._values.read_value(read)
        if fact.type == LIFE_EVENT:
            yield from self._replace_event(read)
        elif new is not None and new.value.casefold() != fact.value.casefold():
            yield self._make(read, "replaced", "replaced", replacement=new, basis="layers")
        elif (
            read.new is not None
            and new is None
            and fact.type in WISH_TYPES
            and not (self._quotes() or self._is_of_figure(fact))
        ):
            yield self._make(read, "denied", "ended", basis="layers")

    def _replace_event(self, read: ReadChange) -> Iterator[Correction]:
        """Another event in the place of the old one; where the new words name none, it is but elsewhere or later."""
        place = self._values.find_place(read)
        sentence = (0, 0) if place is None else self._message.sentence(*place)
        named = list_mentions(self._message.text, *sentence, self._concepts, "event")
        said = [each for each in named if place is not None and each.start < place[1] and place[0] < each.end]
        if read.new is None or (not said and self._is_to_forget(read.fact)):
            yield self._make(read, "outdated", "ended", basis="layers")
        elif said and place is not None and said[0].key != read.fact.key:
            instead = self._values.state(read, said[0].key, said[0].value, place)
            yield self._make(read, "replaced", "replaced", replacement=instead, basis="layers")

    def _is_to_forget(self, fact: KnownFact) -> bool:
        """Whether an event is named behind an order to forget what was told of it: "wipe what I said about the
        interview, let's talk football". What is said instead is no event.
        """
        words, text = load_takeback_words(), self._message.text
        for start, end in find_mentions(stem_text(text), fact, self._concepts):
            first, _ = self._message.sentence(start, end)
            told = words.forget_told.search(text, first, start)
            is_ordered = told is not None and words.forget_verb.search(text, first, told.start()) is not None
            if is_ordered and _END_OF_NAME.match(text, end):
                return True
        return False

    def _is_of_figure(self, fact: KnownFact) -> bool:
        """Whether the message says a figure, and so may be of another fact than a name or a tone: "no, I'm a 45"."""
        is_counted = fact.key in _COUNTED_WISHES or fact.key not in KINDS_OF_WISHES
        return not is_counted and any(map(str.isdigit, self._message.text))

    def _quotes(self) -> bool:
        """Whether some of the message are not the author's own words."""
        words = _WORD.finditer(self._message.text)
        return not all(self._spoken.contains(self._message.locate(*word.span())[0]) for word in words)

    def _make(
        self, read: ReadChange, outcome: Outcome, effect: Effect, *, replacement: ExtractedFact | None = None,
        basis: Basis = "", clause: Span | None = None,
    ) -> Correction:  # fmt: skip
        first, last = (0, len(self._message.source)) if clause is None else self._message.locate(*clause)
        said = self._message.source[first:last]
        first += len(said) - len(said.lstrip())
        return Correction(
            outcome=outcome, effect=effect, facts=(read.fact,), language=self._values.language,
            pattern=f"{PATTERN}@{read.version}", quote=said.strip(), start=first, end=first + len(said.strip()),
            replacement=replacement, basis=basis,
        )  # fmt: skip
