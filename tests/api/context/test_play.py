"""`POST context`: scenes, flags, events and who takes part, as far as the speaker knows of them."""

import pytest

from episodes.npc_memory.actions import record_hearsay
from tenancy.actions.worlds import ensure_world
from tests.api.context.requests import ask, layer
from tests.factories.campaigns import add_event, add_scene, start
from tests.factories.npcs import make_npc


def test_narrator_is_told_the_last_scenes_and_flags_without_ids(api, bargain):
    pack = ask(api, party_id="pty_1", scene_id="scn_2")
    assert [item["rendered"] for item in layer(pack, "summaries")] == [
        "- The keeper lent the moon key against a promise. (partial success)",
        "- The gate fell shut behind the party. (failure)",
    ]
    assert [item["rendered"] for item in layer(pack, "state")] == [
        "- gate moon door: shut",
        "- quest moon key: completed",
        "- toll paid: yes",
    ]
    assert layer(pack, "state")[0]["provenance"]["ids"]["summary_id"] == "sum_2"
    text = pack["messages"][0]["content"]
    assert not any(word in text for word in ("sum_1", "scn_1", "pty_1", "camp_1", "2026"))


def test_npc_is_told_only_what_it_saw_and_flags_as_it_last_saw_them(api, bargain):
    pack = ask(api, party_id="pty_1", npc_id="npc_LiShen")
    assert [item["provenance"]["ids"]["summary_id"] for item in layer(pack, "summaries")] == ["sum_1"]
    assert [item["rendered"] for item in layer(pack, "state")] == ["- gate moon door: open", "- toll paid: yes"]
    make_npc(bargain, "npc_Stranger", name="A stranger")
    stranger = ask(api, party_id="pty_1", npc_id="npc_Stranger")
    assert not layer(stranger, "summaries")
    assert not layer(stranger, "state")
    assert "moon" not in stranger["messages"][0]["content"]


def test_npc_that_was_told_of_a_scene_knows_it_by_hearsay(api, bargain):
    add_scene(world=bargain, summary_id="sum_3", minute=20, npcs=["npc_Stranger"], notes="They talked by the fire.",
         told=[{"npc_id": "npc_Stranger", "summary_id": "sum_2", "source": "p_A"}])  # fmt: skip
    pack = ask(api, party_id="pty_1", npc_id="npc_Stranger")
    assert [item["rendered"] for item in layer(pack, "summaries")] == [
        "- (known by hearsay) The gate fell shut behind the party. (failure)",
        "- They talked by the fire. (partial success)",
    ]
    assert [item["rendered"] for item in layer(pack, "state")] == ["- gate moon door: shut"]


def test_npc_is_shown_no_picture_of_a_scene_that_it_does_not_know(make_api, bargain):
    engine = make_api("read", "engine")
    for npc_id in ("npc_LiShen", "npc_Oda", "npc_Stranger"):
        make_npc(bargain, npc_id, name=npc_id)
    tags = ["crown-in-the-well", "night", "mist", "rope", "moon"]
    card = {"prompt_text": "A crown in the well", "visual_tags": tags, "style": {"preset": "ink"}}

    def show(image_id, scene_id, *npcs):
        more = {"image_id": image_id, "scene_id": scene_id, "entities": {"npc": list(npcs)}}
        assert engine.post("art-cards", {**card, **more}).status_code == 201

    def list_shown(npc_id, scene_id, party_id="pty_1"):
        pack = ask(engine, party_id=party_id, npc_id=npc_id, scene_id=scene_id)
        return [item["provenance"]["ids"]["image_id"] for item in layer(pack, "art")]

    show("img_1", "scn_1")
    assert list_shown("npc_LiShen", "scn_1") == ["img_1"]
    assert list_shown("npc_Oda", "scn_1") == list_shown("npc_Stranger", "scn_1") == []
    show("img_2", "scn_1", "npc_Oda")
    assert list_shown("npc_Oda", "scn_1") == ["img_2"]
    add_scene(bargain, summary_id="sum_3", scene_id="scn_3", minute=20, npcs=["npc_Stranger"],
         told=[{"npc_id": "npc_Stranger", "summary_id": "sum_1", "source": "p_A"}])  # fmt: skip
    assert list_shown("npc_Stranger", "scn_1") == ["img_2"]
    show("img_3", "scn_begins")
    assert list_shown("npc_Oda", "scn_begins") == ["img_3"]
    add_scene(bargain, summary_id="sum_4", party_id="pty_2", scene_id="scn_4", minute=25, npcs=["npc_Oda"])
    assert list_shown("npc_Oda", "scn_1", party_id="pty_2") == ["img_2"]
    show("img_4", "scn_4")
    assert list_shown("npc_LiShen", "scn_4") == [], "the scene of another party of the campaign"


