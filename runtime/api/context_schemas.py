"""What asking for a context pack takes and answers by REST."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from knowledge.api.parameters import MAX_RELEASE_NUMBER
from runtime.context.core.pack import LAYERS
from runtime.context.request import MAX_MESSAGE_LENGTH
from tenancy.api.parameters import MAX_ID, PLAIN_TEXT

MAX_TOKENS = 100_000


def _id(description: str, length: int) -> dict[str, Any]:
    return {"type": "string", "minLength": 1, "maxLength": length, "pattern": PLAIN_TEXT, "description": description}


def _number(description: str, least: int, most: int) -> dict[str, Any]:
    return {"type": "integer", "minimum": least, "maximum": most, "description": description}


LAYER_BUDGET = {
    "type": "object",
    "additionalProperties": False,
    "properties": {
        "max_tokens": _number("At most so many tokens; 0 leaves the layer out.", 0, MAX_TOKENS),
        "min_tokens": _number("So many are filled before other layers get more than their own minimum.", 0, MAX_TOKENS),
        "max_items": _number("At most so many items.", 0, 100),
        "priority": _number("The higher is filled first.", 0, 100),
    },
}
BODY = {
    "type": "object",
    "additionalProperties": False,
    "required": ["message"],
    "properties": {
        "message": {
            "type": "string",
            "minLength": 1,
            "maxLength": MAX_MESSAGE_LENGTH,
            "pattern": r"[^\s\x00-\x1f\x7f-\x9f]",
            "description": "What the player says or does now. It is handed to the model as it is.",
        },
        "message_id": _number("The message, where it was posted to its conversation before.", 1, MAX_ID),
        "user_id": _id("The player, by your own id. Without it nothing about a player is told.", 200),
        "conversation_id": _number("The talk to go on with; without it, the newest with this NPC.", 1, MAX_ID),
        "session_id": _id("The play session; also chooses the canary's share.", 200),
        "npc_id": _id("Who speaks. The pack holds only what this NPC may know.", 120),
        "party_id": _id("The party: its last scenes and its flags are told.", 120),
        "scene_id": _id("The scene, once something of it was posted. Takes `party_id`.", 120),
        "location_id": _id("Where it happens: lore about it comes first.", 200),
        "mood": _id("The mood now; remembered feelings of another mood count for less.", 40),
        "language": _id(
            "The language of the frames, as a BCP 47 tag; else the session's, the message's, the world's.", 35
        ),
        "model": _id(
            "The chat model that will read the pack: its budget, where `config/prompt_budgets.yaml` has one for it.",
            120,
        ),
        "release": _number("A release of lore by number. Not together with `alias`.", 1, MAX_RELEASE_NUMBER),
        "alias": {"type": "string", "minLength": 1, "maxLength": 16, "pattern": PLAIN_TEXT, "default": "latest"},
        "budget": {
            "type": "object",
            "additionalProperties": False,
            "description": "Other budgets than those of `config/prompt_budgets.yaml`, for this pack.",
            "properties": {
                "total": _number("Tokens of the whole pack.", 1, MAX_TOKENS),
                "layers": {
                    "type": "object",
                    "additionalProperties": False,
                    "properties": dict.fromkeys(LAYERS, LAYER_BUDGET),
                },
            },
        },
    },
    "not": {"required": ["release", "alias"]},
    "dependentRequired": {"scene_id": ["party_id"], "conversation_id": ["user_id"]},
}


class ProvenanceSerializer(serializers.Serializer[Any]):
    """Where a line comes from."""

    source = serializers.CharField(  # type: ignore[assignment]  # the member's name
        help_text="lore, srd, fact, episode, conversation, pending, prompt, request …"
    )
    ids = serializers.DictField(child=serializers.JSONField(allow_null=True), help_text="Whatever finds it again.")
    release = serializers.IntegerField(allow_null=True)
    evidence = serializers.ListField(child=serializers.IntegerField(), help_text="The messages that it rests on.")
    scores = serializers.DictField(child=serializers.FloatField(allow_null=True))


class PackItemSerializer(serializers.Serializer[Any]):
    """One thing that is told."""

    id = serializers.CharField()
    text = serializers.CharField(allow_blank=True, help_text="As it was found.")
    rendered = serializers.CharField(help_text="As the model reads it.")
    tokens = serializers.IntegerField()
    protected = serializers.BooleanField(help_text="Never cut.")
    provenance = ProvenanceSerializer()


class PackLayerSerializer(serializers.Serializer[Any]):
    """What one layer tells."""

    name = serializers.CharField(help_text=f"One of {', '.join(LAYERS)}.")
    tokens = serializers.IntegerField(help_text="With its frame.")
    items = PackItemSerializer(many=True)


class CutItemSerializer(serializers.Serializer[Any]):
    """Something that is left out."""

    layer = serializers.CharField()
    id = serializers.CharField()
    tokens = serializers.IntegerField()
    reason = serializers.ChoiceField(
        choices=["too_many_items", "layer_full", "budget_full", "older_than_cut", "repeated", "not_called_for"]
    )
    provenance = ProvenanceSerializer()


class ChatMessageSerializer(serializers.Serializer[Any]):
    """A message for the chat model."""

    role = serializers.ChoiceField(choices=["system", "user"])
    content = serializers.CharField()


class ContextSerializer(serializers.Serializer[Any]):
    """A context pack."""

    language = serializers.CharField(help_text="Of the frames: en, ru, ar or zh.")
    prompt_version = serializers.IntegerField()
    prompt_source = serializers.CharField(help_text="File and hash of the frames.")
    releases = serializers.DictField(child=serializers.IntegerField(), help_text="Domain to the release that was read.")
    persona_version = serializers.IntegerField(
        allow_null=True, help_text="Of the NPC that speaks; 0 where it has no profile, null for the narrator."
    )
    embedder = serializers.CharField(allow_blank=True)
    budget = serializers.IntegerField(help_text="The most tokens that the messages may take.")
    tokens = serializers.IntegerField(help_text="What they take (o200k).")
    layers = PackLayerSerializer(many=True)
    cut = CutItemSerializer(many=True)
    messages = ChatMessageSerializer(many=True, help_text="To be sent to a chat model as they are.")
    degraded = serializers.ListField(
        child=serializers.CharField(),
        help_text="What the pack had to do without: lore_empty, lore_unpublished, user_unknown, or a code of a search.",
    )
    trace_id = serializers.UUIDField(allow_null=True, help_text="Of its trace; null where none is kept.")


ASK = {
    "message": "Who rings the ferry bell at dusk?",
    "user_id": "player-1",
    "npc_id": "oda-marr",
    "budget": {"total": 1200},
}
CONTEXT = {
    "language": "en",
    "prompt_version": 1,
    "prompt_source": "en/context.yaml@0580c0f4dba0",
    "releases": {"lore": 3, "srd": 1},
    "persona_version": 2,
    "embedder": "hashing-v1/1024",
    "budget": 1200,
    "tokens": 812,
    "layers": [
        {
            "name": "lore",
            "tokens": 96,
            "items": [
                {
                    "id": "lore:88",
                    "text": "Oda Marr rings the ferry bell at dusk.",
                    "rendered": "- Oda Marr: Oda Marr rings the ferry bell at dusk.",
                    "tokens": 16,
                    "protected": False,
                    "provenance": {
                        "source": "lore",
                        "ids": {"slug": "oda-marr", "passage_id": 88, "version": "1.0.0"},
                        "release": 3,
                        "evidence": [],
                        "scores": {"score": 0.98, "bm25": 7.1, "vector": 0.41},
                    },
                }
            ],
        }
    ],
    "cut": [],
    "messages": [
        {"role": "system", "content": "You are the narrator of this world. …"},
        {"role": "user", "content": "Who rings the ferry bell at dusk?"},
    ],
    "degraded": [],
    "trace_id": "019caa63-6b40-7d11-9c1e-3f0a5a4c9b02",
}
CONTEXT_CODES: dict[int, dict[str, str]] = {
    404: {
        "conversation_not_found": "There is no conversation 7 of this user in this world.",
        "npc_not_found": "There is no NPC 'nobody'.",
        "party_not_found": "There is no party 'pty_9'.",
        "scene_not_found": "This campaign has no scene 'scn_9' yet.",
        "release_not_found": "There is no release 9 in domain 'lore'.",
        "alias_not_found": "The alias 'stage' of domain 'lore' points at no release.",
    },
    422: {"budget_too_small": "The rules, the facts about safety and the message take 640 tokens; the budget has 100."},
    503: {"fact_keys_missing": "FACT_KEYS and FACT_INDEX_KEY are not set."},
}
