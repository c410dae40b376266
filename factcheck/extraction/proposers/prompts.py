"""What a model is told when it proposes facts: `extraction.yaml` of each language, checked at start."""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from string import Template
from typing import Any, Literal, Protocol, TypeVar

from django.conf import settings
from jsonschema import Draft202012Validator
from pydantic import Field, model_validator

from factcheck.extraction.core.canaries import find_canary
from factcheck.extraction.core.deltas import DELTA_SCHEMA
from factcheck.extraction.core.prompt_input import PromptLine, render_text
from knowledge.facts.core.types import CRITICAL_TYPES, FACT_TYPES, HEARD_TYPES, SOFT_TYPES
from knowledge.text.languages import DEFAULT_LANGUAGE, PROPOSER_LANGUAGES, find_proposer_language
from memoryproject.config_files import ConfigError, Section, parse_config

FILENAME = "extraction.yaml"


class Prompt(Protocol):
    """What all prompts of a language tell of themselves."""

    @property
    def version(self) -> int:
        """Of the file."""

    @property
    def digest(self) -> str:
        """Of all that is told."""


AnyPrompt = TypeVar("AnyPrompt", bound=Prompt)


class ExampleMessage(Section):
    """A message of an example."""

    role: Literal["user", "assistant"]
    text: str = Field(min_length=1)
    session: int = Field(1, ge=1)
    new: bool = True


class ExampleFact(Section):
    """A known fact of an example."""

    type: str
    key: str
    value: str


class Example(Section):
    """Messages and the deltas that they come to. Every value is a reserved word, so that a repeated one is noticed."""

    facts: list[ExampleFact] = []
    messages: list[ExampleMessage] = Field(min_length=1)
    deltas: list[dict[str, Any]]

    @model_validator(mode="after")
    def _checked(self) -> Example:
        error = next(Draft202012Validator(DELTA_SCHEMA).iter_errors({"deltas": self.deltas}), None)
        if error is not None:
            raise ValueError(f"{error.json_path}: {error.message}")
        if not any(find_canary(message.text) for message in self.messages):
            raise ValueError("no message holds a reserved word")
        for delta in self.deltas:
            if not find_canary(delta["value"]):
                raise ValueError(f"{delta['value']}: not a reserved word")
            for quote in delta["quotes"]:
                place = quote["message"]
                if place > len(self.messages) or quote["text"] not in self.messages[place - 1].text:
                    raise ValueError(f"{quote['text']}: not in message {place}")
        return self


class ListForms(Section):
    """How the language writes lists of fact types and of their keys."""

    types: str = ", "
    keys: str = "; "
    key: str = Field("$types: $hint", pattern=r"\$types[\s\S]*\$hint")
    key_types: str = " and "


class ExtractionFile(Section):
    """The whole file. In `system`, `{types}`, `{keys}`, `{critical_types}` and `{soft_types}` come from the table."""

    version: int = Field(ge=1)
    few_shot: bool = True
    system: str = Field(min_length=1)
    lists: ListForms = ListForms()
    examples_heading: str
    facts_heading: str
    messages_heading: str
    closing: str
    examples: list[Example] = []


@dataclass(frozen=True, slots=True)
class ExtractionPrompt:
    """One language's prompt. `system` is the same in every call, so that servers keep it; the rest is around the data
    of the user's turn.
    """

    language: str
    version: int
    system: str
    facts_heading: str
    messages_heading: str
    closing: str

    @property
    def digest(self) -> str:
        """Of all that is told."""
        told = [self.system, self.facts_heading, self.messages_heading, self.closing]
        return hashlib.sha256("\x00".join(told).encode()).hexdigest()

    def render_question(self, facts: str, lines: list[PromptLine]) -> str:
        """The user's turn: everything that differs between calls."""
        messages = "\n".join(line.render() for line in lines)
        return f"{self.facts_heading}\n{facts}\n\n{self.messages_heading}\n{messages}\n\n{self.closing}"