def test_picture_of_a_campaign_is_shown_to_its_parties_only(make_api, bargain):
    engine = make_api("read", "engine")
    start(bargain, "camp_2")
    there = {"campaign_id": "camp_2", "party_id": "pty_2"}
    add_scene(bargain, summary_id="sum_3", minute=15, **there)
    card = {"prompt_text": "A crown in the well", "style": {"preset": "ink"}, "visual_tags": ["a", "b", "c", "d", "e"]}

    def show(image_id, scene_id="scn_1", **more):
        assert engine.post("art-cards", {**card, "image_id": image_id, "scene_id": scene_id, **more}).status_code == 201

    def list_shown(party_id, **more):
        pack = ask(engine, party_id=party_id, scene_id="scn_1", **more)
        return [item["provenance"]["ids"]["image_id"] for item in layer(pack, "art")]

    show("img_1", campaign_id="camp_1")
    assert (list_shown("pty_1"), list_shown("pty_2")) == (["img_1"], [])
    show("img_2", campaign_id="camp_2")
    assert (list_shown("pty_1"), list_shown("pty_2")) == (["img_1"], ["img_2"])
    speaker = {"npc_id": "npc_LiShen"}
    assert (list_shown("pty_1", **speaker), list_shown("pty_2", **speaker)) == (["img_1"], ["img_2"])
    show("img_3")
    assert list_shown("pty_1") == list_shown("pty_2") == ["img_3"]
    show("img_4", "scn_begins", campaign_id="camp_2")
    asked = {"message": "x", "scene_id": "scn_begins"}
    codes = [engine.post("context", {**asked, "party_id": party}).json().get("code") for party in ("pty_1", "pty_2")]
    assert codes == ["scene_not_found", None]


def test_events_between_scenes_are_told_to_narrators_and_to_npcs_that_heard_of_them(api, bargain):
    add_event(bargain, event_id="evt_2", party_id="pty_1", minute=13, notes="An old debt.")
    add_event(bargain, event_id="evt_3", party_id="pty_1", minute=14, notes="The key is back.")
    add_event(bargain, event_id="evt_4", party_id="pty_1", minute=15, flags={"toll_paid": True})
    add_event(bargain, event_id="evt_5", minute=17, notes="The ferry sank.")
    add_event(bargain, event_id="evt_6", party_id="pty_2", minute=18, notes="Others found the lamp.")
    notes = [item for item in layer(ask(api, party_id="pty_1"), "state") if item["id"].startswith("event:")]
    assert [item["rendered"] for item in notes] == ["- The key is back.", "- The ferry sank."]
    assert notes[0]["provenance"]["ids"] == {"event_id": "evt_3", "campaign_id": "camp_1", "told_by": None}

    speaker = {"party_id": "pty_1", "npc_id": "npc_LiShen"}
    assert not {"The key is back.", "The ferry sank."} & {item["text"] for item in layer(ask(api, **speaker), "state")}
    place = {"tenant_id": bargain.tenant_id, "world_id": bargain.pk}
    record_hearsay(**place, npc_id="npc_LiShen", source="p_A", told_at=bargain.created_at, event_id="evt_2")
    told = [item["rendered"] for item in layer(ask(api, **speaker), "state")]
    assert told == ["- gate moon door: open", "- toll paid: yes", "- (known by hearsay) An old debt."]


