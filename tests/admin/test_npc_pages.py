"""NPC pages: who an NPC is and why it stands so; writing by versions, taking back by owners, nothing by ways round."""

from __future__ import annotations

import pytest
from django.contrib import admin
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from npcs.dispositions.actions.scales import set_scale
from npcs.dispositions.core.moves import Scale
from npcs.dispositions.selectors import get_scale
from npcs.models import Disposition, DispositionEntry, DispositionScale, Npc, NpcPersona
from npcs.profiles.selectors.profiles import get_profile
from reviews.change_requests.actions.drafts import save_item
from reviews.change_requests.actions.review import submit_change_request
from reviews.releases.actions.releases import swap_release
from reviews.releases.actions.stage import stage_approved
from reviews.tasks import stage_release
from tests.admin.conftest import read_messages
from tests.factories.campaigns import add_scene, start
from tests.factories.canon import article
from tests.factories.npcs import move_disposition, write_npc
from tests.factories.tenants import write_npcs_at_once

pytestmark = pytest.mark.django_db
LI = "npc_LiShen"
PERSONA = "Speaks little. Answers questions about the bridge with the weather."


def write(world, npc_id=LI, **static):
    return write_npc(world, npc_id, **{"persona": PERSONA, **static})


def form(version=1, **more):
    return {
        "version": version, "name": "Li Shen", "names": "ru: Ли-Шэнь", "archetype": "ronin", "voice_tts": "",
        "languages": "ru\nen", "state": "active", "persona": PERSONA, "secrets": "The scar is a brand.",
        "lore_refs": "", "must_have": "Scar_Left cheek", "banned": "smile", **more,
    }  # fmt: skip


def profile_of(npc):
    return get_profile(tenant_id=npc.tenant_id, world_id=npc.world_id, npc_id=npc.npc_id)


def page_of(client, npc, **query):
    return client.get(reverse("admin:npc", args=[npc.pk]), query)


@pytest.fixture(autouse=True)
def at_once(selmar):
    """Saves are in force at once here: their review has tests of its own."""
    write_npcs_at_once(selmar.world)


@pytest.fixture
def li(selmar):
    return write(selmar.world, secrets=["The scar is a brand."], visual={"must_have": ["scar"], "banned": ["smile"]})


@pytest.fixture
def edit(li):
    return reverse("admin:edit_npc", args=[li.pk])


def test_the_list_is_searched_by_id_and_name(selmar, li, sign_in):
    write(selmar.world, "bell-keeper", name="Ольга Звон")
    write(selmar.world, "bell-keeper", name="Ольга Перезвон")
    client, url = sign_in(selmar.editor), reverse("admin:npcs_npc_changelist")
    assert {row.npc_id for row in client.get(url).context["cl"].result_list} == {LI, "bell-keeper"}
    for asked, found in (("lishen", [LI]), ("перезвон", ["bell-keeper"]), ("nobody", [])):
        page = client.get(url, {"q": asked})
        assert [row.npc_id for row in page.context["cl"].result_list] == found
    assert client.get(reverse("admin:npcs_npc_change", args=[li.pk])).url == reverse("admin:npc", args=[li.pk])


def test_each_step_stands_with_the_scene_behind_it(selmar, li, sign_in):
    start(selmar.world)
    deltas = [{"npc_id": LI, "towards": "party", "delta": 2, "reason": "kept the <promise>"}]
    add_scene(selmar.world, relations_delta=deltas)
    shown = page_of(sign_in(selmar.editor), li)
    page = shown.content.decode()
    [reason] = shown.context["page"].reasons
    assert reason.summary.summary_id == "sum_1"
    assert "The keeper lent the moon key against a promise." in page
    assert "scn_1, sum_1\n+2 → 2: kept the &lt;promise&gt;</title>" in page
    assert "<promise>" not in page
    assert f'href="#move-{reason.entry.id}"' in page
    assert [mark.text for mark in shown.context["chart"].values if mark.is_bound] == ["-5", "5"]


