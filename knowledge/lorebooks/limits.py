"""How large a lorebook or card may be. What is larger is refused before it is read."""

MAX_FILE_BYTES = 32 * 1024 * 1024
"""A picture of a card with its book. Larger files carry sound and video, which are none of ours."""
MAX_TEXT_BYTES = 16 * 1024 * 1024
"""The JSON itself, after base64 and after decompression: the largest public books have some 3 MB."""
MAX_PNG_CHUNKS = 100_000
MAX_ENTRIES = 10_000
MAX_KEYS = 2_000
"""Keys of one entry."""
MAX_KEY_LENGTH = 10_000
"""A key that is a list of words in one regular expression can be long."""
MAX_CONTENT_LENGTH = 500_000
MAX_NESTING = 64
"""Levels of JSON. Books have six or seven; every level costs the recursion of whoever walks it."""
