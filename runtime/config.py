"""Budgets of context packs from `config/prompt_budgets.yaml` and the frames of `config/prompts/`, checked at start."""

from __future__ import annotations

import functools
import hashlib
from pathlib import Path
from string import Template
from typing import Literal

from django.conf import settings
from pydantic import Field, model_validator

from knowledge.facts.core.types import FACT_TYPES
from knowledge.text.languages import PROMPT_LANGUAGES
from memoryproject.config_files import ConfigError, Section, parse_config, read_config
from runtime.chat.core import ReplyTemplates
from runtime.context.core.budgets import Budget, DensityCap, LayerBudget
from runtime.context.core.episodes import SpanRules
from runtime.context.core.pack import LAYERS, USER
from runtime.context.relevance_filter import RelevanceFilter
from runtime.context.render import LayerFrame, PromptSet

MAX_TOKENS = 1_000_000


class LayerSection(Section):
    """One layer's budget."""

    max_tokens: int = Field(ge=0, le=MAX_TOKENS)
    min_tokens: int = Field(0, ge=0)
    max_items: int = Field(100, ge=0, le=1000)
    item_tokens: int | None = Field(None, ge=8)
    priority: int = Field(0, ge=0, le=100)

    @model_validator(mode="after")
    def _ordered(self) -> LayerSection:
        if self.min_tokens > self.max_tokens:
            raise ValueError("min_tokens is above max_tokens")
        return self


class DensitySection(Section):
    """How many episodes a user with fewer than so many messages is told; without `below_messages`, everyone else."""

    below_messages: int | None = Field(None, ge=1)
    max_items: int = Field(ge=0, le=100)
    share: float = Field(ge=0, le=1)


class SpanSection(Section):
    """Which neighbours of an episode are told with it."""

    similarity: dict[str, float]
    similarity_otherwise: float = Field(0.28, ge=-1, le=1)


class RelevanceFilterSection(Section):
    """Which rules are told."""

    enabled: bool = True
    named_share: float = Field(0.15, ge=0, le=1)
    share: float = Field(0.4, ge=0, le=1)
    telling_words: float = Field(1.2, ge=0, le=100)
    similarity: float = Field(0.45, ge=-1, le=1)

    @model_validator(mode="after")
    def _named_is_enough(self) -> RelevanceFilterSection:
        if self.named_share > self.share:
            raise ValueError("named_share is above share")
        return self


class ModelSection(Section):
    """What is otherwise for one chat model."""

    total: int = Field(ge=1, le=MAX_TOKENS)


class ContextSection(Section):
    """All about packs."""

    total: int = Field(ge=1, le=MAX_TOKENS)
    models: dict[str, ModelSection] = {}
    message_overhead: int = Field(4, ge=0, le=100)
    memory_rules: Literal["condensed", "full"] = "condensed"
    layers: dict[str, LayerSection]
    density: list[DensitySection] = Field(min_length=1)
    span: SpanSection
    rules_gate: RelevanceFilterSection = RelevanceFilterSection()

    @model_validator(mode="after")
    def _complete(self) -> ContextSection:
        missing = [name for name in LAYERS if name not in self.layers]
        unknown = [name for name in self.layers if name not in LAYERS]
        if missing or unknown:
            raise ValueError(f"layers missing: {', '.join(missing) or 'none'}; unknown: {', '.join(unknown) or 'none'}")
        if sum(layer.min_tokens for layer in self.layers.values()) > min(self._list_totals()):
            raise ValueError("the layers' min_tokens are more than the total")
        bounds = [each.below_messages for each in self.density]
        if bounds[-1] is not None or None in bounds[:-1] or bounds[:-1] != sorted(bounds[:-1], key=lambda n: n or 0):
            raise ValueError("density goes from few messages to many; only the last has no below_messages")
        return self

    def _list_totals(self) -> list[int]:
        return [self.total, *(model.total for model in self.models.values())]


class BudgetFile(Section):
    """The whole file."""

    context: ContextSection

    def to_budget(self, model: str | None = None) -> Budget:
        """The budget of a pack for a chat model; the default one where the model is unknown or has none of its own."""
        layers = {name: LayerBudget(**layer.model_dump()) for name, layer in self.context.layers.items()}
        own = self.context.models.get(model or "")
        return Budget(own.total if own else self.context.total, layers, self.context.message_overhead)

    def to_density(self) -> tuple[DensityCap, ...]:
        """The caps on episodes, from few messages to many."""
        return tuple(DensityCap(each.below_messages, each.max_items, each.share) for each in self.context.density)

    def to_span_rules(self) -> SpanRules:
        """Which neighbours are told."""
        return SpanRules(**self.context.span.model_dump())

    def to_relevance_filter(self) -> RelevanceFilter:
        """Which rules are told."""
        return RelevanceFilter(**self.context.rules_gate.model_dump())


class FrameSection(Section):
    """One layer's frame."""

    open: str = ""
    close: str = ""
    spaced: bool = False
    separator: str = "\n"
    items: dict[str, str] = Field(min_length=1)
    parts: dict[str, str] = {}

    @model_validator(mode="after")
    def _fillable(self) -> FrameSection:
        for name, line in {**self.items, **self.parts}.items():
            if not Template(line).is_valid():
                raise ValueError(f"{name}: a $ must stand before a name; write $$ for the sign")
        return self


