"""What can go wrong in the second stage, by kind and code."""

from memoryproject.errors import ConflictError, ForbiddenError, InvalidError, NotFoundError, UnavailableError


class ExtractionOff(ConflictError):
    """The tenant has the second stage switched off."""

    code = "extraction_off"
    example = "Extraction is switched off for this tenant."


class ExtractionPaused(ConflictError):
    """A breaker is open: labels or denials say that too much was wrong."""

    code = "extraction_paused"
    example = "Extraction is paused: too much of it was found wrong."


class RunInProgress(ConflictError):
    """Another run works on this user's messages now."""

    code = "run_in_progress"
    example = "A run of this user is not over yet."


class NothingPending(ConflictError):
    """No message of the user waits for extraction."""

    code = "nothing_pending"
    example = "No message of this user waits for extraction."


class UnknownRun(NotFoundError):
    """There is no such run in the tenant."""

    code = "run_not_found"
    example = "There is no run 7."


class RunNotRevertible(ConflictError):
    """Only an applied run that was not undone before can be undone."""

    code = "run_not_revertible"
    example = "Only an applied run can be undone, and once."


class RunNotFailed(ConflictError):
    """Only a failed run is tried again."""

    code = "run_not_failed"


class UnknownCandidate(NotFoundError):
    """There is no such candidate in the tenant."""

    code = "candidate_not_found"


class CandidateNotOpen(ConflictError):
    """The candidate was decided before."""

    code = "candidate_not_open"


class ConfirmationMissing(InvalidError):
    """What reaches far is confirmed by typing a name."""

    code = "confirmation_missing"


class UnknownTrial(NotFoundError):
    """There is no such trial of prompts: it is kept for an hour, and goes with what is forgotten."""

    code = "trial_not_found"


class TenantKeyRequired(ForbiddenError):
    """The key reaches one world, and runs read all worlds of a tenant."""

    code = "tenant_key_required"
    example = "Runs read what a player said in all worlds: use a key of the tenant."


class ProposerUnavailable(UnavailableError):
    """The chat model gave no proposal: it is down, slow, refuses, or answers what can't be used."""

    code = "model_unavailable"
    example = "The chat model did not answer in time."
