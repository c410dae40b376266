"""Reasons not to take a clause for what its author says of themselves now and in earnest."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from factcheck.core.instant.messages import FoldedMessage

Where = Literal["before", "after", "sentence"]
WHERE: tuple[Where, ...] = ("before", "after", "sentence")

QUESTION = "question"
OTHER_SUBJECT = "other_subject"
GUARD_KINDS = (
    "negation", "uncertainty", "condition", "quote", OTHER_SUBJECT, "past", "play", "joke", "scene",
    "exception", QUESTION,
)  # fmt: skip
"""What guards are about. The rest of the kinds are the names of the installation's own guards."""

_KINDS = {
    "denied": "negation",
    "denied_here": "negation",
    "negated_reaction": "negation",
    "none_at_the_end": "negation",
    "imagined_more": "condition",
    "asked_inside": "question",
    "general_truth": "other_subject",
    "gift_for_others": "other_subject",
    "grown_out": "past",
    "instructed": "play",
    "one_scene": "scene",
    "unsure": "uncertainty",
    "believed": "uncertainty",
    "mended_itself": "uncertainty",
    "imagined": "condition",
    "reported": "quote",
    "not_meant": "quote",
    "someone_elses_event": "other_subject",
    "not_my_budget": "other_subject",
    "no_longer": "past",
    "past_event": "past",
    "past_size": "past",
    "played": "play",
    "fiction": "play",
    "pretended": "play",
    "joking": "joke",
    "momentary": "scene",
    "excepted": "exception",
}
_LANGUAGE_ENDING = re.compile(r"_(?:en|ru|ar|az)$")
_IN_EARNEST = re.compile(
    r"(?<!\w)(?:(?:not|no|isn't|isnt|ain't|aint|zero|without) (?:(?:even|a|an|any|just|at all|here"
    r"|being) )*(?:jok(?:e|es|ing)|kidding|exaggerat\w+|jk|prank)"
    r"|(?:не|без) (?:(?:я|это|тут|вообще|никаких) )*(?:шуч\w+|шут\w+|прикалыва\w+|прикол\w*)"
    r"|(?:مو|مش|مب|ما|لا|بدون|ليس|ليست|موب|بلا) (?:(?:انا|هذا|هذي|قاعد|قاعده|ب) )*(?:[ا]?مزح\w*|بمزح|نكته|مزاح\w*"
    r"|هزار|بهزر|اهزر|امزح)"
    r"|(?:mo|mu|mub|mish|msh|mesh|ma|bdoon|bidoon) (?:(?:ana|ga3ed|ga3da) )*(?:b?[ao]?mza7|maz7|mazi7|hzar|bahazar"
    r"|nokta)"
    r")(?!\w)"
)
_OF_THE_AUTHOR = re.compile(
    r"(?<!\w)(?:(?:(?:as|like|remember|yes|yeah|and|so) )*(?:i|i've|ive) (?:have )?(?:(?:already|just|also|once"
    r"|always) )*"
    r"(?:told|said|mentioned|wrote|say|tell)(?: (?:you|u|this|it|that|before|already|earlier|once|guys|everyone))*"
    r"|(?:(?:the|my|our|a) )?(?:doctors?|doc|dr|gp|derm|dermatologist|allergist|gastro|nurse|dentist|clinic|er"
    r"|hospital|tests?|specialist)"
    r" (?:said|says|told|confirmed|thinks|wrote|say|tells|diagnosed)(?: (?:me|us|that|it|so))*"
    r"|(?:(?:я|как|же|уже|ведь) )+(?:говорил|сказал|писал|упоминал)[аи]?(?: (?:уже|же|тебе|вам|что))*"
    r"|(?:врач|врачи|доктор|аллерголог|дерматолог|терапевт|гастроэнтеролог|анализы|тест)\w* (?:\w+ )?(?:сказал"
    r"|сказали|говорит|подтвердил|запретил|велел)\w*(?: что)?"
    r"|(?:زي ما |مثل ما |كما )?قلت (?:لك|لكم|لكي)(?: قبل)?(?: ان| اني)?"
    r"|(?:ال)?(?:دكتور|دكتوره|دكاتره|طبيب|طبيبه|دختور)\w* (?:قال|قالت|قالوا|يقول|تقول|حكا|حكي)(?: لي| ان)*"
    r"|(?:el |al )?(?:doctor|dactor|doktor|daktora|tabib|6abib) (?:2al|gal|8al|2alet|galat|2alli|galli)\w*"
    r")(?!\w)"
)
"""Reports that are the author's own word, or a doctor's about them."""
_AFTERTHOUGHT = re.compile(r"[\s.!?؟…]*[^.!?؟;؛\n…]{1,24}(?=[.!?؟;؛\n…]|$)")


