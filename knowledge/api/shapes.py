"""What reads of canon answer, for the OpenAPI document. Nothing is rendered by these classes."""

from __future__ import annotations

from typing import Annotated, Any, NotRequired

from typing_extensions import TypedDict

from knowledge.canon.models import GateState, ReleaseState
from knowledge.errors import (
    EmptyQuery,
    QueryTooLong,
    RuleLookupNeedsOne,
    UnknownAlias,
    UnknownDomain,
    UnknownRelease,
    UnknownRule,
    UnknownTag,
)
from memoryproject.rest.pages import NEXT_CURSOR
from memoryproject.rest.typed_dicts import Time, deprecated, member

DEGRADED = "What had to be done without, as codes; empty when all went well."


class ReadRelease(TypedDict):
    """Which release was read."""

    number: Annotated[int, member(3)]
    alias: Annotated[str | None, member("latest", "Null when asked for by number.")]
    canary: Annotated[bool, member(False, "Whether the session was sent to the stage by the canary share.")]
    state: Annotated[str, member("published", "staged or published.")]


class HitDocument(TypedDict):
    """The article that a passage is from."""

    slug: Annotated[str, member("mute-bell")]
    title: Annotated[str, member("The Mute Bell")]
    type: Annotated[str, member("item")]
    language: Annotated[str, member("en")]
    tags: Annotated[list[str], member(["bell"])]
    revision: Annotated[int, member(2, "Number of the revision that is live in the release.")]


class HitParts(TypedDict):
    """How a hit came to its place. `score` is the sum of the `…_part` members."""

    bm25: Annotated[float, member(7.41, "The true BM25 score; 0 without any word of the query.")]
    bm25_rank: Annotated[int | None, member(1)]
    bm25_part: Annotated[float, member(0.8)]
    vector: Annotated[float | None, member(0.31, "Cosine similarity; null without an embedding.")]
    vector_rank: Annotated[int | None, member(2)]
    vector_part: Annotated[float, member(0.13)]
    neighbour_part: Annotated[float, member(0.0)]
    name_part: Annotated[float, member(0.0, "1 when the whole query is a name of the article, else 0.")]
    placed_as_fresh: Annotated[bool, member(False, "New and not embedded yet: placed by a constant.")]
    rerank_place: Annotated[int | None, member(None)]


class Hit(TypedDict):
    """One passage that was found."""

    passage_id: Annotated[int, member(412)]
    document: HitDocument
    heading_path: Annotated[list[str], member(["The Mute Bell"])]
    anchor: Annotated[str, member("the-mute-bell")]
    version: Annotated[str, member("1.1.0", "SemVer of the passage: major when its meaning may have changed.")]
    text: Annotated[str, member("The western bell has not rung since the Night of Silence.")]
    token_count: Annotated[int, member(14)]
    score: Annotated[float, member(0.93)]
    parts: HitParts
    release: Annotated[int, member(3)]
    source: Annotated[str, member("The Selmar Chronicle, first edition")]


class Search(TypedDict):
    """What a search found, best first."""

    query: Annotated[str, member("why is the western bell silent")]
    domain: Annotated[str, member("lore")]
    release: ReadRelease
    degraded: Annotated[list[str], member([], DEGRADED)]
    hits: Annotated[list[Hit], member(description="Best first.")]


class DocumentSummary(TypedDict):
    """A document in a list."""

    slug: Annotated[str, member("mute-bell")]
    title: Annotated[str, member("The Mute Bell")]
    type: Annotated[str, member("item")]
    language: Annotated[str, member("en")]
    tags: Annotated[list[str], member(["bell"])]
    rule_id: Annotated[str | None, member(None)]
    revision: Annotated[int, member(2)]
    since_release: Annotated[int, member(3, "The release that brought this revision.")]


class DocumentList(TypedDict):
    """A page of documents, by slug."""

    domain: Annotated[str, member("lore")]
    release: ReadRelease
    data: list[DocumentSummary]
    next_cursor: Annotated[str | None, member(None, NEXT_CURSOR)]
    documents: NotRequired[Annotated[list[DocumentSummary], deprecated("data")]]
    next_after: NotRequired[Annotated[str | None, deprecated("next_cursor")]]


class ChunkName(TypedDict):
    """Which chunk of a document."""

    passage_id: Annotated[int, member(412)]
    heading_path: Annotated[list[str], member(["The Mute Bell"])]
    version: Annotated[str, member("1.1.0")]


