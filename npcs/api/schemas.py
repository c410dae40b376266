"""What NPCs take and answer by REST."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import OpenApiExample, OpenApiParameter
from rest_framework import serializers

from npcs.core.dispositions import MAX_ID_LENGTH, MAX_REASON_LENGTH
from npcs.core.forms import describe_body
from npcs.core.ids import MAX_NPC_ID_LENGTH, NPC_ID_PATTERN
from tenancy.api.parameters import MAX_ID, PLAIN_TEXT, TextParameter

PROFILE_BODY = describe_body("npc_profile", without=("dynamic",))
PROFILE_BODY = {**PROFILE_BODY, "required": ["static"]}
COMPENSATION_BODY = {
    "type": "object",
    "additionalProperties": False,
    "required": ["entry_id", "reason"],
    "properties": {
        "entry_id": {"type": "integer", "minimum": 1, "maximum": MAX_ID, "description": "The move to take back."},
        "reason": {"type": "string", "minLength": 1, "maxLength": MAX_REASON_LENGTH, "pattern": PLAIN_TEXT},
    },
}
NPC_ID = OpenApiParameter(
    "npc_id",
    {"type": "string", "minLength": 1, "maxLength": MAX_NPC_ID_LENGTH, "pattern": NPC_ID_PATTERN},
    OpenApiParameter.PATH,
    description="The engine's id of the NPC.",
    examples=[OpenApiExample("example", "li-shen")],
)
PARTY_ID = TextParameter("party_id", "How it stands towards this party.", "pty_001", MAX_ID_LENGTH)
USER_ID = TextParameter("user_id", "How it stands towards this player.", "player-1", MAX_ID_LENGTH)
IF_MATCH = TextParameter(
    "If-Match",
    "The `persona_version` that the change is based on; 0: the NPC is new. Another one by now is 412; "
    "what is there is replaced with a version only, else 428.",
    "3",
    12,
    pattern=r'^"?[0-9]{1,9}"?$',
)


class NpcSummarySerializer(serializers.Serializer[Any]):
    """One NPC of a list."""

    npc_id = serializers.CharField()
    name = serializers.CharField()
    archetype = serializers.CharField(allow_blank=True)
    state = serializers.ChoiceField(choices=["active", "retired"])
    persona_version = serializers.IntegerField()
    updated_at = serializers.DateTimeField(help_text="When this persona version was written.")


class NpcListSerializer(serializers.Serializer[Any]):
    """NPCs in the order of ids."""

    npcs = NpcSummarySerializer(many=True)
    next_after = serializers.CharField(allow_null=True, help_text="Send it as `after` for more.")


class VisualSerializer(serializers.Serializer[Any]):
    """Markers of its looks."""

    must_have = serializers.ListField(child=serializers.CharField())
    banned = serializers.ListField(child=serializers.CharField())


class NpcRelationSerializer(serializers.Serializer[Any]):
    """What it passes on to another NPC."""

    npc_id = serializers.CharField()
    kind = serializers.CharField()
    strength = serializers.IntegerField()
    shares = serializers.ChoiceField(choices=["all", "rumour", "none"])
    delay = serializers.IntegerField()
    disposition_min = serializers.FloatField(required=False)
    disposition_max = serializers.FloatField(required=False)


class StaticSerializer(serializers.Serializer[Any]):
    """Who it is."""

    name = serializers.CharField()
    names = serializers.DictField(child=serializers.CharField())
    languages = serializers.ListField(child=serializers.CharField())
    archetype = serializers.CharField(allow_blank=True)
    voice_tts = serializers.CharField(allow_blank=True)
    persona = serializers.CharField(allow_blank=True)
    secrets = serializers.ListField(
        child=serializers.CharField(), required=False, help_text="Only for keys with the scope `engine`."
    )
    lore_refs = serializers.ListField(child=serializers.CharField())
    visual = VisualSerializer()
    relations = NpcRelationSerializer(
        many=True, required=False, help_text="Only for keys with the scope `engine`, where there are any."
    )


class MemorySerializer(serializers.Serializer[Any]):
    """A scene that it knows, by its summary."""

    summary_id = serializers.CharField()
    known = serializers.ChoiceField(choices=["present", "told"], help_text="Whether it was there or only told of it.")
    impact = serializers.CharField(
        allow_null=True, help_text="How the scene moved the disposition: trust+1, trust-0.5. Null: not at all."
    )


class DynamicSerializer(serializers.Serializer[Any]):
    """How it stands and what it remembers; empty unless a party or a user was asked about."""

    disposition = serializers.DictField(child=serializers.FloatField())
    memory = MemorySerializer(many=True, help_text="The last ten scenes that it knows of them, newest first.")


class ScaleSerializer(serializers.Serializer[Any]):
    """The bounds of dispositions in this world."""

    least = serializers.FloatField()
    most = serializers.FloatField()
    initial = serializers.FloatField()
    step_most = serializers.FloatField(help_text="The largest single change.")


class LedgerEntrySerializer(serializers.Serializer[Any]):
    """One move of a disposition, and why."""

    id = serializers.IntegerField()
    towards = serializers.ChoiceField(choices=["party", "user"])
    towards_id = serializers.CharField()
    delta = serializers.FloatField(help_text="What was asked for.")
    applied = serializers.FloatField(help_text="What the scale let through.")
    balance_after = serializers.FloatField()
    reason = serializers.CharField()
    rule = serializers.CharField(allow_blank=True)
    summary_id = serializers.CharField(allow_blank=True, help_text="Empty for compensations.")
    campaign_id = serializers.CharField(allow_blank=True)
    compensates = serializers.IntegerField(allow_null=True, help_text="The move that this one takes back.")
    author = serializers.CharField(allow_blank=True, help_text="Who compensated.")
    happened_at = serializers.DateTimeField()
    created_at = serializers.DateTimeField()


class NpcSerializer(serializers.Serializer[Any]):
    """An NPC as `schemas/npc_profile.schema.json` has it, and what explains it."""

    npc_id = serializers.CharField()
    state = serializers.ChoiceField(choices=["active", "retired"])
    version = serializers.CharField(help_text="The version of the form.")
    persona_version = serializers.IntegerField()
    static = StaticSerializer()
    dynamic = DynamicSerializer()
    scale = ScaleSerializer(allow_null=True)
    last_changes = LedgerEntrySerializer(many=True)
    retired_refs = serializers.ListField(
        child=serializers.CharField(),
        required=False,
        help_text="Lore references that lead nowhere now. Only for keys with the scope `engine`.",
    )


class WrittenProfileSerializer(serializers.Serializer[Any]):
    """What came of a write."""

    npc_id = serializers.CharField()
    persona_version = serializers.IntegerField(help_text="The version in force after the write.")
    outcome = serializers.ChoiceField(choices=["created", "changed", "unchanged", "in_review"])
    change_request = serializers.IntegerField(
        allow_null=True, help_text="The request in which it waits for a second person; null when it is in force."
    )


class LedgerSerializer(serializers.Serializer[Any]):
    """Moves, newest first."""

    entries = LedgerEntrySerializer(many=True)
    next_before = serializers.IntegerField(allow_null=True, help_text="Send it as `before` for more.")


STATIC = {
    "name": "Ли-Шэнь",
    "names": {"en": "Li Shen"},
    "languages": ["ru", "en"],
    "archetype": "keeper",
    "voice_tts": "male_low_smoke",
    "persona": "Answers questions about the bridge with the weather.",
    "lore_refs": ["moon-bridge"],
    "visual": {"must_have": ["grey-plait"], "banned": ["smile"]},
}
ENTRY = {
    "id": 7,
    "towards": "party",
    "towards_id": "pty_001",
    "delta": 1,
    "applied": 1,
    "balance_after": 2,
    "reason": "kept promise",
    "rule": "",
    "summary_id": "sum_2025_08_27_0142",
    "campaign_id": "camp_123",
    "compensates": None,
    "author": "",
    "happened_at": "2025-08-27T11:42:00Z",
    "created_at": "2025-08-27T11:42:01Z",
}
SHEET = {
    "npc_id": "li-shen",
    "state": "active",
    "version": "1.1.0",
    "persona_version": 3,
    "static": STATIC,
    "dynamic": {
        "disposition": {"party_id:pty_001": 2},
        "memory": [
            {"summary_id": "sum_2025_08_27_0142", "known": "present", "impact": "trust+1"},
            {"summary_id": "sum_2025_08_20_0098", "known": "told", "impact": None},
        ],
    },
    "scale": {"least": -5, "most": 5, "initial": 0, "step_most": 3},
    "last_changes": [ENTRY],
}
NPC_CODES = {404: {"npc_not_found": "There is no NPC 'li-shen'."}}
TOWARDS_CODES = {400: {"party_id_and_user_id": "Send party_id or user_id, not both."}}
