"""What lorebook calls answer, with examples."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from knowledge.lorebooks.detection import FileFormat
from knowledge.lorebooks.losses import Outcome
from reviews.lorebooks.plans import EntryOutcome

_FORMATS = [each.value for each in FileFormat]


class LorebookLossSerializer(serializers.Serializer[Any]):
    """What becomes of one field of one entry."""

    entry = serializers.CharField(allow_null=True, help_text="The entry's uid in its file; null: the whole book.")
    title = serializers.CharField(allow_blank=True)
    field = serializers.CharField()
    outcome = serializers.ChoiceField(choices=[each.value for each in Outcome])
    why = serializers.CharField(allow_blank=True)


class LorebookEntrySerializer(serializers.Serializer[Any]):
    """What becomes of one entry."""

    entry = serializers.CharField(help_text="The entry's uid in its file; `card` is the character itself.")
    title = serializers.CharField()
    outcome = serializers.ChoiceField(
        choices=[each.value for each in EntryOutcome],
        help_text="`pending`: an open change request says the same already.",
    )
    slug = serializers.CharField(allow_blank=True, help_text="The article that it is.")
    why = serializers.CharField(allow_blank=True)


class LorebookImportSerializer(serializers.Serializer[Any]):
    """What came of an import, or would."""

    format = serializers.ChoiceField(choices=_FORMATS)
    name = serializers.CharField(allow_blank=True)
    counts = serializers.DictField(child=serializers.IntegerField(), help_text="Entries by outcome.")
    change_requests = serializers.ListField(child=serializers.IntegerField())
    entries = LorebookEntrySerializer(many=True)
    losses = LorebookLossSerializer(many=True, help_text="What canon does not keep of the file.")


class LorebookTokensSerializer(serializers.Serializer[Any]):
    """Tokens (o200k) of a book's content."""

    total = serializers.IntegerField()
    enabled = serializers.IntegerField()
    constant = serializers.IntegerField()
    by_position = serializers.DictField(child=serializers.IntegerField(), help_text="Of enabled entries.")


class LorebookFiredSerializer(serializers.Serializer[Any]):
    """Whether one entry fires on the sample chat, and why."""

    entry = serializers.CharField()
    title = serializers.CharField(allow_blank=True)
    fires = serializers.BooleanField(help_text="By SillyTavern's rules.")
    fires_m37 = serializers.BooleanField(help_text="By ours: words of every script, and stems.")
    why = serializers.CharField()
    why_m37 = serializers.CharField()


class LorebookPreviewSerializer(LorebookImportSerializer):
    """What an import would do, and what fires."""

    tokens = LorebookTokensSerializer()
    fired = LorebookFiredSerializer(many=True)


class LorebookReportSerializer(serializers.Serializer[Any]):
    """What a format loses of a book."""

    format = serializers.ChoiceField(choices=_FORMATS)
    entries = serializers.IntegerField()
    counts = serializers.DictField(child=serializers.IntegerField(), help_text="Fields by outcome.")
    losses = LorebookLossSerializer(many=True, help_text="What is kept without a remark is only counted.")
    tokens = LorebookTokensSerializer()


class LorebookFileSerializer(LorebookReportSerializer):
    """A converted file with its report."""

    document = serializers.JSONField(help_text="The file's JSON.")
    file_base64 = serializers.CharField(allow_null=True, help_text="The picture, where one was asked for.")


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
_COUNTS: dict[str, int] = {"created": 1, "updated": 0, "unchanged": 0, "pending": 0, "skipped": 0}
_ENTRY = {"entry": "0", "title": "The Copper Gate", "outcome": "created", "slug": "the-copper-gate", "why": ""}
IMPORTED: dict[str, Any] = {
    "format": "sillytavern",
    "name": "",
    "counts": _COUNTS,
    "change_requests": [17],
    "entries": [_ENTRY],
    "losses": [],
}
UNCHANGED_IMPORT = {
    **IMPORTED,
    "counts": {**_COUNTS, "created": 0, "unchanged": 1},
    "change_requests": [],
    "entries": [{**_ENTRY, "outcome": "unchanged"}],
}
TOKENS = {"total": 6, "enabled": 6, "constant": 0, "by_position": {"before_char": 6}}
PREVIEWED = {
    **IMPORTED,
    "change_requests": [],
    "tokens": TOKENS,
    "fired": [
        {
            "entry": "0",
            "title": "The Copper Gate",
            "fires": True,
            "fires_m37": True,
            "why": "fires: key copper gate",
            "why_m37": "fires: key copper gate",
        }
    ],
}
REPORT: dict[str, Any] = {
    "format": "novelai",
    "entries": 1,
    "counts": {"kept": 3, "approximated": 0, "dropped": 1},
    "losses": [
        {
            "entry": "0",
            "title": "The Copper Gate",
            "field": "sticky",
            "outcome": "dropped",
            "why": "NovelAI has no such field",
        }
    ],
    "tokens": TOKENS,
}
CONVERTED = {
    **REPORT,
    "format": "lorebook_v3",
    "counts": {"kept": 4, "approximated": 0, "dropped": 0},
    "losses": [],
    "document": {"spec": "lorebook_v3", "data": {"name": "", "extensions": {}, "entries": []}},
    "file_base64": None,
}
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
