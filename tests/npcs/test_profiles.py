"""Who NPCs are: checked against schema and canon, versioned, never overwritten."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection, connections, transaction
from jsonschema import Draft202012Validator

from memoryproject.json_schema import load_schema
from npcs.errors import InvalidProfile, PersonaChanged, UnknownNpc
from npcs.models import NpcPersona
from npcs.profiles.actions import write_profile
from npcs.profiles.core.markers import normalise_tag, normalise_tags
from npcs.profiles.core.profiles import parse_profile
from npcs.profiles.selectors.profiles import get_profile, list_markers, list_personas, list_profiles
from npcs.profiles.selectors.sheets import get_sheet
from tests.factories.canon import make_article, publish
from tests.factories.npcs import move_disposition
from tests.factories.tenants import make_world


def profile(npc_id="npc_LiShen", *, state="active", **static):
    return {"npc_id": npc_id, "state": state, "static": {"name": "Li Shen", **static}}


def write(world, content, **more):
    return write_profile(
        tenant_id=world.tenant_id, world_id=world.pk, profile=parse_profile(content), author="test", **more
    )


def read(world, npc_id="npc_LiShen", **more):
    return get_profile(tenant_id=world.tenant_id, world_id=world.pk, npc_id=npc_id, **more)


def test_schema_is_one_and_takes_the_example_of_the_design():
    schema = load_schema("npc_profile")
    Draft202012Validator.check_schema(schema)
    assert list(Draft202012Validator(schema).iter_errors(schema["examples"][0])) == []


VIOLATIONS = [
    ({}, ""),
    ([], ""),
    ({"npc_id": "a b", "static": {"name": "x"}}, "npc_id"),
    ({"npc_id": "a\n", "static": {"name": "x"}}, "npc_id"),
    ({"npc_id": "", "static": {"name": "x"}}, "npc_id"),
    (profile(name=""), "static.name"),
    (profile(name="  "), "static.name"),
    (profile(name="x\n"), "static.name"),
    (profile(name=7), "static.name"),
    (profile(name="x\x00"), "static.name"),
    (profile(name="\ud800"), "static.name"),
    (profile(persona="x" * 8001), "static.persona"),
    (profile(secrets=["a", ""]), "static.secrets[1]"),
    (profile(lore_refs=["Moon Bridge"]), "static.lore_refs[0]"),
    (profile(visual={"must_have": ["x" * 65]}), "static.visual.must_have[0]"),
    (profile(visual={"must_have": ["Grey Plait"], "banned": ["grey_plait"]}), "static.visual.banned"),
    (profile(colour="red"), "static"),
    ({**profile(), "dynamic": {"disposition": {"party_id:pty_001": 5}, "memory": []}}, "dynamic"),
    (profile(names={"not a language": "x"}), "static.names"),
]


@pytest.mark.parametrize(("content", "path"), VIOLATIONS)
def test_violation_names_its_place(content, path):
    with pytest.raises(InvalidProfile) as refusal:
        parse_profile(content)
    assert refusal.value.code == "profile_invalid"
    assert path in [error["path"] for error in refusal.value.extra["errors"]]


def test_each_change_is_a_version_and_the_same_again_is_none(world):
    assert write(world, profile(secrets=["limp"])).outcome == "created"
    assert write(world, profile(secrets=["limp"])).outcome == "unchanged"
    changed = write(world, profile(secrets=["limp", "debt"]))
    assert (changed.outcome, changed.persona_version) == ("changed", 2)
    assert read(world).static.secrets == ("limp", "debt")
    assert read(world, version=1).static.secrets == ("limp",)
    first, second = NpcPersona.objects.order_by("version")
    assert read(world, at=first.created_at).persona_version == 1
    assert read(world, at=second.created_at).persona_version == 2
    assert [each.persona_version for each in list_personas(tenant_id=world.tenant_id, npc_pk=read(world).npc_pk)] == [
        2,
        1,
    ]


def test_retiring_leaves_the_list_and_keeps_the_version(world):
    write(world, profile())
    assert write(world, profile(state="retired")).outcome == "changed"
    names = {"tenant_id": world.tenant_id, "world_id": world.pk}
    assert list_profiles(**names, state="active").profiles == ()
    assert [each.persona_version for each in list_profiles(**names, state="retired").profiles] == [1]


def test_who_has_seen_another_version_writes_nothing(world):
    write(world, profile())
    for seen in (0, 2):
        with pytest.raises(PersonaChanged) as refusal:
            write(world, profile(archetype="x"), expected_version=seen)
        assert refusal.value.extra["persona_version"] == 1
    assert write(world, profile(archetype="x"), expected_version=1).persona_version == 2
    assert write(world, profile("new"), expected_version=0).outcome == "created"


def test_new_lore_reference_must_be_live_and_a_retired_one_is_reported(world):
    publish(world, make_article("moon-bridge", "Nine arches."), make_article("river", "Slow."))
    publish(world, make_article("clasped", "Held."), domain="srd")
    with pytest.raises(InvalidProfile) as refusal:
        write(world, profile(lore_refs=["moon-bridge", "atlantis"]))
    assert refusal.value.extra["errors"][0]["path"] == "static.lore_refs[1]"
    assert list_profiles(tenant_id=world.tenant_id, world_id=world.pk).profiles == ()
    write(world, profile(lore_refs=["moon-bridge", "river", "clasped"]))
    publish(world, retire=["river"])
    names = {"tenant_id": world.tenant_id, "world_id": world.pk, "npc_id": "npc_LiShen"}
    assert get_sheet(**names, with_secrets=True).retired_refs == ("river",)
    assert get_sheet(**names, with_secrets=False).profile.static.lore_refs == ("moon-bridge", "clasped")
    assert write(world, profile(lore_refs=["moon-bridge", "river"])).outcome == "changed"
    with pytest.raises(InvalidProfile):
        write(world, profile("other", lore_refs=["river"]))


def test_reference_to_what_the_npc_may_not_know_is_not_told_without_the_scope(world):
    publish(world, make_article("vault", "Deep.", audience=["npc:mira"]), make_article("bridge", "Old."))
    write(world, profile(lore_refs=["vault", "bridge"]))
    write(world, profile("mira", lore_refs=["vault"]))
    names = {"tenant_id": world.tenant_id, "world_id": world.pk}
    assert get_sheet(**names, npc_id="npc_LiShen", with_secrets=False).profile.static.lore_refs == ("bridge",)
    assert get_sheet(**names, npc_id="mira", with_secrets=False).profile.static.lore_refs == ()


def test_canon_of_another_world_does_not_count(world):
    publish(make_world("second", tenant="studio"), make_article("moon-bridge", "Nine arches."))
    with pytest.raises(InvalidProfile):
        write(world, profile(lore_refs=["moon-bridge"]))


def test_npcs_of_one_id_in_two_worlds_are_two(world):
    other = make_world("ashfall", tenant="rival")
    write(world, profile(archetype="here"))
    with pytest.raises(UnknownNpc):
        read(other)
    write(other, profile(archetype="there"))
    assert (read(world).static.archetype, read(other).static.archetype) == ("here", "there")


INSERT = "INSERT INTO npcs_npc (tenant_id, world_id, npc_id, state"
FORBIDDEN = {
    "UPDATE npcs_npcpersona SET name = 'x'": "npc_persona_append_only",
    "DELETE FROM npcs_npcpersona": "npc_persona_append_only",
    "UPDATE npcs_npc SET persona_version = 9": "npc_version_follows_personas",
    "UPDATE npcs_npc SET npc_id = 'other'": "npc_stays_who_it_is",
    f"{INSERT}, persona_version) SELECT tenant_id, world_id, 'x', 'active', 3 FROM npcs_npc": (
        "npc_version_follows_personas"
    ),
    f"{INSERT}) SELECT tenant_id + 1, world_id, 'x', 'active' FROM npcs_npc": "npc_same_tenant",
}  # fmt: skip


@pytest.mark.parametrize("statement", FORBIDDEN)
def test_database_refuses_to_rewrite_history(world, statement):
    write(world, profile())
    with pytest.raises(IntegrityError, match=FORBIDDEN[statement]), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)


def test_tags_have_one_form():
    said = ["Scar_Left Cheek!", "scar-left-cheek", "ШРАМ на щеке", "月光", "  ", "—", "a/b", "Blue‑Gold"]
    assert normalise_tags(said) == ("scar-left-cheek", "шрам-на-щеке", "月光", "a-b", "blue-gold")
    assert len(normalise_tag("x-" * 500)) <= 64


def test_markers_of_many_npcs_are_one_query(world, django_assert_num_queries):
    for number in range(6):
        write(world, profile(f"npc-{number}", visual={"must_have": ["Red Coat"], "banned": ["smile"]}))
    names = {"tenant_id": world.tenant_id, "world_id": world.pk}
    for count in (2, 6):
        with django_assert_num_queries(1):
            found = list_markers(**names, npc_ids=[f"npc-{number}" for number in range(count)])
        assert [each.must_have for each in found] == [("red-coat",)] * count


def test_sheet_takes_as_many_queries_whatever_the_sizes(world, django_assert_num_queries):
    publish(world, make_article("moon-bridge", "Nine arches."), make_article("river", "Slow."))
    write(world, profile(lore_refs=["moon-bridge"]))
    names = {"tenant_id": world.tenant_id, "world_id": world.pk, "npc_id": "npc_LiShen"}
    for moves in (1, 30):
        move_disposition(world, *[0.1] * moves)
        with django_assert_num_queries(4):
            get_sheet(**names, with_secrets=True, towards=("party", "pty_001"))
        with django_assert_num_queries(4):
            get_sheet(**names, with_secrets=False, towards=("party", "pty_001"))
        write(world, profile(lore_refs=["moon-bridge", "river"]))


def test_command_loads_all_files_or_none(world, tmp_path, capsys):
    (tmp_path / "a.json").write_text(json.dumps(profile("a")), encoding="utf-8")
    (tmp_path / "b.json").write_text(json.dumps(profile("b", lore_refs=["atlantis"])), encoding="utf-8")
    with pytest.raises(CommandError, match=r"b\.json: static\.lore_refs\[0\]"):
        call_command("load_npcs", str(tmp_path), "--world", "ashfall")
    assert NpcPersona.objects.count() == 0
    (tmp_path / "b.json").write_text(json.dumps(profile("b")), encoding="utf-8")
    for _ in range(2):
        call_command("load_npcs", str(tmp_path), "--world", "ashfall")
    assert "b unchanged, persona version 1" in capsys.readouterr().out
    with pytest.raises(CommandError, match="no world"):
        call_command("load_npcs", str(tmp_path), "--world", "nowhere")


@pytest.mark.django_db(transaction=True)
def test_writers_at_once_make_versions_without_gaps(transactional_db):
    world = make_world()

    def run(number):
        try:
            return write(world, profile(archetype=f"kind {number}")).persona_version
        finally:
            connections.close_all()

    with ThreadPoolExecutor(6) as pool:
        assert sorted(pool.map(run, range(6))) == [1, 2, 3, 4, 5, 6]
