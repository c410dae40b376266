"""Passages of lore that speak to the turn."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from knowledge.search.embedding import Embedder
from runtime.context.core.pack import Item
from runtime.context.identity.releases import LORE
from runtime.context.sources.canon import FoundCanon, list_canon_queries, search_canon
from runtime.context.sources.source import Found, Source
from runtime.context.turn import ResolvedTurn


class Lore(Source[FoundCanon]):
    """Lore that whoever speaks may know. Its search finds the rules, too: `Rules` builds on it."""

    name = "lore"
    layer = "lore"
    step = "canon"

    def list_queries(self, turn: ResolvedTurn) -> Iterable[tuple[Embedder, str]]:
        """The query of both domains."""
        return list_canon_queries(turn.message, turn.releases)

    def fetch(self, turn: ResolvedTurn) -> FoundCanon:
        """Two queries and one for each domain."""
        return search_canon(turn.request, turn.message, turn.budget, releases=turn.releases, audience=turn.audience)

    def build_items(self, turn: ResolvedTurn, found: Found) -> Sequence[Item]:
        """Of the place first, then what the message names, then the best."""
        canon = found.get(Lore)
        return () if canon is None else canon.items.get(LORE, ())
