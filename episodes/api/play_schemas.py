"""What campaigns, summaries and events take and answer by REST."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from episodes.core.play_schemas import load_summary_schema
from episodes.models import CampaignState
from tenancy.api.parameters import PLAIN_TEXT

PARTS = load_summary_schema()["properties"]
PLAY_ID: dict[str, Any] = {key: value for key, value in PARTS["scene_id"].items() if key in ("type", "pattern")} | {
    "minLength": 1,
    "maxLength": 120,
}
CAMPAIGN_BODY = {
    "type": "object",
    "additionalProperties": False,
    "required": ["campaign_id"],
    "properties": {
        "campaign_id": {**PLAY_ID, "description": "The engine's id of the campaign, unique in the world."},
        "title": {"type": "string", "minLength": 1, "maxLength": 200, "pattern": PLAIN_TEXT},
    },
}
TOLD_BODY = {
    "type": "object",
    "additionalProperties": False,
    "required": ["npc_id", "source"],
    "properties": {
        "npc_id": {**PLAY_ID, "description": "Who was told."},
        "summary_id": {**PLAY_ID, "description": "Of which summary. This or `event_id`."},
        "event_id": {**PLAY_ID, "description": "Of which event. This or `summary_id`."},
        "source": {**PLAY_ID, "description": "Who told it: a player or an NPC."},
        "when": {
            "type": "string",
            "format": "date-time",
            "minLength": 1,
            "maxLength": 40,
            "description": "With offset; now if left out.",
        },
    },
    "oneOf": [{"required": ["summary_id"]}, {"required": ["event_id"]}],
}


class CampaignSerializer(serializers.Serializer[Any]):
    """One play-through of a world."""

    campaign_id = serializers.CharField()
    title = serializers.CharField(allow_blank=True)
    state = serializers.ChoiceField(choices=CampaignState.values)
    parties = serializers.ListField(child=serializers.CharField())
    summary_count = serializers.IntegerField()
    event_count = serializers.IntegerField()
    created_at = serializers.DateTimeField()
    finished_at = serializers.DateTimeField(allow_null=True)
    archived_at = serializers.DateTimeField(allow_null=True)
    restored_at = serializers.DateTimeField(allow_null=True)


class CampaignListSerializer(serializers.Serializer[Any]):
    """Campaigns, newest first."""

    campaigns = CampaignSerializer(many=True)
    next_before = serializers.IntegerField(allow_null=True, help_text="Send it as `before` for the next page.")


class FlagMoveSerializer(serializers.Serializer[Any]):
    """What a flag was and was set to."""

    name = serializers.CharField()
    old = serializers.JSONField(allow_null=True, help_text="Null: it was not set before.")
    new = serializers.JSONField()
    late = serializers.BooleanField(help_text="Told after something newer: the newer value stands.")


class MovedDispositionSerializer(serializers.Serializer[Any]):
    """How an NPC moved."""

    npc_id = serializers.CharField()
    towards = serializers.CharField()
    delta = serializers.FloatField()
    applied = serializers.FloatField(help_text="Less than `delta` where the scale ended.")
    to = serializers.FloatField()

    def get_fields(self) -> dict[str, Any]:
        """The members, with `from`, which is no name for an attribute."""
        return {**super().get_fields(), "from": serializers.FloatField()}


class RecordedSummarySerializer(serializers.Serializer[Any]):
    """What a summary changed."""

    summary_id = serializers.CharField()
    created = serializers.BooleanField(help_text="False: it was there already, and nothing changed.")
    seq = serializers.IntegerField(help_text="Place in the campaign, shared with events.")
    notes_tokens = serializers.IntegerField()
    flags = FlagMoveSerializer(many=True)
    dispositions = MovedDispositionSerializer(many=True, help_text="In the order of `relations_delta`.")
    told = serializers.IntegerField(help_text="How many NPCs were told of something.")
    embedding = serializers.ChoiceField(choices=["queued", "unchanged"])


class RecordedEventSerializer(serializers.Serializer[Any]):
    """What an event changed."""

    event_id = serializers.CharField()
    created = serializers.BooleanField()
    seq = serializers.IntegerField()
    flags = FlagMoveSerializer(many=True)


class ToldSerializer(serializers.Serializer[Any]):
    """That an NPC knows of something by hearsay."""

    npc_id = serializers.CharField()
    source = serializers.CharField()  # type: ignore[assignment]  # the member's name
    created = serializers.BooleanField(help_text="False: it was told before; the first teller stands.")


class SummarySerializer(serializers.Serializer[Any]):
    """One summary."""

    summary_id = serializers.CharField()
    campaign_id = serializers.CharField()
    party_id = serializers.CharField()
    scene_id = serializers.CharField()
    when = serializers.DateTimeField()
    location_id = serializers.CharField()
    event = serializers.CharField()
    outcome = serializers.CharField()
    npcs = serializers.ListField(child=serializers.CharField())
    notes = serializers.CharField()
    language = serializers.CharField()
    text = serializers.CharField(help_text="The short form that a model reads: no ids, no dates.")


class NotedEventSerializer(serializers.Serializer[Any]):
    """What happened between scenes, in words."""

    event_id = serializers.CharField()
    party_id = serializers.CharField(allow_null=True, help_text="Null: it concerns the whole campaign.")
    kind = serializers.CharField()
    when = serializers.DateTimeField()
    notes = serializers.CharField()


class SessionSerializer(serializers.Serializer[Any]):
    """Where a party stands."""

    party_id = serializers.CharField()
    campaign_id = serializers.CharField()
    players = serializers.ListField(child=serializers.CharField())
    scene_id = serializers.CharField(allow_null=True)
    location_id = serializers.CharField(allow_null=True)
    summaries = SummarySerializer(many=True, help_text="Newest first.")
    events = NotedEventSerializer(many=True, help_text="Those between scenes that have notes, the one told last first.")
    flags = serializers.DictField(
        child=serializers.JSONField(), help_text="By name; of more than 200 those that were set last."
    )
    text = serializers.CharField(
        allow_blank=True,
        help_text="What a model reads: scenes, then events, each oldest first, then the flags by name; of more than "
        "12 flags those that were set last.",
    )


class FlagChangeSerializer(serializers.Serializer[Any]):
    """One setting of a flag."""

    old = serializers.JSONField(allow_null=True)
    new = serializers.JSONField()
    when = serializers.DateTimeField()
    late = serializers.BooleanField()
    summary_id = serializers.CharField(allow_null=True)
    event_id = serializers.CharField(allow_null=True)


class FlagSerializer(serializers.Serializer[Any]):
    """One flag."""

    name = serializers.CharField()
    value = serializers.JSONField()
    party_id = serializers.CharField(allow_null=True, help_text="Null: the whole campaign's.")
    set_at = serializers.DateTimeField()
    changes = FlagChangeSerializer(many=True, help_text="The last twenty, newest first.")


class FlagListSerializer(serializers.Serializer[Any]):
    """The flags of a campaign."""

    flags = FlagSerializer(many=True)
    next_after = serializers.CharField(allow_null=True, help_text="Send it as `after` for more.")


class SummaryPartsSerializer(serializers.Serializer[Any]):
    """What a score is made of."""

    bm25 = serializers.FloatField()
    bm25_part = serializers.FloatField()
    vector = serializers.FloatField(allow_null=True)
    vector_part = serializers.FloatField()
    date_part = serializers.FloatField(
        help_text="For taking place in a period that the query names. score = bm25_part + vector_part + date_part."
    )


class SummaryHitSerializer(serializers.Serializer[Any]):
    """A summary that was found."""

    summary = SummarySerializer()
    score = serializers.FloatField()
    parts = SummaryPartsSerializer()


class SummarySearchSerializer(serializers.Serializer[Any]):
    """What a search found in a campaign."""

    query = serializers.CharField()
    degraded = serializers.ListField(child=serializers.CharField())
    hits = SummaryHitSerializer(many=True)