class Chunk(ChunkName):
    """A chunk of a document, as it is searched."""

    anchor: Annotated[str, member("the-mute-bell")]
    token_count: Annotated[int, member(14)]
    text: Annotated[str, member("The western bell has not rung since the Night of Silence.")]


class Link(TypedDict):
    """A link to another document."""

    slug: Annotated[str, member("night-of-silence")]
    title: Annotated[str | None, member("The Night of Silence", "Null where the reader knows nothing of that slug.")]


class Relation(TypedDict):
    """What this document is to another."""

    type: Annotated[str, member("located_in")]
    to: Annotated[str, member("bell-hill")]


class DocumentText(DocumentSummary):
    """A document with its text."""

    body: Annotated[str, member("The western bell has not rung since the [[night-of-silence]].", "Markdown.")]
    aliases: Annotated[list[str], member(["The western bell"])]
    fields: Annotated[dict[str, Any], member({"weight_kilograms": 900}, "Structured facts.")]
    source: Annotated[str, member("The Selmar Chronicle, first edition")]
    token_count: Annotated[int, member(14)]


class Document(DocumentText):
    """A whole document in one release, as one reader may see it."""

    release: ReadRelease
    field_labels: Annotated[dict[str, list[str]], member({"weight_kilograms": ["weight", "weighs"]})]
    relations: list[Relation]
    chunks: list[Chunk]
    links: list[Link]
    backlinks: list[Link]


class RuleMatch(TypedDict):
    """How a rule was found, and others that may have been meant."""

    domain: Annotated[str, member("srd")]
    release: ReadRelease
    matched_by: Annotated[str, member("name", choices=("rule_id", "name", "search"))]
    candidates: Annotated[list[DocumentSummary], member([], "Others that may have been meant, best first.")]
    degraded: Annotated[list[str], member([], DEGRADED)]


class RuleLookup(RuleMatch):
    """The rule that was asked for, and others that may have been meant."""

    rule: Document


class Release(TypedDict):
    """A numbered state of one world's domain."""

    number: Annotated[int, member(3)]
    base: Annotated[int | None, member(2, "The release it was built on; null for the first.")]
    state: Annotated[str, member("published", choices=ReleaseState.values)]
    title: Annotated[str, member("Bells")]
    aliases: Annotated[list[str], member(["latest"])]
    gate: Annotated[str, member("passed", "What the golden queries said.", choices=GateState.values)]
    documents: Annotated[int, member(61)]
    passages: Annotated[int, member(63)]
    embedder: Annotated[str, member("hashing-v1")]
    dims: Annotated[int, member(1024)]
    created_at: Annotated[Time, member("2026-01-15T12:00:00Z")]
    staged_at: Annotated[Time | None, member("2026-01-15T12:00:05Z")]
    published_at: Annotated[Time | None, member("2026-01-15T12:10:00Z", "When it first went live.")]
    live_since: Annotated[Time | None, member("2026-01-15T12:10:00Z", "When it last went live. Null: never.")]
    live_until: Annotated[Time | None, member(None, "When that ended. Null while it is live.")]
    ended_by: Annotated[
        str | None, member(None, "What ended it: a newer release, or a rollback.", choices=("swapped", "rolled_back"))
    ]


class ReleaseList(TypedDict):
    """A page of releases, newest first."""

    domain: Annotated[str, member("lore")]
    data: list[Release]
    next_cursor: Annotated[int | None, member(None, NEXT_CURSOR)]
    releases: NotRequired[Annotated[list[Release], deprecated("data")]]
    next_before: NotRequired[Annotated[int | None, deprecated("next_cursor")]]


class ChangedSlugs(TypedDict):
    """How many documents, and the first 200 slugs of them."""

    count: Annotated[int, member(1)]
    slugs: Annotated[list[str], member(["tide-lantern"])]


class Changes(TypedDict):
    """What a release changed in the one that it was built on."""

    added: ChangedSlugs
    changed: ChangedSlugs
    removed: ChangedSlugs


class ReleaseNotes(Release):
    """A release with what it changed, as far as the reader may know."""

    changes: Annotated[Changes | None, member(description="Null until it is built, or when it was discarded.")]


CANON_CODES = (UnknownDomain, UnknownAlias, UnknownRelease)
QUERY_CODES = (UnknownTag, EmptyQuery, QueryTooLong)
RULE_CODES = (UnknownRule, RuleLookupNeedsOne, EmptyQuery, QueryTooLong)
