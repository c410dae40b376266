"""The service's routes, and one that reads a hash in Redis."""

from django.urls import path
from rest_framework.request import Request
from rest_framework.response import Response

from knowledge.notebook.api.common import NotebookView
from memoryproject.redis import build_key, get_redis
from memoryproject.urls import *  # noqa: F403
from memoryproject.urls import urlpatterns as own

HASH, PATH = "bench-facts", "bench/hget"


class HgetView(NotebookView):
    """The value under `db`."""

    def get(self, request: Request) -> Response:
        """One HGET."""
        return Response({"value": get_redis().hget(build_key(HASH), "db").decode()})


urlpatterns = [path(PATH, HgetView.as_view()), *own]
