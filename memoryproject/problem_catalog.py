"""The catalog of errors: for each code its cause, what to do, and whether to send the request again."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from types import MappingProxyType

import yaml

from memoryproject.config_files import SAFE_LOADER

CATALOG_FILE = Path(__file__).with_name("problem_catalog.yaml")
UNLISTED_TYPE = "about:blank"
RETRIES = {
    "never": "No. The same request fails again.",
    "later": "Yes, after `Retry-After` seconds.",
    "after_reading": "Not as it is. Read the present state first, then decide.",
}


@dataclass(frozen=True, slots=True)
class CatalogEntry:
    """One code. `retry` is a key of `RETRIES`."""

    code: str
    status: int
    cause: str
    action: str
    retry: str

    @property
    def title(self) -> str:
        """The HTTP status in words."""
        return HTTPStatus(self.status).phrase

    @property
    def retry_text(self) -> str:
        """Whether to send the request again."""
        return RETRIES[self.retry]


@functools.cache
def load_catalog() -> Mapping[str, CatalogEntry]:
    """All entries by code, in alphabetical order."""
    rows = yaml.load(CATALOG_FILE.read_text(encoding="utf-8"), Loader=SAFE_LOADER)  # noqa: S506 - both are safe
    return MappingProxyType({code: CatalogEntry(code, **row) for code, row in sorted(rows.items())})


def build_type_uri(code: str) -> str:
    """The `type` of a problem document: the page of its code, relative to the service (RFC 9457, section 3.1.1)."""
    return f"/problems/{code}" if code in load_catalog() else UNLISTED_TYPE


def render_markdown() -> str:
    """The catalog as `docs/errors.md`."""
    lines = [
        "# Errors",
        "",
        "Every error of REST and MCP is `application/problem+json` (RFC 9457). Decide by `code`; `detail` is for",
        "people. `type` leads to a page of this list on the running service.",
        "",
        "`manage.py problem_catalog` writes this file.",
        "",
        "| code | status | cause | what to do | send it again? |",
        "|---|---|---|---|---|",
    ]
    lines += [
        f"| `{entry.code}` | {entry.status} | {entry.cause} | {entry.action} | {entry.retry_text} |"
        for entry in load_catalog().values()
    ]
    return "\n".join(lines) + "\n"
