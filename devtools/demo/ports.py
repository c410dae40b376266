"""Chooses the port that the demo listens on."""

from __future__ import annotations

import socket

DEFAULT_PORT = 8000
PORTS_TO_TRY = 50


def is_free(host: str, port: int) -> bool:
    """Whether a server could listen there now."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            return False
    return True


def find_free_port(host: str, first: int = DEFAULT_PORT) -> int | None:
    """The first free port from ``first`` on, or None when the next fifty are taken."""
    return next((port for port in range(first, first + PORTS_TO_TRY) if is_free(host, port)), None)
