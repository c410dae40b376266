"""How large a thread and what stands in it may be."""

MAX_THREAD_ID_LENGTH = 200
MAX_CHECKPOINT_ID_LENGTH = 100
MAX_NAMESPACE_LENGTH = 500
"""A subgraph's is `node:uuid` for each level, joined by `|`: ten levels."""
MAX_CHANNEL_LENGTH = 200
MAX_TASK_ID_LENGTH = 100
MAX_TASK_PATH_LENGTH = 1_000
MAX_TYPE_LENGTH = 40
MAX_CHANNELS = 500
MAX_WRITES = 500
"""Of one call."""
MAX_VERSION_LENGTH = 120
MAX_PARENT_STEPS = 100_000
MAX_REASON_LENGTH = 300
MAX_THREADS_PER_CALL = 100
MAX_RUNS_PER_CALL = 100
MIN_IDLE_DAYS, MAX_IDLE_DAYS, IDLE_DAYS = 1, 365, 30
"""Days after which a thread that nobody used goes. Source: spec 10.1."""
MIN_ANSWER_HOURS, MAX_ANSWER_HOURS, ANSWER_HOURS = 1, 24 * 30, 24 * 7
"""Hours for which an interrupt waits, where it says nothing itself: a week, as a person is away for."""
MAX_ANSWER_SECONDS = MAX_ANSWER_HOURS * 3600
