"""Secrets, hosts, cookies and transport."""

import os
import secrets
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

from memoryproject.environment import read_bool, read_int, read_list, read_text
from memoryproject.settings.base import DATA_DIR
from memoryproject.settings.database import EMBEDDED_POSTGRES

PRODUCTION = read_bool("PRODUCTION", default=not EMBEDDED_POSTGRES)
"""Strict mode: on when a real database is named, unless ``PRODUCTION`` says otherwise."""


def load_or_create_secret_key(path: Path) -> str:
    """The secret kept in the data directory, created by whichever process comes first."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f"{path.name}.{secrets.token_hex(8)}")
    if not path.exists():
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w") as file:
            file.write(secrets.token_urlsafe(50))
        try:
            os.link(draft, path)
        except FileExistsError:
            pass
        finally:
            draft.unlink()
    return path.read_text().strip()


def read_secret_key() -> str:
    """``SECRET_KEY``, or outside production the one of the data directory."""
    key = read_text("SECRET_KEY")
    if key:
        return key
    if PRODUCTION:
        raise ImproperlyConfigured(
            "SECRET_KEY is not set. Set it to a long random text that stays the same over restarts."
        )
    return load_or_create_secret_key(DATA_DIR / "secret_key")


SECRET_KEY = read_secret_key()
ALLOWED_HOSTS = read_list("ALLOWED_HOSTS", () if PRODUCTION else ("localhost", "127.0.0.1", "[::1]"))
CSRF_TRUSTED_ORIGINS = read_list("CSRF_TRUSTED_ORIGINS")
CSRF_FAILURE_VIEW = "memoryproject.problems.csrf_failure"

HTTPS = read_bool("HTTPS", default=PRODUCTION)
"""Whether browsers reach the service by HTTPS: cookies are then sent by HTTPS only."""
SESSION_COOKIE_SECURE = HTTPS
CSRF_COOKIE_SECURE = HTTPS
SESSION_COOKIE_HTTPONLY = True
SECURE_HSTS_SECONDS = read_int("HSTS_SECONDS", 0)
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
if read_bool("TRUST_PROXY_HEADERS", default=False):
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

METRICS_TOKEN = read_text("METRICS_TOKEN")
"""Bearer that may read ``/metrics``; without one they are served outside production only."""

DATA_UPLOAD_MAX_MEMORY_SIZE = read_int("MAX_BODY_BYTES", 2 * 1024 * 1024, at_least=1024)

AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
