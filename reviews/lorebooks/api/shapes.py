"""What lorebook calls answer, with examples."""

from __future__ import annotations

from typing import Annotated, Any

from typing_extensions import TypedDict

from knowledge.lorebooks.detection import FileFormat
from knowledge.lorebooks.losses import Outcome
from memoryproject.rest.typed_dicts import member
from reviews.lorebooks.plans import EntryOutcome

_FORMATS = [each.value for each in FileFormat]


class LorebookLoss(TypedDict):
    """What becomes of one field of one entry."""

    entry: Annotated[str | None, member("0", "The entry's uid in its file; null: the whole book.")]
    title: Annotated[str, member("The Copper Gate")]
    field: Annotated[str, member("sticky")]
    outcome: Annotated[str, member("dropped", choices=[each.value for each in Outcome])]
    why: Annotated[str, member("NovelAI has no such field")]


class LorebookEntry(TypedDict):
    """What becomes of one entry."""

    entry: Annotated[str, member("0", "The entry's uid in its file; `card` is the character itself.")]
    title: Annotated[str, member("The Copper Gate")]
    outcome: Annotated[
        str,
        member(
            "unchanged",
            "`pending`: an open change request says the same already.",
            choices=[each.value for each in EntryOutcome],
        ),
    ]
    slug: Annotated[str, member("the-copper-gate", "The article that it is.")]
    why: Annotated[str, member("")]


class LorebookImport(TypedDict):
    """What came of an import, or would."""

    format: Annotated[str, member("sillytavern", choices=_FORMATS)]
    name: Annotated[str, member("")]
    counts: Annotated[
        dict[str, int],
        member({"created": 0, "updated": 0, "unchanged": 1, "pending": 0, "skipped": 0}, "Entries by outcome."),
    ]
    change_requests: Annotated[list[int], member([])]
    entries: list[LorebookEntry]
    losses: Annotated[list[LorebookLoss], member([], "What canon does not keep of the file.")]


class LorebookTokens(TypedDict):
    """Tokens (o200k) of a book's content."""

    total: Annotated[int, member(6)]
    enabled: Annotated[int, member(6)]
    constant: Annotated[int, member(0)]
    by_position: Annotated[dict[str, int], member({"before_char": 6}, "Of enabled entries.")]


class LorebookFired(TypedDict):
    """Whether one entry fires on the sample chat, and why."""

    entry: Annotated[str, member("0")]
    title: Annotated[str, member("The Copper Gate")]
    fires: Annotated[bool, member(True, "By SillyTavern's rules.")]
    fires_m37: Annotated[bool, member(True, "By ours: words of every script, and stems.")]
    why: Annotated[str, member("fires: key copper gate")]
    why_m37: Annotated[str, member("fires: key copper gate")]


class LorebookPreview(LorebookImport):
    """What an import would do, and what fires."""

    tokens: LorebookTokens
    fired: list[LorebookFired]


class LorebookReport(TypedDict):
    """What a format loses of a book."""

    format: Annotated[str, member("card_v3", choices=_FORMATS)]
    entries: Annotated[int, member(1)]
    counts: Annotated[dict[str, int], member({"kept": 3, "approximated": 0, "dropped": 1}, "Fields by outcome.")]
    losses: Annotated[list[LorebookLoss], member(description="What is kept without a remark is only counted.")]
    tokens: LorebookTokens


class LorebookFile(LorebookReport):
    """A converted file with its report."""

    document: Annotated[
        Any, member({"spec": "lorebook_v3", "data": {"name": "", "extensions": {}, "entries": []}}, "The file's JSON.")
    ]
    file_base64: Annotated[str | None, member(None, "The picture, where one was asked for.")]


WORLD_INFO = {
    "entries": {"0": {"uid": 0, "key": ["copper gate"], "comment": "The Copper Gate", "content": "It shuts at dusk."}}
}
CARD = {
    "spec": "chara_card_v2",
    "spec_version": "2.0",
    "data": {"name": "Oda", "description": "She keeps the gate.", "first_mes": "Halt.", "personality": ""},
}
IMPORT_BODY = {"document": WORLD_INFO, "title": "Gate lorebook", "book_name": "gate"}
CARD_BODY = {"document": CARD}
PREVIEW_BODY = {"document": WORLD_INFO, "chat": "We ride to the Copper Gate."}
CONVERT_BODY = {"document": WORLD_INFO, "target": "lorebook_v3"}
_WORLDINFO = {"worldinfo_invalid": "/entries/0/key must be a list of texts, not an object"}
IMPORT_CODES: dict[int, dict[str, str]] = {
    400: {
        **_WORLDINFO,
        "card_invalid": "/data/character_book must be an object, not a list",
        "article_invalid": "tags/0: 'two words' does not match",
    },
    403: {"scope_missing": "This key was not issued for the scope 'editor'."},
    404: {"domain_not_found": "There is no domain 'myths'. Known: lore, srd."},
}
PREVIEW_CODES = {
    **IMPORT_CODES,
    400: {
        **IMPORT_CODES[400],
        "activation_too_large": "The books and the chat are too large for one activation: send fewer entries or keys, "
        "a shorter chat, or a smaller scan_depth.",
    },
}
CARD_CODES = {
    **IMPORT_CODES,
    400: {**IMPORT_CODES[400], "card_invalid": "The file is a lorebook (sillytavern), not a character card"},
}
CONVERT_CODES = {
    400: {
        **_WORLDINFO,
        "card_invalid": "The file is no PNG picture",
        "lorebook_format_unknown": "risu is not written into pictures; take card_v2, card_v3 or novelai",
    }
}
EXPORT_CODES = {
    400: {"worldinfo_invalid": "The file would have more than 10000 entries: choose by tags, type or language"},
    403: {"scope_missing": "This key was not issued for the scope 'editor'."},
    404: {
        "domain_not_found": "There is no domain 'myths'. Known: lore, srd.",
        "alias_not_found": "Nothing is live in this domain yet.",
    },
}
