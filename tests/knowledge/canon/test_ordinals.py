"""Order keys of chunks."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from knowledge.canon.core.ordinals import assign_ordinals

GIVEN = st.lists(st.integers(0, 40), unique=True, max_size=8)


@st.composite
def kept(draw):
    ordinals = draw(GIVEN)
    return draw(st.permutations([*ordinals, *[None] * draw(st.integers(0, 6))]))


@given(kept())
def test_ordinals_rise_and_kept_ones_are_those_given(ordinals):
    assigned = assign_ordinals(ordinals)
    numbers = [number for number, _ in assigned]
    assert numbers == sorted(set(numbers))
    assert len(numbers) == len(ordinals)
    assert all(number == given_ for (number, stays), given_ in zip(assigned, ordinals, strict=True) if stays)


def test_chunks_in_order_all_keep_theirs():
    assert assign_ordinals([5, 9, 30]) == [(5, True), (9, True), (30, True)]


def test_new_chunk_fits_between():
    assert assign_ordinals([1000, None, 2000]) == [(1000, True), (1500, False), (2000, True)]


def test_moved_chunk_alone_gets_another():
    assert [stays for _, stays in assign_ordinals([3000, 1000, 2000])] == [False, True, True]


def test_chunk_that_leaves_no_room_gets_another():
    assert [stays for _, stays in assign_ordinals([1, None, 2, 9000])] == [True, False, False, True]
