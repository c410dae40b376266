import datetime

import pytest

from factcheck.instant.core.concepts import ConceptTable
from factcheck.instant.core.extraction import ExtractedFact, extract_facts
from factcheck.instant.core.pattern_sets import load_shipped
from factcheck.instant.core.patterns import CompiledPatterns

NOW = datetime.datetime(2026, 2, 10, 12, 0, tzinfo=datetime.UTC)


@pytest.fixture(scope="session")
def compiled() -> CompiledPatterns:
    return load_shipped()[0]


@pytest.fixture(scope="session")
def concepts() -> ConceptTable:
    return load_shipped()[1]


@pytest.fixture(scope="session")
def extract(compiled, concepts):
    def call(text: str, **options) -> list[ExtractedFact]:
        return extract_facts(text, compiled=compiled, concepts=concepts, now=options.pop("now", NOW), **options)

    return call
