"""Measuring a night's exchanges, each night once."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from django.utils import timezone

from factcheck.extraction.core.sampling import make_draw
from knowledge.facts.sealing import get_key_ring
from knowledge.search.embedding import get_message_embedder
from memoryproject.redis import build_key, get_redis
from runtime.measuring.core import find_rate, is_missed, is_repeated, is_statement
from runtime.measuring.selectors import find_message, list_exchange_ids, list_nearest, load_exchanges
from runtime.metrics import EXCHANGES_MEASURED, RETRIEVAL_MISSES, USER_REPEATS

MARKER_SECONDS = 3 * 86_400


@dataclass(frozen=True, slots=True)
class Measured:
    """Exchanges that could be judged, and those that show something unused."""

    exchanges: int = 0
    repeated: int = 0
    missed: int = 0


def measure_night(day: dt.date | None = None) -> Measured:
    """The figures of a day (yesterday, in UTC), counted for Prometheus; nothing where the day was measured before.

    Only vectors that know meaning can tell: with another embedder nothing is measured. Raises FactKeysMissing.
    """
    day = day or (timezone.now() - dt.timedelta(days=1)).date()
    if not get_message_embedder().is_semantic or not _take_up(day):
        return Measured()
    return measure_day(day)


def measure_day(day: dt.date) -> Measured:
    """The figures of a day, by the keyed sample of its exchanges. Three queries an exchange."""
    start = dt.datetime.combine(day, dt.time(), tzinfo=dt.UTC)
    ids = list_exchange_ids(start, start + dt.timedelta(days=1))
    rate, key = find_rate(len(ids)), get_key_ring().index_key
    exchanges = repeated = missed = 0
    for exchange in load_exchanges(pk for pk in ids if make_draw(key, "trace", pk.int) < rate):
        said = find_message(exchange)
        if said is None:
            continue
        exchanges += 1
        earlier = list_nearest(exchange, said)
        repeated += is_repeated(earlier, says_something=is_statement(said.message.content, said.length))
        missed += is_missed(earlier, exchange.told)
    EXCHANGES_MEASURED.inc(exchanges)
    USER_REPEATS.inc(repeated)
    RETRIEVAL_MISSES.inc(missed)
    return Measured(exchanges, repeated, missed)


def _take_up(day: dt.date) -> bool:
    return bool(get_redis().set(build_key("measured", day.isoformat()), 1, nx=True, ex=MARKER_SECONDS))
