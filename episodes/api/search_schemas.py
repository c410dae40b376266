"""What episode search answers by REST."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers


class SpanMessageSerializer(serializers.Serializer[Any]):
    """A message just before an episode that means little alone."""

    message_id = serializers.IntegerField()
    seq = serializers.IntegerField()
    role = serializers.CharField()
    text = serializers.CharField(help_text="Its first 200 characters.")
    core = serializers.BooleanField(help_text="What the episode answers: the assistant's last words before it.")
    cosine = serializers.FloatField(allow_null=True, help_text="Likeness to the query; null without a vector.")


class EpisodePartsSerializer(serializers.Serializer[Any]):
    """How a card came to its place."""

    bm25 = serializers.FloatField()
    bm25_rank = serializers.IntegerField(allow_null=True)
    bm25_part = serializers.FloatField()
    vector = serializers.FloatField(allow_null=True)
    vector_rank = serializers.IntegerField(allow_null=True)
    vector_part = serializers.FloatField()
    neighbour_part = serializers.FloatField(help_text="Of `features`, what the turns before and after lend.")
    features = serializers.DictField(
        child=serializers.FloatField(),
        help_text="What each feature of the ranking adds, by name: score = bm25_part + vector_part + all of these.",
    )
    placed_as_fresh = serializers.BooleanField(help_text="Just said: no vector yet, placed by a constant.")
    rerank_place = serializers.IntegerField(allow_null=True)


class EpisodeCardSerializer(serializers.Serializer[Any]):
    """One message that was found."""

    message_id = serializers.IntegerField()
    conversation_id = serializers.IntegerField()
    seq = serializers.IntegerField()
    sent_at = serializers.DateTimeField()
    role = serializers.CharField()
    npc_id = serializers.CharField(allow_blank=True)
    memory_type = serializers.CharField(allow_blank=True)
    mood = serializers.CharField(allow_blank=True)
    language = serializers.CharField()
    raw_excerpt = serializers.CharField(help_text="Word for word; of long messages head and tail.")
    snippet = serializers.CharField(allow_blank=True, help_text="Finds one's way; never evidence.")
    span_context = SpanMessageSerializer(many=True)
    score = serializers.FloatField()
    parts = EpisodePartsSerializer()


class EpisodesSerializer(serializers.Serializer[Any]):
    """A search's answer."""

    query = serializers.CharField()
    degraded = serializers.ListField(
        child=serializers.CharField(), help_text="What the search had to do without, as codes."
    )
    embedder = serializers.CharField(help_text="What made the vectors, with their dimensions.")
    episodes = EpisodeCardSerializer(many=True)


QUERY_CODES = {
    400: {
        "query_empty": "The query is empty.",
        "query_too_long": "The query has 5,120 characters; the most is 4,000.",
        "k_out_of_range": "k must lie between 1 and 50.",
        "parameter_missing": "q is missing.",
    }
}
TIME_CODES = {
    400: {
        "since_invalid": "since is not a time with an offset.",
        "until_invalid": "until is not a time with an offset.",
    }
}
EPISODES = {
    "query": "what did I say about nickel and other metals",
    "degraded": [],
    "embedder": "hashing-v1/1024",
    "episodes": [
        {
            "message_id": 91,
            "conversation_id": 7,
            "seq": 2,
            "sent_at": "2026-02-10T12:00:00Z",
            "role": "user",
            "npc_id": "oda-marr",
            "memory_type": "",
            "mood": "",
            "language": "en",
            "raw_excerpt": "I am allergic to nickel.",
            "snippet": "",
            "span_context": [
                {
                    "message_id": 90,
                    "seq": 1,
                    "role": "assistant",
                    "text": "Shall the ring be of nickel silver?",
                    "core": True,
                    "cosine": 0.21,
                }
            ],
            "score": 1.41,
            "parts": {
                "bm25": 3.1,
                "bm25_rank": 1,
                "bm25_part": 0.8,
                "vector": 0.34,
                "vector_rank": 1,
                "vector_part": 0.2,
                "neighbour_part": 0.11,
                "features": {
                    "near": 0.08,
                    "second": 0.03,
                    "reply": 0.0,
                    "window": 0.28,
                    "speaker": 0.0,
                    "date": 0.0,
                    "when": 0.0,
                    "question": 0.0,
                    "substance": 0.02,
                    "adjacency": 0.0,
                },
                "placed_as_fresh": False,
                "rerank_place": None,
            },
        }
    ],
}
