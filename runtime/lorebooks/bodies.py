"""What activating lorebooks takes by REST."""

from __future__ import annotations

from typing import Any

from knowledge.lorebooks.activation.inputs import BookKind, InsertionStrategy
from knowledge.lorebooks.core.vocabulary import GENERATION_TRIGGERS, ScanSource
from memoryproject.rest.parameters import MAX_ID
from runtime.lorebooks.activation import COUNTERS, DEFAULT_MESSAGE_LIMIT, MAX_MESSAGES, list_dialects

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
