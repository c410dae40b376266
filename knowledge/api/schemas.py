"""What reads of canon answer, for the OpenAPI document. Nothing is rendered by these classes."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from knowledge.canon.models import GateState, ReleaseState


class ReadReleaseSerializer(serializers.Serializer[Any]):
    """Which release was read."""

    number = serializers.IntegerField()
    alias = serializers.CharField(allow_null=True, help_text="Null when asked for by number.")
    canary = serializers.BooleanField(help_text="Whether the session was sent to the stage by the canary share.")
    state = serializers.CharField(help_text="staged or published.")


class HitDocumentSerializer(serializers.Serializer[Any]):
    """The article that a passage is from."""

    slug = serializers.CharField()
    title = serializers.CharField()
    type = serializers.CharField()
    language = serializers.CharField()
    tags = serializers.ListField(child=serializers.CharField())
    revision = serializers.IntegerField(help_text="Number of the revision that is live in the release.")


class HitPartsSerializer(serializers.Serializer[Any]):
    """How a hit came to its place. `score` is the sum of the `…_part` members."""

    bm25 = serializers.FloatField(help_text="The true BM25 score; 0 without any word of the query.")
    bm25_rank = serializers.IntegerField(allow_null=True)
    bm25_part = serializers.FloatField()
    vector = serializers.FloatField(allow_null=True, help_text="Cosine similarity; null without an embedding.")
    vector_rank = serializers.IntegerField(allow_null=True)
    vector_part = serializers.FloatField()
    neighbour_part = serializers.FloatField()
    name_part = serializers.FloatField(help_text="1 when the whole query is a name of the article, else 0.")
    placed_as_fresh = serializers.BooleanField(help_text="New and not embedded yet: placed by a constant.")
    rerank_place = serializers.IntegerField(allow_null=True)


class HitSerializer(serializers.Serializer[Any]):
    """One passage that was found."""

    passage_id = serializers.IntegerField()
    document = HitDocumentSerializer()
    heading_path = serializers.ListField(child=serializers.CharField())
    anchor = serializers.CharField(allow_blank=True)
    version = serializers.CharField(help_text="SemVer of the passage: major when its meaning may have changed.")
    text = serializers.CharField()
    token_count = serializers.IntegerField()
    score = serializers.FloatField()
    parts = HitPartsSerializer()
    release = serializers.IntegerField()
    source = serializers.CharField(allow_blank=True)  # type: ignore[assignment]  # a member's name, not the field's own


class SearchSerializer(serializers.Serializer[Any]):
    """What a search found, best first."""

    query = serializers.CharField()
    domain = serializers.CharField()
    release = ReadReleaseSerializer()
    degraded = serializers.ListField(
        child=serializers.CharField(), help_text="What the search had to do without; empty when all went well."
    )
    hits = HitSerializer(many=True)


class DocumentSummarySerializer(serializers.Serializer[Any]):
    """A document in a list."""

    slug = serializers.CharField()
    title = serializers.CharField()
    type = serializers.CharField()
    language = serializers.CharField()
    tags = serializers.ListField(child=serializers.CharField())
    rule_id = serializers.CharField(allow_null=True)
    revision = serializers.IntegerField()
    since_release = serializers.IntegerField(help_text="The release that brought this revision.")


class DocumentListSerializer(serializers.Serializer[Any]):
    """A page of documents, by slug."""

    domain = serializers.CharField()
    release = ReadReleaseSerializer()
    documents = DocumentSummarySerializer(many=True)
    next_after = serializers.CharField(allow_null=True, help_text="Send it as `after` for the next page.")


class ChunkSerializer(serializers.Serializer[Any]):
    """A chunk of a document, as it is searched."""

    passage_id = serializers.IntegerField()
    heading_path = serializers.ListField(child=serializers.CharField())
    anchor = serializers.CharField(allow_blank=True)
    version = serializers.CharField()
    token_count = serializers.IntegerField()
    text = serializers.CharField()


class LinkSerializer(serializers.Serializer[Any]):
    """A link to another document."""

    slug = serializers.CharField()
    title = serializers.CharField(allow_null=True, help_text="Null where the reader knows nothing of that slug.")


class RelationSerializer(serializers.Serializer[Any]):
    """What this document is to another."""

    type = serializers.CharField()
    to = serializers.CharField()


class DocumentSerializer(DocumentSummarySerializer):
    """A whole document in one release, as one reader may see it."""

    release = ReadReleaseSerializer()
    body = serializers.CharField(help_text="Markdown.")
    aliases = serializers.ListField(child=serializers.CharField())
    fields = serializers.DictField(  # type: ignore[assignment]  # a member's name, not the serializer's own
        child=serializers.JSONField(), help_text="Structured facts."
    )
    field_labels = serializers.DictField(child=serializers.ListField(child=serializers.CharField()))
    relations = RelationSerializer(many=True)
    source = serializers.CharField(allow_blank=True)  # type: ignore[assignment]  # a member's name
    token_count = serializers.IntegerField()
    chunks = ChunkSerializer(many=True)
    links = LinkSerializer(many=True)
    backlinks = LinkSerializer(many=True)


class RuleLookupSerializer(serializers.Serializer[Any]):
    """The rule that was asked for, and others that may have been meant."""

    domain = serializers.CharField()
    release = ReadReleaseSerializer()
    matched_by = serializers.ChoiceField(choices=["rule_id", "name", "search"])
    rule = DocumentSerializer()
    candidates = DocumentSummarySerializer(many=True)
    degraded = serializers.ListField(child=serializers.CharField())


class ReleaseSerializer(serializers.Serializer[Any]):
    """A numbered state of one world's domain."""

    number = serializers.IntegerField()
    base = serializers.IntegerField(allow_null=True, help_text="The release it was built on; null for the first.")
    state = serializers.ChoiceField(choices=ReleaseState.values)
    title = serializers.CharField(allow_blank=True)
    aliases = serializers.ListField(child=serializers.CharField())
    gate = serializers.ChoiceField(choices=GateState.values, help_text="What the golden queries said.")
    documents = serializers.IntegerField()
    passages = serializers.IntegerField()
    embedder = serializers.CharField()
    dims = serializers.IntegerField()
    created_at = serializers.DateTimeField()
    staged_at = serializers.DateTimeField(allow_null=True)
    published_at = serializers.DateTimeField(allow_null=True, help_text="When it first went live.")
    live_since = serializers.DateTimeField(allow_null=True, help_text="When it last went live. Null: never.")
    live_until = serializers.DateTimeField(allow_null=True, help_text="When that ended. Null while it is live.")
    ended_by = serializers.ChoiceField(
        choices=["swapped", "rolled_back"], allow_null=True, help_text="What ended it: a newer release, or a rollback."
    )


