"""What can go wrong in npcs, by kind and code."""

from memoryproject.errors import ConflictError, InvalidError, NotFoundError, StaleVersionError, VersionRequiredError


class UnknownNpc(NotFoundError):
    """No such NPC in this world."""

    code = "npc_not_found"
    example = "There is no NPC 'npc_LiShen'."


class UnknownDispositionEntry(NotFoundError):
    """No such move of a disposition of this NPC."""

    code = "disposition_entry_not_found"
    example = "There is no move 7 of 'li-shen'."


class DeltaOutOfBounds(InvalidError):
    """A change is larger than the world's scale takes at once, finer than hundredths, or not a number."""

    code = "disposition_delta_out_of_bounds"
    example = "A change of 'npc_LiShen' must lie between -3 and 3."


class InvalidDispositionChange(InvalidError):
    """A change names no party or user, or gives no reason."""

    code = "disposition_change_invalid"


class PartyAndUser(InvalidError):
    """A disposition is towards a party or a user: both are named."""

    code = "party_id_and_user_id"
    example = "Send party_id or user_id, not both."


class InvalidScale(InvalidError):
    """A scale has no room, or values stand outside of it."""

    code = "disposition_scale_invalid"


class ScaleTaken(InvalidScale):
    """NPCs stand outside of the scale already."""

    code = "disposition_scale_taken"


class AlreadyCompensated(ConflictError):
    """The move was taken back before, or takes one back itself."""

    code = "disposition_already_compensated"
    example = "The move 7 was taken back before."


class InvalidProfile(InvalidError):
    """A profile does not fit `schemas/npc_profile.schema.json` or canon; `errors` lists JSON path and reason."""

    code = "profile_invalid"
    example = "static.name: 7 is not of type 'string'"


class PersonaChanged(StaleVersionError):
    """The persona has another version than the writer has seen; `persona_version` is that of now."""

    code = "persona_changed"
    example = "The persona of 'li-shen' has version 3, not 2."


class PersonaVersionRequired(VersionRequiredError):
    """The NPC is there: who replaces its profile names the version that they have seen."""

    code = "persona_version_required"
    example = "'li-shen' is there, in version 3: send If-Match …"


class ReviewRequired(ConflictError):
    """The world has NPC changes reviewed: this one needs an approved change request."""

    code = "npc_review_required"


CONSTRAINT_ERRORS = {
    "disposition_scale_holds_values": (
        ScaleTaken,
        "NPCs stand outside of this scale already; it can't be drawn tighter.",
    )
}
"""Rules of the database to what their refusals mean."""
