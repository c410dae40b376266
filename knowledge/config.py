"""The settings of each domain, read from `config/knowledge.yaml` and checked line by line."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import yaml
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError, model_validator

DomainName = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{0,31}$")]


class ConfigError(ImproperlyConfigured):
    """`config/knowledge.yaml` can't be used; the message names file, line and setting."""


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class ChunkSettings(_Section):
    """Token range of a chunk (o200k tokens)."""

    min_tokens: int = Field(500, ge=1)
    max_tokens: int = Field(1500, ge=16, le=8000)

    @model_validator(mode="after")
    def _ordered(self) -> ChunkSettings:
        if self.min_tokens > self.max_tokens:
            raise ValueError("min_tokens is above max_tokens")
        return self


class Bm25Settings(_Section):
    """BM25's saturation and length normalisation."""

    k1: float = Field(1.2, ge=0, le=10)
    b: float = Field(0.75, ge=0, le=1)


class Weights(_Section):
    """Shares of the two lists in convex fusion; they are scaled to a sum of 1."""

    keyword: float = Field(0.5, ge=0)
    vector: float = Field(0.5, ge=0)

    @model_validator(mode="after")
    def _not_both_zero(self) -> Weights:
        if self.keyword + self.vector <= 0:
            raise ValueError("keyword and vector are both 0")
        return self


class RerankSettings(_Section):
    """The optional second look by a chat model."""

    enabled: bool = False
    candidates: int = Field(16, ge=2, le=50)
    timeout_ms: int = Field(1500, ge=50, le=60_000)


class RetrievalSettings(_Section):
    """How a domain is searched."""

    mode: Literal["keyword", "vector", "hybrid"] = "hybrid"
    k_vector: int = Field(12, ge=1, le=200)
    k_keyword: int = Field(50, ge=1, le=200)
    k_context: int = Field(8, ge=1, le=50)
    fuse: Literal["convex", "rrf"] = "convex"
    weights: Weights = Weights(keyword=0.6, vector=0.4)
    offline_weights: Weights = Weights(keyword=0.8, vector=0.2)
    rrf_k: int = Field(60, ge=1)
    exact_scan_rows: int = Field(10_000, ge=0)
    vector_floor: float = Field(0.2, ge=-1, le=1)
    rerank: RerankSettings = RerankSettings()


class DomainSettings(_Section):
    """Everything about one domain."""

    store: Literal["pgvector"] = "pgvector"
    embedding: str = Field(min_length=1)
    dims: int = Field(ge=1, le=4000)
    chunk: ChunkSettings = ChunkSettings()
    bm25: Bm25Settings = Bm25Settings()
    retrieval: RetrievalSettings = RetrievalSettings()


class MessageSettings(DomainSettings):
    """How messages of conversations are indexed and searched."""

    embedding: str = Field("text-embedding-3-large", min_length=1)
    dims: int = Field(1024, ge=1, le=4000)
    pivot: float = Field(24.0, gt=0, le=10_000)
    """The usual length of a message in lexemes, fixed: BM25 weights are stored, so an average may not drift."""
    neighbour_share: float = Field(0.3, ge=0, le=1)


class MemorySettings(_Section):
    """What is remembered of play."""

    messages: MessageSettings = MessageSettings()


class KnowledgeSettings(_Section):
    """The whole file."""

    knowledge: dict[DomainName, DomainSettings] = Field(min_length=1)
    memory: MemorySettings = MemorySettings()


def parse_knowledge_settings(text: str, *, filename: str = "knowledge.yaml") -> Mapping[DomainName, DomainSettings]:
    """Domain name to settings. Raises ConfigError with all mistakes, each as `file:line: setting: what is wrong`."""
    return parse_settings_file(text, filename=filename).knowledge


def parse_settings_file(text: str, *, filename: str = "knowledge.yaml") -> KnowledgeSettings:
    """The whole file. Raises ConfigError as `parse_knowledge_settings`."""
    try:
        node = yaml.compose(text, Loader=yaml.SafeLoader)
        raw = yaml.safe_load(text)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = mark.line + 1 if mark else 1
        raise ConfigError(f"{filename}:{line}: {getattr(error, 'problem', None) or error}") from error
    try:
        return KnowledgeSettings.model_validate(raw)
    except ValidationError as error:
        lines = []
        for problem in error.errors():
            path = tuple(problem["loc"])
            lines.append(f"{filename}:{_line_of(node, path)}: {'.'.join(map(str, path)) or '(file)'}: {problem['msg']}")
        raise ConfigError("\n".join(lines)) from error


def _line_of(node: Any, path: tuple[Any, ...]) -> int:
    """The line (from 1) of the deepest part of `path` that the file holds."""
    line = node.start_mark.line + 1 if node is not None else 1
    for step in path:
        if not isinstance(node, yaml.MappingNode):
            break
        for key, value in node.value:
            if key.value == str(step):
                line, node = key.start_mark.line + 1, value
                break
        else:
            break
    return line


@functools.cache
def load_settings_file() -> KnowledgeSettings:
    """The file of `settings.KNOWLEDGE_CONFIG`, read once a process."""
    path = Path(settings.KNOWLEDGE_CONFIG)
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise ConfigError(f"{path.name}: {error.strerror}") from error
    return parse_settings_file(text, filename=path.name)


def load_knowledge_settings() -> Mapping[DomainName, DomainSettings]:
    """The settings of all domains."""
    return load_settings_file().knowledge


def get_message_settings() -> MessageSettings:
    """How messages are indexed and searched."""
    return load_settings_file().memory.messages


def get_domain_settings(domain: DomainName) -> DomainSettings:
    """One domain's settings. Raises UnknownDomain."""
    from knowledge.errors import UnknownDomain

    try:
        return load_knowledge_settings()[domain]
    except KeyError:
        raise UnknownDomain(
            f"There is no domain {domain!r}. Known: {', '.join(sorted(load_knowledge_settings()))}."
        ) from None
