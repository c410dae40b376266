"""What can go wrong in episodes, by kind and code."""

from memoryproject.errors import ConflictError, ForbiddenError, InvalidError, NotFoundError
from memoryproject.rest.errors import InvalidParameter


class UnknownConversation(NotFoundError):
    """No such conversation for this caller."""

    code = "conversation_not_found"
    example = "There is no conversation 7."


class UnknownMessage(NotFoundError):
    """No such message for this caller."""

    code = "message_not_found"
    example = "There is no message 91."


class ConversationTaken(ConflictError):
    """The tenant's own id of a conversation is in use for another user."""

    code = "conversation_external_id_taken"
    example = "A conversation with this external_id is not this branch."


class InvalidMessage(InvalidError):
    """A message can't be kept as it is: nothing in it, not text, a time that can't be, a reply to nothing."""

    code = "message_invalid"


class InvalidBatchSize(InvalidMessage):
    """A batch holds no message, or too many."""

    code = "batch_size_invalid"
    example = "Send 1 to 1000 messages at once."


class MessageTooLong(InvalidMessage):
    """A message has more characters than are kept."""

    code = "message_too_long"
    example = "A message may have at most 100000 characters."


class MessageNotText(InvalidMessage):
    """A message holds what is no text."""

    code = "message_not_text"
    example = "The message holds NUL or half of a surrogate pair, which is not text."


class MessageEmpty(InvalidMessage):
    """A message shows nothing."""

    code = "message_empty"
    example = "There is nothing in the message to be seen."


class SentAtInFuture(InvalidMessage):
    """A message was said later than now."""

    code = "sent_at_in_future"
    example = "sent_at lies in the future."


class SentAtTooEarly(InvalidMessage):
    """A message was said before there were any."""

    code = "sent_at_too_early"
    example = "sent_at lies before 2000: a clock was not set."


class InvalidSentAt(InvalidMessage):
    """`sent_at` is not a time with an offset."""

    code = "sent_at_invalid"
    example = "sent_at is not a time with an offset."


class UnknownReplyTo(InvalidMessage):
    """A message answers one that the conversation does not have."""

    code = "reply_to_unknown"
    example = "There is no message 5 in this conversation to reply to."


class MessageNotCurrent(ConflictError):
    """A message is not the current alternative of its place; `current_id` names the one that is."""

    code = "message_not_current"
    example = "The message 91 is not current: 95 stands at its place."


class MessageForgotten(ConflictError):
    """A message is forgotten, or under an order: it is neither edited nor chosen, and no branch begins at it."""

    code = "message_forgotten"
    example = "The message 91 at place 12 is forgotten."


class InvalidBranch(InvalidError):
    """A conversation has no such place to branch at, or a branch would mix with its trunk."""

    code = "branch_invalid"
    example = "The conversation has no place 40: it ends at 12."


class TooManyAlternatives(ConflictError):
    """A place of a conversation holds as many alternatives as it may."""

    code = "alternatives_full"
    example = "The place 12 holds 256 alternatives: no more are taken."


class ClientMessageIdReused(ConflictError):
    """The client's id of a message came before with another message."""

    code = "client_message_id_reused"
    example = "The client id 'c-101' came before with another message."


class FactOfTenant(ForbiddenError):
    """A fact was stated for the whole tenant: a key of one world sees it and does not delete it."""

    code = "fact_of_tenant"
    example = "The fact 31 was stated for the whole tenant: it takes a key of the tenant."


class UnknownEvidence(InvalidError):
    """A fact names a message that this user does not have, or that is forgotten."""

    code = "fact_evidence_unknown"
    example = "There is no message 5 of this user to rest on."


class InvalidForgetting(InvalidError):
    """What is to be forgotten is not told clearly, or was not shown before."""

    code = "forgetting_invalid"


class InvalidForgetRange(InvalidForgetting):
    """The ends of a range are no times, or the wrong way round."""

    code = "forget_range_invalid"
    example = "from and to are times with an offset, from before to."


class EmptyTopic(InvalidForgetting):
    """A topic holds nothing to search by."""

    code = "topic_empty"
    example = "There is no word in the topic."


class PreviewNeeded(InvalidForgetting):
    """What is to be forgotten was not shown before."""

    code = "preview_needed"
    example = "A topic can only be previewed. Send the message_ids that the preview shows."


class ErasureNotConfirmed(InvalidForgetting):
    """Who erases a user names them once more."""

    code = "erasure_not_confirmed"
    example = "confirm must be the user's id."


class ErasureReasonMissing(InvalidForgetting):
    """Who erases a user says why."""

    code = "erasure_reason_missing"


class UnknownReceipt(NotFoundError):
    """No such receipt of this user."""

    code = "receipt_not_found"
    example = "There is no receipt 6f0d7c66-2a0e-4c61-9d54-0c3c1f6f2b10."


class ReceiptNotFailed(ConflictError):
    """Only what failed is tried again by hand."""

    code = "receipt_not_failed"
    example = "The receipt 6f0d7c66-2a0e-4c61-9d54-0c3c1f6f2b10 is running."