@dataclass(frozen=True, slots=True)
class CompiledGuard:
    """A guard ready to run: where it looks, and the fact types that it is about (none: all)."""

    name: str
    kind: str
    where: Where
    types: tuple[str, ...]
    expression: Any


def get_guard_kind(name: str) -> str:
    """The kind of a guard by its name; a name that does not ship is a kind of its own."""
    base = _LANGUAGE_ENDING.sub("", name)
    return _KINDS.get(base, base)


def find_guards(
    message: FoldedMessage,
    start: int,
    end: int,
    *,
    guards: Sequence[CompiledGuard],
    fact_type: str | None = None,
    kinds: Collection[str] | None = None,
) -> frozenset[str]:
    """The kinds of guards that speak against the words from `start` to `end` of a folded message.

    For any words, whether a pattern hit them or not: of a fact's statement and of its correction alike. `guards` are
    those of `PatternSet.guards`; `fact_type` leaves out guards of other types; `kinds` says which are asked (None:
    all). "I'm not joking, …" counts as no joke.
    """
    context = build_guard_context(message, start, end)
    found: set[str] = set()
    if context.is_question and (kinds is None or QUESTION in kinds):
        found.add(QUESTION)
    for guard in guards:
        if guard.kind in found or (kinds is not None and guard.kind not in kinds):
            continue
        if guard.types and fact_type is not None and fact_type not in guard.types:
            continue
        if guard.expression.search(context.around[guard.where]):
            found.add(guard.kind)
    return frozenset(found)


@dataclass(frozen=True, slots=True)
class GuardContext:
    """What guards look at: the text before and after the words, within their sentence, and all of it."""

    sentence: str
    around: Mapping[Where, str]

    @property
    def is_question(self) -> bool:
        """Whether the sentence ends as a question."""
        return self.sentence.rstrip().endswith(("?", "؟"))


def build_guard_context(message: FoldedMessage, start: int, end: int) -> GuardContext:
    """The text around the words from `start` to `end`, with "not joking" blanked out."""
    first, last = message.sentence(start, end)
    text = message.text
    before, said, after = text[first:start], text[start:end], text[end : _end_of_afterthought(text, last)]
    sentence = blank_earnestness(text[first:last])
    around: dict[Where, str] = {"before": before, "after": after, "sentence": sentence}
    if len(sentence) == last - first and sentence != text[first:last]:
        around["before"] = sentence[: len(before)]
        around["after"] = sentence[len(before) + len(said) :] + after[last - end :]
    return GuardContext(sentence, around)


@lru_cache(maxsize=512)
def blank_earnestness(text: str) -> str:
    """The text with phrases such as "not joking", "as I said", "my doctor says" turned into spaces: it is meant."""
    earnest = _IN_EARNEST.sub(lambda match: " " * len(match[0]), text)
    return _OF_THE_AUTHOR.sub(lambda match: " " * len(match[0]), earnest)


def _end_of_afterthought(text: str, last: int) -> int:
    """The end of a few words behind a sentence that may take it back ("… just kidding", ". NOT"); else its own end."""
    afterthought = _AFTERTHOUGHT.match(text, last)
    return afterthought.end() if afterthought else last