def test_the_page_tells_persona_secrets_and_where_lore_leads(selmar, sign_in):
    selmar.publish(article("bell", "The bronze bell rings."), article("gong", "A gong."))
    npc = write(selmar.world, secrets=["The scar is a brand."], lore_refs=["bell", "gong"])
    request = selmar.draft()

    save_item(
        actor=selmar.editor, change_request_id=request.pk, content=None, document_id=selmar.live("gong").document_id
    )

    submit_change_request(actor=selmar.editor, change_request_id=request.pk)
    request.refresh_from_db()
    selmar.approve(request)
    release = stage_approved(actor=selmar.reviewer, domain_index_id=selmar.index.pk, change_request_ids=[request.pk])
    stage_release(release.pk)
    swap_release(actor=selmar.reviewer, release_id=release.pk)
    shown = page_of(sign_in(selmar.editor), npc)
    page = shown.content.decode()
    assert PERSONA in page
    assert "The scar is a brand." in page
    assert [(ref.slug, ref.is_live) for ref in shown.context["refs"]] == [("bell", True), ("gong", False)]
    assert page.count(">retired</span>") == 1
    assert reverse("admin:document", args=[selmar.live("bell").document_id]) in page


def test_how_it_stands_towards_players_is_for_those_who_see_players(selmar, li, sign_in):
    move_disposition(selmar.world, 1, kind="user", towards="player-1")
    move_disposition(selmar.world, 1, towards="pty_1")
    for asked in ({}, {"towards": "user:player-1"}):
        assert "player-1" not in page_of(sign_in(selmar.editor), li, **asked).content.decode()
    assert "player-1" in page_of(sign_in(selmar.reviewer), li).content.decode()
    shown = page_of(sign_in(selmar.reviewer), li, towards="user:player-1")
    assert [each.entry.towards_id for each in shown.context["page"].reasons] == ["player-1"]


def test_an_edit_is_the_next_version_with_its_difference(selmar, li, edit, sign_in):
    client = sign_in(selmar.editor)
    assert "scar" in client.get(edit).content.decode()
    client.post(edit, form(persona=PERSONA.replace("weather", "tide")))
    newest = profile_of(li)
    assert (newest.persona_version, newest.author) == (2, "staff selmar-editor")
    assert newest.static.names == {"ru": "Ли-Шэнь"}
    assert newest.static.languages == ("ru", "en")
    assert newest.static.must_have == ("scar-left-cheek",)
    page = client.get(reverse("admin:npc_version", args=[li.pk, 2])).content.decode()
    assert "<del>weather</del><ins>tide</ins>" in page
    for version in (0, 3, 10**11):
        assert client.get(reverse("admin:npc_version", args=[li.pk, version])).status_code == 404
    client.post(edit, form(version=2, persona=PERSONA.replace("weather", "tide")))
    assert profile_of(li).persona_version == 2


@pytest.mark.parametrize(
    ("change", "field", "told"),
    [
        ({"name": " "}, "name", "required"),
        ({"name": "x" * 201}, "name", "too long"),
        ({"names": "Ли-Шэнь"}, "names", "a colon"),
        ({"names": "ru: a\nru: b"}, "names", "twice"),
        ({"languages": "en\nrussian!"}, "languages", "line 2: "),
        ({"lore_refs": "no-such-article"}, "lore_refs", "line 1: 'no-such-article' is not in this world"),
        ({"must_have": "scar", "banned": "Scar"}, "banned", "must-have, too"),
        ({"persona": "x" * 8001}, "persona", "too long"),
        ({"secrets": "a\x00b"}, "secrets", "Null characters"),
        ({"state": "asleep"}, "state", "valid choice"),
    ],
)
def test_what_the_schema_refuses_stands_beside_its_field_and_nothing_is_kept(
    selmar, li, edit, sign_in, change, field, told
):
    answer = sign_in(selmar.editor).post(edit, form(archetype="kept words", **change))
    assert any(told in text for text in answer.context["form"].errors[field]), answer.context["form"].errors
    assert "kept words" in answer.content.decode()
    assert profile_of(li).persona_version == 1


