"""Stable numbers for lexemes: sparse-vector indices and hashes within a partition for the inverted index."""

from functools import lru_cache
from hashlib import blake2b

SPARSE_DIMENSIONS = 1_000_000_000


@lru_cache(maxsize=200_000)
def sparse_index(lexeme: str) -> int:
    """The place of a lexeme in a sparse vector, 1 to 1,000,000,000; equal on every machine and in every run."""
    digest = blake2b(lexeme.encode("utf-8", "surrogatepass"), digest_size=8, person=b"sparse").digest()
    return int.from_bytes(digest, "big") % SPARSE_DIMENSIONS + 1


@lru_cache(maxsize=200_000)
def hash_lexeme(partition_id: int, lexeme: str) -> int:
    """The signed 64-bit hash of a lexeme within a partition, so that partitions never share a posting list."""
    content = b"%d\x00" % partition_id + lexeme.encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(content, digest_size=8, person=b"scope").digest(), "big", signed=True)


@lru_cache(maxsize=100_000)
def build_partition_id(kind: str, owner_id: int) -> int:
    """The partition id of something that is no domain index: a negative 64-bit hash of kind and id.

    Domain indexes use their own ids, which are positive, so no other partition meets them; two kinds never share one.
    """
    digest = blake2b(f"{kind}:{owner_id}".encode(), digest_size=8, person=b"scope-id").digest()
    return -1 - (int.from_bytes(digest, "big") >> 1)
