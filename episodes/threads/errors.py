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
    example = "There is no thread 'thread-1'."


class UnknownThreadCheckpoint(NotFoundError):
    """No such checkpoint of the thread."""

    code = "thread_checkpoint_not_found"
    example = "The thread has no checkpoint yet here."


class UnknownInterrupt(NotFoundError):
    """No such interrupt of the thread."""

    code = "interrupt_not_found"
    example = "The thread has no interrupt 5."


class InvalidThread(InvalidError):
    """A thread, a checkpoint or a write can't be as described."""

    code = "thread_invalid"
    example = "The id of a thread has 1 to 200 printable characters."


class UnknownSerializer(InvalidError):
    """A value was written by a serializer whose values are not kept."""

    code = "serializer_unknown"
    example = "There is no serializer 'pickle' here."


class StateTooLarge(TooLargeError):
    """A value, or a checkpoint with all its new values, is larger than a thread may keep."""

    code = "state_too_large"
    example = "A value has 1048576 bytes; at most 262144 are kept."


class ThreadBound(ConflictError):
    """The thread is bound to another user, conversation or campaign."""

    code = "thread_bound"
    example = "The thread is bound to another campaign."


class ThreadNotEmpty(ConflictError):
    """A copy begins in a thread without checkpoints."""

    code = "thread_not_empty"
    example = "There is something in the thread to copy to."


class UnknownParent(ConflictError):
    """The checkpoint names a parent that the thread does not have: it was deleted, or never came."""

    code = "checkpoint_parent_unknown"
    example = "The thread has no checkpoint to follow: it was deleted, or never came."


class CheckpointTaken(ConflictError):
    """Another checkpoint was kept under this id before."""

    code = "checkpoint_taken"
    example = "Another checkpoint was kept before. Ids are used once."


class ThreadMoved(StaleVersionError):
    """Somebody else wrote to the thread since the caller read it; `head` names where it stands."""

    code = "thread_moved"
    example = "Somebody else wrote to the thread meanwhile: read its state again."


class InterruptDecided(ConflictError):
    """The interrupt was answered otherwise before; `state` and `answer` say how."""

    code = "interrupt_decided"
    example = "The interrupt was approved by staff gm before."


class UnfitAnswer(UnprocessableError):
    """The value does not fit the schema that the interrupt asks for."""

    code = "interrupt_value_invalid"
    example = "value: 'spend' is a required property"