class PromptFile(Section):
    """The frames of one language."""

    version: int = Field(ge=1)
    layers: dict[str, FrameSection]
    words: dict[str, str]

    @model_validator(mode="after")
    def _complete(self) -> PromptFile:
        wanted = [name for name in LAYERS if name != USER]
        if sorted(self.layers) != sorted(wanted):
            raise ValueError(f"layers must be {', '.join(wanted)}")
        return self

    def to_prompt_set(self, language: str, *, source: str) -> PromptSet:
        """The frames as rendering takes them."""
        layers = {
            name: LayerFrame(
                items={key: line.rstrip("\n") for key, line in frame.items.items()},
                open=frame.open.rstrip("\n"),
                close=frame.close.rstrip("\n"),
                parts=frame.parts,
                is_spaced=frame.spaced,
                separator=frame.separator,
            )
            for name, frame in self.layers.items()
        }
        layers[USER] = LayerFrame(items={"item": "$text"})
        labels = {f"fact_{each.name}": each.labels[language] for each in FACT_TYPES.values()}
        return PromptSet(language, self.version, source, layers, labels | self.words)


class ReplyFile(Section):
    """What a model is told in one language when its reply may not stand."""

    version: int = Field(ge=1)
    contradiction: str = Field(pattern=r"\$sources")
    language: str = Field(pattern=r"\$language")
    source: str = Field(pattern=r"\$title[\s\S]*\$text")


class CheckFile(Section):
    """What a model is asked in one language when it checks a reply."""

    version: int = Field(ge=1)
    system: str = Field(min_length=1)


class CondenseFile(Section):
    """What a model is asked in one language when it makes a short text of a long one."""

    version: int = Field(ge=1, le=30_000)
    system: str = Field(min_length=1)
    again: str = Field(min_length=1)


def parse_budget_file(text: str, *, filename: str = "prompt_budgets.yaml") -> BudgetFile:
    """The file of budgets. Raises ConfigError with all mistakes, each as `file:line: setting: what is wrong`."""
    return parse_config(text, BudgetFile, filename=filename)


def parse_prompt_file(text: str, language: str, *, filename: str) -> PromptSet:
    """The frames of one language; their source names the file and its content. Raises ConfigError."""
    digest = hashlib.sha256(text.encode()).hexdigest()[:12]
    parsed = parse_config(text, PromptFile, filename=filename)
    return parsed.to_prompt_set(language, source=f"{filename}@{digest}")


@functools.cache
def load_budgets() -> BudgetFile:
    """The file of `settings.PROMPT_BUDGETS`, read once a process. Raises ConfigError."""
    return read_config(Path(settings.PROMPT_BUDGETS), BudgetFile)


@functools.cache
def load_prompts() -> dict[str, PromptSet]:
    """Language to frames, from `settings.PROMPTS_DIR`, read once a process. Raises ConfigError.

    All languages tell the same kinds of items: what one frame can say, each can.
    """
    prompts = {}
    for language in PROMPT_LANGUAGES:
        path = Path(settings.PROMPTS_DIR) / language / "context.yaml"
        filename = f"{language}/context.yaml"
        try:
            text = path.read_text(encoding="utf-8")
        except OSError as error:
            raise ConfigError(f"{filename}: {error.strerror}") from error
        prompts[language] = parse_prompt_file(text, language, filename=filename)
    first = prompts[PROMPT_LANGUAGES[0]]
    for other in prompts.values():
        if _list_names(other) != _list_names(first):
            missing = sorted(_list_names(first) ^ _list_names(other))
            raise ConfigError(f"{other.source}: differs from {first.source} in {', '.join(missing)}")
    return prompts


@functools.cache
def load_reply_templates() -> dict[str, ReplyTemplates]:
    """Language to frames, from `settings.PROMPTS_DIR`, read once a process. Raises ConfigError."""
    paths = {language: Path(settings.PROMPTS_DIR) / language / "reply.yaml" for language in PROMPT_LANGUAGES}
    return {language: ReplyTemplates(**read_config(path, ReplyFile).model_dump()) for language, path in paths.items()}


@functools.cache
def load_check_prompts() -> dict[str, CheckFile]:
    """Language to what a checking model is asked, from `settings.PROMPTS_DIR`, once a process. Raises ConfigError."""
    paths = {language: Path(settings.PROMPTS_DIR) / language / "check.yaml" for language in PROMPT_LANGUAGES}
    return {language: read_config(path, CheckFile) for language, path in paths.items()}


@functools.cache
def load_condense_prompts(name: str) -> dict[str, CondenseFile]:
    """Language to what a model is asked for a `snippet` or a `summary`, from `settings.PROMPTS_DIR`.

    All languages have the same version: it says which prompt made a text. Raises ConfigError.
    """
    paths = {language: Path(settings.PROMPTS_DIR) / language / f"{name}.yaml" for language in PROMPT_LANGUAGES}
    prompts = {language: read_config(path, CondenseFile) for language, path in paths.items()}
    if len({prompt.version for prompt in prompts.values()}) > 1:
        raise ConfigError(f"{name}.yaml: all languages must have the same version")
    return prompts


def _list_names(prompts: PromptSet) -> set[str]:
    names = {f"words.{name}" for name in prompts.words}
    for layer, frame in prompts.layers.items():
        for name, line in {**frame.items, **frame.parts}.items():
            names.update(f"{layer}.{name} ${variable}" for variable in ["", *Template(line).get_identifiers()])
    return names
