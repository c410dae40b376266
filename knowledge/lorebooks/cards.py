"""Character cards V1 (members at the top), V2 and V3 (members in `data`): read, and written in V2 or V3."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from knowledge.lorebooks.core.card import Card
from knowledge.lorebooks.core.vocabulary import Dialect
from knowledge.lorebooks.errors import CardInvalid, WorldInfoInvalid
from knowledge.lorebooks.formats.codecs import ABSENT, TEXT, TEXTS
from knowledge.lorebooks.json_text import Path, copy_json, get_path, point, set_path
from knowledge.lorebooks.readers import read_book

BOOK: Path = ("character_book",)
_TEXTS = {
    "name": "name",
    "description": "description",
    "personality": "personality",
    "scenario": "scenario",
    "first_message": "first_mes",
    "example_messages": "mes_example",
    "creator_notes": "creator_notes",
    "system_prompt": "system_prompt",
    "post_history_instructions": "post_history_instructions",
    "creator": "creator",
    "character_version": "character_version",
    "nickname": "nickname",
}
_LISTS = {"alternate_greetings": "alternate_greetings", "tags": "tags"}
_MEMORY37_ID: Path = ("extensions", "memory37", "id")
CARD_FIELDS = {**_TEXTS, **_LISTS}
V2, V3 = ("chara_card_v2", "2.0"), ("chara_card_v3", "3.0")


def read_card(document: Mapping[str, Any], data_path: Path, dialect: Dialect) -> Card:
    """The card of the document, whose members stand at `data_path`. Raises CardInvalid with the pointer."""
    found, data = get_path(document, data_path)
    pointer = point("", *data_path)
    if not found or not isinstance(data, Mapping):
        raise CardInvalid("must be an object", pointer=pointer)
    try:
        texts = {field: TEXT.read(data.get(name), point(pointer, name)) for field, name in _TEXTS.items()}
        lists = {field: TEXTS.read(data.get(name), point(pointer, name)) for field, name in _LISTS.items()}
        own_id = TEXT.read(get_path(data, _MEMORY37_ID)[1], point(pointer, *_MEMORY37_ID))
        book = data.get("character_book")
        read = read_book(book, dialect, point(pointer, *BOOK)) if book is not None else None
    except WorldInfoInvalid as error:
        raise CardInvalid(error.reason, pointer=error.pointer) from error
    said = {**texts, **lists, "memory37_id": own_id}
    return Card(**{name: value for name, value in said.items() if value is not ABSENT}, book=read, raw=data)


def write_card(card: Card, version: tuple[str, str], book: dict[str, Any] | None) -> dict[str, Any]:
    """The card's document in that version: what was read, with fields that differ put in, and the book given."""
    data: dict[str, Any] = copy_json(dict(card.raw)) if card.raw else _new_data()
    for field, name in CARD_FIELDS.items():
        value = getattr(card, field)
        codec = TEXT if field in _TEXTS else TEXTS
        read = codec.read(data.get(name), "")
        if (read if read is not ABSENT else type(value)()) != value:
            data[name] = codec.write(value)
    if card.memory37_id:
        set_path(data, _MEMORY37_ID, card.memory37_id)
    if book is not None:
        data["character_book"] = book
    elif data.get("character_book") is not None:
        del data["character_book"]
    if version == V3:
        data.setdefault("group_only_greetings", [])
    data.setdefault("extensions", {})
    return {"spec": version[0], "spec_version": version[1], "data": data}


def list_said_fields(card: Card) -> list[str]:
    """The fields in which the card says something, the book aside."""
    names = (each.name for each in fields(card))
    return [name for name in names if name not in {"book", "raw", "memory37_id"} and getattr(card, name)]


def _new_data() -> dict[str, Any]:
    """The members that V2 wants to be there."""
    names = [name for name in _TEXTS.values() if name != "nickname"]
    return {**dict.fromkeys(names, ""), **{name: [] for name in _LISTS.values()}, "extensions": {}}
