"""Routes of threads, below /api/v1/."""

from django.urls import path

from episodes.threads.api import checkpoints, interrupts, threads
from memoryproject.rest import paths  # noqa: F401 - registers the converter of ids

ROOT = "threads/<id:thread_id>"
urlpatterns = [
    path("threads", threads.ThreadsView.as_view(), name="threads"),
    path(f"{ROOT}/checkpoints", checkpoints.ThreadCheckpointsView.as_view(), name="thread-checkpoints"),
    path(f"{ROOT}/state", checkpoints.ThreadStateView.as_view(), name="thread-state"),
    path(f"{ROOT}/writes", checkpoints.ThreadWritesView.as_view(), name="thread-writes"),
    path(f"{ROOT}/copy", threads.ThreadCopyView.as_view(), name="thread-copy"),
    path(f"{ROOT}/rollback", threads.ThreadRollbackView.as_view(), name="thread-rollback"),
    path(f"{ROOT}/interrupts", interrupts.ThreadInterruptsView.as_view(), name="thread-interrupts"),
    path(
        f"{ROOT}/interrupts/<name:interrupt_id>/resume",
        interrupts.InterruptAnswerView.as_view(),
        name="interrupt-resume",
    ),
    path(
        f"{ROOT}/interrupts/<name:interrupt_id>/reject",
        interrupts.InterruptRejectionView.as_view(),
        name="interrupt-reject",
    ),
    path(ROOT, threads.ThreadDetailView.as_view(), name="thread"),
    path("checkpoints/search", checkpoints.CheckpointSearchView.as_view(), name="checkpoints-search"),
    path("checkpoints/prune", checkpoints.CheckpointPruningView.as_view(), name="checkpoints-prune"),
    path("checkpoints/delete-runs", checkpoints.CheckpointRunsView.as_view(), name="checkpoints-delete-runs"),
    path("interrupts", interrupts.InterruptsView.as_view(), name="interrupts"),
]
