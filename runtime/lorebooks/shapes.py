"""What activating lorebooks answers by REST, with an example of a request."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from knowledge.lorebooks.activation.trace import RULES
from knowledge.lorebooks.core.vocabulary import Position

ASK = {
    "books": [
        {
            "document": {
                "entries": {
                    "0": {
                        "uid": 0, "key": ["moon gate"], "keysecondary": [], "comment": "Moon gate", "position": 0,
                        "content": "The moon gate opens at high tide.", "selective": True, "selectiveLogic": 0,
                        "order": 100, "probability": 100, "useProbability": True, "disable": False, "constant": False,
                    }
                }
            },
            "name": "coast",
        }
    ],
    "messages": [{"name": "Mira", "text": "Where is the moon gate?"}],
    "dialect": "faithful",
    "seed": 7,
}  # fmt: skip
ANSWER = {
    "activations": [
        {
            "dialect": "faithful",
            "placements": {
                "entries": [
                    {
                        "world": "coast", "uid": "0", "text": "The moon gate opens at high tide.", "order": 100,
                        "position": "before_char", "depth": None, "role": None, "outlet": None,
                    }
                ],
                "before": "The moon gate opens at high tide.", "after": "", "an_top": [], "an_bottom": [],
                "em_top": [], "em_bottom": [], "at_depth": [], "outlets": {},
            },
            "state": {"sticky": {}, "cooldown": {}},
            "trace": {
                "dialect": "faithful", "seed": 7, "budget": 2048, "used_tokens": 8, "has_overflowed": False,
                "is_cut_short": False,
                "entries": [
                    {
                        "world": "coast", "uid": "0", "title": "Moon gate", "is_active": True, "rule": "key",
                        "detail": "", "loop": 1,
                        "match": {
                            "key": "moon gate", "where": {"source": "message", "index": 0, "start": 13, "end": 22}
                        },
                        "secondary": [], "tokens": 8, "is_placed": True,
                        "reason": "a key was found; 'moon gate' was found in message 1",
                    }
                ],
                "loops": [{"state": "initial", "depth": 2, "candidates": 1, "activated": 1, "used_tokens": 8}],
                "rolls": [], "regex_issues": [],
            },
        }
    ],
    "differences": [],
    "is_state_kept": False,
}  # fmt: skip


class PlacementSerializer(serializers.Serializer[Any]):
    """One entry in the prompt."""

    world = serializers.CharField(allow_blank=True, help_text="The name of its book.")
    uid = serializers.CharField(allow_blank=True)
    text = serializers.CharField()
    position = serializers.ChoiceField(choices=[position.value for position in Position])
    order = serializers.FloatField(allow_null=True)
    depth = serializers.IntegerField(allow_null=True)
    role = serializers.CharField(allow_null=True)
    outlet = serializers.CharField(allow_null=True)


class DepthBlockSerializer(serializers.Serializer[Any]):
    """What one message at a depth holds."""

    depth = serializers.IntegerField()
    role = serializers.CharField()
    texts = serializers.ListField(child=serializers.CharField())


class PlacementsSerializer(serializers.Serializer[Any]):
    """The parts of the prompt, each in its order."""

    entries = PlacementSerializer(many=True)
    before = serializers.CharField(allow_blank=True, help_text="Before the character's description.")
    after = serializers.CharField(allow_blank=True)
    an_top = serializers.ListField(child=serializers.CharField(), help_text="Above the author's note.")
    an_bottom = serializers.ListField(child=serializers.CharField())
    em_top = serializers.ListField(child=serializers.CharField(), help_text="Above the example messages.")
    em_bottom = serializers.ListField(child=serializers.CharField())
    at_depth = DepthBlockSerializer(many=True)
    outlets = serializers.DictField(child=serializers.ListField(child=serializers.CharField()))


class KeyMatchSerializer(serializers.Serializer[Any]):
    """A key that was found."""

    key = serializers.CharField(allow_blank=True)
    where = serializers.DictField(
        child=serializers.JSONField(allow_null=True),
        allow_null=True,
        help_text="`source`, `index` (of a message from 0, of a recursion its loop), `start` and `end`, if known.",
    )


class EntryTraceSerializer(serializers.Serializer[Any]):
    """What became of one entry."""

    world = serializers.CharField(allow_blank=True)
    uid = serializers.CharField(allow_blank=True)
    title = serializers.CharField(allow_blank=True)
    is_active = serializers.BooleanField()
    rule = serializers.ChoiceField(choices=list(RULES), help_text="What brought it in, or kept it out.")
    detail = serializers.CharField(allow_blank=True)
    loop = serializers.IntegerField(help_text="The loop that decided, from 1.")
    match = KeyMatchSerializer(allow_null=True)
    secondary = KeyMatchSerializer(many=True)
    tokens = serializers.IntegerField(allow_null=True, help_text="Its own in m37; faithful: of all up to it.")
    is_placed = serializers.BooleanField()
    reason = serializers.CharField(help_text="All of this in a sentence.")


class ActivationTraceSerializer(serializers.Serializer[Any]):
    """The whole record."""

    dialect = serializers.CharField()
    seed = serializers.IntegerField()
    budget = serializers.IntegerField()
    used_tokens = serializers.IntegerField()
    has_overflowed = serializers.BooleanField()
    is_cut_short = serializers.BooleanField(help_text="Entries call each other in more loops than are made.")
    entries = EntryTraceSerializer(many=True)
    loops = serializers.ListField(child=serializers.DictField(child=serializers.JSONField()))
    rolls = serializers.ListField(child=serializers.DictField(child=serializers.JSONField()))
    regex_issues = serializers.ListField(
        child=serializers.DictField(child=serializers.CharField(allow_blank=True)),
        help_text="Keys that were not run: `unsupported`, `too_long`, `too_many`, `timeout`, `out_of_time`.",
    )


class ActivationSerializer(serializers.Serializer[Any]):
    """What one dialect made of it."""

    dialect = serializers.CharField()
    placements = PlacementsSerializer()
    state = serializers.DictField(
        child=serializers.DictField(child=serializers.JSONField()), help_text="For the next activation of this chat."
    )
    trace = ActivationTraceSerializer()


class DialectDifferenceSerializer(serializers.Serializer[Any]):
    """An entry that the dialects disagree on."""

    world = serializers.CharField(allow_blank=True)
    uid = serializers.CharField(allow_blank=True)
    title = serializers.CharField(allow_blank=True)
    is_active_faithful = serializers.BooleanField()
    is_active_m37 = serializers.BooleanField()
    faithful = serializers.CharField(help_text="The sentence of SillyTavern's rules.")
    m37 = serializers.CharField(help_text="The sentence of ours.")


class ActivationOutcomeSerializer(serializers.Serializer[Any]):
    """What came of it."""

    activations = ActivationSerializer(many=True)
    differences = DialectDifferenceSerializer(many=True)
    is_state_kept = serializers.BooleanField(help_text="Whether the effects stand with the conversation now.")


CODES: dict[int, dict[str, str]] = {
    400: {
        "worldinfo_invalid": "/entries/0/key must be a list, not a number",
        "card_invalid": "The file has no character.",
        "activation_too_large": "The books and the chat are too large for one activation: send fewer entries or keys, "
        "a shorter chat, or a smaller scan_depth.",
    },
    404: {"conversation_not_found": "There is no conversation 7."},
}
