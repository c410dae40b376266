"""Where the code stands that tests read as text."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
APPS = (
    "bench",
    "devtools",
    "episodes",
    "factcheck",
    "knowledge",
    "memoryproject",
    "npcs",
    "reviews",
    "runtime",
    "tenancy",
)
