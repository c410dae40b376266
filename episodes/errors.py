"""What can go wrong in episodes, by kind and code."""

from memoryproject.errors import ConflictError, InvalidError, NotFoundError


class UnknownConversation(NotFoundError):
    """No such conversation for this caller."""

    code = "conversation_not_found"


class UnknownMessage(NotFoundError):
    """No such message for this caller."""

    code = "message_not_found"


class InvalidConversation(InvalidError):
    """A conversation can't be as described."""

    code = "conversation_invalid"


class ConversationTaken(ConflictError):
    """The tenant's own id of a conversation is in use for another user, or for another world."""

    code = "conversation_external_id_taken"


class InvalidMessage(InvalidError):
    """A message can't be kept as it is: nothing in it, not text, a time that can't be, a reply to nothing."""

    code = "message_invalid"


class ClientMessageIdReused(ConflictError):
    """The client's id of a message came before with another message."""

    code = "client_message_id_reused"


class UnknownEvidence(InvalidError):
    """A fact names a message that this user does not have, or that is forgotten."""

    code = "fact_evidence_unknown"


class InvalidForgetting(InvalidError):
    """What is to be forgotten is not told clearly, or was not shown before."""

    code = "forgetting_invalid"


class UnknownReceipt(NotFoundError):
    """No such receipt of this user."""

    code = "receipt_not_found"
