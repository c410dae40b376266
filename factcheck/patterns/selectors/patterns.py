"""Reads of the pattern tables: their version, and all that messages are read with."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path

from django.db import connection

from factcheck.instant.core.concept_files import read_shipped_concepts
from factcheck.instant.core.configuration import Configuration, build_concept, build_pattern_sets
from factcheck.instant.core.pattern_sets import read_shipped_pattern_sets
from knowledge.search.sql import read_query

SQL = Path(__file__).resolve().parent.parent / "sql"


def find_stamp() -> str:
    """What changes with every version of the pattern tables; empty before the first. One query by primary key."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT number || '@' || changed_at FROM factcheck_patternversion WHERE id = 1")
        row = cursor.fetchone()
    return row[0] if row else ""


def read_configuration() -> Configuration:
    """The rows that are switched on, in one statement; the pattern sets as they ship while the tables hold none."""
    with connection.cursor() as cursor:
        cursor.execute(read_query(SQL / "pattern_configuration.sql"))
        version, stamp, *columns = cursor.fetchone()
    pattern_sets, patterns, guards, corrections, anchors, concepts, switched_off = map(json.loads, columns)
    if not pattern_sets:
        return shipped_configuration(stamp)
    off: defaultdict[int, set[str]] = defaultdict(set)
    for row in switched_off:
        off[row["tenant_id"]].add(row["pack"])
    return Configuration(
        version=version,
        stamp=stamp,
        pattern_sets=build_pattern_sets(pattern_sets, patterns, guards, corrections, anchors),
        concepts=tuple(build_concept(row) for row in concepts),
        pattern_sets_off={tenant_id: frozenset(names) for tenant_id, names in off.items()},
    )


def shipped_configuration(stamp: str = "") -> Configuration:
    """The pattern sets and concepts as they ship, as version 0."""
    return Configuration(
        version=0, stamp=stamp, pattern_sets=read_shipped_pattern_sets(), concepts=read_shipped_concepts()
    )
