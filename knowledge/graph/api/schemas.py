"""What reads of the graph answer, for the OpenAPI document. Nothing is rendered by these classes."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from knowledge.api.schemas import READ_RELEASE, ReadReleaseSerializer
from knowledge.graph.models import RelationSource, RelationState


class GraphNameSerializer(serializers.Serializer[Any]):
    """One name of an entity."""

    text = serializers.CharField()
    language = serializers.CharField(allow_blank=True, help_text="Empty where the source does not say.")
    source = serializers.ChoiceField(  # type: ignore[assignment]  # a member's name
        choices=["canon", "editor", "engine", "event"], help_text="Who calls it so."
    )
    title = serializers.BooleanField(help_text="Whether it is the title of an article.")


class GraphEntitySerializer(serializers.Serializer[Any]):
    """Somebody or something, by the name that the reader knows."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    kind = serializers.CharField(help_text="character, place, item, faction, event, … or a word of the studio's own.")
    language = serializers.CharField(allow_blank=True)
    slug = serializers.CharField(allow_null=True, help_text="Its article; null where the reader may know none.")
    names = GraphNameSerializer(many=True)


class GraphEvidenceSerializer(serializers.Serializer[Any]):
    """What states a relation."""

    source = serializers.ChoiceField(choices=RelationSource.values)  # type: ignore[assignment]  # a member's name
    slug = serializers.CharField(allow_null=True, help_text="Of canon: the article.")
    field = serializers.CharField(allow_blank=True, help_text="Of canon: `relations`, `fields.NAME` or `body`.")
    id = serializers.IntegerField(allow_null=True, help_text="Of play: the event or the scene.")
    text = serializers.CharField(help_text="The words that state it.")


class GraphRelationSerializer(serializers.Serializer[Any]):
    """One source's statement. Releases and times are half-open ranges."""

    id = serializers.IntegerField()
    predicate = serializers.CharField()
    to = serializers.IntegerField(help_text="Entity.")
    stated_as = serializers.CharField(
        help_text="The predicate as the source has it; it may be said from the other end."
    )
    state = serializers.ChoiceField(
        choices=RelationState.values, help_text="disputed: a source of higher authority says otherwise."
    )
    evidence = GraphEvidenceSerializer()
    added_in = serializers.IntegerField(allow_null=True, help_text="Of canon: the first release that has it.")
    removed_in = serializers.IntegerField(allow_null=True, help_text="Of canon: the first release without it.")
    story_time = serializers.CharField(allow_blank=True, help_text="As the story tells time.")
    recorded_at = serializers.DateTimeField()
    ended_at = serializers.DateTimeField(allow_null=True)

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        """The members; one has a name that is a word of Python."""
        return {**super().get_fields(), "from": serializers.IntegerField(help_text="Entity.")}


class GraphStateSerializer(serializers.Serializer[Any]):
    """Which state of the graph was read."""

    domain = serializers.CharField()
    release = ReadReleaseSerializer(
        allow_null=True, help_text="Null with `as_of`, and where play is read in a world without canon."
    )
    as_of = serializers.DateTimeField(allow_null=True)


class GraphEntityListSerializer(GraphStateSerializer):
    """Entities that a name may mean, best first."""

    entities = GraphEntitySerializer(many=True)


class GraphNearEntitySerializer(GraphEntitySerializer):
    """An entity near another."""

    depth = serializers.IntegerField(help_text="Steps from the entity asked for.")


class GraphNeighbourhoodSerializer(GraphEntitySerializer):
    """An entity with what is around it."""

    domain = serializers.CharField()
    release = ReadReleaseSerializer(allow_null=True)
    as_of = serializers.DateTimeField(allow_null=True)
    entities = GraphNearEntitySerializer(many=True)
    relations = GraphRelationSerializer(many=True)
    capped = serializers.BooleanField(help_text="Whether a limit left something out.")


class GraphPathSerializer(serializers.Serializer[Any]):
    """Entities in a row, and the relation of each step."""

    entities = serializers.ListField(child=serializers.IntegerField())
    relations = serializers.ListField(child=serializers.IntegerField())


class GraphPathsSerializer(GraphStateSerializer):
    """The shortest paths, and what stands on them."""

    paths = GraphPathSerializer(many=True)
    entities = GraphEntitySerializer(many=True)
    relations = GraphRelationSerializer(many=True)
    capped = serializers.BooleanField(help_text="Whether a limit left something out.")


STATE = {"domain": "lore", "release": READ_RELEASE, "as_of": None}
BRIDGE = {
    "id": 11,
    "name": "The Moon Bridge",
    "kind": "place",
    "language": "en",
    "slug": "moon-bridge",
    "names": [{"text": "The Moon Bridge", "language": "en", "source": "canon", "title": True}],
}
KEEPER = {
    "id": 12,
    "name": "Li Shen",
    "kind": "character",
    "language": "en",
    "slug": "li-shen",
    "names": [{"text": "Li Shen", "language": "en", "source": "canon", "title": True}],
}
KEEPS = {
    "id": 31,
    "from": 12,
    "predicate": "keeps",
    "to": 11,
    "stated_as": "kept_by",
    "state": "active",
    "evidence": {
        "source": "canon",
        "slug": "moon-bridge",
        "field": "relations",
        "id": None,
        "text": "kept_by: li-shen",
    },
    "added_in": 1,
    "removed_in": None,
    "story_time": "",
    "recorded_at": "2026-01-15T12:00:00Z",
    "ended_at": None,
}
ENTITY_LIST = {**STATE, "entities": [BRIDGE]}
NEIGHBOURHOOD = {**STATE, **BRIDGE, "entities": [{**KEEPER, "depth": 1}], "relations": [KEEPS], "capped": False}
PATHS = {
    **STATE,
    "paths": [{"entities": [12, 11], "relations": [31]}],
    "entities": [KEEPER, BRIDGE],
    "relations": [KEEPS],
    "capped": False,
}
GRAPH_CODES = {
    400: {
        "as_of_invalid": "as_of is not a time with an offset.",
        "as_of_and_release": "Send as_of or release, not both.",
        "as_of_and_alias": "Send as_of or alias, not both.",
    },
    404: {
        "conversation_not_found": "There is no conversation 7.",
        "campaign_not_found": "There is no campaign 'camp_1'.",
    },
}
ENTITY_CODES = {404: {"entity_not_found": "There is no entity 99."}}
