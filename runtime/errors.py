"""What runtime refuses."""

from __future__ import annotations

from memoryproject.errors import UnprocessableError


class BudgetTooSmall(UnprocessableError):
    """The rules, the facts about safety and the message to be answered do not fit; `needed` says how many tokens do."""

    code = "budget_too_small"
