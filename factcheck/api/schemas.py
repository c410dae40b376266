"""What fact checking takes and answers by REST."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from factcheck.actions.claims import MAX_CLAIM_LENGTH, MAX_NPC_ID_LENGTH
from knowledge.api.parameters import MAX_RELEASE_NUMBER
from tenancy.api.parameters import PLAIN_TEXT

BODY = {
    "type": "object",
    "additionalProperties": False,
    "required": ["fact"],
    "properties": {
        "fact": {
            "type": "string",
            "minLength": 1,
            "maxLength": MAX_CLAIM_LENGTH,
            "pattern": r"[^\s\x00-\x1f\x7f-\x9f]",
            "description": "One claim in plain words, in any language that canon has.",
        },
        "domain": {"type": "string", "minLength": 1, "maxLength": 32, "pattern": PLAIN_TEXT, "default": "lore"},
        "npc_id": {
            "type": "string",
            "minLength": 1,
            "maxLength": MAX_NPC_ID_LENGTH,
            "pattern": PLAIN_TEXT,
            "description": "Check as this NPC: what it may know decides too. Without it, only what is public does.",
        },
        "release": {
            "type": "integer",
            "minimum": 1,
            "maximum": MAX_RELEASE_NUMBER,
            "description": "A release by number. Not together with `alias`.",
        },
        "alias": {"type": "string", "minLength": 1, "maxLength": 16, "pattern": PLAIN_TEXT, "default": "latest"},
        "session_id": {"type": "string", "minLength": 1, "maxLength": 200, "pattern": PLAIN_TEXT},
    },
    "not": {"required": ["release", "alias"]},
}


class SourceSerializer(serializers.Serializer[Any]):
    """Where canon says so."""

    slug = serializers.CharField()
    title = serializers.CharField()
    passage_id = serializers.IntegerField(allow_null=True)
    version = serializers.CharField(allow_blank=True)
    excerpt = serializers.CharField(allow_blank=True)
    field = serializers.CharField(allow_null=True, help_text="The structured fact, where one decided.")
    release = serializers.IntegerField()


class AssertionSerializer(serializers.Serializer[Any]):
    """Whether canon bears a claim out. `unknown` is an answer: canon is never guessed at."""

    claim = serializers.CharField()
    domain = serializers.CharField()
    verdict = serializers.ChoiceField(choices=["true", "false", "unknown"])
    method = serializers.ChoiceField(
        choices=["fields", "retrieval", "model"], allow_null=True, help_text="Null where nothing decided."
    )
    sources = SourceSerializer(many=True)
    expected = serializers.JSONField(
        help_text="What canon says instead, for a false claim about a structured fact; else null."
    )
    explanation = serializers.CharField()
    release = serializers.IntegerField()
    degraded = serializers.ListField(child=serializers.CharField())


CLAIM = {"fact": "Oda Marr was born in 1190."}
ASSERTION = {
    "claim": CLAIM["fact"],
    "domain": "lore",
    "verdict": "false",
    "method": "fields",
    "sources": [
        {
            "slug": "oda-marr",
            "title": "Oda Marr",
            "passage_id": 88,
            "version": "1.0.0",
            "excerpt": "Oda Marr: born_year = 1195",
            "field": "born_year",
            "release": 3,
        }
    ],
    "expected": 1195,
    "explanation": "born_year of oda-marr: canon says 1195.",
    "release": 3,
    "degraded": [],
}
CLAIM_CODES = {400: {"claim_empty": "The claim is empty."}}
