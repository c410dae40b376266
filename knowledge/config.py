"""The settings of each domain, read from `config/knowledge.yaml` and checked line by line."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Literal

from django.conf import settings
from pydantic import ConfigDict, Field, StringConstraints, field_validator, model_validator

from memoryproject.config_files import Section, parse_config, read_config

DomainName = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{0,31}$")]

DEFAULT_FEATURES: Mapping[str, float] = {
    "near": 0.25,
    "second": 0.2,
    "reply": 0.35,
    "window": 0.2,
    "speaker": 0.2,
    "date": 0.65,
    "when": 0.25,
    "question": -0.15,
    "substance": 0.2,
    "adjacency": 0.2,
}
"""Weights of `knowledge.search.core.message_ranking`, fitted by `python -m bench fit` and rounded."""


class ChunkSettings(Section):
    """Token range of a chunk (o200k tokens)."""

    min_tokens: int = Field(500, ge=1)
    max_tokens: int = Field(1500, ge=16, le=8000)

    @model_validator(mode="after")
    def _ordered(self) -> ChunkSettings:
        if self.min_tokens > self.max_tokens:
            raise ValueError("min_tokens is above max_tokens")
        return self


class Bm25Settings(Section):
    """BM25's saturation and length normalisation."""

    k1: float = Field(1.2, ge=0, le=10)
    b: float = Field(0.75, ge=0, le=1)


class Weights(Section):
    """Shares of the two lists in convex fusion; they are scaled to a sum of 1."""

    keyword: float = Field(0.5, ge=0)
    vector: float = Field(0.5, ge=0)

    @model_validator(mode="after")
    def _not_both_zero(self) -> Weights:
        if self.keyword + self.vector <= 0:
            raise ValueError("keyword and vector are both 0")
        return self


class RerankSettings(Section):
    """The optional second look by a chat model."""

    enabled: bool = False
    candidates: int = Field(16, ge=2, le=50)
    timeout_ms: int = Field(1500, ge=50, le=60_000)


class RetrievalSettings(Section):
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
    vector_floor: float = Field(1.5, ge=0, le=20)
    vector_peak: float = Field(2.25, ge=0, le=20)
    rerank: RerankSettings = RerankSettings()


class DomainSettings(Section):
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
    features: Mapping[str, Annotated[float, Field(ge=-2, le=2)]] = Field(
        default_factory=lambda: dict(DEFAULT_FEATURES), validate_default=True
    )
    """The weight of each feature that ranks messages; one that is left out weighs nothing."""

    @field_validator("features")
    @classmethod
    def _known(cls, features: Mapping[str, float]) -> Mapping[str, float]:
        unknown = sorted(set(features) - set(DEFAULT_FEATURES))
        if unknown:
            raise ValueError(f"unknown: {', '.join(unknown)}; known: {', '.join(DEFAULT_FEATURES)}")
        return features


class PlaySettings(DomainSettings):
    """A domain that the engine writes: searched within one campaign or one world, always exactly."""

    pivot: float = Field(24.0, gt=0, le=10_000)
    """As in `MessageSettings`."""


class EpisodeSettings(PlaySettings):
    """Summaries of scenes. Source: seed 000, §8.13.1."""

    embedding: str = Field("text-embedding-3-large", min_length=1)
    dims: int = Field(768, ge=1, le=4000)
    ttl_days: int = Field(180, ge=90, le=180)
    """How long a summary is found where its world says nothing else."""
    filters: frozenset[Literal["party_id"]] = frozenset({"party_id"})
    """What a search may be narrowed by; what an NPC does not know is always left out."""
    date_weight: float = Field(1.0, ge=0, le=5)
    """What a summary gains that took place in a period of the query; 0 switches it off."""
    retrieval: RetrievalSettings = RetrievalSettings(k_vector=8)


class ArtCardSettings(PlaySettings):
    """Art cards. Source: seed 000, §8.13.1."""

    embedding: str = Field("text-embedding-3-large", min_length=1)
    dims: int = Field(1024, ge=1, le=4000)
    ttl_days: int | None = Field(None, ge=1, le=36_500)
    """How long after it was made a card is found; None for ever."""
    filters: frozenset[Literal["scene_id", "campaign_id", "npc_id", "location_id"]] = frozenset(
        {"scene_id", "campaign_id", "npc_id", "location_id"}
    )
    retrieval: RetrievalSettings = RetrievalSettings(k_vector=8)


