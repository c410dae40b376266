"""Django's PostgreSQL engine, which starts the embedded server before the first connection."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.conf import settings
from django.db.backends.postgresql import base

from devtools.embedded.postgres import ensure_postgres


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection to the embedded PostgreSQL, which is running from then on."""

    def get_connection_params(self) -> dict[str, Any]:
        """The parameters of a connection to a server that runs."""
        ensure_postgres(Path(settings.DATA_DIR), durable=settings.EMBEDDED_POSTGRES_DURABLE)
        return super().get_connection_params()
