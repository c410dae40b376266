"""What we chose ourselves is listed with its reason; the lock pins it, and nothing else is imported."""

import re
import tomllib
from importlib.metadata import packages_distributions

import pytest
from django.conf import settings
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

TEXT = (settings.BASE_DIR / "pyproject.toml").read_text(encoding="utf-8")
PROJECT = tomllib.loads(TEXT)
CHOSEN = [Requirement(line) for line in PROJECT["project"]["dependencies"]]
APPS = ("memoryproject", "tenancy", "knowledge", "npcs", "episodes", "factcheck", "reviews", "runtime", "devtools")


def read_lock(name):
    lines = (settings.BASE_DIR / name).read_text(encoding="utf-8").splitlines()
    pins = (line.partition(";")[0].split("==") for line in lines if "==" in line)
    return {canonicalize_name(package): version.strip() for package, version in pins}


@pytest.mark.parametrize(
    ("chosen", "lock"),
    [(CHOSEN, "requirements.txt"), ([*map(Requirement, PROJECT["dependency-groups"]["dev"])], "requirements-dev.txt")],
)
def test_the_lock_pins_what_was_chosen(chosen, lock):
    pins = read_lock(lock)
    for each in chosen:
        version = pins.get(canonicalize_name(each.name))
        assert version is not None, each
        assert each.specifier.contains(version), each


def test_each_choice_has_its_reason():
    start = TEXT.index("dependencies = [")
    lines = TEXT[start : TEXT.index("\n]", start)].splitlines()[1:]
    assert [line for line in lines if not re.fullmatch(r'    "[^"]+", # .{8,}', line)] == []


def test_nothing_is_imported_that_was_not_chosen():
    chosen = {canonicalize_name(each.name) for each in CHOSEN}
    distributions = packages_distributions()
    found = set()
    for app in APPS:
        for path in (settings.BASE_DIR / app).rglob("*.py"):
            names = re.findall(r"^\s*(?:import|from) ([a-zA-Z]\w*)", path.read_text(encoding="utf-8"), re.MULTILINE)
            found |= {canonicalize_name(each) for name in names for each in distributions.get(name, ())}
    assert found - chosen == set()
