"""What the benchmarks of instant facts share: the compiled packs and a mixed corpus of messages."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.conf import settings

from factcheck.instant.change_reader import list_changes, may_change
from factcheck.instant.core.change_cases import ReadChange
from factcheck.instant.core.corrections import may_correct
from factcheck.instant.core.extraction import ExtractedFact, extract_facts
from factcheck.instant.core.judges import Scorer
from factcheck.instant.core.labelled_lines import SAID_AT
from factcheck.instant.core.pattern_sets import SHIPPED_PATTERN_SETS, load_shipped

CASES = Path(__file__).resolve().parents[1] / "qa" / "facts"
LANGUAGES = ("en", "ru", "ar", "arabizi")
_PLAIN = {
    "en": "the old tower | we walked along the river | and then he opened the door | I saw a light "
    "| what do you think? "
    "| and | let's go north | my friend came back late | it was raining all day | tell me more about the city",
    "ru": "мы шли вдоль реки | и тут он открыл дверь | я увидела свет | что ты об этом думаешь? | пойдём на север "
    "| подруга вернулась поздно | весь день шёл дождь | расскажи ещё про город | у меня сегодня много дел",
    "ar": "مشينا على طول النهر | وبعدين فتح الباب | شفت نور بعيد | وش رايك في الموضوع؟ | خلنا نروح الشمال "
    "| صديقتي رجعت متأخرة | كان المطر طول اليوم | احك لي أكثر عن المدينة",
    "arabizi": "mshaina 3ala 6ool el nahr | ba3dain fata7 el bab | sheft noor b3eed | shu rayak? "
    "| yalla nroo7 el shamal | el jaw 7ilu wayed elyom | a7chi li akthar 3an el madina | wallah ta3ban shway",
}


class Reader:
    """Extraction with what ships, ready to call: by patterns, by meaning where the wheel runs, or by both."""

    def __init__(self, by: str = "patterns") -> None:
        self.compiled, self.concepts = load_shipped()
        self.scorer = _load_scorer() if by != "patterns" else None
        self.list_changes = self._list_changes if self.scorer is not None else None
        self._pattern_sets_off = frozenset(SHIPPED_PATTERN_SETS) if by == "meaning" else frozenset()

    def may_correct(self, text: str, previous: str = "") -> bool:
        """Whether a message may change what is known of its author, by rules or by how layers read it."""
        is_ruled = may_correct(text, compiled=self.compiled)
        return is_ruled or (self.scorer is not None and may_change(text, previous=previous))

    def _list_changes(self, text: str, *, asked: str, **given: Any) -> Sequence[ReadChange]:
        return list_changes(text, asked=asked, **given) if self.may_correct(text, asked) else ()

    def read(self, text: str, previous: str = "") -> list[ExtractedFact]:
        """The facts of one message, which may answer the assistant's previous one."""
        return extract_facts(
            text,
            compiled=self.compiled,
            concepts=self.concepts,
            now=SAID_AT,
            previous=previous,
            scorer=self.scorer,
            pattern_sets_off=self._pattern_sets_off,
        )


def _load_scorer() -> Scorer | None:
    if not settings.configured:
        settings.configure(EMBEDDING_THREADS=1, PROCESS="web", INSTANT_SEMANTIC="inline")
    from factcheck.instant.scorer import get_scorer

    return get_scorer()


def make_messages(count: int, *, share_with_fact: float = 0.1) -> list[str]:
    """Messages in all languages and their mixtures; the given share comes from the cases that state a fact."""
    chooser = random.Random(37)
    phrases = {language: text.split("|") for language, text in _PLAIN.items()}
    stating = [
        case["text"]
        for language in LANGUAGES
        for case in map(json.loads, (CASES / f"{language}.jsonl").read_text(encoding="utf-8").splitlines())
        if case["facts"]
    ]
    messages = []
    for number in range(count):
        if number < count * share_with_fact:
            messages.append(chooser.choice(stating))
            continue
        languages = chooser.sample(LANGUAGES, chooser.choice((1, 1, 1, 2)))
        messages.append(". ".join(chooser.choice(phrases[chooser.choice(languages)]).strip() for _ in range(3)))
    chooser.shuffle(messages)
    return messages
