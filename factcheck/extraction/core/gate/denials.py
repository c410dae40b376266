"""Whether a player takes back, in so many words, what was proposed of them and is not known yet."""

from __future__ import annotations

import datetime as dt

from factcheck.extraction.core.gate.removals import find_removal
from factcheck.extraction.core.gate.rules import GateRules
from factcheck.extraction.core.gate.sources import Sources
from factcheck.extraction.core.given import Given, GivenFact


class Denials:
    """The player's own new messages of an input, as denials are looked for in them. No proposer has a say in it."""

    def __init__(self, given: Given, rules: GateRules) -> None:
        self._given, self._rules = given, rules
        self._sources = Sources(given, rules)

    def find(self, type_: str, key: str, value: str, *, after: dt.datetime) -> int | None:
        """The message said after that time that denies it outright; None where none does. A mere doubt is no denial."""
        proposed = GivenFact(0, type_, key, value, source="", confidence=0.0, said_at=after)
        for place, message in enumerate(self._given.messages, 1):
            is_own = message.role == "user" and message.is_new and message.frame != "in_character"
            if not is_own or message.said_at <= after:
                continue
            source = self._sources.get(place)
            found = source and find_removal(source, proposed, (0, len(message.content)), self._rules)
            if isinstance(found, tuple) and found[0]:
                return message.id
        return None
