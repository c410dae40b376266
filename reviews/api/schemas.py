"""What change requests look like at the REST API: bodies, answers, problems."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from knowledge.canon.core.slugs import SLUG_PATTERN
from reviews.models import ChangeKind, ChangeState, Operation

SLUG = {"type": "string", "minLength": 1, "maxLength": 120, "pattern": SLUG_PATTERN}
MAX_ITEMS = 100


def build_proposal_schema(content: dict[str, Any]) -> dict[str, Any]:
    """The body of a proposal, with `content` as the schema of an article."""

    def item(operation: str, description: str, **properties: Any) -> dict[str, Any]:
        return {
            "type": "object",
            "title": f"{operation.capitalize()} an article",
            "description": description,
            "additionalProperties": False,
            "required": ["operation", *properties],
            "properties": {"operation": {"const": operation}, **properties},
        }

    return {
        "type": "object",
        "additionalProperties": False,
        "required": ["title", "items"],
        "properties": {
            "domain": {"type": "string", "minLength": 1, "maxLength": 32, "default": "lore"},
            "title": {"type": "string", "minLength": 1, "maxLength": 200, "pattern": r"\S"},
            "description": {"type": "string", "maxLength": 20_000, "default": ""},
            "draft": {
                "type": "boolean",
                "default": False,
                "description": "True keeps it a draft; else it goes into review at once.",
            },
            "items": {
                "type": "array",
                "minItems": 1,
                "maxItems": MAX_ITEMS,
                "items": {
                    "oneOf": [
                        item(Operation.CREATE, "A new article under the slug in `content`.", content=content),
                        item(
                            Operation.UPDATE,
                            "The live article `slug` says `content` from then on; its slug may change with it.",
                            slug=SLUG,
                            content=content,
                        ),
                        item(Operation.RETIRE, "The live article `slug` goes.", slug=SLUG),
                    ]
                },
            },
        },
    }


class AuthorSerializer(serializers.Serializer[Any]):
    """Who wrote a change request."""

    type = serializers.ChoiceField(choices=["user", "key"])
    label = serializers.CharField()  # type: ignore[assignment]  # a member's name, not the field's own


class ChangeRequestSummarySerializer(serializers.Serializer[Any]):
    """A change request in a list."""

    id = serializers.IntegerField()
    kind = serializers.ChoiceField(choices=ChangeKind.values, help_text="`npc`: profiles, live when approved.")
    domain = serializers.CharField()
    title = serializers.CharField()
    state = serializers.ChoiceField(choices=ChangeState.values)
    author = AuthorSerializer()
    item_count = serializers.IntegerField()
    release = serializers.IntegerField(allow_null=True, help_text="Number of the release that carries it.")
    created_at = serializers.DateTimeField()
    submitted_at = serializers.DateTimeField(allow_null=True)
    updated_at = serializers.DateTimeField()


class ChangeItemSerializer(serializers.Serializer[Any]):
    """What a change request does to one article."""

    id = serializers.IntegerField()
    operation = serializers.ChoiceField(choices=Operation.values)
    slug = serializers.CharField(help_text="The slug after the change.")
    base_revision = serializers.IntegerField(
        allow_null=True, help_text="Number of the live revision that the change was made from; null when it creates."
    )
    content = serializers.DictField(
        child=serializers.JSONField(),
        allow_null=True,
        help_text="The whole article after the change; null when it retires.",
    )


class NpcChangeItemSerializer(serializers.Serializer[Any]):
    """What a change request does to one NPC."""

    id = serializers.IntegerField()
    npc_id = serializers.CharField()
    base_version = serializers.IntegerField(help_text="The persona version that it began from; 0: the NPC is new.")
    written_version = serializers.IntegerField(allow_null=True, help_text="The persona version that it became.")
    content = serializers.DictField(
        child=serializers.JSONField(), help_text="The whole profile; its secrets for keys with the scope `engine`, too."
    )


class CommentSerializer(serializers.Serializer[Any]):
    """A reviewer's or author's remark."""

    author = serializers.CharField()
    text = serializers.CharField()
    item = serializers.IntegerField(allow_null=True, help_text="The item that it is about; null: the whole.")
    created_at = serializers.DateTimeField()


class ChangeRequestSerializer(ChangeRequestSummarySerializer):
    """A change request with its items and what was said about it."""

    description = serializers.CharField(allow_blank=True)
    items = ChangeItemSerializer(many=True)
    npc_items = NpcChangeItemSerializer(many=True)
    comments = CommentSerializer(many=True)


class ChangeRequestListSerializer(serializers.Serializer[Any]):
    """A page of change requests, newest first."""

    change_requests = ChangeRequestSummarySerializer(many=True)
    next_before = serializers.IntegerField(allow_null=True, help_text="Send it as `before` for the next page.")


ARTICLE = {
    "slug": "tide-lantern",
    "title": "The Tide Lantern",
    "type": "item",
    "language": "en",
    "tags": ["lantern"],
    "audience": "public",
    "fields": {"height_metres": 2},
    "body": "A green lantern that burns at ebb tide, hung below the [[moon-bridge]].",
}
PROPOSAL = {
    "domain": "lore",
    "title": "Add the tide lantern",
    "description": "Found in play, session 42.",
    "items": [{"operation": "create", "content": ARTICLE}],
}
SUMMARY = {
    "id": 17,
    "kind": "canon",
    "domain": "lore",
    "title": "Add the tide lantern",
    "state": "in_review",
    "author": {"type": "key", "label": "API key k3v9q0z1xw"},
    "item_count": 1,
    "release": None,
    "created_at": "2026-01-15T12:00:00Z",
    "submitted_at": "2026-01-15T12:00:00Z",
    "updated_at": "2026-01-15T12:00:00Z",
}
CHANGE_REQUEST = {
    **SUMMARY,
    "description": "Found in play, session 42.",
    "items": [{"id": 23, "operation": "create", "slug": "tide-lantern", "base_revision": None, "content": ARTICLE}],
    "npc_items": [],
    "comments": [],
}
UNKNOWN_CODES = {404: {"change_request_not_found": "There is no change request 17."}}
PROPOSAL_CODES = {
    400: {
        "article_invalid": "language: 'English' does not match '^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$'",
        "nothing_to_change": "The article 'moon-bridge' says that already.",
        "field_invalid": "The title holds a character that can't be stored.",
    },
    403: {"scope_missing": "This key was not issued for the scope 'editor'."},
    404: {"domain_not_found": "There is no domain 'myths'. Known: lore, srd."},
    409: {
        "slug_taken": "The slug 'moon-bridge' is taken by a live article.",
        "document_not_live": "No article 'old-bridge' is live in this domain.",
        "document_already_in_request": "The request already has an item for 'moon-bridge'.",
    },
}
