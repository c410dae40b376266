"""What the session's player prefers."""

from __future__ import annotations

from collections.abc import Sequence

from runtime.context.core.pack import Item, Provenance
from runtime.context.sources.source import Found, Source
from runtime.context.turn import ResolvedTurn


class Preferences(Source[None]):
    """Length, tone and interests, set or inferred; what is inferred names the messages that it rests on."""

    name = "preferences"
    layer = "preferences"

    def build_items(self, turn: ResolvedTurn, found: Found) -> Sequence[Item]:
        """One line for each field that says anything."""
        if turn.session is None or turn.session.preference is None:
            return []
        preference = turn.session.preference
        ids = {"session_id": turn.request.session_id}

        def build(name: str, field: str, text: str = "", *, template: str) -> Item:
            more = {"inferred": True} if field in preference.evidence else {}
            source = Provenance("preference", {**ids, **more}, evidence=preference.evidence.get(field, ()))
            return Item(f"preference:{name}", text, source, template=template)

        items = []
        if preference.verbosity in ("brief", "normal", "detailed"):
            items.append(build("verbosity", "verbosity", template=f"verbosity_{preference.verbosity}"))
        if preference.tone in ("casual", "formal", "respectful"):
            items.append(build("tone", "tone", template=f"tone_{preference.tone}"))
        if preference.interest_tags:
            interests = turn.prompts.words["list_separator"].join(preference.interest_tags)
            items.append(build("interests", "interest_tags", interests, template="interests"))
        return items
