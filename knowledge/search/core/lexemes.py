"""Stable numbers for lexemes: sparse-vector indices and tenant-scoped hashes for the inverted index."""

from functools import lru_cache
from hashlib import blake2b

SPARSE_DIMENSIONS = 1_000_000_000


@lru_cache(maxsize=200_000)
def sparse_index(lexeme: str) -> int:
    """The place of a lexeme in a sparse vector, 1 to 1,000,000,000; equal on every machine and in every run."""
    digest = blake2b(lexeme.encode("utf-8", "surrogatepass"), digest_size=8, person=b"sparse").digest()
    return int.from_bytes(digest, "big") % SPARSE_DIMENSIONS + 1


@lru_cache(maxsize=200_000)
def scoped_lexeme(scope_id: int, lexeme: str) -> int:
    """The signed 64-bit hash of a lexeme within a scope, so that scopes never share a posting list."""
    content = b"%d\x00" % scope_id + lexeme.encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(content, digest_size=8, person=b"scope").digest(), "big", signed=True)
