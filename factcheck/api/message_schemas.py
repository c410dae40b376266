"""What posting a message answers by REST."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from episodes.api.schemas import STORED, StoredMessageSerializer
from knowledge.facts.models import CorrectionOutcome, CorrectionType

OUTCOMES = ("written", "superseded", "confirmed", "restored", "outdated")


class UnderstoodFactSerializer(serializers.Serializer[Any]):
    """A fact that a message states about the player."""

    fact_id = serializers.IntegerField(allow_null=True, help_text="Null where it is outdated.")
    type = serializers.CharField()
    key = serializers.CharField()
    value = serializers.CharField()
    outcome = serializers.ChoiceField(
        choices=OUTCOMES,
        help_text="`outdated` changed nothing: later words stand, or the event was over before the message came.",
    )
    superseded_id = serializers.IntegerField(allow_null=True, help_text="The fact in whose place it came.")
    confidence = serializers.FloatField()
    language = serializers.CharField(allow_blank=True)
    expires_at = serializers.DateTimeField(allow_null=True)
    evidence = serializers.ListField(
        child=serializers.IntegerField(),
        help_text="The messages that prove it: this one, where it answers a question that one, and earlier ones.",
    )
    evidence_span = serializers.ListField(
        child=serializers.IntegerField(),
        help_text="The message before, and, once it has come, the one after: they explain it and prove nothing.",
    )
    quote = serializers.CharField(help_text="The words that say so.")


class CorrectedFactSerializer(serializers.Serializer[Any]):
    """A fact that a message corrects, as it was known; empty once it is forgotten."""

    type = serializers.CharField()
    key = serializers.CharField(allow_blank=True)
    value = serializers.CharField(allow_blank=True)


class UnderstoodCorrectionSerializer(serializers.Serializer[Any]):
    """What a message corrects of what is known or was claimed.

    An allergy, a ban or a stated fact ends (`deactivated`) only on an explicit denial of the relation itself.
    Everything less makes it `disputed` at most: it still holds, and the game asks.
    """

    outcome = serializers.ChoiceField(
        choices=CorrectionOutcome.values, help_text="`unmatched` only sounded like a correction and changed nothing."
    )
    type = serializers.ChoiceField(choices=CorrectionType.values)
    language = serializers.CharField(allow_blank=True)
    quote = serializers.CharField(help_text="The words that correct.")
    fact_id = serializers.IntegerField(allow_null=True)
    fact = CorrectedFactSerializer(allow_null=True, help_text="The fact that it is about, as it was known.")
    corrected_message_id = serializers.IntegerField(
        allow_null=True, help_text="The assistant's message that it is about."
    )
    receipt_id = serializers.UUIDField(
        allow_null=True, help_text="The receipt of what the player asked to forget; null in a repeat."
    )
    replacement = UnderstoodFactSerializer(allow_null=True, help_text="What was said instead.")


class UnderstoodSerializer(serializers.Serializer[Any]):
    """What a message says about the player."""

    facts = UnderstoodFactSerializer(many=True)
    corrections = UnderstoodCorrectionSerializer(many=True)


class PostedMessageSerializer(StoredMessageSerializer):
    """Where a message got its place, and what was understood of it."""

    understood = UnderstoodSerializer()


class PostedBatchSerializer(serializers.Serializer[Any]):
    """The messages of a batch, in its order."""

    messages = PostedMessageSerializer(many=True)


FACT = {
    "fact_id": 31,
    "type": "allergy",
    "key": "nickel",
    "value": "nickel",
    "outcome": "written",
    "superseded_id": None,
    "confidence": 0.95,
    "language": "en",
    "expires_at": None,
    "evidence": [91],
    "evidence_span": [90],
    "quote": "I am allergic to nickel",
}
POSTED = {**STORED, "understood": {"facts": [FACT], "corrections": []}}
CORRECTION = {
    "outcome": "superseded",
    "type": "user_denied",
    "language": "en",
    "quote": "no, not M, S",
    "fact_id": 31,
    "fact": {"type": "body_params", "key": "size", "value": "M"},
    "corrected_message_id": 92,
    "receipt_id": None,
    "replacement": {**FACT, "fact_id": 32, "type": "body_params", "key": "size", "value": "S", "superseded_id": 31},
}
CORRECTING = {**STORED, "understood": {"facts": [], "corrections": [CORRECTION]}}
