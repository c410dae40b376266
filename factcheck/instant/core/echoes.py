"""Echoes: an assistant's words that say a player's fact again.

"Noted, no groundnuts for you" names the peanuts of the player right after they were named; a month later "the fish
market is open" names fish, and only "you can't eat fish" says the fact again.
"""

from __future__ import annotations

import re

from factcheck.instant.core.assistant_claims import read_claims
from factcheck.instant.core.concepts import ConceptTable
from factcheck.instant.core.known_facts import KnownFact
from factcheck.instant.core.mentions import find_values, stem_text
from factcheck.instant.core.messages import fold

SENTENCE_BATCH_SIZE = 12
"""As many as a reading of claims looks at."""
_SENTENCE = re.compile(r"[^.!?؟…\n]+[.!?؟…]*")


def names_fact(text: str, fact: KnownFact, concepts: ConceptTable) -> bool:
    """Whether a text names the fact's value or any name of its concept; of a size or a budget its very value."""
    return bool(find_values(stem_text(fold(text)), fact, concepts))


def claims_fact(text: str, fact: KnownFact, concepts: ConceptTable) -> bool:
    """Whether a text says of the player that the fact holds, or that it does not any more."""
    sentences = _SENTENCE.findall(text)
    for start in range(0, len(sentences), SENTENCE_BATCH_SIZE):
        part = "".join(sentences[start : start + SENTENCE_BATCH_SIZE])
        claims = read_claims(part, [fact], concepts).claims
        if any(claim.polarity > 0 or claim.is_denial for claim in claims) and names_fact(part, fact, concepts):
            return True
    return False
