"""What user facts take and answer by REST."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from episodes.api.schemas import BCP47, ID, name
from knowledge.facts.core.types import GUARANTEED_TYPES, MAX_KEY_LENGTH, MAX_VALUE_LENGTH

FACT_BODY = {
    "type": "object",
    "additionalProperties": False,
    "required": ["type", "value", "source"],
    "properties": {
        "type": {
            "type": "string",
            "minLength": 1,
            "maxLength": 32,
            "pattern": r"^[a-z_]+$",
            "description": f"One of {', '.join(GUARANTEED_TYPES)}. Soft types are refused by their own code.",
        },
        "key": name(MAX_KEY_LENGTH, "Which fact of its type. Left out: the type's own key, or the value."),
        "value": name(MAX_VALUE_LENGTH, "What is known."),
        "source": {"type": "string", "enum": ["onboarding", "explicit"]},
        "evidence": {
            "type": "array",
            "maxItems": 50,
            "items": ID,
            "description": "Ids of the user's messages that say so. Only onboarding may have none.",
        },
        "language": {"type": "string", "maxLength": 35, "pattern": BCP47},
        "confidence": {"type": "number", "minimum": 0, "maximum": 1, "default": 1},
        "expires_at": {
            "type": "string",
            "format": "date-time",
            "maxLength": 40,
            "description": "Of life events, with offset. Left out: 30 days from now.",
        },
    },
}


class FactSerializer(serializers.Serializer[Any]):
    """One version of one fact. Of a deleted or forgotten one, key and value are null."""

    id = serializers.IntegerField()
    type = serializers.CharField()
    key = serializers.CharField(allow_null=True)
    value = serializers.CharField(allow_null=True)
    confidence = serializers.FloatField()
    source = serializers.CharField()  # type: ignore[assignment]  # the member's name
    language = serializers.CharField(allow_blank=True)
    evidence = serializers.ListField(child=serializers.IntegerField(), help_text="The messages that prove it, by id.")
    evidence_span = serializers.ListField(
        child=serializers.IntegerField(),
        help_text="The messages right before and after those: they explain it and prove nothing.",
    )
    valid_from = serializers.DateTimeField()
    valid_to = serializers.DateTimeField(allow_null=True)
    superseded_by = serializers.IntegerField(allow_null=True)
    is_active = serializers.BooleanField()
    is_disputed = serializers.BooleanField(help_text="Ask again before it is used.")
    corrected_message_id = serializers.IntegerField(allow_null=True)
    ended_reason = serializers.CharField(allow_blank=True)
    expires_at = serializers.DateTimeField(allow_null=True)


class FactListSerializer(serializers.Serializer[Any]):
    """What is known of a user."""

    facts = FactSerializer(many=True)


class EvidenceSerializer(serializers.Serializer[Any]):
    """One message that proves or explains a fact."""

    message_id = serializers.IntegerField()
    conversation_id = serializers.IntegerField()
    seq = serializers.IntegerField()
    role = serializers.CharField()
    sent_at = serializers.DateTimeField()
    excerpt = serializers.CharField(allow_null=True, help_text="Head and tail of long messages; null once forgotten.")
    is_current = serializers.BooleanField(help_text="False once it was edited or swiped away: it proves nothing then.")


class FactDetailSerializer(serializers.Serializer[Any]):
    """A fact, what proves and what explains it, and its versions."""

    fact = FactSerializer()
    evidence = EvidenceSerializer(many=True, help_text="What proves it. With the last of these forgotten it ends.")
    evidence_span = EvidenceSerializer(many=True, help_text="What stands around that.")
    history = FactSerializer(many=True, help_text="All versions, newest first.")


class AppliedFactSerializer(serializers.Serializer[Any]):
    """What came of a write."""

    outcome = serializers.ChoiceField(choices=["written", "superseded", "confirmed", "restored"])
    superseded = serializers.IntegerField(allow_null=True, help_text="The fact in whose place it came.")
    fact = FactSerializer()


class DeletedFactSerializer(serializers.Serializer[Any]):
    """What came of a deletion."""

    versions_erased = serializers.IntegerField()


POSTED = {"type": "allergy", "value": "nickel", "source": "onboarding"}
FACT = {
    "id": 31,
    "type": "allergy",
    "key": "nickel",
    "value": "nickel",
    "confidence": 1.0,
    "source": "onboarding",
    "language": "en",
    "evidence": [],
    "evidence_span": [],
    "valid_from": "2026-03-01T19:12:31Z",
    "valid_to": None,
    "superseded_by": None,
    "is_active": True,
    "is_disputed": False,
    "corrected_message_id": None,
    "ended_reason": "",
    "expires_at": None,
}
EVIDENCE = {
    "message_id": 91,
    "conversation_id": 7,
    "seq": 13,
    "role": "user",
    "sent_at": "2026-03-01T19:12:31Z",
    "excerpt": "I am allergic to nickel.",
    "is_current": True,
}
NEIGHBOUR = {**EVIDENCE, "message_id": 90, "seq": 12, "role": "assistant", "excerpt": "Any allergies?"}
PROVED_FACT = {**FACT, "source": "instant_pattern", "evidence": [91], "evidence_span": [90]}
FACT_CODES = {404: {"fact_not_found": "There is no fact 31."}}
TENANT_CODES = {403: {"fact_of_tenant": "The fact 31 was stated for the whole tenant: it takes a key of the tenant."}}
WRITE_CODES = {
    400: {
        "fact_type_soft": "Facts of the type 'color_preferences' are guesses and are never kept.",
        "fact_type_unknown": "There is no fact type 'mood'.",
        "fact_value_invalid": "A value has 1 to 1000 printable characters.",
        "instruction_refused": "An instruction can only say how to speak to the player.",
        "fact_key_invalid": "A key has 1 to 100 letters and digits.",
        "fact_evidence_missing": "A fact needs the messages that it rests on; only onboarding has none.",
        "fact_evidence_unknown": "There is no message 5 of this user to rest on.",
        "fact_does_not_expire": "Only life events expire.",
        "expires_at_invalid": "expires_at is not a time with an offset.",
        "user_id_invalid": "A user's id must be 1 to 200 printable characters.",
    },
}
