"""What a model is told when it extracts an event: `plot.yaml` of each language, checked at start."""

from __future__ import annotations

import functools
import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.conf import settings
from jsonschema import Draft202012Validator
from pydantic import Field, model_validator

from episodes.events.core.plot import PLOT_SCHEMA
from factcheck.extraction.core.canaries import find_canary
from factcheck.extraction.proposers.prompts import ExampleMessage
from knowledge.text.languages import PROPOSER_LANGUAGES
from memoryproject.config_files import ConfigError, Section, parse_config

FILENAME = "plot.yaml"


class PlotExample(Section):
    """A chunk and its extraction. Every name is a reserved word, so that a repeated one is noticed."""

    messages: list[ExampleMessage] = Field(min_length=1)
    plot: dict[str, Any]

    @model_validator(mode="after")
    def _checked(self) -> PlotExample:
        error = next(Draft202012Validator(PLOT_SCHEMA).iter_errors(self.plot), None)
        if error is not None:
            raise ValueError(f"{error.json_path}: {error.message}")
        for entity in self.plot["entities"]:
            if not find_canary(entity["name"]):
                raise ValueError(f"{entity['name']}: not a reserved word")
        if not find_canary(self.plot["summary"]):
            raise ValueError("the summary holds no reserved word")
        return self


class PlotFile(Section):
    """The whole file."""

    version: int = Field(ge=1)
    system: str = Field(min_length=1)
    example_heading: str
    messages_heading: str
    closing: str
    example: PlotExample


@dataclass(frozen=True, slots=True)
class PlotPrompt:
    """One language's prompt. `system` is the same in every call, so that servers keep it."""

    language: str
    version: int
    system: str
    messages_heading: str
    closing: str

    @property
    def digest(self) -> str:
        """Of all that is told."""
        told = [self.system, self.messages_heading, self.closing]
        return hashlib.sha256("\x00".join(told).encode()).hexdigest()

    def render(self, messages: str) -> str:
        """The user's turn."""
        return f"{self.messages_heading}\n{messages}\n\n{self.closing}"


def parse_plot_file(text: str, language: str, *, filename: str) -> PlotPrompt:
    """The prompt of a file. Raises ConfigError."""
    parsed = parse_config(text, PlotFile, filename=filename)
    lines = "\n".join(
        json.dumps({"message": place, "role": each.role, "speaker": "", "text": each.text}, ensure_ascii=False)
        for place, each in enumerate(parsed.example.messages, 1)
    )
    answer = json.dumps(parsed.example.plot, ensure_ascii=False)
    heading, messages = parsed.example_heading.strip(), parsed.messages_heading.strip()
    system = f"{parsed.system.strip()}\n\n{heading}\n{messages}\n{lines}\n→ {answer}"
    return PlotPrompt(language, parsed.version, system, messages, parsed.closing.strip())


@functools.cache
def load_plot_prompts() -> dict[str, PlotPrompt]:
    """Language to prompt, from `settings.PROMPTS_DIR`, read once a process. Raises ConfigError."""
    prompts = {}
    for language in PROPOSER_LANGUAGES:
        filename = f"{language}/{FILENAME}"
        try:
            text = (Path(settings.PROMPTS_DIR) / language / FILENAME).read_text(encoding="utf-8")
        except OSError as error:
            raise ConfigError(f"{filename}: {error.strerror}") from error
        prompts[language] = parse_plot_file(text, language, filename=filename)
    return prompts
