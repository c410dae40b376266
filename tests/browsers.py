"""Finds a Chromium for the browser tests."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

SYSTEM_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
PLAYWRIGHT_PATTERNS = ("chromium-*/chrome-linux*/chrome", "chromium-*/chrome-mac*/*.app/Contents/MacOS/*")


def find_chromium() -> str | None:
    """The path of a system Chromium, else of the one that ``playwright install chromium`` brought, else None."""
    for name in SYSTEM_NAMES:
        if path := shutil.which(name):
            return path
    caches = [os.environ.get("PLAYWRIGHT_BROWSERS_PATH"), "~/.cache/ms-playwright", "~/Library/Caches/ms-playwright"]
    for cache in filter(None, caches):
        for pattern in PLAYWRIGHT_PATTERNS:
            if found := sorted(Path(cache).expanduser().glob(pattern)):
                return str(found[-1])
    return None
