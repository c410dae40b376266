"""The patterns and concepts that messages are read with now: compiled once, shared by all threads of a process."""

from __future__ import annotations

import datetime
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import structlog
from django.db import DatabaseError, InterfaceError, close_old_connections, connection

from factcheck.instant.core.clause_patterns import load_clause_patterns
from factcheck.instant.core.concepts import ConceptTable
from factcheck.instant.core.configuration import Configuration
from factcheck.instant.core.extracted import ExtractedFact
from factcheck.instant.core.extraction import extract_facts
from factcheck.instant.core.judges import Scorer
from factcheck.instant.core.narrative_modes import NarrativeMode
from factcheck.instant.core.patterns import CompiledPatterns
from factcheck.instant.metrics import PATTERN_SET_FAILURES, PATTERN_SET_VERSION
from factcheck.instant.scorer import get_scorer
from factcheck.patterns.selectors.patterns import find_stamp, read_configuration, shipped_configuration

logger = structlog.get_logger("memory37.patterns")

CHECK_INTERVAL_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class CompiledVersion:
    """One version of all patterns and concepts, ready to run; immutable and safe between threads."""

    version: int
    patterns: CompiledPatterns
    concepts: ConceptTable
    pattern_sets_off: Mapping[int, frozenset[str]] = field(default_factory=dict)

    def extract(
        self,
        text: str,
        *,
        tenant_id: int,
        user_key: str,
        now: datetime.datetime,
        mode: NarrativeMode = "unknown",
        previous: str = "",
        scorer: Scorer | None = None,
    ) -> list[ExtractedFact]:
        """The facts of one message of a tenant's user: without the pattern sets that the tenant has switched off, and
        with the patterns on trial that the user takes part in. `user_key` must stay the same for a user. `previous` is
        the assistant's message that it may answer. A `scorer` hears by meaning as well.
        """
        return extract_facts(
            text,
            compiled=self.patterns,
            concepts=self.concepts,
            now=now,
            mode=mode,
            user_key=f"{tenant_id}/{user_key}",
            pattern_sets_off=self.pattern_sets_off.get(tenant_id, frozenset()),
            previous=previous,
            scorer=scorer,
        )


class Registry:
    """Holds one compiled version and takes a newer one over within seconds, while the old one serves on."""

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._served: CompiledVersion | None = None
        self._stamp = ""
        self._next_check = 0.0
        self._compiling: threading.Thread | None = None

    def get(self) -> CompiledVersion:
        """The version that serves now. Looks for a newer one at most every two seconds, and never in a transaction:
        what it holds may be rolled back.
        """
        served = self._served
        if served is None:
            return self._get_first()
        if self._clock() >= self._next_check and not connection.in_atomic_block and self._lock.acquire(blocking=False):
            try:
                self._check()
            finally:
                self._lock.release()
        return self._served or served

    def finish(self, timeout_seconds: float | None = None) -> None:
        """Return once what is being compiled is in use."""
        thread = self._compiling
        if thread is not None:
            thread.join(timeout_seconds)

    def _get_first(self) -> CompiledVersion:
        with self._lock:
            if self._served is None:
                configuration = self._read() if not connection.needs_rollback else None
                self._compile(configuration or shipped_configuration())
                if self._served is None:
                    self._compile(shipped_configuration(self._stamp))
                if not connection.in_atomic_block:
                    self._next_check = self._clock() + CHECK_INTERVAL_SECONDS
            if self._served is None:
                raise RuntimeError("The patterns that ship with the product do not compile.")
            return self._served

    def _check(self) -> None:
        """Compile on a thread of its own if the tables changed; the query and the thread are all that callers pay."""
        self._next_check = self._clock() + CHECK_INTERVAL_SECONDS
        if self._compiling is not None and self._compiling.is_alive():
            return
        try:
            if find_stamp() == self._stamp:
                return
        except (DatabaseError, InterfaceError) as error:
            logger.warning("pattern_version_not_read", error=type(error).__name__)
            return
        configuration = self._read()
        if configuration is not None:
            self._compiling = threading.Thread(
                target=self._compile, args=(configuration,), name="compile-patterns", daemon=True
            )
            self._compiling.start()

    def _read(self) -> Configuration | None:
        try:
            return read_configuration()
        except (DatabaseError, InterfaceError, KeyError, TypeError, ValueError) as error:
            PATTERN_SET_FAILURES.inc()
            logger.warning("patterns_not_read", error=f"{type(error).__name__}: {error}"[:500])
            return None

    def _compile(self, configuration: Configuration) -> None:
        self._stamp = configuration.stamp
        try:
            compiled = compile_configuration(configuration)
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            PATTERN_SET_FAILURES.inc()
            logger.warning("patterns_not_compiled", version=configuration.version, error=str(error)[:500])
            return
        self._served = compiled
        PATTERN_SET_VERSION.set(compiled.version)
        logger.info("patterns_in_use", version=compiled.version, patterns=len(compiled.patterns.patterns))


def compile_configuration(configuration: Configuration) -> CompiledVersion:
    """The configuration ready to run. Raises PatternInvalid for a row that does not compile."""
    return CompiledVersion(
        version=configuration.version,
        patterns=CompiledPatterns(configuration.pattern_sets, version=configuration.version),
        concepts=ConceptTable(configuration.concepts),
        pattern_sets_off=configuration.pattern_sets_off,
    )


_registry = Registry()


def get_compiled() -> CompiledVersion:
    """The version that serves now in this process; version 0 is the pattern sets as they ship, while the tables are
    empty.

    Call it before a transaction begins: inside of one a newer version is not looked for.
    """
    return _registry.get()


def warm_up() -> threading.Thread:
    """Compiles on a thread of its own, so that no player's first message waits for it."""
    thread = threading.Thread(target=_warm_up, name="warm-up-patterns", daemon=True)
    thread.start()
    return thread


def _warm_up() -> None:
    try:
        get_compiled()
        load_clause_patterns()
        get_scorer()
    finally:
        close_old_connections()
