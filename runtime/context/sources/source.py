"""What every source of a pack is: what it reads, what it wants embedded, the items that it makes of what it found."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, TypeVar

from knowledge.search.embedding import Embedder
from runtime.context.core.pack import Item
from runtime.context.relevance_filter import Verdict
from runtime.context.turn import ResolvedTurn

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetched:
    """What a source read."""

    degraded: tuple[str, ...] = ()
    """What reading had to do without, as codes."""


class Source(Generic[T]):
    """One kind of thing that a pack may tell. It holds no state: one instance serves all requests.

    Most build on what identifies the turn and fetch nothing. Those that do name a `step`.
    """

    name: ClassVar[str]
    layer: ClassVar[str]
    """A layer of `runtime/context/core/pack.py`: its budget is in `config/prompt_budgets.yaml`, its frame in
    `config/prompts/`. Sources of the same layer stand in it in the order of `SOURCES`."""
    step: ClassVar[str | None] = None
    """The step of the trace under which fetching counts; None: nothing is fetched."""
    is_parallel: ClassVar[bool] = False
    """Whether it is fetched on the second connection, one after the other with all that are, beside the rest."""

    def is_needed(self, turn: ResolvedTurn) -> bool:
        """Whether there is anything to fetch in this turn."""
        return self.step is not None

    def list_queries(self, turn: ResolvedTurn) -> Iterable[tuple[Embedder, str]]:
        """What `fetch` will want embedded, and by whom: asked for before anything is fetched."""
        return ()

    def fetch(self, turn: ResolvedTurn) -> T:
        """What the database has for the turn."""
        raise NotImplementedError(f"{self.name} names a step, so it fetches.")

    def build_items(self, turn: ResolvedTurn, found: Found) -> Sequence[Item]:
        """What there is to be told, in the order of telling."""
        raise NotImplementedError

    def judge_items(self, turn: ResolvedTurn, found: Found) -> Mapping[str, Verdict]:
        """Item id to whether the turn needs it, for those about which that is a question."""
        return {}


class Found:
    """What all sources fetched."""

    def __init__(self, results: Mapping[type[Source[Any]], Any]) -> None:
        self._results = results

    def get(self, source: type[Source[T]]) -> T | None:
        """What a source fetched; None where it was not needed."""
        result: T | None = self._results.get(source)
        return result

    def list_degraded(self, sources: Iterable[Source[Any]]) -> Iterator[str]:
        """What fetching had to do without, in the order of the sources."""
        for source in sources:
            result = self._results.get(type(source))
            if isinstance(result, Fetched):
                yield from result.degraded
