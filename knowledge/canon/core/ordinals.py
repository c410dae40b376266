"""Order keys for the chunks of an article, such that chunks that stay keep theirs."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

GAP = 1024
MAX_ORDINAL = 2**31 - 1


def assign_ordinals(kept: Sequence[int | None]) -> list[tuple[int, bool]]:
    """For each chunk in reading order its ordinal, rising, and whether it is the one that was given.

    `kept` holds the ordinal of a chunk that stays and None for a new one. A chunk that was moved, or that leaves no
    room for new ones before it, can't keep its ordinal and gets another.
    """
    slots = _rising(kept)
    while True:
        crowded = _find_crowded(slots)
        if crowded is None:
            break
        slots[crowded] = None
    return _fill(slots)


def _rising(kept: Sequence[int | None]) -> list[int | None]:
    """The longest choice of given ordinals that rises; the others become None."""
    tails: list[int] = []
    tail_places: list[int] = []
    before: dict[int, int | None] = {}
    for place, ordinal in enumerate(kept):
        if ordinal is None:
            continue
        rank = bisect_left(tails, ordinal)
        before[place] = tail_places[rank - 1] if rank else None
        if rank == len(tails):
            tails.append(ordinal)
            tail_places.append(place)
        else:
            tails[rank], tail_places[rank] = ordinal, place
    chosen: set[int] = set()
    step = tail_places[-1] if tail_places else None
    while step is not None:
        chosen.add(step)
        step = before[step]
    return [ordinal if place in chosen else None for place, ordinal in enumerate(kept)]


def _find_crowded(slots: Sequence[int | None]) -> int | None:
    """The place of the first given ordinal before which the new ones do not fit, or that leaves no room behind."""
    low, waiting = -1, 0
    last = None
    for place, ordinal in enumerate(slots):
        if ordinal is None:
            waiting += 1
            continue
        if ordinal - low - 1 < waiting:
            return place
        low, waiting, last = ordinal, 0, place
    if low + waiting * GAP > MAX_ORDINAL:
        return last
    return None


def _fill(slots: Sequence[int | None]) -> list[tuple[int, bool]]:
    filled: list[tuple[int, bool]] = []
    low = -1
    place = 0
    while place < len(slots):
        ordinal = slots[place]
        if ordinal is not None:
            filled.append((ordinal, True))
            low, place = ordinal, place + 1
            continue
        end = place
        while end < len(slots) and slots[end] is None:
            end += 1
        count = end - place
        high = slots[end] if end < len(slots) else None
        for index in range(1, count + 1):
            between = low + index * GAP if high is None else low + (high - low) * index // (count + 1)
            filled.append((between, False))
        low, place = filled[-1][0], end
    return filled
