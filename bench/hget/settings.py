"""The service's settings with the route of `bench.hget.urls` beside its own."""

from memoryproject.settings import *  # noqa: F403

ROOT_URLCONF = "bench.hget.urls"
