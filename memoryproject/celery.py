"""The Celery application: tasks are found in each app's ``tasks`` module."""

import os
from typing import Any

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "memoryproject.settings")


class MemoryCelery(Celery):
    """Celery that sees to it that the embedded Redis runs before it is spoken to."""

    def connection_for_write(self, *args: Any, **kwargs: Any) -> Any:
        """A broker connection for publishing."""
        start_broker_if_embedded()
        return super().connection_for_write(*args, **kwargs)

    def connection_for_read(self, *args: Any, **kwargs: Any) -> Any:
        """A broker connection for consuming."""
        start_broker_if_embedded()
        return super().connection_for_read(*args, **kwargs)


def start_broker_if_embedded() -> None:
    """Start the embedded Redis when it is the broker and does not run."""
    from django.conf import settings

    if settings.EMBEDDED_REDIS and settings.CELERY_BROKER_URL.startswith("redis+socket://"):
        from memoryproject.embedded import ensure_redis

        ensure_redis(settings.DATA_DIR)


app = MemoryCelery("memoryproject")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