class ReleaseListSerializer(serializers.Serializer[Any]):
    """A page of releases, newest first."""

    domain = serializers.CharField()
    releases = ReleaseSerializer(many=True)
    next_before = serializers.IntegerField(allow_null=True, help_text="Send it as `before` for the next page.")


class ChangedSlugsSerializer(serializers.Serializer[Any]):
    """How many documents, and the first 200 slugs of them."""

    count = serializers.IntegerField()
    slugs = serializers.ListField(child=serializers.CharField())


class ChangesSerializer(serializers.Serializer[Any]):
    """What a release changed in the one that it was built on."""

    added = ChangedSlugsSerializer()
    changed = ChangedSlugsSerializer()
    removed = ChangedSlugsSerializer()


class ReleaseNotesSerializer(ReleaseSerializer):
    """A release with what it changed, as far as the reader may know."""

    changes = ChangesSerializer(allow_null=True, help_text="Null until it is built, or when it was discarded.")


READ_RELEASE = {"number": 3, "alias": "latest", "canary": False, "state": "published"}
HIT = {
    "passage_id": 412,
    "document": {
        "slug": "mute-bell",
        "title": "The Mute Bell",
        "type": "item",
        "language": "en",
        "tags": ["bell"],
        "revision": 2,
    },
    "heading_path": ["The Mute Bell"],
    "anchor": "the-mute-bell",
    "version": "1.1.0",
    "text": "The western bell has not rung since the Night of Silence.",
    "token_count": 14,
    "score": 0.93,
    "parts": {
        "bm25": 7.41,
        "bm25_rank": 1,
        "bm25_part": 0.8,
        "vector": 0.31,
        "vector_rank": 2,
        "vector_part": 0.13,
        "neighbour_part": 0.0,
        "name_part": 0.0,
        "placed_as_fresh": False,
        "rerank_place": None,
    },
    "release": 3,
    "source": "The Selmar Chronicle, first edition",
}
SEARCH = {
    "query": "why is the western bell silent",
    "domain": "lore",
    "release": READ_RELEASE,
    "degraded": [],
    "hits": [HIT],
}

