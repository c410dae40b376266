"""The project's settings over services of the tests' own; an xdist worker gets keys of its own in Redis.

pytest-django loads settings before any conftest, so the variables are set here.
"""

import os
from pathlib import Path

WORKER = os.environ.get("PYTEST_XDIST_WORKER", "")

os.environ.setdefault("MEMORY37_DATA_DIR", str(Path(__file__).resolve().parent.parent / ".data" / "test"))
os.environ.setdefault("EMBEDDED_POSTGRES_DURABLE", "false")
os.environ.setdefault("PRODUCTION", "false")
os.environ["REDIS_KEY_PREFIX"] = f"memory37-test-{WORKER or 'main'}"
for name in ("OPENAI_BASE_URL", "OPENAI_API_KEY", "EMBEDDING_BASE_URL", "EMBEDDING_MODEL", "CHAT_MODEL"):
    os.environ.pop(name, None)

os.environ.setdefault("EMBEDDING_LOCAL_PROVIDER", "hashing")
os.environ.setdefault("INSTANT_SEMANTIC", "off")
"""Instant, and the same on every machine. Tests of the model in the wheel ask for it."""

os.environ.setdefault("REPLY_CHECK", "rules")
os.environ.setdefault("REPLY_JUDGE", "false")
"""The model that talks in a test says what the test wants: it is asked to check only where the test is about that."""

from memoryproject.settings import *  # noqa: E402, F403

MIDDLEWARE = ["tests.declared_problems.DeclaredProblemsMiddleware", *MIDDLEWARE]  # noqa: F405
"""In tests of the API a problem that its operation does not declare fails the test."""

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
"""The real one takes a third of a second a person, and no test is about it."""

ANONYMOUS_REQUESTS_PER_MINUTE = 1_000_000
"""All tests call from one address."""