def test_a_stale_edit_is_told_and_nothing_is_lost(selmar, li, edit, sign_in):
    write(selmar.world, persona=PERSONA.replace("bridge", "gate"))
    client = sign_in(selmar.editor)
    mine = form(persona=PERSONA.replace("weather", "tide"))
    answer = client.post(edit, mine)
    page = answer.content.decode()
    assert "wrote version 2 while you were writing" in page
    assert "with the tide." in page
    assert "<del>gate</del><ins>bridge</ins>" in page
    assert profile_of(li).persona_version == 2
    client.post(edit, {**mine, "onto": "2"})
    assert profile_of(li).persona_version == 3
    assert "tide" in profile_of(li).static.persona


def test_a_new_npc_is_made_once(selmar, rival, li, sign_in):
    client, url = sign_in(selmar.editor), reverse("admin:new_npc")
    assert client.get(url).status_code == 200
    assert "Latin letters" in client.post(url, form(0, npc_id="two words")).content.decode()
    client.post(url, form(0, npc_id="bell-keeper"))
    assert Npc.objects.get(npc_id="bell-keeper").world == selmar.world
    assert "wrote version 1" in client.post(url, form(0, npc_id=LI, archetype="thief")).content.decode()
    assert profile_of(li).persona_version == 1
    assert client.post(f"{url}?world={rival.world.pk}", form(0, npc_id="spy")).status_code == 404


def test_only_owners_take_back_with_a_reason_and_the_id_typed(selmar, li, sign_in):
    [moved] = move_disposition(selmar.world, 2)
    url = reverse("admin:take_back_move", args=[li.pk, moved.entry_id])
    good = {"reason": "The wrong party.", "confirm": LI}
    assert sign_in(selmar.reviewer).get(url).status_code == 403
    assert sign_in(selmar.reviewer).post(url, good).status_code == 403
    owner = sign_in(selmar.owner)
    assert owner.get(url).context["after"] == 0
    for refused in ({**good, "confirm": "li"}, {**good, "reason": " "}, {**good, "reason": "x" * 501}):
        assert read_messages(owner.post(url, refused))
    assert DispositionEntry.objects.count() == 1
    owner.post(url, good)
    taken = DispositionEntry.objects.get(compensates=moved.entry_id)
    assert (taken.author, taken.reason, taken.balance_after) == ("staff selmar-owner", "The wrong party.", 0)
    assert "taken back before" in read_messages(owner.post(url, good))
    assert "taken back before" in owner.get(url).content.decode()
    page = page_of(owner, li).content.decode()
    assert "The wrong party." in page
    assert page.count(">taken back</span>") == 1
    assert DispositionEntry.objects.count() == 2


def test_only_owners_set_a_scale_and_never_tighter_than_values_stand(selmar, li, sign_in):
    move_disposition(selmar.world, 3)
    url = reverse("admin:npc_scale", args=[selmar.world.pk])
    wide = {"least": "-10", "most": "10", "initial_value": "0.5", "step_most": "2"}
    assert sign_in(selmar.reviewer).post(url, wide).status_code == 404
    owner = sign_in(selmar.owner)
    seen = {"row_version": owner.get(url).context["form"]["row_version"].value()}
    owner.post(url, {**wide, **seen})
    assert get_scale(tenant_id=selmar.tenant.pk, world_id=selmar.world.pk) == Scale(-10, 10, 0.5, 2)
    late = owner.post(url, {**wide, **seen, "most": "9"})
    assert "Save mine over it" in late.content.decode()
    wide["row_version"] = owner.get(url).context["form"]["row_version"].value()
    for refused in (
        {**wide, "most": "2"},
        {**wide, "least": "20"},
        {**wide, "step_most": "x"},
        {**wide, "most": "1e9"},
    ):
        assert owner.post(url, refused).context["form"].errors
    assert get_scale(tenant_id=selmar.tenant.pk, world_id=selmar.world.pk) == Scale(-10, 10, 0.5, 2)