class InvalidSummary(InvalidError):
    """A summary does not have the form of its schema, or says what can't be; `errors` lists path and message."""

    code = "summary_invalid"
    example = "what.loot[0].qty: 0 is less than the minimum of 1"


class InvalidEvent(InvalidError):
    """An event does not have its form, or says what can't be; `errors` lists path and message."""

    code = "event_invalid"
    example = "kind: 'Quest' does not match '^[a-z][a-z0-9_]*$'"


class SummaryConflict(ConflictError):
    """The id of a summary came before with another body."""

    code = "summary_conflict"
    example = "The summary 'sum_2025_08_27_0142' came before with another body."


class EventConflict(ConflictError):
    """The id of an event came before with another body."""

    code = "event_conflict"
    example = "The event 'evt_2025_08_27_0003' came before with another body."


class UnknownCampaign(NotFoundError):
    """No such campaign in this world."""

    code = "campaign_not_found"
    example = "There is no campaign 'camp_123'."


class UnknownParty(NotFoundError):
    """No such party in this world."""

    code = "party_not_found"
    example = "There is no party 'pty_001'."


class UnknownSummary(NotFoundError):
    """No such summary in this world."""

    code = "summary_not_found"
    example = "There is no summary 'sum_2025_08_27_0142'."


class UnknownEvent(NotFoundError):
    """No such event in this world."""

    code = "event_not_found"
    example = "There is no event 'evt_2025_08_27_0003'."


class CampaignClosed(ConflictError):
    """The campaign is finished or archived, so it takes nothing more."""

    code = "campaign_closed"
    example = "The campaign 'camp_123' is finished: it takes nothing more."


class CampaignStateConflict(ConflictError):
    """The campaign can't go from its state to that one."""

    code = "campaign_state_conflict"
    example = "Only a finished campaign can be archived."


class PlaceTaken(ConflictError):
    """A party belongs to another campaign."""

    code = "party_in_other_campaign"
    example = "The party 'pty_001' plays another campaign."


class SceneOfOtherParty(PlaceTaken):
    """A scene belongs to another party."""

    code = "scene_of_other_party"
    example = "The scene 'scn_042' is another party's."


class InvalidCampaign(InvalidError):
    """A campaign can't be as described, or a file of one can't be read."""

    code = "campaign_invalid"
    example = "A title has at most 200 printable characters."


class InvalidSummaryTtl(InvalidCampaign):
    """Summaries would be kept for fewer or more days than they may."""

    code = "summary_ttl_invalid"


class CampaignExists(InvalidCampaign):
    """A file is read into a campaign that is there."""

    code = "campaign_exists"


class RollbackNotConfirmed(InvalidCampaign):
    """Who rolls a campaign back names it once more."""

    code = "rollback_not_confirmed"


class UnknownArtCard(NotFoundError):
    """No such art card in this world."""

    code = "artcard_not_found"
    example = "There is no art card 5."


class InvalidArtCard(InvalidError):
    """A card does not fit `schemas/artcard.schema.json`, or says too little; `errors` lists JSON path and reason."""

    code = "artcard_invalid"
    example = "style: 'preset' is a required property"


class MarkerConflict(InvalidError):
    """A tag is banned by an NPC or a place that the picture shows; `marker` and `owner` name them."""

    code = "marker_conflict"
    example = "'smile' is banned by the npc 'npc_LiShen'."


class ArtCardTaken(ConflictError):
    """Another card was kept under this picture's id before."""

    code = "artcard_taken"
    example = "There is another card of the picture 'img_8f3c'."


class UnknownCheckpoint(NotFoundError):
    """No such checkpoint of this campaign."""

    code = "checkpoint_not_found"
    example = "The campaign 'camp_123' has no checkpoint 12."


class UnknownScene(NotFoundError):
    """No such scene of this campaign, or nothing that holds was told of it."""

    code = "scene_not_found"
    example = "This campaign has no scene 'scn_042' yet."


class UnknownHearsay(NotFoundError):
    """No such telling in this campaign."""

    code = "hearsay_not_found"
    example = "The campaign 'camp_123' has no telling 41."


class RollbackBlocked(ConflictError):
    """The campaign can't go back as it is; `because` says why."""

    code = "rollback_blocked"
    example = "The campaign 'camp_123' is archived: restore it before it goes back."


class InvalidSince(InvalidParameter):
    """`since` is not a time with an offset."""

    code = "since_invalid"
    example = "since is not a time with an offset."


class InvalidUntil(InvalidParameter):
    """`until` is not a time with an offset."""

    code = "until_invalid"
    example = "until is not a time with an offset."


class InvalidWhen(InvalidParameter):
    """`when` is not a time with an offset."""

    code = "when_invalid"
    example = "when is not a time with an offset."


class AfterAndBefore(InvalidParameter):
    """A page is bounded on both sides."""

    code = "after_and_before"
    example = "Send after or before, not both."
