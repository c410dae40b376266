"""The form of an NPC's id."""

NPC_ID_PATTERN = r"^[A-Za-z0-9][A-Za-z0-9._~@-]*$"
"""Safe in an address; slugs of character articles have it, too."""
MAX_NPC_ID_LENGTH = 120
