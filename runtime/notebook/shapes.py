"""What the REST interface answers about context and prompt of a notebook."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel

from memoryproject.rest.typed_dicts import member


class ContextLineShape(BaseModel):
    """A line with where it comes from."""

    text: Annotated[str, member("- db: PostgreSQL")]
    tokens: Annotated[int, member(6)]
    provenance: Annotated[dict[str, Any], member({"kind": "fact", "entry_id": 7, "name": "db"})]


class NotebookContextShape(BaseModel):
    """What the notebook has for a turn, as text and line by line."""

    text: Annotated[str, member("Known facts:\n- db: PostgreSQL")]
    tokens: Annotated[int, member(9)]
    facts: list[ContextLineShape]
    memories: Annotated[list[ContextLineShape], member([])]
    cut: Annotated[list[ContextLineShape], member([], "What the budget left out.")]
    degraded: Annotated[list[str], member([])]


class NotebookPromptShape(BaseModel):
    """What to tell a model about the notebook and its commands."""

    language: Annotated[str, member("en")]
    version: Annotated[int, member(1)]
    prompt: Annotated[str, member("You are an assistant …")]
    temperature: Annotated[list[float], member([0.3, 0.5], "From and to: models keep to commands best there.")]
