"""What a model is told about its notebook, in four languages, from `config/prompts/*/notebook.yaml`."""

from __future__ import annotations

import functools
from pathlib import Path
from string import Template

from django.conf import settings
from pydantic import Field

from knowledge.text.languages import PROMPT_LANGUAGES
from memoryproject.config_files import ConfigError, Section, read_config
from runtime.context.core.neutralise import neutralise

TEMPERATURE = (0.3, 0.5)
"""At which models keep to commands best. Source: seed 003."""


class NotebookTemplates(Section):
    """The templates of one language."""

    version: int = Field(ge=1)
    prompt: str = Field(min_length=1)
    facts: str = Field(min_length=1)
    notes: str = Field(min_length=1)
    fact: str = Field(pattern=r"\$key[\s\S]*\$text")
    conflict: str = Field(pattern=r"\$author[\s\S]*\$text")
    note: str = Field(pattern=r"\$text")
    note_by: str = Field(pattern=r"\$author[\s\S]*\$text")
    document: str = Field(pattern=r"\$path[\s\S]*\$text")
    document_by: str = Field(pattern=r"\$path[\s\S]*\$author[\s\S]*\$text")
    results: str = Field(min_length=1)
    result_none: str = Field(pattern=r"\$command[\s\S]*\$asked")

    def render(self, name: str, **values: str) -> str:
        """A line with the values of others made harmless: one line each, no brackets of a frame, no commands."""
        template: str = getattr(self, name)
        return Template(template).substitute({key: neutralise(value) for key, value in values.items()})


@functools.cache
def load_notebook_templates() -> dict[str, NotebookTemplates]:
    """Language to templates, from `settings.PROMPTS_DIR`, read once a process. Raises ConfigError."""
    paths = {language: Path(settings.PROMPTS_DIR) / language / "notebook.yaml" for language in PROMPT_LANGUAGES}
    templates = {language: read_config(path, NotebookTemplates) for language, path in paths.items()}
    if len({each.version for each in templates.values()}) > 1:
        raise ConfigError("notebook.yaml: all languages must have the same version")
    return templates
