"""What can go wrong with events, by kind and code."""

from memoryproject.errors import ConflictError, InvalidError, NotFoundError, StaleVersionError, VersionRequiredError


class UnknownEvent(NotFoundError):
    """There is no such event in the tenant or the world."""

    code = "event_not_found"
    example = "There is no event 6f0d7c66-2a0e-4c61-9d54-0c3c1f6f2b10."


class EventNotFailed(ConflictError):
    """Only what failed, or rested on words that are gone, is tried again."""

    code = "event_not_failed"
    example = "The event is buffer: only what failed, is stale or forgotten is tried again."


class EventRangeTaken(ConflictError):
    """Another event has taken its messages meanwhile."""

    code = "event_range_taken"
    example = "Another event has taken its messages meanwhile."


class EventNotBuffered(ConflictError):
    """No event of the scope waits in the buffer."""

    code = "event_not_buffered"
    example = "No event of the scope waits in the buffer."


class EventNotArchived(ConflictError):
    """Only an archived event that is shown, and that belongs to a world, is proposed as canon."""

    code = "event_not_archived"
    example = "The event is not archived, is hidden, or belongs to no world."


class EventNotShown(ConflictError):
    """The event has no words that could be hidden or edited."""

    code = "event_not_shown"
    example = "The event is failed: it has no words."


class NothingToExtract(ConflictError):
    """Too little was said since the last event."""

    code = "nothing_to_extract"
    example = "Fewer than 4 messages were said since the last event."


class EventPolicyInvalid(InvalidError):
    """A value lies outside its bounds, or a template names a place that is none."""

    code = "event_policy_invalid"
    example = "templates.en: The template does not show {summary}."


class EventPolicyChanged(StaleVersionError):
    """The policy has another version than the writer has seen."""

    code = "event_policy_changed"
    example = "The policy has version 2, not 1."


class EventPolicyVersionRequired(VersionRequiredError):
    """Who replaces a policy names the version that they have seen."""

    code = "event_policy_version_required"
    example = "The policy has version 2: send If-Match."


class UnknownEventProposal(NotFoundError):
    """There is no such proposal in the tenant or the world."""

    code = "event_proposal_not_found"
    example = "There is no proposal 4."


class EventProposalDecided(ConflictError):
    """The proposal was decided, or withdrawn with its event, before."""

    code = "event_proposal_decided"
    example = "The proposal is accepted."


CONSTRAINT_ERRORS = {"event_node_range_free": (EventRangeTaken, "Another event has taken its messages meanwhile.")}
"""Rules of the database to what their refusals mean."""