CANON_CODES = {
    404: {
        "domain_not_found": "This world has nothing in domain 'lore' yet.",
        "alias_not_found": "There is no alias 'newest'. Known: latest, stage.",
        "release_not_found": "There is no release 99 in domain 'lore'.",
    },
    400: {"release_and_alias": "Send release or alias, not both."},
}
QUERY_CODES = {
    400: {
        "query_empty": "The query is empty.",
        "query_too_long": "The query has 5,120 characters; the most is 4,000.",
        "k_out_of_range": "k must lie between 1 and 50.",
        "parameter_missing": "q is missing.",
    },
    404: {"tag_not_found": "No article of release 3 carries the tag 'dragons'."},
}

DOCUMENT_SUMMARY = {
    "slug": "mute-bell",
    "title": "The Mute Bell",
    "type": "item",
    "language": "en",
    "tags": ["bell"],
    "rule_id": None,
    "revision": 2,
    "since_release": 3,
}
DOCUMENT_LIST = {"domain": "lore", "release": READ_RELEASE, "documents": [DOCUMENT_SUMMARY], "next_after": None}
DOCUMENT = {
    **DOCUMENT_SUMMARY,
    "release": READ_RELEASE,
    "body": "The western bell has not rung since the [[night-of-silence]].",
    "aliases": ["The western bell"],
    "fields": {"weight_kilograms": 900},
    "field_labels": {"weight_kilograms": ["weight", "weighs"]},
    "relations": [{"type": "located_in", "to": "bell-hill"}],
    "source": "The Selmar Chronicle, first edition",
    "token_count": 14,
    "chunks": [
        {
            "passage_id": 412,
            "heading_path": ["The Mute Bell"],
            "anchor": "the-mute-bell",
            "version": "1.1.0",
            "token_count": 14,
            "text": "The western bell has not rung since the Night of Silence.",
        }
    ],
    "links": [{"slug": "night-of-silence", "title": "The Night of Silence"}],
    "backlinks": [{"slug": "oda-marr", "title": "Oda Marr"}],
}
RULE_LOOKUP = {
    "domain": "srd",
    "release": READ_RELEASE,
    "matched_by": "name",
    "rule": {**DOCUMENT, "slug": "clasped", "title": "Clasped", "type": "rule", "rule_id": "COND-01"},
    "candidates": [],
    "degraded": [],
}
RELEASE_EXAMPLE = {
    "number": 3,
    "base": 2,
    "state": "published",
    "title": "Bells",
    "aliases": ["latest"],
    "gate": "passed",
    "documents": 61,
    "passages": 63,
    "embedder": "hashing-v1",
    "dims": 1024,
    "created_at": "2026-01-15T12:00:00Z",
    "staged_at": "2026-01-15T12:00:05Z",
    "published_at": "2026-01-15T12:10:00Z",
    "live_since": "2026-01-15T12:10:00Z",
    "live_until": None,
    "ended_by": None,
}
RELEASE_LIST = {"domain": "lore", "releases": [RELEASE_EXAMPLE], "next_before": None}
RELEASE_NOTES = {
    **RELEASE_EXAMPLE,
    "changes": {
        "added": {"count": 1, "slugs": ["tide-lantern"]},
        "changed": {"count": 1, "slugs": ["mute-bell"]},
        "removed": {"count": 0, "slugs": []},
    },
}
DOCUMENT_CODES = {404: {"document_not_found": "There is no document 'dragon' in release 3."}}
RULE_CODES = {
    400: {
        "rule_lookup_needs_one": "Give either a term or a rule_id.",
        "query_empty": "The query is empty.",
        "query_too_long": "The query has 5,120 characters; the most is 4,000.",
    },
    404: {"rule_not_found": "There is no rule 'flying' in release 3."},
}
