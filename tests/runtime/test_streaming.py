"""Streams that are read to their end, and streams whose reader goes away."""

from __future__ import annotations

import threading

from runtime.chat.api.streaming import _Steps


def test_a_reader_that_goes_away_in_the_middle_of_a_step_closes_the_stream_after_it():
    is_under_way, may_go_on, closed = threading.Event(), threading.Event(), []

    def read_pieces():
        try:
            yield b"one"
            is_under_way.set()
            may_go_on.wait(10)
            yield b"two"
            yield b"three"
        finally:
            closed.append(threading.current_thread())

    steps = _Steps(read_pieces())
    assert next(steps) == b"one"
    worker = threading.Thread(target=steps.step)
    worker.start()
    assert is_under_way.wait(10)
    steps.close()
    assert not closed
    may_go_on.set()
    worker.join(10)
    assert closed == [worker]
    assert list(steps) == []
