"""What runtime refuses."""

from __future__ import annotations

from memoryproject.errors import ConflictError, InvalidError, NotFoundError, UnavailableError, UnprocessableError


class BudgetTooSmall(UnprocessableError):
    """The rules, the facts about safety and the message to be answered do not fit; `needed` says how many tokens do."""

    code = "budget_too_small"


class InvalidSession(InvalidError):
    """A session's id can't be one."""

    code = "session_id_invalid"


class InvalidPreference(InvalidError):
    """A preference that nobody can have, or nothing to change."""

    code = "preference_invalid"


class SessionMemoryDisabled(ConflictError):
    """This installation keeps no session memory."""

    code = "session_memory_disabled"


class UnknownScene(NotFoundError):
    """No such scene in this campaign."""

    code = "scene_not_found"


class ModelNotConfigured(UnavailableError):
    """There is no chat model to answer; the detail names the settings."""

    code = "model_not_configured"


class SiteConflict(InvalidError):
    """A body and a header name different worlds."""

    code = "site_id_conflict"


class UnknownTrace(NotFoundError):
    """No such trace in this world, or no longer."""

    code = "trace_not_found"


class InvalidFeedback(InvalidError):
    """Feedback names something that the model was not told; `item_ids` says what."""

    code = "feedback_item_unknown"
