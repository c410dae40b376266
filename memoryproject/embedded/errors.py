"""Why an embedded service does not run."""

from __future__ import annotations


class EmbeddedServiceError(RuntimeError):
    """An embedded service can't start; the message says why and where its log is."""

    def __init__(self, service: str, message: str) -> None:
        super().__init__(message)
        self.service = service