def test_other_tenants_have_no_such_npc(selmar, rival, li, edit, sign_in):
    [moved] = move_disposition(selmar.world, 2)
    client = sign_in(rival.owner)
    pages = [
        reverse("admin:npc", args=[li.pk]), edit, reverse("admin:npc_version", args=[li.pk, 1]),
        reverse("admin:take_back_move", args=[li.pk, moved.entry_id]),
        reverse("admin:npc_scale", args=[selmar.world.pk]), reverse("admin:npcs_npc_change", args=[li.pk]),
        f"{reverse('admin:new_npc')}?world={selmar.world.pk}",
    ]  # fmt: skip
    assert {page: client.get(page).status_code for page in pages} == dict.fromkeys(pages, 404)
    assert client.post(edit, form()).status_code == 404
    assert LI not in client.get(reverse("admin:npcs_npc_changelist")).content.decode()
    theirs = write(rival.world, "other")
    crossed = reverse("admin:take_back_move", args=[theirs.pk, moved.entry_id])
    assert client.post(crossed, {"reason": "x", "confirm": "other"}).status_code == 404
    assert DispositionEntry.objects.count() == 1


def test_even_a_superuser_writes_nothing_by_the_side_doors(selmar, li, operator):
    move_disposition(selmar.world, 2)

    def fingerprint():
        prints = []
        with connection.cursor() as cursor:
            for model in (Npc, NpcPersona, Disposition, DispositionEntry, DispositionScale):
                cursor.execute(f"SELECT md5(string_agg(t::text, '|' ORDER BY t.id)) FROM {model._meta.db_table} t")
                prints.append(cursor.fetchone()[0])
        return prints

    before = fingerprint()
    fields = {"npc_id": "hacked", "state": "retired", "persona_version": "9", "_save": "Save"}
    changelist = reverse("admin:npcs_npc_changelist")
    assert operator.post(reverse("admin:npcs_npc_add"), fields).status_code == 403
    assert operator.post(reverse("admin:npcs_npc_delete", args=[li.pk]), {"post": "yes"}).status_code == 403
    for name in ("change", "history"):
        operator.post(reverse(f"admin:npcs_npc_{name}", args=[li.pk]), fields)
    operator.post(changelist, {"action": "delete_selected", "_selected_action": [li.pk], "post": "yes", "index": "0"})
    operator.post(
        changelist,
        {
            "form-TOTAL_FORMS": "1",
            "form-INITIAL_FORMS": "1",
            "form-0-id": li.pk,
            "form-0-state": "retired",
            "_save": "1",
        },
    )
    operator.post(reverse("admin:npc", args=[li.pk]), fields)
    assert fingerprint() == before
    page = admin.site._registry[Npc]
    assert (page.inlines, page.list_editable, page.actions) == ((), (), None)
    assert [
        model
        for model in (NpcPersona, Disposition, DispositionEntry, DispositionScale)
        if model in admin.site._registry
    ] == []


def test_pages_take_as_many_queries_for_much_as_for_little(selmar, li, sign_in):
    client = sign_in(selmar.owner)
    set_scale(tenant_id=selmar.tenant.pk, world_id=selmar.world.pk, scale=Scale(-500, 500, 0, 3))
    start(selmar.world)
    pages = [reverse("admin:npc", args=[li.pk]), reverse("admin:npcs_npc_changelist")]
    client.get(pages[0])
    counts = []
    for size in (2, 20):
        for number in range(size):
            name = f"{size}_{number}"
            ids = {"summary_id": f"sum_{name}", "party_id": f"pty_{name}", "scene_id": f"scn_{name}"}
            add_scene(
                selmar.world, relations_delta=[{"npc_id": LI, "towards": "party", "delta": 1, "reason": "x"}], **ids
            )
            write(selmar.world, f"npc-{size}-{number}")
            write(selmar.world, archetype=f"kind {size} {number}")
        taken = []
        for page in pages:
            with CaptureQueriesContext(connection) as queries:
                assert client.get(page).status_code == 200
            taken.append(len(queries))
        counts.append(taken)
    assert counts[0] == counts[1]
