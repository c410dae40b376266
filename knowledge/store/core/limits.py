"""How large a batch and what it keeps may be."""

MAX_OPS = 1000
"""Of one batch: what a graph's step asks for at once, a hundred times over."""
MAX_LABELS = 20
MAX_NAMESPACE_BYTES = 1024
"""Of all labels together. With the key an entry of the unique index stays below PostgreSQL's 2,704 bytes."""
MAX_KEY_BYTES = 512
MAX_VALUE_BYTES = 256 * 1024
MAX_VALUE_DEPTH = 64
MAX_INDEX_FIELDS = 20
MAX_FIELD_LENGTH = 200
MAX_PASSAGES = 64
"""Parts of one item that are searched; text behind them is kept and not found."""
MAX_LIMIT = 1000
MAX_OFFSET = 100_000
MAX_CONDITIONS = 32
"""Of one filter, nested ones counted."""
MAX_TTL_MINUTES = 60 * 24 * 366 * 10
RESERVED_ROOTS = frozenset({"langgraph"})
"""LangGraph keeps this label for itself."""
OWN_ROOT = "m37"
"""Below it stands what Memory37 knows by itself: agents read it and never write it."""
FACTS_PREFIX = (OWN_ROOT, "facts")
