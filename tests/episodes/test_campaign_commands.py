"""A campaign goes out into a file and comes back from it by `manage.py`."""

from __future__ import annotations

import json

import pytest
from django.core.management import CommandError, call_command

from episodes.models import Campaign
from tests.factories.campaigns import add_scene, start
from tests.factories.tenants import make_world


@pytest.fixture
def told(db, tmp_path):
    world = make_world("ashfall", tenant="studio")
    start(world)
    add_scene(world, flags={"gate": "open"})
    return tmp_path / "campaign.json"


def export(file, world="ashfall", tenant="studio", campaign="camp_1"):
    call_command("export_campaign", campaign, str(file), "--tenant", tenant, "--world", world)


def restore(file, world, tenant="studio"):
    call_command("restore_campaign", str(file), "--tenant", tenant, "--world", world)


def test_a_campaign_goes_out_into_a_file_and_comes_back_in_another_world(told, capsys):
    second = make_world("second", tenant="studio")
    export(told)
    restore(told, "second")
    assert Campaign.objects.get(world=second).last_seq == 1
    assert "1 entries" in capsys.readouterr().out
    with pytest.raises(CommandError, match="already"):
        restore(told, "second")


def test_a_world_is_looked_for_in_the_tenant_named_only(told):
    make_world("ashfall", tenant="rival")
    with pytest.raises(CommandError, match="There is no world 'ashfall' of tenant 'nobody'"):
        export(told, tenant="nobody")
    with pytest.raises(CommandError, match="no campaign"):
        export(told, tenant="rival")
    assert not told.exists()


@pytest.mark.parametrize("content", ["", "{", json.dumps({"format": "x"})])
def test_a_file_that_holds_no_campaign_is_refused(told, content):
    told.write_text(content, encoding="utf-8")
    with pytest.raises(CommandError):
        restore(told, "ashfall")
