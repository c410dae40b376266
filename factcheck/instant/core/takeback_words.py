"""The sentences by which players take back or change what they said, compiled."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from typing import Any

from factcheck.core.yaml_files import read_yaml
from factcheck.instant.core.chinese import allow_spaces
from factcheck.instant.core.concepts import stems_of
from factcheck.instant.core.expressions import fold_expression
from factcheck.instant.core.messages import fold

_MAX_SHORT = 90
_REASON = r"[^?؟？\n]{0,60}"
"""Why something is to be forgotten, behind a mark: "forget i said that, my eyes hurt"."""
_ABOUT = (
    "about|around|like|uh|um|maybe|to|up to|примерно|около|где-то|до|لحد|لغايه|حوالي|تقريبا"
    "|la7ad|7awali|la|大概|差不多|到"
)
_FILE = Path(__file__).resolve().parents[2] / "pattern_sets" / "takebacks.yaml"


class TakebackWords:
    """Expressions over folded texts."""

    def __init__(self, content: dict[str, Any]) -> None:
        groups = {name: _join(group) for name, group in content["takebacks"].items()}
        opening = rf"(?>\W*(?:{groups['opening']})(?!\w))*"  # atomic: a word may be in several languages
        self.joke = re.compile(rf"{opening}\W*(?:{groups['joke']})\W*(?:{groups['opening']})?\W*")
        self.forget = re.compile(rf"{opening}\W*(?:{groups['forget']})\W*")
        since = rf"\s*[^\w\s]+\s*{_REASON}"
        self.forget_since = re.compile(
            rf"{opening}\W*(?:(?:{groups['forget']}){since}|(?:{groups['forget_word']})(?:{since}|\W*))"
        )
        asked = rf"\W*+(?>(?:{groups['opening']}|{groups['forget_ask']})(?!\w)\W*+){{0,8}}"
        self.forget_named = re.compile(
            rf"(?P<lead>{asked})(?:(?P<verb>{groups['forget_verb']})(?!\w){asked}(?P<behind>[^,،\n]*)"
            rf"|(?P<before_ru>(?:про|о|об|мо[йюяе]|мое|свой) [^,\n]{{1,40}}?)\s*(?:{groups['forget_verb_before']})"
            r"(?!\w)(?=\W*(?:$|[,.!\n]))"
            rf"|(?P<before_ar>[^,،\n]{{2,60}}?)\s*[,،]?\s*(?:{groups['forget_verb_with_it']})(?!\w)(?=\W*(?:$|[,.!،؛\n]))"
            rf"|(?P<before>(?:(?:把|将|之前|刚才|我的).{{1,20}}?|[^,，]{{1,12}}?)[,，]?\s*(?:你|就)?\s*)"
            rf"(?:{groups['forget_verb_last']})\s*(?:吧|就行|好了|了|啦|可以)*\W*?(?:谢谢|多谢|拜托|羞耻|丢人|尴尬|呜呜)?\s*(?:$|[.!,，。；;]))"
        )
        self.limits = {
            name.removeprefix("limit_"): re.compile(rf"(?<!\w)(?:{group})(?!\w)")
            for name, group in groups.items()
            if name.startswith("limit_")
        }
        """What limits a denial, by name: see `denial_limits`."""
        self.denied = re.compile(rf"(?<![\w'])(?:{groups['slip_not']})(?!\w)")
        self.slip = re.compile(rf"(?<![\w'])(?:{groups['slip_own']}|{groups['slip']})(?!\w)")
        self.slip_own = re.compile(rf"(?<![\w'])(?:{groups['slip_own']})(?!\w)")
        self.slip_fine = re.compile(rf"(?<![\w'])(?:{groups['slip_fine']})(?!\w)")
        self.harmless = re.compile(rf"(?<![\w'])(?:{groups['harmless']})(?!\w)")
        self.liked = re.compile(rf"(?<![\w'])(?:{groups['liked']})(?!\w)")
        self.regret = re.compile(rf"(?<![\w'])(?:{groups['regret']})(?!\w)")
        self.part_behind = re.compile(rf"\s*(?:{groups['part_behind']})(?!\w)")
        self.over = re.compile(rf"(?<![\w'])(?:{groups['over']})(?!\w)")
        self.revises = re.compile(rf"(?<![\w'])(?:{groups['revises']})(?!\w)")
        self.doctor = re.compile(rf"(?<![\w'])(?:{groups['doctor']})(?!\w)")
        self.doctor_says = re.compile(rf"(?<![\w'])(?:{groups['doctor_says']})(?!\w)")
        self.slip_fine_around = re.compile(groups["slip_fine_around"])
        self.slip_lead = re.compile(rf"\W*(?:(?:{groups['slip_lead']}|{groups['opening']})(?!\w)\W*)*")
        self.slip_tail = re.compile(rf"(?>\W+(?:{groups['slip_tail']}|{groups['opening']})(?!\w))*\W*$")
        self.slip_words = re.compile(rf"(?:{groups['slip_lead']}|{groups['slip_tail']}|{groups['opening']})")
        place = r"(?P<place>[^\W\d_]{2,}(?:-[^\W\d_]+)?)"
        self.goes_to = re.compile(
            rf"(?<!\w)(?:{groups['goes_to']})\s+(?:the |el |l |al )?{place}"
            rf"|(?:{groups['goes_to_han']})\s*(?P<han>[\u3400-\u9fff]{{2,4}})(?=\s|$)"
        )
        self.no_place = re.compile(groups["no_place"])
        self.not_all = re.compile(rf"(?<!\w)(?:{groups['not_all']})(?!\w)")
        self.not_all_behind = re.compile(rf"\s+(?:{groups['not_all_behind']})(?!\w)")
        self.forget_verb = re.compile(rf"(?<!\w)(?:{groups['forget_verb']}|{groups['forget_verb_with_it']})(?!\w)")
        self.forget_told = re.compile(rf"(?<!\w)(?:{groups['forget_told']})(?!\w)")
        self.forget_own = re.compile(rf"(?<!\w)(?:{groups['forget_own']})(?!\w)")
        self.forget_thing = re.compile(rf"(?<!\w)(?:{groups['forget_thing']})(?!\w)")
        self.forget_with = re.compile(rf"(?:{groups['forget_with']})(?!\w)")
        self.forget_except = re.compile(rf"(?<!\w)(?:{groups['forget_except']})(?!\w)")
        self.forget_then = re.compile(rf"(?<!\w)(?:(?:{groups['forget_then']})(?!\w)|(?:{groups['forget_then_han']}))")
        self.forget_ask = re.compile(rf"(?<!\w)(?:{groups['forget_ask']})(?!\w)")
        self.forget_for_now = re.compile(rf"(?<!\w)(?:{groups['forget_for_now']})(?!\w)")
        self.keep = re.compile(r"(?<!\w)не (?:забудь|забывай|удал|сотри|отмен|вычерк)|(?:没|不要|别|不) ?(?:忘|删)")
        self.idiom = re.compile(rf"\W*(?:{groups['idiom']})\W*")
        self.cancelled = re.compile(rf"(?<![\w'])(?:{groups['cancelled']})(?!\w)")
        self.postponed = re.compile(rf"(?<![\w'])(?:{groups['postponed']})(?!\w)")
        self.said_behind = re.compile(rf"[\W_]*(?:(?:it is|that'?s) )?(?:{groups['said_behind']})(?!\w)")
        self.said_inside = re.compile(rf"(?<!\w)(?:{groups['said_inside']})")
        self.said_before = re.compile(rf"(?<!\w)(?:{groups['said_before']})\s*$")
        self.place = re.compile(rf"(?<!\w)(?:{groups['place']})(?:\s+|(?<!\w))")
        self.place_stage = re.compile(rf"(?:{groups['place_stage']})(?!\w)|$")
        self.add_also = re.compile(rf"(?<!\w)(?:{groups['add_also']})(?!\w)")
        self.add_and = re.compile(rf"(?<!\w)(?:{groups['add_and']})")
        self.add_list = re.compile(rf"(?<!\w)(?:{groups['add_list']})(?!\w)")
        self.add_of = re.compile(rf"(?<!\w)(?:{groups['add_of']})(?!\w)")
        beside = "|".join(groups[f"add_{name}"] for name in ("list", "also", "of", "around"))
        self.add_lead = re.compile(rf"(?>\W*(?:{beside})(?!\w))*\W*")
        self.add_tail = re.compile(rf"(?>\W+(?:{beside})(?!\w))*\W*$")
        self.event_around, self.event_of, self.event_when, self.event_whole = (
            re.compile(groups[f"event_{name}"]) for name in ("around", "of", "when", "whole")
        )
        self.made_up_for = re.compile(rf"(?<![\w'])(?:{groups['made_up_for']})(?!\w)")
        self.no_day = re.compile(rf"(?<![\w'])(?:{groups['no_day']})(?!\w)")
        self.only = re.compile(rf"(?<![\w'])(?:{groups['only']})(?!\w)")
        self.change_reason = re.compile(
            rf"(?<!\w)(?:{groups['change_reason']})(?!\w)|(?:{groups['change_reason_han']})|[$€£₽]"
        )
        self.change_inside = re.compile(rf"(?<![\w'])(?:{groups['change']})(?!\w)")
        self.change = re.compile(rf"(?<![\w'])(?:{groups['change']})\W*(?:{_ABOUT})?\W*$")
        self.lead = re.compile(rf"(?:{groups['lead']})(?!\w)")
        self.tail = re.compile(rf"(?:{groups['tail']})(?!\w)")
        self.joke_inside = re.compile(rf"(?<![\w'])(?:{groups['joke']})(?!\w)")
        self.size_word = re.compile(
            r"(?<![\w'])(?:[2-6]?[xх]{0,4}[smlмл]|х[лс]|small|medium|large|эм\w{1,2}|эс\w{1,2}|эл\w{1,3})(?![\w'])"
        )
        self.kinds = {key: frozenset(_split_names(names)) for key, names in content["kinds"].items()}
        self.wider: dict[str, frozenset[str]] = {key: frozenset(keys) for key, keys in content["wider"].items()}

    def takes_back(self, folded: str) -> bool:
        """Whether a folded text may be about the player's own last statement."""
        if len(folded) <= _MAX_SHORT and any(
            each.fullmatch(folded) for each in (self.joke, self.forget, self.forget_since)
        ):
            return True
        return self.is_off(folded) or self.joke_inside.search(folded) is not None

    def is_off(self, folded: str) -> bool:
        """Whether a folded text may say that something will not be, or is to be forgotten."""
        return any(each.search(folded) for each in (self.cancelled, self.postponed, self.forget_verb))

    def occurs(self, folded: str) -> bool:
        """Whether a folded text may take something back or give a bare value."""
        if len(folded) <= _MAX_SHORT and any(character.isdigit() for character in folded):
            return True
        return self.takes_back(folded) or any(
            each.search(folded)
            for each in (self.only, self.size_word, self.change_inside, self.over, self.doctor, self.revises)
        )


@lru_cache(maxsize=1)
def load_takeback_words() -> TakebackWords:
    """The shipped words, compiled once a process."""
    return TakebackWords(read_yaml(_FILE))


def _split_names(names: str) -> list[tuple[str, ...]]:
    """The stems of each of the names of a list."""
    return [stems_of(fold(name)) for name in names.split(",") if name.strip()]


def _join(group: dict[str, str]) -> str:
    texts = (allow_spaces(text) if language == "zh" else text for language, text in group.items())
    sources = (fold_expression(re.sub(r"\s*\n\s*", "", text.strip())) for text in texts)
    return "|".join(sources).replace(r"[\p{L}\p{N}_]", r"\w").replace(r"\p{L}", r"[^\W\d_]")
