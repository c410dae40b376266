"""Which facts are kept at all: the one table of their types, and how their keys are written.

Choices, database checks, patterns, the gate of the second stage, prompts, labels and corrections read it. A new type is
one entry here (docs/how-to/add-a-fact-type.md). Source: seed 002, fixes 2 and 3.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

from knowledge.facts.core.instructions import INSTRUCTION, MAX_INSTRUCTION_LENGTH

Correction = Literal["intolerance", "ban", "taste", "amount", "event", "wish"]
"""How words take a fact of the type back; `factcheck.instant.core.denial_rules` has a rule for each."""
Subject = Literal["author", "told", "reader"]
"""Whose a statement is: of the person named last, so that guards ask; of whoever is told it; or its reader says so."""

LIFE_EVENT = "life_event"
ONBOARDING_STYLE = "onboarding_style"
EVENT_TTL_DAYS = 30
"""An event without a date is a fact for so long after it was last spoken of."""
MAX_KEY_LENGTH = 100
MAX_VALUE_LENGTH = 1000
_GAP = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class FactType:
    """One type of facts, with all that differs between types."""

    name: str
    heading: str
    """Over its examples in the guides."""
    labels: Mapping[str, str]
    """What prompts call it, by language."""
    correction: Correction
    subject: Subject = "author"
    key_rules: tuple[str, ...] = ()
    """How patterns find key and value; none: it is stated, never heard."""
    default_key: str = ""
    """Of a fact without a key; empty: its value."""
    ttl_days: int | None = None
    """Facts of the type end, without a date of their own after so many days; None: they stay."""
    max_length: int = MAX_VALUE_LENGTH
    """Characters of a value."""
    is_safety: bool = False
    """What protects a person: easy to add, hard to remove, never left out of a pack."""
    is_critical: bool = False
    """One accepted proposal makes a fact (seed 002, fix 1B, rule a)."""
    heard_as: str = ""
    """The kind of statement by which the model of hearing judges it: its own, or another type's; empty: by none."""
    key_hints: Mapping[str, str] = field(default_factory=dict)
    """What a proposing model is told of its keys, by language."""
    names: str = ""
    """Words that name the type itself where a value of it is meant: "that size", «бюджет»."""
    wish_kinds: tuple[str, ...] = ()
    """Kinds of wishes about manner that are facts of this type and no instructions."""


_THING_HINTS = {
    "en": "the thing, in English, plural, lower case",
    "ru": "предмет по-английски, во множественном числе, строчными",
    "ar": "الشيء بالإنجليزية بصيغة الجمع وحروف صغيرة",
    "zh": "用英文小写复数写该事物",
}
_THING_RULES = ("concept", "phrase", "nearby")

