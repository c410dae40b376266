"""Mail to owners; none is sent while no server is set."""

from memoryproject.environment import read_bool, read_int, read_text

EMAIL_HOST = read_text("EMAIL_HOST")
EMAIL_PORT = read_int("EMAIL_PORT", 587, at_least=1)
EMAIL_HOST_USER = read_text("EMAIL_HOST_USER")
EMAIL_HOST_PASSWORD = read_text("EMAIL_HOST_PASSWORD")
EMAIL_USE_TLS = read_bool("EMAIL_USE_TLS", default=True)
EMAIL_TIMEOUT = 20
DEFAULT_FROM_EMAIL = read_text("DEFAULT_FROM_EMAIL", "memory37@localhost")