def parse_extraction_file(text: str, language: str, *, filename: str, few_shot: bool | None = None) -> ExtractionPrompt:
    """The prompt of a file; `few_shot` overrides what the file says of its examples. Raises ConfigError."""
    parsed = parse_config(text, ExtractionFile, filename=filename)
    with_examples = parsed.few_shot if few_shot is None else few_shot
    parts = [_fill_types(parsed.system.strip(), parsed.lists, language)]
    if with_examples and parsed.examples:
        parts.append(parsed.examples_heading.strip())
        parts += [_render_example(each, parsed) for each in parsed.examples]
    return ExtractionPrompt(
        language,
        parsed.version,
        "\n\n".join(parts),
        parsed.facts_heading.strip(),
        parsed.messages_heading.strip(),
        parsed.closing.strip(),
    )


def read_extraction_prompts(folder: Path, *, few_shot: bool | None = None) -> dict[str, ExtractionPrompt]:
    """Language to prompt, from a folder laid out as `config/prompts`. Raises ConfigError."""
    prompts = {}
    for language in PROPOSER_LANGUAGES:
        filename = f"{language}/{FILENAME}"
        try:
            text = (folder / language / FILENAME).read_text(encoding="utf-8")
        except OSError as error:
            raise ConfigError(f"{filename}: {error.strerror}") from error
        prompts[language] = parse_extraction_file(text, language, filename=filename, few_shot=few_shot)
    return prompts


@functools.cache
def load_extraction_prompts() -> dict[str, ExtractionPrompt]:
    """Language to prompt, from `settings.PROMPTS_DIR`, read once a process. Raises ConfigError."""
    return read_extraction_prompts(Path(settings.PROMPTS_DIR))


def choose_prompt(prompts: Mapping[str, AnyPrompt], language: str) -> AnyPrompt:
    """The prompt for a talk in a language: who writes Arabizi is told of in Arabic, others in English."""
    return prompts[find_proposer_language(language) or DEFAULT_LANGUAGE]


def name_prompt_version(prompts: Mapping[str, Prompt]) -> str:
    """A short name of all languages' prompts together: their versions, and a digest of what they say."""
    versions = list(dict.fromkeys(str(prompts[language].version) for language in PROPOSER_LANGUAGES))
    told = "".join(prompts[language].digest for language in PROPOSER_LANGUAGES)
    return f"{'.'.join(versions)}@{hashlib.sha256(told.encode()).hexdigest()[:12]}"


def _fill_types(system: str, forms: ListForms, language: str) -> str:
    """The text with the fact types of the table; types whose keys are told of in the same words stand together."""
    by_hint: dict[str, list[str]] = {}
    for name in HEARD_TYPES:
        by_hint.setdefault(FACT_TYPES[name].key_hints[language], []).append(name)
    keys = [
        Template(forms.key).substitute(types=forms.key_types.join(names), hint=hint) for hint, names in by_hint.items()
    ]
    lists = {
        "{types}": " | ".join(HEARD_TYPES),
        "{keys}": forms.keys.join(keys),
        "{critical_types}": forms.types.join(CRITICAL_TYPES),
        "{soft_types}": " | ".join(SOFT_TYPES),
    }
    for name, text in lists.items():
        system = system.replace(name, text)
    return system


def _render_example(example: Example, parsed: ExtractionFile) -> str:
    """In the form of a real call, so that nothing about the form must be explained twice."""
    facts = ",".join(
        f'{{"fact":{place},"type":{render_text(fact.type)},"key":{render_text(fact.key)},'
        f'"value":{render_text(fact.value)}}}'
        for place, fact in enumerate(example.facts, 1)
    )
    lines = [
        PromptLine(place, each.role, each.session, is_new=each.new, text=each.text)
        for place, each in enumerate(example.messages, 1)
    ]
    messages = "\n".join(line.render() for line in lines)
    answer = json.dumps({"deltas": example.deltas}, ensure_ascii=False)
    return f"{parsed.facts_heading.strip()}\n[{facts}]\n{parsed.messages_heading.strip()}\n{messages}\n→ {answer}"
