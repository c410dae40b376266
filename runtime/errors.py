"""What runtime refuses."""

from __future__ import annotations

from memoryproject.errors import ConflictError, InvalidError, NotFoundError, UnavailableError, UnprocessableError


class BudgetTooSmall(UnprocessableError):
    """The rules, the facts about safety and the message to be answered do not fit; `needed` says how many tokens do."""

    code = "budget_too_small"
    example = "The rules, the facts about safety and the message do not fit into the budget."


class InvalidSession(InvalidError):
    """A session's id can't be one."""

    code = "session_id_invalid"
    example = "A session's id has 1 to 200 characters, none of them a control character."


class InvalidPreference(InvalidError):
    """A preference that nobody can have, or nothing to change."""

    code = "preference_invalid"
    example = "verbosity must be one of brief, normal, detailed."


class SessionMemoryDisabled(ConflictError):
    """This installation keeps no session memory."""

    code = "session_memory_disabled"
    example = "MEMORY_ENABLED is off: this installation keeps no preferences."


class UnknownScene(NotFoundError):
    """No such scene in this campaign."""

    code = "scene_not_found"
    example = "This campaign has no scene 'scn_9' yet."


class ModelNotConfigured(UnavailableError):
    """There is no chat model to answer; the detail names the settings."""

    code = "model_not_configured"
    example = "There is no chat model; the player's words are kept as `message_id`."


class SiteConflict(InvalidError):
    """A body and a header name different worlds."""

    code = "site_id_conflict"
    example = "site_id and X-Site-ID name different worlds."


class UnknownTrace(NotFoundError):
    """No such trace in this world, or no longer."""

    code = "trace_not_found"
    example = "There is no trace 019caa63-…."


class InvalidFeedback(InvalidError):
    """Feedback names something that the model was not told; `item_ids` says what."""

    code = "feedback_item_unknown"
    example = "The model was not told 'lore:7' in this turn."
