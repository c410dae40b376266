from hypothesis import given
from hypothesis import strategies as st

from knowledge.search.core.lexemes import SPARSE_DIMENSIONS, hash_lexeme, sparse_index


def test_hashes_are_stable_between_releases() -> None:
    assert sparse_index("dragon") == 635943683
    assert hash_lexeme(7, "dragon") == 3420502821009836101


def test_partitions_share_no_hash() -> None:
    assert len({hash_lexeme(partition, "dragon") for partition in range(1000)}) == 1000
    assert hash_lexeme(1, "1x") != hash_lexeme(11, "x")


@given(st.text(), st.integers(0, 2**62))
def test_any_lexeme_has_a_place_in_range(lexeme: str, partition_id: int) -> None:
    assert 1 <= sparse_index(lexeme) <= SPARSE_DIMENSIONS
    assert -(2**63) <= hash_lexeme(partition_id, lexeme) < 2**63
