"""What art cards and suggestions take and answer by REST."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from episodes.models import TagSource
from memoryproject.json_schema import load_schema
from npcs.core.forms import describe_body

CARD_BODY = describe_body("artcard")
SENT = load_schema("artcard")["examples"][0]


class EntitiesSerializer(serializers.Serializer[Any]):
    """Who and what is in a picture."""

    npc = serializers.ListField(child=serializers.CharField())
    location = serializers.ListField(child=serializers.CharField())


class StyleSerializer(serializers.Serializer[Any]):
    """How it is drawn."""

    preset = serializers.CharField(allow_null=True)
    seed = serializers.IntegerField(allow_null=True)


class ModerationSerializer(serializers.Serializer[Any]):
    """What the studio's moderation said."""

    safe = serializers.BooleanField()


class ArtCardSerializer(serializers.Serializer[Any]):
    """A picture in words."""

    id = serializers.IntegerField()
    image_id = serializers.CharField()
    scene_id = serializers.CharField()
    campaign_id = serializers.CharField(allow_null=True, help_text="Null: shown for every scene of that id.")
    cdn_url = serializers.CharField(allow_blank=True)
    prompt_text = serializers.CharField()
    entities = EntitiesSerializer()
    visual_tags = serializers.ListField(child=serializers.CharField())
    added_tags = serializers.ListField(child=serializers.CharField(), help_text="Must-have markers that were missing.")
    tag_source = serializers.ChoiceField(choices=TagSource.values)
    style = StyleSerializer()  # type: ignore[assignment]  # the member's name
    moderation = ModerationSerializer()
    created_at = serializers.DateTimeField()


class EmbeddingSerializer(serializers.Serializer[Any]):
    """A vector as it was sent."""

    model = serializers.CharField()
    dims = serializers.IntegerField()
    vec = serializers.ListField(child=serializers.FloatField())


class WholeArtCardSerializer(ArtCardSerializer):
    """A picture in words, with its vector."""

    embedding = EmbeddingSerializer(allow_null=True, help_text="Null: none was sent.")


class KeptCardSerializer(serializers.Serializer[Any]):
    """What came of a card."""

    created = serializers.BooleanField(help_text="False for a repeat.")
    dropped_tags = serializers.ListField(
        child=serializers.CharField(), help_text="Given tags that found no place beside the must-haves."
    )
    degraded = serializers.ListField(child=serializers.CharField())
    card = ArtCardSerializer()


class ArtCardListSerializer(serializers.Serializer[Any]):
    """Cards, newest first."""

    cards = ArtCardSerializer(many=True)
    next_before = serializers.IntegerField(allow_null=True, help_text="Send it as `before` for more.")


class ArtHitSerializer(serializers.Serializer[Any]):
    """A card that was found."""

    score = serializers.FloatField()
    card = ArtCardSerializer()


class ArtSearchSerializer(serializers.Serializer[Any]):
    """Cards, best first."""

    query = serializers.CharField()
    hits = ArtHitSerializer(many=True)
    degraded = serializers.ListField(
        child=serializers.CharField(), help_text="What the search had to do without; empty when all went well."
    )


class BannedMarkerSerializer(serializers.Serializer[Any]):
    """A tag that no picture of its owner may carry."""

    tag = serializers.CharField()
    kind = serializers.ChoiceField(choices=["npc", "location"])
    owner = serializers.CharField()


class ArtSuggestionSerializer(serializers.Serializer[Any]):
    """What the next picture of a scene should carry."""

    scene_id = serializers.CharField()
    visual_tags = serializers.ListField(child=serializers.CharField(), help_text="Must-haves first.")
    must_have = serializers.ListField(child=serializers.CharField())
    banned = BannedMarkerSerializer(many=True)
    style = StyleSerializer()  # type: ignore[assignment]  # the member's name
    entities = EntitiesSerializer()
    image_ids = serializers.ListField(child=serializers.CharField(), help_text="The cards that it rests on.")


TAGS = ["scar-left-cheek", "moonlight", "mist", "blue-gold", "katana"]
WHOLE_CARD = {
    **SENT,
    "id": 5,
    "visual_tags": TAGS,
    "added_tags": [],
    "tag_source": "given",
}
CARD = {name: value for name, value in WHOLE_CARD.items() if name != "embedding"}
SUGGESTION = {
    "scene_id": "scn_042",
    "visual_tags": TAGS,
    "must_have": ["scar-left-cheek"],
    "banned": [{"tag": "smile", "kind": "npc", "owner": "npc_LiShen"}],
    "style": SENT["style"],
    "entities": SENT["entities"],
    "image_ids": ["img_8f3c"],
}
