"""How large a notebook and what stands in it may be."""

MAX_AGENT_LENGTH = 120
MAX_KEY_LENGTH = 200
MAX_SEGMENT_LENGTH = 120
"""Characters of a folder's or a file's name: what every file system takes, and what an archive is unpacked to."""
MAX_PATH_BYTES = 1024
MAX_PATH_DEPTH = 8
MAX_FACT_BYTES = 8 * 1024
"""Source: the seed's values are a name, a choice, a reason; what is longer is a note or a document."""
MAX_NOTE_BYTES = 8 * 1024
MAX_DOCUMENT_BYTES = 100 * 1024
"""As the memory stores of the Claude platform."""
MAX_METADATA_BYTES = 4 * 1024
MAX_FACTS, MAX_NOTES, MAX_DOCUMENTS = 5_000, 50_000, 2_000
"""Live entries of a notebook."""
MAX_FOLDERS = 2_000
MAX_MEMBERS = 100
MAX_NOTEBOOKS = 1_000
"""Of one key: whoever makes more makes them in a loop."""
MAX_QUARANTINED = 200
"""Entries of one new member that wait for approval: a flood stops here."""
MAX_PENDING_PROPOSALS = 200
"""Of one member."""
MAX_ARCHIVE_BYTES = 8 * 1024 * 1024
MAX_COMMANDS = 20
"""Commands of one turn. Source: spec of A4."""
