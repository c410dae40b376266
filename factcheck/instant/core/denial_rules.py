"""The rules by which the tokens of a clause deny the relation of a fact."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Literal

from factcheck.instant.core.lexicon import Token
from knowledge.facts.core.types import Correction

Strength = Literal["explicit", "doubtful"]

_NO_LONGER = (
    "no longer", "больше", "ماعاد", "ما عاد", "ماعدت", "ما عدت", "لم يعد", "لم تعد", "لم اعد", "مبق", "مابق", "ما بق",
    "معدش",     "mab2", "meb2", "ma b", "mab", "ma3ad", "ma 3ad", "ma3edt", "ma 3edt", "m3ad", "mo3ad",
    "不再", "再也不", "已经不", "早就不", "早不", "现在不", "没再",
)  # fmt: skip
_ANSWERS = frozenset({"no", "never", "нет", "لا", "不", "没有", "没", "不是"})
_AFTER_ANSWER = frozenset(["my", "the", "it", "that", "this", "there", "it's", "that's", "its", "i've", "i'm", "im"])
_POSTPOSED = ("нет", "нету", "ноль", "не осталось", "отсутствует", "больше нет", "не было", "zero", "none")
_SPLITTERS = frozenset(["with", "in", "on", "from", "for", "about", "due", "as", "for me", "with me", "food", "foods"])
"""What tears a negation from the relation behind it: "not with my allergy"."""


class Clause:
    """A clause's tokens: which kinds it has, and what its negations govern."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self.tokens = [token for index, token in enumerate(tokens) if not _is_answer(tokens, index)]
        self.counts = Counter(token.kind for token in self.tokens)
        self.negations = self.counts["negation"] or min(1, self.counts["concord"])
        self.counts["again"] += self.says("negation", *_NO_LONGER)

    def has(self, *kinds: str) -> bool:
        """Whether a token of each kind is in it."""
        return all(self.counts[kind] for kind in kinds)

    def any(self, *kinds: str) -> bool:
        """Whether a token of one of the kinds is in it."""
        return any(self.counts[kind] for kind in kinds)

    def says(self, kind: str, *starts: str) -> bool:
        """Whether a token of a kind starts with one of the words."""
        return any(token.kind == kind and token.text.startswith(starts) for token in self.tokens)

    def denies(self, *kinds: str) -> bool:
        """Whether its one negation governs a token of the kinds: with no thing, verb or strange word between them."""
        if self.negations != 1:
            return False
        wanted = "negation" if self.counts["negation"] else "concord"
        place = next(index for index, token in enumerate(self.tokens) if token.kind == wanted)
        target = next((index for index, token in enumerate(self.tokens) if token.kind in kinds and index > place), None)
        if target is None:
            return self.tokens[place].text.startswith(_POSTPOSED) and self.any(*kinds)
        between = self.tokens[place + 1 : target]
        is_neither = self.tokens[place].text == "neither"
        if any(token.text in _SPLITTERS for token in between):
            return False
        return all(
            token.kind in ("filler", "first", "again", "concord", "opinion", "quantity", *kinds)
            or (token.kind in ("thing", "other_thing") and (is_neither or _is_compound(between[index:])))
            for index, token in enumerate(between)
        )

    def states(self, kind: str) -> bool:
        """Whether its author is the subject of a token of the kind, right before it or but for the thing: "clear it up:
        I'm allergic", «сними, у меня аллергия».
        """
        kinds = [
            token.kind for token in self.tokens if token.kind not in ("filler", "quantity", "thing", "other_thing")
        ]
        return any(pair == ("first", kind) for pair in pairwise(kinds))

    def says_of_itself(self, *kinds: str) -> bool:
        """Whether the author says who it is about: by a pronoun, or by a verb of the first person."""
        return self.has("first") or any(
            token.kind in kinds
            and (
                token.text.startswith(_FIRST_PERSON) or not (token.text[0].isascii() or token.text[0] > _LAST_INFLECTED)
            )
            for token in self.tokens
        )

    def tells_of_thing(self, kind: str) -> bool:
        """Whether a predicate stands behind the thing ("spiders are fine") or leads to it ("fine with", «عادي»)."""
        thing = next((index for index, token in enumerate(self.tokens) if token.kind == "thing"), None)
        for index, token in enumerate(self.tokens):
            if token.kind == kind:
                following = self.tokens[index + 1].text if index + 1 < len(self.tokens) else ""
                if (
                    thing is None
                    or index > thing
                    or following in ("with", "by", "to")
                    or token.text.startswith(_PREPOSED)
                ):
                    return True
        return False


_LAST_INFLECTED = "\u2e7f"
"""Letters behind it are those of Chinese and its neighbours, whose verbs name no person."""
_FIRST_PERSON = ("a7", "ba7", "alb", "balb", "ako", "aako", "bako", "a5", "ba5", "akh", "bakh", "akil", "akel")
_PREPOSED = (
    "不介意",
    "没",
    "可以",
    "能接受",
    "允许",
    "尽管",
    "عادي",
    "اوك",
    "تمام",
    "ما ",
    "مافي",
    "لا ",
    "3ad",
    "ma ",
    "maf",
    "مسموح",
    "masm",
    "можно",
    "разреш",
    "можешь",
    "можете",
    "не против",
    "ничего",
    "не имею",
)


