"""What activating lorebooks takes and answers by REST."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from knowledge.lorebooks.activation.inputs import BookKind, InsertionStrategy
from knowledge.lorebooks.activation.trace import RULES
from knowledge.lorebooks.core.vocabulary import GENERATION_TRIGGERS, Position, ScanSource
from runtime.lorebooks.activation import COUNTERS, DEFAULT_MESSAGE_LIMIT, MAX_MESSAGES, list_dialects
from tenancy.api.parameters import MAX_ID

MAX_BOOKS = 16
MAX_TEXT_LENGTH = 100_000
MAX_TOKENS = 10_000_000


def _number(description: str, least: int, most: int) -> dict[str, Any]:
    return {"type": "integer", "minimum": least, "maximum": most, "description": description}


def _flag(description: str) -> dict[str, Any]:
    return {"type": "boolean", "description": description}


def _text(description: str, length: int = MAX_TEXT_LENGTH) -> dict[str, Any]:
    return {"type": "string", "maxLength": length, "description": description}


def _map(description: str, values: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "maxProperties": 1000, "additionalProperties": values, "description": description}


SETTINGS = {
    "type": "object",
    "additionalProperties": False,
    "description": "SillyTavern's settings of World Info; what is left out is as in a fresh SillyTavern.",
    "properties": {
        "scan_depth": _number("Messages that are scanned (2).", 0, MAX_MESSAGES),
        "include_names": _flag("Scan the names of speakers, too (true)."),
        "case_sensitive": _flag("Of entries that do not say (false). Faithful only."),
        "match_whole_words": _flag("Of entries that do not say (false). Faithful only."),
        "context_tokens": _number("The model's context (8192).", 0, MAX_TOKENS),
        "budget_percent": _number("Its share for lore (25).", 0, 100),
        "budget_cap": _number("At most so many tokens; 0 is no cap.", 0, MAX_TOKENS),
        "is_recursive": _flag("Content of entries that fire is scanned for keys of others (false)."),
        "max_recursion_steps": _number("Loops at most; 0 is no limit.", 0, 1000),
        "min_activations": _number("Go deeper into the chat until so many entries are in.", 0, 1000),
        "min_activations_max_depth": _number("But no deeper than this; 0 is no limit.", 0, MAX_MESSAGES),
        "use_group_scoring": _flag("Of a group, keep entries with most keys found (false)."),
        "strategy": {"type": "string", "enum": [each.value for each in InsertionStrategy]},
        "trigger": {"type": "string", "enum": list(GENERATION_TRIGGERS)},
        "character": _text("The character's file name, for filters.", 200),
        "character_tags": {"type": "array", "maxItems": 200, "items": {"type": "string", "maxLength": 200}},
        "is_dry_run": _flag("Leave timed effects alone, and do not see them (false)."),
    },
}
BODY: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["books"],
    "oneOf": [{"required": ["messages"]}, {"required": ["conversation_id"]}],
    "properties": {
        "books": {
            "type": "array",
            "minItems": 1,
            "maxItems": MAX_BOOKS,
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": ["document"],
                "properties": {
                    "document": {"description": "The JSON of a lorebook or card, in any format that can be imported."},
                    "kind": {"type": "string", "enum": [each.value for each in BookKind], "default": "global"},
                    "name": _text("Told apart by this; else by the book's own name, else by its place.", 200),
                },
            },
        },
        "messages": {
            "type": "array",
            "maxItems": MAX_MESSAGES,
            "description": "The chat, oldest first, without what a system said.",
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": ["text"],
                "properties": {"text": _text("What was said."), "name": _text("Who said it.", 200)},
            },
        },
        "conversation_id": _number("Or a conversation of this world.", 1, MAX_ID),
        "message_limit": {
            **_number("Its last messages.", 1, MAX_MESSAGES),
            "default": DEFAULT_MESSAGE_LIMIT,
        },
        "dialect": {"type": "string", "enum": list(list_dialects()), "default": "faithful"},
        "settings": SETTINGS,
        "macros": _map("Macros and their values, e.g. `user` and `char`.", {"type": "string", "maxLength": 1000}),
        "sources": {
            "type": "object",
            "additionalProperties": False,
            "description": "Texts that are scanned for entries that ask for them.",
            "properties": {
                source.value.removeprefix("match_"): _text("Scanned where asked for.") for source in ScanSource
            },
        },
        "injections": {
            "type": "array",
            "maxItems": 50,
            "items": {"type": "string", "maxLength": MAX_TEXT_LENGTH},
            "description": "Author's note and other texts that are always scanned.",
        },
        "external": {
            "type": "array",
            "maxItems": 1000,
            "items": {"type": "string", "maxLength": 500},
            "description": "`name.uid` of entries that something else brings in, for example a search by meaning.",
        },
        "flags": _map("For conditions `flag:…` of entries.", {"type": ["string", "number", "boolean", "null"]}),
        "dispositions": _map("For conditions `disposition:…`.", {"type": "number"}),
        "state": {
            "type": "object",
            "description": "The state of the last answer, for sticky, cooldown and delay. A conversation has its own: "
            "left out, that one is read.",
        },
        "keep_state": {
            **_flag("Keep the effects with the conversation, for keys with `engine`; false only looks."),
            "default": True,
        },
        "seed": {"type": "integer", "minimum": 0, "maximum": 2**32 - 1, "default": 0, "description": "Of the dice."},
        "rolls": {
            "type": "array",
            "maxItems": 10_000,
            "items": {"type": "number", "minimum": 0, "exclusiveMaximum": 1},
            "description": "Rolls that come before those of the seed: those of a trace replay it.",
        },
        "tokenizer": {"type": "string", "enum": list(COUNTERS), "default": "o200k"},
    },
    "dependentRequired": {"message_limit": ["conversation_id"]},
}
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
