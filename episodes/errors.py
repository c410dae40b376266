"""What can go wrong in episodes, by kind and code."""

from memoryproject.errors import ConflictError, ForbiddenError, InvalidError, NotFoundError


class UnknownConversation(NotFoundError):
    """No such conversation for this caller."""

    code = "conversation_not_found"


class UnknownMessage(NotFoundError):
    """No such message for this caller."""

    code = "message_not_found"


class ConversationTaken(ConflictError):
    """The tenant's own id of a conversation is in use for another user."""

    code = "conversation_external_id_taken"


class InvalidMessage(InvalidError):
    """A message can't be kept as it is: nothing in it, not text, a time that can't be, a reply to nothing."""

    code = "message_invalid"


class MessageNotCurrent(ConflictError):
    """A message is not the current alternative of its place; `current_id` names the one that is."""

    code = "message_not_current"


class MessageForgotten(ConflictError):
    """A message is forgotten, or under an order: it is neither edited nor chosen, and no branch begins at it."""

    code = "message_forgotten"


class InvalidBranch(InvalidError):
    """A conversation has no such place to branch at, or a branch would mix with its trunk."""

    code = "branch_invalid"


class TooManyAlternatives(ConflictError):
    """A place of a conversation holds as many alternatives as it may."""

    code = "alternatives_full"


class ClientMessageIdReused(ConflictError):
    """The client's id of a message came before with another message."""

    code = "client_message_id_reused"


class FactOfTenant(ForbiddenError):
    """A fact was stated for the whole tenant: a key of one world sees it and does not delete it."""

    code = "fact_of_tenant"


class UnknownEvidence(InvalidError):
    """A fact names a message that this user does not have, or that is forgotten."""

    code = "fact_evidence_unknown"


class InvalidForgetting(InvalidError):
    """What is to be forgotten is not told clearly, or was not shown before."""

    code = "forgetting_invalid"


class UnknownReceipt(NotFoundError):
    """No such receipt of this user."""

    code = "receipt_not_found"


class ReceiptNotFailed(ConflictError):
    """Only what failed is tried again by hand."""

    code = "receipt_not_failed"


class InvalidSummary(InvalidError):
    """A summary does not have the form of its schema, or says what can't be; `errors` lists path and message."""

    code = "summary_invalid"


class InvalidEvent(InvalidError):
    """An event does not have its form, or says what can't be; `errors` lists path and message."""

    code = "event_invalid"


class SummaryConflict(ConflictError):
    """The id of a summary came before with another body."""

    code = "summary_conflict"


class EventConflict(ConflictError):
    """The id of an event came before with another body."""

    code = "event_conflict"


class UnknownCampaign(NotFoundError):
    """No such campaign in this world."""

    code = "campaign_not_found"


class UnknownParty(NotFoundError):
    """No such party in this world."""

    code = "party_not_found"


class UnknownSummary(NotFoundError):
    """No such summary in this world."""

    code = "summary_not_found"


class UnknownEvent(NotFoundError):
    """No such event in this world."""

    code = "event_not_found"


class CampaignClosed(ConflictError):
    """The campaign is finished or archived, so it takes nothing more."""

    code = "campaign_closed"


class CampaignStateConflict(ConflictError):
    """The campaign can't go from its state to that one."""

    code = "campaign_state_conflict"


class PlaceTaken(ConflictError):
    """A party belongs to another campaign, or a scene to another party. Codes say which."""

    code = "party_in_other_campaign"


class InvalidCampaign(InvalidError):
    """A campaign can't be as described, or a file of one can't be read."""

    code = "campaign_invalid"


class UnknownArtCard(NotFoundError):
    """No such art card in this world."""

    code = "artcard_not_found"


class InvalidArtCard(InvalidError):
    """A card does not fit `schemas/artcard.schema.json`, or says too little; `errors` lists JSON path and reason."""

    code = "artcard_invalid"


class MarkerConflict(InvalidError):
    """A tag is banned by an NPC or a place that the picture shows; `marker` and `owner` name them."""

    code = "marker_conflict"


class ArtCardTaken(ConflictError):
    """Another card was kept under this picture's id before."""

    code = "artcard_taken"


class UnknownCheckpoint(NotFoundError):
    """No such checkpoint of this campaign."""

    code = "checkpoint_not_found"


class UnknownScene(NotFoundError):
    """No such scene of this campaign, or nothing that holds was told of it."""

    code = "scene_not_found"


class UnknownHearsay(NotFoundError):
    """No such telling in this campaign."""

    code = "hearsay_not_found"


class RollbackBlocked(ConflictError):
    """The campaign can't go back as it is; `because` says why."""

    code = "rollback_blocked"
