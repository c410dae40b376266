"""Celery: broker, delivery and limits. State that matters lives in rows, so results are not kept."""

from memoryproject.environment import read_int, read_text
from memoryproject.settings.cache import EMBEDDED_REDIS, REDIS_KEY_PREFIX, REDIS_URL

CELERY_BROKER_URL = read_text("CELERY_BROKER_URL") or (
    REDIS_URL.replace("unix://", "redis+socket://", 1) if EMBEDDED_REDIS else REDIS_URL
)
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_TIME_LIMIT = read_int("CELERY_TASK_TIME_LIMIT_SECONDS", 1800, at_least=1)
CELERY_TASK_SOFT_TIME_LIMIT = max(1, CELERY_TASK_TIME_LIMIT - 60)
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_SEND_TASK_EVENTS = False
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "visibility_timeout": CELERY_TASK_TIME_LIMIT + 600,
    "global_keyprefix": f"{REDIS_KEY_PREFIX}:celery:",
    "socket_timeout": 10,
    "socket_connect_timeout": 0.5,
    # A publisher looks for the broker once more and no longer: writers wait for it. Workers have retries of their own.
    "max_retries": 1,
    "interval_start": 0,
    "interval_max": 0.1,
    "priority_steps": [0, 3, 6, 9],
    "queue_order_strategy": "priority",
}
CELERY_TASK_DEFAULT_PRIORITY = 6
CELERY_TASK_PUBLISH_RETRY_POLICY = {"max_retries": 2, "interval_start": 0.1, "interval_max": 0.5}
CELERY_BEAT_SCHEDULER = "django_celery_beat.schedulers:DatabaseScheduler"
CELERY_TIMEZONE = "UTC"
DJANGO_CELERY_BEAT_TZ_AWARE = True
CELERY_BEAT_SCHEDULE = {
    "tenancy.flush_key_uses": {"task": "tenancy.flush_key_uses", "schedule": 60.0},
    "reviews.sweep_staging": {"task": "reviews.sweep_staging", "schedule": 60.0},
    "reviews.follow_embedder_changes": {"task": "reviews.follow_embedder_changes", "schedule": 300.0},
    "tenancy.delete_old_answers": {"task": "tenancy.delete_old_answers", "schedule": 3600.0},
    "episodes.sweep_embeddings": {"task": "episodes.sweep_embeddings", "schedule": 60.0},
    "episodes.sweep_vectors": {"task": "episodes.sweep_vectors", "schedule": 3600.0},
    "episodes.sweep_vector_codes": {"task": "episodes.sweep_vector_codes", "schedule": 3600.0},
    "episodes.sweep_receipts": {"task": "episodes.sweep_receipts", "schedule": 60.0},
    "episodes.sweep_art_cards": {"task": "episodes.sweep_art_cards", "schedule": 3600.0},
    "episodes.sweep_threads": {"task": "episodes.sweep_threads", "schedule": 60.0},
    "episodes.sweep_summaries": {"task": "episodes.sweep_summaries", "schedule": 21600.0},
    "knowledge.expire_facts": {"task": "knowledge.expire_facts", "schedule": 86400.0},
    "factcheck.sweep_extraction": {"task": "factcheck.sweep_extraction", "schedule": 60.0},
    "factcheck.expire_candidates": {"task": "factcheck.expire_candidates", "schedule": 86400.0},
    "factcheck.sweep_events": {"task": "factcheck.sweep_events", "schedule": 60.0},
    "episodes.archive_events": {"task": "episodes.archive_events", "schedule": 300.0},
    "runtime.delete_old_traces": {"task": "runtime.delete_old_traces", "schedule": 3600.0},
    "runtime.measure_misses": {"task": "runtime.measure_misses", "schedule": 86400.0},
    "reviews.judge_quality": {"task": "reviews.judge_quality", "schedule": 3600.0},
    "knowledge.forget_notes": {"task": "knowledge.forget_notes", "schedule": 86400.0},
    "knowledge.sweep_store": {"task": "knowledge.sweep_store", "schedule": 300.0},
    "knowledge.sweep_embeddings": {"task": "knowledge.sweep_embeddings", "schedule": 60.0},
}
"""Work by the clock. Beat copies it into its tables, where admin may change it."""
