"""Tables of threads."""

from episodes.threads.models.checkpoints import ThreadCheckpoint, ThreadValue, ThreadWrite
from episodes.threads.models.history import ThreadReceipt, ThreadReceiptKind, ThreadRollback
from episodes.threads.models.interrupts import InterruptState, ThreadInterrupt
from episodes.threads.models.threads import Thread, ThreadState, WorldThreadPolicy

__all__ = [
    "InterruptState",
    "Thread",
    "ThreadCheckpoint",
    "ThreadInterrupt",
    "ThreadReceipt",
    "ThreadReceiptKind",
    "ThreadRollback",
    "ThreadState",
    "ThreadValue",
    "ThreadWrite",
    "WorldThreadPolicy",
]