def test_the_newest_event_is_told_when_flags_fill_their_layer(api, bargain):
    add_event(bargain, event_id="evt_2", party_id="pty_1", minute=13, notes="The key is back.")
    (told,) = layer(ask(api, party_id="pty_1", budget={"layers": {"state": {"max_items": 1}}}), "state")
    assert told["text"] == "The key is back."


@pytest.mark.parametrize("npc_id", [None, "npc_Oda"])
def test_of_many_flags_those_that_were_set_last_are_told_by_name(api, world, npc_id):
    start(world)
    for number in range(20):
        add_scene(
            world, summary_id=f"sum_{number}", minute=number, npcs=["npc_Oda"], flags={f"flag_{number:02}": number}
        )
    add_scene(world, summary_id="sum_late", minute=30, npcs=["npc_Oda"], flags={"flag_00": "again"})
    wide = {"layers": {"state": {"max_tokens": 400}}}
    pack = ask(api, party_id="pty_1", budget=wide, **({} if npc_id is None else {"npc_id": npc_id}))
    told = [item["id"] for item in layer(pack, "state")]
    assert told == ["flag:flag_00", *(f"flag:flag_{number:02}" for number in range(9, 20))]
    assert [(cut["id"], cut["reason"]) for cut in pack["cut"] if cut["layer"] == "state"] == [
        ("flag:flag_08", "too_many_items")
    ]


def test_unknown_party_and_scene_are_404(api, bargain, make_api):
    codes = [
        api.post("context", {"message": "x", **more}).json()["code"]
        for more in ({"party_id": "pty_9"}, {"party_id": "pty_1", "scene_id": "scn_9"})
    ]
    assert codes == ["party_not_found", "scene_not_found"]
    assert api.post("context", {"message": "x", "scene_id": "scn_1"}).json()["code"] == "body_invalid"


def test_party_of_another_world_does_not_exist(api, bargain, tenant):
    ensure_world(tenant_id=tenant.pk, slug="elsewhere", name="Elsewhere")
    refused = api.post("context", {"message": "x", "party_id": "pty_1"}, X_Site_ID="elsewhere")
    assert refused.json()["code"] == "party_not_found"


def test_speaker_is_told_who_it_is_and_how_it_stands_in_words(api, keeper):
    pack = ask(api, party_id="pty_1", npc_id="npc_LiShen")
    assert [item["rendered"] for item in layer(pack, "npc")] == [
        "- Li Shen: ronin. Speaks little and keeps promises.",
        "- Li Shen's attitude: warm; it last changed because: kept promise",
    ]
    assert layer(pack, "npc")[1]["provenance"]["scores"] == {"value": 2}
    assert pack["persona_version"] == 1
    assert pack["messages"][0]["content"].startswith("You are Li Shen,")


def test_secrets_are_told_to_the_engine_only_and_of_the_speaker_only(make_api, keeper):
    secret = "A secret that Li Shen does not give away: The scar on the left cheek is self-made."
    engine, reader = make_api("read", "engine"), make_api("read")
    assert secret in ask(engine, party_id="pty_1", npc_id="npc_LiShen")["messages"][0]["content"]
    for pack in (ask(reader, party_id="pty_1", npc_id="npc_LiShen"), ask(engine, party_id="pty_1")):
        assert "scar" not in str(pack)


def test_narrator_is_told_of_those_in_the_last_scene(api, keeper):
    pack = ask(api, "Что делает хранитель?", party_id="pty_1")
    assert layer(pack, "npc")[0]["rendered"] == "- Ли-Шэнь: ronin. Speaks little and keeps promises."
    assert pack["persona_version"] is None


def test_unknown_npc_is_404_also_one_of_another_world(api, keeper, tenant):
    refused = api.post("context", {"message": "x", "npc_id": "npc_Nobody"})
    assert (refused.status_code, refused.json()["code"]) == (404, "npc_not_found")
    ensure_world(tenant_id=tenant.pk, slug="elsewhere", name="Elsewhere")
    refused = api.post("context", {"message": "x", "npc_id": "npc_LiShen"}, X_Site_ID="elsewhere")
    assert refused.json()["code"] == "npc_not_found"
