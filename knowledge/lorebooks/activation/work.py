"""What one activation may cost: counted in steps, so that the same request is refused on every machine or on none."""

from __future__ import annotations

from knowledge.lorebooks.errors import ActivationTooLarge

MAX_STEPS = 2_000_000_000
"""Of one activation; a step is about a nanosecond of one core. A book of 1,000 entries on 20 messages takes 24 to 150
million; hostile books would take minutes."""
READ_STEPS = 1
"""For each character of a text that one key is searched for in."""
PATTERN_STEPS = 3
"""For each byte that RE2 reads."""
JOIN_STEPS = 10
"""For each character of a joined text: entries of different depths keep one each, and they take memory."""
ANALYSE_STEPS = 600
"""For each character that becomes words and stems; also for each that becomes tokens."""
LEXEME_STEPS = 60
"""For each word of a text at which a phrase is compared."""
CHECK_STEPS = 100
"""For each key of an entry in each loop."""


class WorkMeter:
    """The steps that are left to one activation."""

    def __init__(self, steps: int = MAX_STEPS) -> None:
        self.limit = self.left = steps

    @property
    def spent(self) -> int:
        """Steps so far."""
        return self.limit - self.left

    def spend(self, steps: int) -> None:
        """Count steps before they are taken. Raises ActivationTooLarge when there are none left."""
        self.left -= steps
        if self.left < 0:
            raise ActivationTooLarge(
                "The books and the chat are too large for one activation: send fewer entries or keys, a shorter chat, "
                "or a smaller scan_depth."
            )
