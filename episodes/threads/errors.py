"""What can go wrong in threads, by kind and code."""

from memoryproject.errors import (
    ConflictError,
    InvalidError,
    NotFoundError,
    StaleVersionError,
    TooLargeError,
    UnprocessableError,
)


class UnknownThread(NotFoundError):
    """No such thread in the world."""

    code = "thread_not_found"


class UnknownThreadCheckpoint(NotFoundError):
    """No such checkpoint of the thread."""

    code = "thread_checkpoint_not_found"


class UnknownInterrupt(NotFoundError):
    """No such interrupt of the thread."""

    code = "interrupt_not_found"


class InvalidThread(InvalidError):
    """A thread, a checkpoint or a write can't be as described."""

    code = "thread_invalid"


class UnknownSerializer(InvalidError):
    """A value was written by a serializer whose values are not kept."""

    code = "serializer_unknown"


class StateTooLarge(TooLargeError):
    """A value, or a checkpoint with all its new values, is larger than a thread may keep."""

    code = "state_too_large"


class ThreadBound(ConflictError):
    """The thread is bound to another user, conversation or campaign."""

    code = "thread_bound"


class ThreadNotEmpty(ConflictError):
    """A copy begins in a thread without checkpoints."""

    code = "thread_not_empty"


class UnknownParent(ConflictError):
    """The checkpoint names a parent that the thread does not have: it was deleted, or never came."""

    code = "checkpoint_parent_unknown"


class CheckpointTaken(ConflictError):
    """Another checkpoint was kept under this id before."""

    code = "checkpoint_taken"


class ThreadMoved(StaleVersionError):
    """Somebody else wrote to the thread since the caller read it; `head` names where it stands."""

    code = "thread_moved"


class InterruptDecided(ConflictError):
    """The interrupt was answered otherwise before; `state` and `answer` say how."""

    code = "interrupt_decided"


class UnfitAnswer(UnprocessableError):
    """The value does not fit the schema that the interrupt asks for."""

    code = "interrupt_value_invalid"
