"""What the REST interface answers about context and prompt of a notebook."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, Field


class ContextLineShape(BaseModel):
    """A line with where it comes from."""

    text: str
    tokens: int
    provenance: dict[str, Any]


class NotebookContextShape(BaseModel):
    """What the notebook has for a turn, as text and line by line."""

    text: str
    tokens: int
    facts: list[ContextLineShape]
    memories: list[ContextLineShape]
    cut: list[ContextLineShape] = Field(description="What the budget left out.")
    degraded: list[str]


class NotebookPromptShape(BaseModel):
    """What to tell a model about the notebook and its commands."""

    language: str
    version: int
    prompt: str
    temperature: list[float] = Field(description="From and to: models keep to commands best there.")