_TABLE = (
    FactType(
        "body_params",
        "Sizes and measures",
        {"en": "Size", "ru": "Размер", "ar": "المقاس", "zh": "尺码", "es": "Talla", "uk": "Розмір"},
        correction="amount",
        key_rules=("size", "measure"),
        default_key="size",
        is_critical=True,
        heard_as="body_params",
        key_hints=dict.fromkeys(
            ("en", "ru", "ar", "zh"), "size, shoe_size, height_cm, weight_kg, waist, chest, hips, ring_size …"
        ),
        names="size sizes размер размера размеру مقاس مقاسي مقاسك قياس قياسي قياسك سايز"
        " ma2as ma2asi ma2asik ma2asak 尺码 码数 尺寸 码",
    ),
    FactType(
        "budget",
        "Budgets",
        {"en": "Budget", "ru": "Бюджет", "ar": "الميزانية", "zh": "预算", "es": "Presupuesto", "uk": "Бюджет"},
        correction="amount",
        key_rules=("money",),
        default_key="general",
        is_critical=True,
        heard_as="budget",
        key_hints={
            "en": "general, or what it is for",
            "ru": "general или на что он",
            "ar": "general أو الغرض منها",
            "zh": "general 或用途",
        },
        names="budget бюджет бюджета бюджете бюджету ميزانيه الميزانيه ميزانيتي ميزانيتك بجت bajt bajti mizaniti 预算",
    ),
    FactType(
        "allergy",
        "Allergies and what makes ill",
        {"en": "Allergy", "ru": "Аллергия", "ar": "حساسية", "zh": "过敏", "es": "Alergia", "uk": "Алергія"},
        correction="intolerance",
        key_rules=_THING_RULES,
        is_safety=True,
        is_critical=True,
        heard_as="allergy",
        key_hints=_THING_HINTS,
    ),
    FactType(
        "hard_ban",
        "Bans: what must not come up",
        {
            "en": "Strict ban",
            "ru": "Строгий запрет",
            "ar": "ممنوع تماما",
            "zh": "严格禁止",
            "es": "Veto estricto",
            "uk": "Сувора заборона",
        },
        correction="ban",
        subject="told",
        key_rules=_THING_RULES,
        is_safety=True,
        is_critical=True,
        heard_as="hard_ban",
        key_hints=_THING_HINTS,
    ),
    FactType(
        ONBOARDING_STYLE,
        "Styles chosen at the start",
        {
            "en": "Style named at the start",
            "ru": "Стиль, названный при знакомстве",
            "ar": "الأسلوب المذكور في البداية",
            "zh": "初次介绍的风格",
            "es": "Estilo elegido al principio",
            "uk": "Стиль, названий на початку",
        },
        correction="taste",
        default_key="style",
    ),
    FactType(
        LIFE_EVENT,
        "Coming events",
        {
            "en": "Life event",
            "ru": "Событие в жизни",
            "ar": "حدث في الحياة",
            "zh": "生活事件",
            "es": "Acontecimiento",
            "uk": "Подія в житті",
        },
        correction="event",
        subject="reader",
        key_rules=("event",),
        ttl_days=EVENT_TTL_DAYS,
        heard_as=LIFE_EVENT,
        key_hints=dict.fromkeys(("en", "ru", "ar", "zh"), "wedding, birthday, trip, moving, graduation …"),
    ),
    FactType(
        "pronouns",
        "How somebody wants to be spoken to",
        {"en": "Pronouns", "ru": "Местоимения", "ar": "الضمائر", "zh": "代词", "es": "Pronombres", "uk": "Займенники"},
        correction="wish",
        subject="reader",
        key_rules=("instruction",),
        default_key="pronouns",
        max_length=MAX_INSTRUCTION_LENGTH,
        heard_as=INSTRUCTION,
        key_hints=dict.fromkeys(("en", "ru", "ar", "zh"), "pronouns"),
        wish_kinds=("pronouns",),
    ),
    FactType(
        INSTRUCTION,
        "How somebody wants to be spoken to",
        {
            "en": "Standing instruction",
            "ru": "Постоянное пожелание",
            "ar": "رغبة دائمة",
            "zh": "长期愿望",
            "es": "Deseo permanente",
            "uk": "Постійне побажання",
        },
        correction="wish",
        subject="reader",
        key_rules=("instruction",),
        max_length=MAX_INSTRUCTION_LENGTH,
        heard_as=INSTRUCTION,
        key_hints={
            "en": "name, language, length, tone, format, units, or wish",
            "ru": "name, language, length, tone, format, units или wish",
            "ar": "name, language, length, tone, format, units أو wish",
            "zh": "name, language, length, tone, format, units 或 wish",
        },
    ),
)

FACT_TYPES: Mapping[str, FactType] = {each.name: each for each in _TABLE}
GUARANTEED_TYPES = tuple(FACT_TYPES)
SOFT_TYPES = ("emotional_patterns", "behavior_patterns", "color_preferences", "brand_preferences")
"""These change and are guessed at: they stay in the words of the conversation."""


def _list_names(*, heard: bool = False, critical: bool = False, safety: bool = False) -> Iterator[str]:
    for each in _TABLE:
        if (each.key_rules or not heard) and (each.is_critical or not critical) and (each.is_safety or not safety):
            yield each.name


HEARD_TYPES = tuple(_list_names(heard=True))
"""What words can state; the others are only stated by the engine."""
CRITICAL_TYPES = tuple(_list_names(critical=True))
PROTECTED_TYPES = tuple(_list_names(safety=True))
"""What protects a person: easy to add, hard to remove. Lines and veils at the table are bans, too."""
THING_TYPES = tuple(each.name for each in _TABLE if "concept" in each.key_rules)
"""Their keys are things that concepts name."""
NUMBER_TYPES = tuple(each.name for each in _TABLE if each.correction == "amount")
WISH_TYPES = tuple(each.name for each in _TABLE if each.correction == "wish")
"""What a person asks of the manner of speaking to them."""
EXPIRING_TYPES = tuple(each.name for each in _TABLE if each.ttl_days is not None)
RANKED_TYPES = (*PROTECTED_TYPES, *(name for name in FACT_TYPES if name not in PROTECTED_TYPES))
"""By what matters most."""
KEY_RULES = tuple(dict.fromkeys(rule for each in _TABLE for rule in each.key_rules))
RULES_THAT_READ_A_VALUE = tuple(rule for name in NUMBER_TYPES for rule in FACT_TYPES[name].key_rules)
DEFAULT_KEYS = {each.name: each.default_key for each in _TABLE if each.default_key}


def get_wish_type(kind: str) -> str:
    """The type of a wish of a kind: one of its own where the table has one, else an instruction."""
    return next((each.name for each in _TABLE if kind in each.wish_kinds), INSTRUCTION)


def canonical_key(text: str) -> str:
    """A key in one spelling: folded, words joined by `_`; empty where nothing of a word is in it."""
    return _GAP.sub("_", unicodedata.normalize("NFKC", text).casefold()).strip("_")
