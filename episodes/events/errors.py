"""What can go wrong with events, by kind and code."""

from memoryproject.errors import ConflictError, InvalidError, NotFoundError, StaleVersionError, VersionRequiredError


class UnknownEvent(NotFoundError):
    """There is no such event in the tenant or the world."""

    code = "event_not_found"


class EventNotFailed(ConflictError):
    """Only what failed, or rested on words that are gone, is tried again."""

    code = "event_not_failed"


class EventRangeTaken(ConflictError):
    """Another event has taken its messages meanwhile."""

    code = "event_range_taken"


class EventNotBuffered(ConflictError):
    """No event of the scope waits in the buffer."""

    code = "event_not_buffered"


class EventNotArchived(ConflictError):
    """Only an archived event that is shown, and that belongs to a world, is proposed as canon."""

    code = "event_not_archived"


class EventNotShown(ConflictError):
    """The event has no words that could be hidden or edited."""

    code = "event_not_shown"


class NothingToExtract(ConflictError):
    """Too little was said since the last event."""

    code = "nothing_to_extract"
    example = "Fewer than 4 messages were said since the last event."


class EventPolicyInvalid(InvalidError):
    """A value lies outside its bounds, or a template names a place that is none."""

    code = "event_policy_invalid"


class EventPolicyChanged(StaleVersionError):
    """The policy has another version than the writer has seen."""

    code = "event_policy_changed"


class EventPolicyVersionRequired(VersionRequiredError):
    """Who replaces a policy names the version that they have seen."""

    code = "event_policy_version_required"


class UnknownEventProposal(NotFoundError):
    """There is no such proposal in the tenant or the world."""

    code = "event_proposal_not_found"


class EventProposalDecided(ConflictError):
    """The proposal was decided, or withdrawn with its event, before."""

    code = "event_proposal_decided"
