"""Event nodes: what a chunk of talk came to, first in the lorebook of its conversation, later in the archive."""