def _is_answer(tokens: Sequence[Token], index: int) -> bool:
    """Whether a token only answers: "no i'm …", «нет у меня аллергия» (but «нет у меня аллергии» denies)."""
    token = tokens[index]
    if token.kind != "negation" or token.text not in _ANSWERS or index + 1 >= len(tokens):
        return False
    following = tokens[index + 1]
    if token.text == "never":
        return False
    if token.text > _LAST_INFLECTED:
        return following.kind == "first"
    if token.text == "нет" and any(
        each.kind == "relation" and each.text.endswith(("ии", "ей", "ти")) for each in tokens
    ):
        return any(each.kind == "negation" for each in tokens[index + 1 :])
    return following.kind == "first" or following.text in _AFTER_ANSWER or following.kind == "negation"


def _is_compound(rest: Sequence[Token]) -> bool:
    """Whether a thing stands right before what is denied, alone or in a list: "no nut allergy"."""
    return all(
        token.kind in ("thing", "other_thing", "concord") or token.text in (",", "/", "and", "or", "и", "و")
        for token in rest
    )


def deny_allergy(clause: Clause) -> Strength | None:
    """Whether a clause denies that its thing is not tolerated."""
    plain = clause.negations == 0
    if clause.has("relation"):
        if clause.any("ended", "lift", "unban"):
            is_over = clause.any("ended") or not clause.states("relation")
            return "explicit" if plain and is_over else None
        if not clause.denies("relation") or clause.any("fine", "eat", "like", "show"):
            return None
        return "doubtful" if clause.any("opinion", "quantity") else "explicit"
    if clause.any("trouble", "banned"):
        return "explicit" if clause.denies("trouble", "banned") and clause.any("again", "first") else None
    if not plain or clause.any("show", "show_you", "ban"):
        return None
    if clause.has("eat") and clause.says_of_itself("eat"):
        if clause.has("again"):
            return "explicit"
        return "doubtful" if clause.any("may", "fine") else None
    if clause.has("fine") and clause.tells_of_thing("fine"):
        return "explicit" if clause.has("first") else "doubtful" if clause.has("again") else None
    if clause.has("may") and clause.has("again"):
        is_own = clause.has("first") or clause.says(
            "may", "i ", "i'm", "можно", "اقدر", "بقدر", "agdar", "a2dar", "ba2dar", "صار"
        )
        return "explicit" if is_own else None
    return None


def deny_ban(clause: Clause) -> Strength | None:
    """Whether a clause lifts the ban of its thing."""
    if clause.negations == 1:
        return _deny_ban_by_negation(clause)
    if clause.negations:
        return None
    if clause.has("unban") or (clause.has("ban") and clause.any("lift", "ended")):
        return "explicit"
    if clause.has("show_you"):
        return "explicit" if clause.has("may") else None
    if clause.has("show"):
        return _allow_showing(clause)
    if clause.any("like", "eat"):
        if not clause.says_of_itself("like", "eat"):
            return None
        return "explicit" if clause.has("again") else "doubtful"
    if clause.has("may"):
        is_plain = clause.tells_of_thing("may") and any(
            (token.kind == "may" and not token.text[0].isascii()) or token.text.startswith("masm")
            for token in clause.tokens
        )
        return "explicit" if is_plain else None
    if clause.has("fine") and clause.tells_of_thing("fine"):
        is_plain = clause.any("again", "first") or clause.says("fine", *_PREPOSED)
        return "explicit" if is_plain else "doubtful"
    return None


def _deny_ban_by_negation(clause: Clause) -> Strength | None:
    if clause.any("lift", "show", "show_you", "like", "eat"):
        return None
    if clause.denies("ban", "banned"):
        return "explicit"
    if not clause.denies("trouble"):
        return None
    is_plain = clause.has("again") or clause.says(
        "trouble",
        "mind",
        "against",
        "problem",
        "an issue",
        "issue",
        "против",
        "ничего",
        "имею",
        "مانع",
        "مشكل",
        "介意",
        "反对",
    )
    return "explicit" if is_plain else "doubtful"


def _allow_showing(clause: Clause) -> Strength | None:
    """A permission ("you can show me …"), or an order to do so again; "now you show me …" only tells, and 又 blames."""
    if clause.has("may"):
        return "explicit"
    first = next(index for index, token in enumerate(clause.tokens) if token.kind == "show")
    tells = any(token.text in ("you", "u", "we", "i", "to") for token in clause.tokens[:first])
    blames = clause.says("again", "又")  # 又推荐牛肉了: "again!"
    return "explicit" if clause.has("again") and not (tells or blames) else None


def deny_taste(clause: Clause) -> Strength | None:
    """Whether a clause denies a liking: a style, a brand."""
    return "explicit" if clause.denies("like") and clause.says_of_itself("like") else None


def deny_amount(clause: Clause) -> Strength | None:
    """Whether a clause takes a size or a budget back without naming another."""
    if clause.negations == 0:
        return (
            "explicit"
            if clause.has("lift") and clause.any("thing", "topic") and clause.any("first", "ban", "topic")
            else None
        )
    wears = ("like",) if clause.says("like", "wear", "нос", "ноше", "بلبس", "البس", "alb", "balb") else ()
    is_over = clause.denies("thing", "topic", "ban", *wears) and clause.any("again", "ban", "first", "topic")
    return "explicit" if is_over and clause.has("thing") and not clause.any("show", "fine", "trouble", "eat") else None


def deny_nothing(clause: Clause) -> Strength | None:
    """Events are cancelled in other words."""
    return None


RULES: dict[Correction, Callable[[Clause], Strength | None]] = {
    "intolerance": deny_allergy,
    "ban": deny_ban,
    "taste": deny_taste,
    "amount": deny_amount,
    "event": deny_nothing,
    "wish": deny_taste,
}
