"""The web process: Django, and the MCP endpoint next to it."""

import os
import threading

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "memoryproject.settings")
os.environ.setdefault("MEMORY37_PROCESS", "web")

import django

django.setup(set_prefix=False)

from django.conf import settings

from factcheck.claims.judge import find_judge
from factcheck.instant.registry import warm_up
from memoryproject.asgi_router import AsgiRouter
from memoryproject.celery import load_tasks
from memoryproject.database import close_pools
from memoryproject.lazy_modules import import_now
from memoryproject.threaded_handler import ThreadedHandler
from runtime.mcp.app import build_mcp_app

django_application = ThreadedHandler()
application = AsgiRouter(
    django=django_application,
    mcp=build_mcp_app(),
    max_body_bytes=settings.DATA_UPLOAD_MAX_MEMORY_SIZE,
    close_pools=close_pools,
)
WARM_UP_SECONDS = 20
"""Compiling patterns takes about four. A process that took requests at once would keep the first of them waiting; its
siblings answer meanwhile."""


def import_rest() -> None:
    """What requests may need and the start does not."""
    import_now()
    load_tasks()
    if settings.CHAT_MODEL and settings.REPLY_CHECK != "off":
        find_judge()


if settings.PROCESS == "web":
    warm_up().join(WARM_UP_SECONDS)
    threading.Thread(target=import_rest, name="import-lazy-modules", daemon=True).start()
