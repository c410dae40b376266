"""What traces take and answer by REST."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from runtime.api.context_schemas import ChatMessageSerializer, ProvenanceSerializer
from tenancy.api.parameters import PLAIN_TEXT

MAX_ITEM_ID_LENGTH = 300
MAX_NOTE_LENGTH = 2000
FEEDBACK_BODY = {
    "type": "object",
    "additionalProperties": False,
    "required": ["used_item_ids"],
    "properties": {
        "used_item_ids": {
            "type": "array",
            "maxItems": 500,
            "items": {"type": "string", "minLength": 1, "maxLength": MAX_ITEM_ID_LENGTH, "pattern": PLAIN_TEXT},
            "description": "Ids of items of the pack that the answer used; empty when it used none.",
        },
        "thumb": {"type": "string", "enum": ["up", "down"], "description": "What somebody thought of the answer."},
        "note": {
            "type": "string",
            "maxLength": MAX_NOTE_LENGTH,
            "pattern": r"^[^\x00]*$",
            "description": "For people; goes with the words of the trace.",
        },
    },
}


class TraceSummarySerializer(serializers.Serializer[Any]):
    """A trace without words and items."""

    trace_id = serializers.UUIDField()
    kind = serializers.CharField(help_text="`pack` or `chat`.")
    created_at = serializers.DateTimeField()
    user_id = serializers.CharField(allow_null=True)
    session_id = serializers.CharField(allow_null=True)
    npc_id = serializers.CharField(allow_null=True)
    party_id = serializers.CharField(allow_null=True)
    scene_id = serializers.CharField(allow_null=True)
    message_id = serializers.IntegerField(allow_null=True, help_text="The player's words in RAW.")
    reply_message_id = serializers.IntegerField(allow_null=True)
    releases = serializers.DictField(child=serializers.IntegerField())
    embedder = serializers.CharField(allow_blank=True)
    tokens = serializers.IntegerField()
    budget = serializers.IntegerField()
    cost = serializers.FloatField(allow_null=True)
    contradictions = serializers.IntegerField(help_text="Claims of the answer that canon denies, after all tries.")
    degraded = serializers.ListField(child=serializers.CharField())
    forgotten = serializers.BooleanField(help_text="The words are gone: one of the messages was forgotten.")


class TraceListSerializer(serializers.Serializer[Any]):
    """The newest first."""

    traces = TraceSummarySerializer(many=True)
    next_before = serializers.UUIDField(allow_null=True, help_text="`before` for the next page; null at the end.")


class TracedItemSerializer(serializers.Serializer[Any]):
    """One thing that was found."""

    layer = serializers.CharField()
    id = serializers.CharField()
    text = serializers.CharField(allow_blank=True, help_text="As it was found.")
    rendered = serializers.CharField(allow_blank=True, help_text="As the model read it; empty where it was cut.")
    tokens = serializers.IntegerField()
    reason = serializers.CharField(allow_null=True, help_text="Why it was cut; null where it was told.")
    provenance = ProvenanceSerializer()


class ToolCallSerializer(serializers.Serializer[Any]):
    """One step that fetched something."""

    name = serializers.CharField()
    status = serializers.CharField(
        help_text="`success`; of session memory also `rebuilt` (Redis did not hold the talk: it came from RAW) "
        "and `degraded` (Redis did not answer)."
    )
    npc_id = serializers.CharField(required=False)
    latency_ms = serializers.FloatField(required=False)


class ModelCallSerializer(serializers.Serializer[Any]):
    """One call of the chat model."""

    model = serializers.CharField()
    finish_reason = serializers.CharField(allow_blank=True)
    prompt_tokens = serializers.IntegerField(allow_null=True)
    completion_tokens = serializers.IntegerField(allow_null=True)


class TracedCheckSerializer(serializers.Serializer[Any]):
    """What was wrong with one try of a reply."""

    follows_language = serializers.BooleanField()
    language = serializers.CharField()
    claims = serializers.IntegerField()
    contradictions = serializers.IntegerField()
    suspects = serializers.IntegerField(help_text="Claims near a statement of canon: nothing follows from them.")
    checked_by = serializers.CharField(help_text="The strongest part that answered: off, rules or model.")
    found_by = serializers.ListField(
        child=serializers.CharField(), help_text="For each contradiction: fields, sentences, clauses or model."
    )
    found = serializers.ListField(child=serializers.DictField(), help_text="Claim, explanation and sources.")
    near = serializers.ListField(child=serializers.DictField(), help_text="The suspects: claim, slug, excerpt, reason.")


class FeedbackSerializer(serializers.Serializer[Any]):
    """The newest feedback."""

    used_item_ids = serializers.ListField(child=serializers.CharField())
    thumb = serializers.CharField(allow_null=True)
    note = serializers.CharField(allow_blank=True)
    created_at = serializers.DateTimeField()


class TraceSerializer(TraceSummarySerializer):
    """A trace with its words, as far as they are kept."""

    request_input = serializers.DictField(child=serializers.JSONField(allow_null=True), help_text="As it was asked.")
    items = TracedItemSerializer(many=True, help_text="What was told, in the order of telling.")
    cut = TracedItemSerializer(many=True)
    tokens_by_layer = serializers.DictField(child=serializers.IntegerField())
    tool_calls = ToolCallSerializer(many=True)
    steps_ms = serializers.DictField(child=serializers.FloatField())
    model_calls = ModelCallSerializer(many=True)
    checks = TracedCheckSerializer(many=True)
    reply = serializers.CharField(allow_null=True, help_text="From RAW; null where there is none or it is forgotten.")
    changed_message_ids = serializers.ListField(
        child=serializers.IntegerField(), help_text="Messages of the turn that were edited or swiped since."
    )
    texts_lack = serializers.CharField(
        allow_null=True, help_text="Words that were not kept: `cut_items`, `too_large` or `keys_missing`."
    )
    feedback = FeedbackSerializer(allow_null=True)


class PairSerializer(serializers.Serializer[Any]):
    """A value then and now."""

    then = serializers.JSONField(allow_null=True)
    now = serializers.JSONField(allow_null=True)


class GoneItemSerializer(TracedItemSerializer):
    """An item that is not told now."""

    now = serializers.CharField(help_text="The reason of a cut, or `not_found`.")


class ChangedItemSerializer(serializers.Serializer[Any]):
    """An item that is told otherwise now."""

    changed = serializers.ListField(child=serializers.CharField(), help_text="Of `text`, `scores`, `tokens`.")
    then = TracedItemSerializer()
    now = TracedItemSerializer()


class DifferencesSerializer(serializers.Serializer[Any]):
    """What differs."""

    added = TracedItemSerializer(many=True)
    gone = GoneItemSerializer(many=True)
    changed = ChangedItemSerializer(many=True)
    releases = serializers.DictField(child=PairSerializer())
    values = serializers.DictField(
        child=PairSerializer(), help_text="`tokens`, `prompt_source`, `persona_version`, `embedder`, where they differ."
    )


class ThenSerializer(serializers.Serializer[Any]):
    """The turn rebuilt as of then."""

    reproduced = serializers.BooleanField(help_text="The messages came out again, word for word.")
    reasons = serializers.ListField(
        child=serializers.CharField(),
        help_text="Why not: `forgotten`, `words_not_kept_…`, `items_left_out`, `prompt_changed`, `budget_changed`, "
        "`release_gone`, `canon_differs`, `messages_differ`.",
    )
    as_recorded = serializers.ListField(
        child=serializers.CharField(), help_text="Layers taken from the trace; all others were searched for again."
    )
    messages = ChatMessageSerializer(many=True)
    differences = DifferencesSerializer()


class NowSerializer(serializers.Serializer[Any]):
    """The turn as it would be now."""

    tokens = serializers.IntegerField()
    releases = serializers.DictField(child=serializers.IntegerField())
    degraded = serializers.ListField(child=serializers.CharField())
    messages = ChatMessageSerializer(many=True)


class ReplaySerializer(serializers.Serializer[Any]):
    """Both looks at a turn."""

    trace_id = serializers.UUIDField()
    then = ThenSerializer()
    now = NowSerializer(allow_null=True)
    now_refused = serializers.CharField(allow_null=True, help_text="The code for which the turn can't be asked now.")
    differences = DifferencesSerializer(help_text="From the recorded turn to now.")


class LayerQualitySerializer(serializers.Serializer[Any]):
    """How much of a layer got used."""

    layer = serializers.CharField()
    shown = serializers.IntegerField()
    used = serializers.IntegerField()
    hit_rate = serializers.FloatField()
    rerank_gain = serializers.FloatField(
        allow_null=True,
        help_text="What ordering anew was worth: the mean of 1/place as told less 1/place by the search's score, over "
        "what was used; null in layers that are not searched for.",
    )


class QualitySerializer(serializers.Serializer[Any]):
    """Feedback of a time, the newest of each trace."""

    rated = serializers.IntegerField()
    thumbs_up = serializers.IntegerField()
    thumbs_down = serializers.IntegerField()
    layers = LayerQualitySerializer(many=True)


ITEM = {
    "layer": "lore",
    "id": "lore:88",
    "text": "Oda Marr rings the ferry bell at dusk.",
    "rendered": "- Oda Marr: Oda Marr rings the ferry bell at dusk.",
    "tokens": 16,
    "reason": None,
    "provenance": {
        "source": "lore",
        "ids": {"slug": "oda-marr", "passage_id": 88},
        "release": 3,
        "evidence": [],
        "scores": {"score": 0.98},
    },
}
SUMMARY: dict[str, Any] = {
    "trace_id": "019caa63-6b40-7d11-9c1e-3f0a5a4c9b02",
    "kind": "chat",
    "created_at": "2026-03-01T19:00:04Z",
    "user_id": "player-1",
    "session_id": "session-abc123",
    "npc_id": "oda-marr",
    "party_id": None,
    "scene_id": None,
    "message_id": 91,
    "reply_message_id": 92,
    "releases": {"lore": 3, "srd": 1},
    "embedder": "hashing-v1/1024",
    "tokens": 812,
    "budget": 1800,
    "cost": 0.00042,
    "contradictions": 0,
    "degraded": [],
    "forgotten": False,
}
FEEDBACK = {"used_item_ids": ["lore:88"], "thumb": "up", "note": "Knew the bell.", "created_at": "2026-03-01T19:01:00Z"}
TRACE = {
    **SUMMARY,
    "request_input": {
        "query": "Who rings the ferry bell at dusk?",
        "npc_id": "oda-marr",
        "session_id": "session-abc123",
        "prompt_version": 1,
        "prompt_source": "en/context.yaml@0580c0f4dba0",
        "persona_version": 2,
    },
    "items": [ITEM],
    "cut": [],
    "tokens_by_layer": {"lore": 96},
    "tool_calls": [{"name": "lore_search", "status": "success", "npc_id": "oda-marr", "latency_ms": 6.1}],
    "steps_ms": {"canon": 6.1, "model": 812.0, "canon_check": 9.4},
    "model_calls": [{"model": "some-model", "finish_reason": "stop", "prompt_tokens": 820, "completion_tokens": 12}],
    "checks": [
        {
            "follows_language": True,
            "language": "en",
            "claims": 1,
            "contradictions": 0,
            "suspects": 0,
            "checked_by": "rules",
            "found_by": [],
            "found": [],
            "near": [],
        }
    ],
    "reply": "I do, every dusk.",
    "changed_message_ids": [],
    "texts_lack": None,
    "feedback": FEEDBACK,
}
NOTHING: dict[str, Any] = {"added": [], "gone": [], "changed": [], "releases": {}, "values": {}}
MESSAGES = [{"role": "system", "content": "…"}, {"role": "user", "content": "Who rings the ferry bell at dusk?"}]
REPLAY = {
    "trace_id": SUMMARY["trace_id"],
    "then": {
        "reproduced": True,
        "reasons": [],
        "as_recorded": ["memory_rules", "npc", "system", "user"],
        "messages": MESSAGES,
        "differences": NOTHING,
    },
    "now": {"tokens": 815, "releases": {"lore": 4, "srd": 1}, "degraded": [], "messages": MESSAGES},
    "now_refused": None,
    "differences": {
        **NOTHING,
        "changed": [{"changed": ["text"], "then": ITEM, "now": ITEM}],
        "releases": {"lore": {"then": 3, "now": 4}},
        "values": {"tokens": {"then": 812, "now": 815}},
    },
}
QUALITY = {
    "rated": 40,
    "thumbs_up": 31,
    "thumbs_down": 4,
    "layers": [{"layer": "lore", "shown": 160, "used": 96, "hit_rate": 0.6, "rerank_gain": 0.12}],
}
TRACE_CODES: dict[int, dict[str, str]] = {404: {"trace_not_found": "There is no trace 019caa63-…."}}
TEXT_CODES: dict[int, dict[str, str]] = {503: {"fact_keys_missing": "FACT_KEYS and FACT_INDEX_KEY are not set."}}
TIME_CODES: dict[int, dict[str, str]] = {
    400: {
        "since_invalid": "since is not a time with an offset.",
        "until_invalid": "until is not a time with an offset.",
    }
}
FEEDBACK_CODES: dict[int, dict[str, str]] = {
    400: {"feedback_item_unknown": "The model was not told 'lore:7' in this turn."}
}
