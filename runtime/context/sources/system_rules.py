"""Who speaks, in which language, and what to do without canon."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.context.core.pack import Item, Provenance
from runtime.context.language_names import name_language
from runtime.context.sources.lore import Lore
from runtime.context.sources.source import Found, Source
from runtime.context.turn import ResolvedTurn


class SystemRules(Source[None]):
    """The first lines of every pack; never cut."""

    name = "system_rules"
    layer = "system"

    def build_items(self, turn: ResolvedTurn, found: Found) -> Sequence[Item]:
        """Who speaks, that there is no canon where none was found, and the language to reply in."""
        source = Provenance("prompt", {"file": turn.prompts.source})

        def rule(name: str, **more: Any) -> Item:
            return Item(f"system:{name}", "", source, template=name, is_protected=True, **more)

        canon = found.get(Lore)
        rules = [rule("narrator") if turn.speaker is None else rule("npc", values={"name": turn.speaker})]
        if canon is None or not canon.has_lore:
            rules.append(rule("no_lore"))
        if turn.reply_language:
            rules.append(rule("reply", values={"language": name_language(turn.reply_language, turn.prompts.words)}))
        return rules
