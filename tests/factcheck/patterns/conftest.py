import pytest

from factcheck.actions.pattern_files import load_shipped_packs
from factcheck.models import InstantPattern, PatternPack


@pytest.fixture
def loaded(db):
    """The shipped packs in the tables."""
    return load_shipped_packs()


@pytest.fixture
def make_pattern(db):
    """An unsaved pattern in a pack of the installation's own."""

    def make(pattern: str = "i am allergic to unicorn dust", **options) -> InstantPattern:
        pack, _ = PatternPack.objects.get_or_create(name=options.pop("pack", "own"))
        fields = {"name": "allergy.en.own", "type": "allergy", "language": "en", "key_rule": "concept", "key": "dust"}
        return InstantPattern(pack=pack, pattern=pattern, **fields | options)

    return make
