"""What reads of canon answer, for the OpenAPI document. Nothing is rendered by these classes."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers


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
