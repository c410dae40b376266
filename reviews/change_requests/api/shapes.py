"""What change requests look like at the REST API: bodies, answers, problems."""

from __future__ import annotations

from typing import Annotated, Any, NotRequired

from typing_extensions import TypedDict

from knowledge.canon.core.slugs import SLUG_PATTERN
from knowledge.errors import InvalidArticle, UnknownDomain
from memoryproject.rest.forms import form
from memoryproject.rest.pages import NEXT_CURSOR
from memoryproject.rest.typed_dicts import Time, deprecated, member
from reviews.errors import DocumentInRequest, DocumentNotLive, InvalidField, NothingToChange, SlugInUse
from reviews.models import ChangeKind, ChangeState, Operation
from tenancy.errors import ScopeMissing

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

    return form(
        {
            "title": {"type": "string", "minLength": 1, "maxLength": 200, "pattern": r"\S"},
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
        {
            "domain": {"type": "string", "minLength": 1, "maxLength": 32, "default": "lore"},
            "description": {"type": "string", "maxLength": 20_000, "default": ""},
            "draft": {
                "type": "boolean",
                "default": False,
                "description": "True keeps it a draft; else it goes into review at once.",
            },
        },
    )


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


class Author(TypedDict):
    """Who wrote a change request."""

    type: Annotated[str, member("key", choices=("user", "key"))]
    label: Annotated[str, member("API key k3v9q0z1xw")]


class ChangeRequestSummary(TypedDict):
    """A change request in a list."""

    id: Annotated[int, member(17)]
    kind: Annotated[str, member("canon", "`npc`: profiles, live when approved.", choices=ChangeKind.values)]
    domain: Annotated[str, member("lore")]
    title: Annotated[str, member("Add the tide lantern")]
    state: Annotated[str, member("in_review", choices=ChangeState.values)]
    author: Author
    item_count: Annotated[int, member(1)]
    release: Annotated[int | None, member(None, "Number of the release that carries it.")]
    created_at: Annotated[Time, member("2026-01-15T12:00:00Z")]
    submitted_at: Annotated[Time | None, member("2026-01-15T12:00:00Z")]
    updated_at: Annotated[Time, member("2026-01-15T12:00:00Z")]


class ChangeItem(TypedDict):
    """What a change request does to one article."""

    id: Annotated[int, member(23)]
    operation: Annotated[str, member("create", choices=Operation.values)]
    slug: Annotated[str, member("tide-lantern", "The slug after the change.")]
    base_revision: Annotated[
        int | None, member(None, "Number of the live revision that the change was made from; null when it creates.")
    ]
    content: Annotated[
        dict[str, Any] | None, member(ARTICLE, "The whole article after the change; null when it retires.")
    ]


class NpcChangeItem(TypedDict):
    """What a change request does to one NPC."""

    id: int
    npc_id: str
    base_version: Annotated[int, member(description="The persona version that it began from; 0: the NPC is new.")]
    written_version: Annotated[int | None, member(description="The persona version that it became.")]
    content: Annotated[
        dict[str, Any], member(description="The whole profile; its secrets for keys with the scope `engine`, too.")
    ]


class Comment(TypedDict):
    """A reviewer's or author's remark."""

    author: str
    text: str
    item: Annotated[int | None, member(description="The item that it is about; null: the whole.")]
    created_at: Time


class ChangeRequest(ChangeRequestSummary):
    """A change request with its items and what was said about it."""

    description: Annotated[str, member("Found in play, session 42.")]
    items: list[ChangeItem]
    npc_items: Annotated[list[NpcChangeItem], member([])]
    comments: Annotated[list[Comment], member([])]


class ChangeRequestList(TypedDict):
    """A page of change requests, newest first."""

    data: list[ChangeRequestSummary]
    next_cursor: Annotated[int | None, member(None, NEXT_CURSOR)]
    change_requests: NotRequired[Annotated[list[ChangeRequestSummary], deprecated("data")]]
    next_before: NotRequired[Annotated[int | None, deprecated("next_cursor")]]


PROPOSAL = {
    "domain": "lore",
    "title": "Add the tide lantern",
    "description": "Found in play, session 42.",
    "items": [{"operation": "create", "content": ARTICLE}],
}
PROPOSAL_CODES = (
    InvalidArticle,
    NothingToChange,
    InvalidField,
    ScopeMissing,
    UnknownDomain,
    SlugInUse,
    DocumentNotLive,
    DocumentInRequest,
)
