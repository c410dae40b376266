"""What can go wrong in review, by kind and code."""

from knowledge.errors import StaleBase
from memoryproject.errors import ConflictError, ForbiddenError, InvalidError, NotFoundError, StaleVersionError


class UnknownChangeRequest(NotFoundError):
    """No such change request in this tenant (or in the world that the key is bound to)."""

    code = "change_request_not_found"
    example = "There is no change request 17."


class UnknownItem(NotFoundError):
    """No such item in that change request."""

    code = "change_item_not_found"


class UnknownDomainIndex(NotFoundError):
    """No such domain in this tenant's worlds."""

    code = "domain_not_found"


class UnknownStage(NotFoundError):
    """No such release in this tenant, or nothing is on the stage."""

    code = "release_not_found"


class RoleRequired(ForbiddenError):
    """The actor's role does not allow it; `required_role` says which would."""

    code = "role_required"


class NotYourRequest(ForbiddenError):
    """Only the author (or whoever issued the author's key) may do this to the request."""

    code = "not_author"


class FourEyes(ForbiddenError):
    """Nobody approves what they wrote themselves, or what a key of theirs wrote."""

    code = "four_eyes"


class WrongState(ConflictError):
    """The request is not in a state in which this can be done."""

    code = "change_request_state"


class ItemsFrozen(ConflictError):
    """The items of a request can't be changed while it is under review or past it."""

    code = "change_items_frozen"


class ItemsChanged(ConflictError):
    """The request is not what the reviewer has read."""

    code = "change_items_changed"


class ItemChanged(StaleVersionError):
    """The item was saved since the writer opened it, by someone else or in another window."""

    code = "change_item_changed"


class DetailsChanged(StaleVersionError):
    """Title, description or due date of the request are others than the writer has seen."""

    code = "change_request_details_changed"


class ClaimedByOther(ConflictError):
    """Someone else has claimed the review."""

    code = "review_claimed"


class StaleItems(StaleBase):
    """Articles of the request were changed since it was begun; `articles` names them."""


class SlugInUse(ConflictError):
    """Two articles would share a slug; `slugs` names them."""

    code = "slug_taken"
    example = "The slug 'moon-bridge' is taken by a live article."


class DocumentInRequest(ConflictError):
    """The request already holds an item for this article."""

    code = "document_already_in_request"
    example = "The request already has an item for 'moon-bridge'."


class DocumentNotLive(ConflictError):
    """The article is not live in the latest release."""

    code = "document_not_live"
    example = "No article 'old-bridge' is live in this domain."


class OverlappingRequests(ConflictError):
    """Two requests that would be staged together touch the same article."""

    code = "change_requests_overlap"


class NothingToChange(InvalidError):
    """The request has no items, or an item changes nothing."""

    code = "nothing_to_change"
    example = "The article 'moon-bridge' says that already."


class NothingToStage(ConflictError):
    """No approved change request waits."""

    code = "nothing_to_stage"


class ReasonRequired(InvalidError):
    """This action must say why."""

    code = "reason_required"


class NothingChosen(InvalidError):
    """A person sent a form without choosing anything."""

    code = "nothing_chosen"


class InvalidField(InvalidError):
    """A value is missing, too long or of the wrong form; `field` names it."""

    code = "field_invalid"
    example = "The title holds a character that can't be stored."


class InvalidPattern(InvalidError):
    """The search pattern or its replacement can't be used."""

    code = "pattern_invalid"


class TooManyHits(InvalidError):
    """A search and replace would change more than one request may hold."""

    code = "too_many_hits"


class GateNotFailed(ConflictError):
    """There is nothing to override: the gate has not failed."""

    code = "gate_not_failed"


class InvalidGoldenFile(InvalidError):
    """A golden query file does not fit `schemas/golden_queries.schema.json`; `errors` lists path and reason."""

    code = "golden_file_invalid"


class UnknownGoldenQuery(NotFoundError):
    """No such golden query, or change of one, in this tenant."""

    code = "golden_query_not_found"


class GoldenQueryChanged(ConflictError):
    """Someone else changed the golden query since it was read; `version` is that of now."""

    code = "golden_query_changed"


class GoldenChangePending(ConflictError):
    """A change of the golden query waits for a second person; it is decided or withdrawn first."""

    code = "golden_change_pending"


class RuleBroken(ConflictError):
    """The database refused a row; `constraint` names its rule."""

    code = "rule_broken"


class UnknownSample(NotFoundError):
    """The person has no such item open, or has no such label."""

    code = "sample_not_found"


class SampleGone(ConflictError):
    """The words of the item were forgotten: there is nothing left to label."""

    code = "sample_gone"


class SampleLabelled(ConflictError):
    """The person has labelled the item already."""

    code = "sample_labelled"


class NothingToUndo(ConflictError):
    """None of the person's last labels stands."""

    code = "nothing_to_undo"


class InvalidGoldFile(InvalidError):
    """A file of gold items is not well formed; `line` says where."""

    code = "gold_file_invalid"


CONSTRAINT_ERRORS = {
    "change_request_four_eyes": (FourEyes, "Someone other than the author must approve."),
    "change_request_transition_allowed": (WrongState, "The request can't go into that state from where it is."),
    "change_request_title_not_empty": (InvalidField, "A change request needs a title."),
    "change_item_frozen_in_review": (ItemsFrozen, "The request is under review or past it: its items stand."),
    "change_item_slug_unique": (SlugInUse, "Two items of the request would have the same slug."),
    "change_item_document_unique": (DocumentInRequest, "The request already has an item for this article."),
    "review_comment_not_empty": (InvalidField, "A comment needs a text."),
    "change_request_kind_stays": (WrongState, "A request keeps its kind."),
    "npc_change_item_frozen_in_review": (
        ItemsFrozen,
        "The request is under review: its items stand.",
    ),
    "npc_change_item_npc_unique": (DocumentInRequest, "The request already has an item for this NPC."),
    "npc_persona_four_eyes": (FourEyes, "Someone other than the author must approve."),
    "golden_change_four_eyes": (FourEyes, "Someone other than the author must approve."),
    "golden_change_one_open": (GoldenChangePending, "A change of this query waits for a second person already."),
    "golden_change_has_reason": (ReasonRequired, "Say why."),
    "golden_query_guarded": (FourEyes, "The query can close a gate: a second person must agree."),
    "golden_query_changed_with_reason": (ReasonRequired, "A golden query is changed with a reason."),
    "sample_label_one_live": (SampleLabelled, "You have labelled this item already."),
    "sample_label_not_of_gone": (SampleGone, "Its words were forgotten meanwhile: there is nothing to label."),
    "sample_label_fits_kind": (InvalidField, "This verdict is not one for such an item."),
    "sample_label_says_what_was_missed": (InvalidField, "Mark the message that states what is missing."),
    "sample_label_message_of_run": (InvalidField, "The marked message is not one of the item."),
    "golden_query_key_unique": (InvalidField, "Another golden query of this domain has that id."),
}
"""Rules of the database to what their refusals mean."""