class EventSettings(PlaySettings):
    """Events of conversations: searched among one player's, always exactly."""

    embedding: str = Field("text-embedding-3-large", min_length=1)
    dims: int = Field(1024, ge=1, le=4000)
    retrieval: RetrievalSettings = RetrievalSettings(k_vector=8, k_context=5)


class NotebookSettings(PlaySettings):
    """Notebooks of agents: searched one by one, always exactly."""

    embedding: str = Field("text-embedding-3-large", min_length=1)
    dims: int = Field(1024, ge=1, le=4000)
    chunk: ChunkSettings = ChunkSettings(min_tokens=120, max_tokens=400)
    bm25: Bm25Settings = Bm25Settings(k1=1.2, b=0.5)
    retrieval: RetrievalSettings = RetrievalSettings(k_context=3, weights=Weights(keyword=0.5, vector=0.5))


class StoreSettings(PlaySettings):
    """What agents keep by namespace and key: searched below a prefix, always exactly."""

    embedding: str = Field("text-embedding-3-large", min_length=1)
    dims: int = Field(1024, ge=1, le=4000)
    chunk: ChunkSettings = ChunkSettings(min_tokens=200, max_tokens=400)
    bm25: Bm25Settings = Bm25Settings(k1=1.2, b=0.5)
    retrieval: RetrievalSettings = RetrievalSettings(k_context=10, weights=Weights(keyword=0.5, vector=0.5))


class Domains(Section):
    """All domains by name: two that the engine writes, and any number of canon, which are reviewed and released."""

    model_config = ConfigDict(extra="allow")
    __pydantic_extra__: dict[DomainName, DomainSettings]

    episode: EpisodeSettings = EpisodeSettings()
    artcards: ArtCardSettings = ArtCardSettings()

    @model_validator(mode="after")
    def _has_canon(self) -> Domains:
        if not self.__pydantic_extra__:
            raise ValueError("there is no domain of canon")
        return self

    @property
    def canon(self) -> Mapping[DomainName, DomainSettings]:
        """The domains of canon."""
        return self.__pydantic_extra__


class MemorySettings(Section):
    """What is remembered of play."""

    messages: MessageSettings = MessageSettings()
    events: EventSettings = EventSettings()
    notebook: NotebookSettings = NotebookSettings()
    store: StoreSettings = StoreSettings()


class KnowledgeSettings(Section):
    """The whole file."""

    knowledge: Domains
    memory: MemorySettings = MemorySettings()


def parse_knowledge_settings(text: str, *, filename: str = "knowledge.yaml") -> Mapping[DomainName, DomainSettings]:
    """Domain name to settings. Raises ConfigError with all mistakes, each as `file:line: setting: what is wrong`."""
    return parse_settings_file(text, filename=filename).knowledge.canon


def parse_settings_file(text: str, *, filename: str = "knowledge.yaml") -> KnowledgeSettings:
    """The whole file. Raises ConfigError as `parse_knowledge_settings`."""
    return parse_config(text, KnowledgeSettings, filename=filename)


@functools.cache
def load_settings_file() -> KnowledgeSettings:
    """The file of `settings.KNOWLEDGE_CONFIG`, read once a process."""
    return read_config(Path(settings.KNOWLEDGE_CONFIG), KnowledgeSettings)


def load_knowledge_settings() -> Mapping[DomainName, DomainSettings]:
    """The settings of all domains of canon."""
    return load_settings_file().knowledge.canon


def get_episode_settings() -> EpisodeSettings:
    """How summaries of scenes are indexed and searched."""
    return load_settings_file().knowledge.episode


def get_art_settings() -> ArtCardSettings:
    """How art cards are indexed and searched."""
    return load_settings_file().knowledge.artcards


def get_message_settings() -> MessageSettings:
    """How messages are indexed and searched."""
    return load_settings_file().memory.messages


def get_event_settings() -> EventSettings:
    """How events of conversations are indexed and searched."""
    return load_settings_file().memory.events


def get_notebook_settings() -> NotebookSettings:
    """How notebooks are indexed and searched."""
    return load_settings_file().memory.notebook


def get_store_settings() -> StoreSettings:
    """How the store of agents is indexed and searched."""
    return load_settings_file().memory.store


def get_domain_settings(domain: DomainName) -> DomainSettings:
    """One domain's settings. Raises UnknownDomain."""
    from knowledge.errors import UnknownDomain

    try:
        return load_knowledge_settings()[domain]
    except KeyError:
        raise UnknownDomain(
            f"There is no domain {domain!r}. Known: {', '.join(sorted(load_knowledge_settings()))}."
        ) from None
