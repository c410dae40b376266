"""Bodies of lorebook calls: a file as JSON or in base64, and what is wanted with it."""

from __future__ import annotations

import base64
from typing import Any

from knowledge.lorebooks.detection import WRITTEN_FORMATS
from knowledge.lorebooks.errors import CardInvalid, WorldInfoInvalid
from knowledge.lorebooks.files import LoreFile, read_document, read_lore_file
from knowledge.lorebooks.json_text import check_nesting
from memoryproject.rest.forms import form
from reviews.lorebooks.core.articles import ImportDefaults
from reviews.lorebooks.sample_chat import MAX_CHAT_LENGTH

_FILE: dict[str, Any] = {
    "document": {"description": "The file's JSON, as an object or a list."},
    "file_base64": {
        "type": "string",
        "minLength": 1,
        "description": "The file in base64, JSON or PNG; instead of `document`. Bodies have a limit: MAX_BODY_BYTES.",
    },
}
_IMPORT: dict[str, Any] = {
    "domain": {"type": "string", "minLength": 1, "maxLength": 32, "default": "lore"},
    "book_name": {
        "type": "string",
        "maxLength": 200,
        "default": "",
        "description": "How entries are known again next time where the file has no name of its own.",
    },
    "type": {"type": "string", "maxLength": 32, "pattern": "^[a-z]+(?:_[a-z]+)*$", "default": "article"},
    "language": {
        "type": "string",
        "maxLength": 16,
        "default": "",
        "description": "Language of new articles; told from each text where it is empty.",
    },
    "tags": {"type": "array", "maxItems": 50, "items": {"type": "string", "maxLength": 60}, "default": []},
    "audience": {
        "description": "Who may know new articles: `public`, or a list of `npc:…` and `faction:…`.",
        "default": "public",
        "oneOf": [
            {"const": "public"},
            {"type": "array", "minItems": 1, "maxItems": 50, "items": {"type": "string", "maxLength": 128}},
        ],
    },
    "with_disabled": {"type": "boolean", "default": False, "description": "Import disabled entries, too."},
}
_ONE_FILE = [{"required": ["document"]}, {"required": ["file_base64"]}]


def _schema(**properties: Any) -> dict[str, Any]:
    return form({}, {**_FILE, **properties}, oneOf=_ONE_FILE)


IMPORT_SCHEMA = _schema(
    **_IMPORT,
    title={"type": "string", "maxLength": 200, "default": "", "description": "Title of the change request."},
    description={"type": "string", "maxLength": 20_000, "default": ""},
    draft={"type": "boolean", "default": False, "description": "True keeps it a draft; else it goes into review."},
)
PROPOSE_SCHEMA: dict[str, Any] = form(
    {},
    {
        "domain": _IMPORT["domain"],
        "draft": {
            "type": "boolean",
            "default": False,
            "description": "True keeps it a draft; else it goes into review.",
        },
    },
)
PREVIEW_SCHEMA = _schema(
    **_IMPORT,
    chat={
        "type": "string",
        "maxLength": MAX_CHAT_LENGTH,
        "default": "",
        "description": "A sample chat, a message a line: the answer says which entries fire on it, and why.",
    },
)
CONVERT_SCHEMA = {
    **_schema(
        target={"type": "string", "enum": [each.value for each in WRITTEN_FORMATS]},
        png={
            "type": "boolean",
            "default": False,
            "description": "A picture in `file_base64`: `card_v2`, `card_v3` and `novelai` alone.",
        },
    ),
    "required": ["target"],
}


def read_file(body: dict[str, Any]) -> LoreFile:
    """The book or card of the body. Raises CardInvalid or WorldInfoInvalid."""
    if "document" in body:
        check_nesting(body["document"], WorldInfoInvalid)
        return read_document(body["document"])
    try:
        data = base64.b64decode(body["file_base64"], validate=True)
    except ValueError as error:  # binascii.Error is one; letters of other scripts give the plain one
        raise WorldInfoInvalid("is not base64", pointer="") from error
    return read_lore_file(data)


def read_card_file(body: dict[str, Any]) -> LoreFile:
    """As read_file, for a file that must be a card."""
    file = read_file(body)
    if file.card is None:
        raise CardInvalid(f"is a lorebook ({file.format.value}), not a character card: use lorebooks/import")
    return file


def read_defaults(body: dict[str, Any]) -> ImportDefaults:
    """What new articles have that entries do not say."""
    audience = body.get("audience", "public")
    return ImportDefaults(
        type=body.get("type", "article"),
        language=body.get("language", ""),
        tags=tuple(body.get("tags", ())),
        audience=tuple(audience) if isinstance(audience, list) else audience,
    )
