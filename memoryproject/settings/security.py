"""Secrets, hosts, cookies and transport."""

import datetime as dt
import os
import secrets
from pathlib import Path

from corsheaders.defaults import default_headers
from csp.constants import NONCE, NONE, SELF, UNSAFE_EVAL, UNSAFE_INLINE
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
SECURE_HSTS_SECONDS = read_int("HSTS_SECONDS", 31_536_000 if HTTPS else 0)
"""A year: browsers then ask by HTTPS alone. Sent with answers to HTTPS requests only; 0 takes it back."""
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
TRUST_PROXY_HEADERS = read_bool("TRUST_PROXY_HEADERS", default=False)
"""Whether a proxy that sets ``X-Forwarded-Proto`` and ``X-Forwarded-For`` stands before the service."""
if TRUST_PROXY_HEADERS:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

CORS_ALLOWED_ORIGINS = read_list(
    "CORS_ALLOWED_ORIGINS", () if PRODUCTION else ("http://127.0.0.1:8000", "http://localhost:8000")
)
"""Pages of other origins whose scripts may call the REST interface with a key: of SillyTavern by default,
but for production."""
CORS_URLS_REGEX = r"^/api/v1/"
CORS_ALLOW_HEADERS = (
    *default_headers, "idempotency-key", "if-match", "if-none-match", "x-request-id", "x-site-id", "x-tenant-id",
)  # fmt: skip
CORS_EXPOSE_HEADERS = ("etag", "idempotency-replayed", "location", "retry-after", "x-request-id")

PERMISSIONS_POLICY = ", ".join(
    f"{feature}=()"
    for feature in (
        "accelerometer", "autoplay", "camera", "display-capture", "geolocation", "gyroscope", "magnetometer",
        "microphone", "midi", "payment", "usb", "xr-spatial-tracking",
    )
)  # fmt: skip
"""No page of ours uses any of it."""

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "script-src": [SELF, NONCE, UNSAFE_EVAL],
        "style-src": [SELF, UNSAFE_INLINE],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "object-src": [NONE],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    }
}
"""What unfold needs beyond our own: ``unsafe-eval``, since Alpine.js evaluates the expressions in its templates (its
build without eval would take other templates), and inline styles, since unfold writes its colours into a style element
without a nonce and both of us use style attributes. No inline script is allowed: one of ours takes
``nonce="{{ request.csp_nonce }}"``."""

METRICS_TOKEN = read_text("METRICS_TOKEN")
"""Bearer that may read ``/metrics``; without one they are served outside production only."""

DATA_UPLOAD_MAX_MEMORY_SIZE = read_int("MAX_BODY_BYTES", 2 * 1024 * 1024, at_least=1024)

AUTHENTICATION_BACKENDS = ["axes.backends.AxesBackend", "django.contrib.auth.backends.ModelBackend"]
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
"""A name is locked at the address that guesses it: nobody can lock a colleague out from elsewhere."""
AXES_FAILURE_LIMIT = read_int("LOGIN_FAILURES", 5, at_least=1)
AXES_COOLOFF_TIME = dt.timedelta(minutes=read_int("LOGIN_LOCK_MINUTES", 15, at_least=1))
AXES_RESET_ON_SUCCESS = True
AXES_RESET_COOL_OFF_ON_FAILURE_DURING_LOCKOUT = False
AXES_ENABLE_ADMIN = False
"""Our own pages list them, in unfold's look: `tenancy.admin.logins`."""
AXES_ENABLE_ACCESS_FAILURE_LOG = True
AXES_ACCESS_FAILURE_LOG_PER_USER_LIMIT = 1000
AXES_DISABLE_ACCESS_LOG = True
AXES_CLIENT_IP_CALLABLE = "memoryproject.client_address.get_client_address"
AXES_LOCKOUT_CALLABLE = "tenancy.admin.logins.show_lockout"
AXES_VERBOSE = False

AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
