"""Commands name a world by its slug, and by its tenant only where several have one."""

from __future__ import annotations

import pytest
from django.core.management.base import CommandError

from tenancy.management.cli_lookup import find_world, get_world_or_exit
from tests.factories.tenants import make_world


def test_the_only_world_of_a_slug_needs_no_tenant(db):
    world = make_world("ashfall", tenant="studio")
    assert get_world_or_exit("ashfall", None) == find_world("ashfall", "studio") == world


def test_of_several_worlds_of_a_slug_the_tenant_must_be_said(db):
    make_world("ashfall", tenant="studio")
    rival = make_world("ashfall", tenant="rival")
    with pytest.raises(CommandError, match=r"'ashfall' \(rival, studio\): say which with --tenant"):
        get_world_or_exit("ashfall", None)
    assert get_world_or_exit("ashfall", "rival") == rival


def test_a_world_that_is_not_there_is_none_and_no_choice(db):
    make_world("ashfall", tenant="studio")
    assert find_world("ashfall", "rival") is None
    with pytest.raises(CommandError, match=r"There is no world 'ashfall' of tenant 'rival'\."):
        get_world_or_exit("ashfall", "rival")
    with pytest.raises(CommandError, match=r"There is no world 'other'\."):
        get_world_or_exit("other", None)
