"""The graph in admin: for whom, what decisions need, and one journey in Chromium. No server runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.urls import reverse

from knowledge.graph.actions.events import upsert_from_events
from knowledge.graph.core.owners import GraphOwner
from knowledge.graph.core.statements import MentionedEntity, SourceStatements, StatedRelation
from knowledge.graph.models import GraphEntity, GraphMergeProposal, GraphName, GraphNotSame
from knowledge.graph.selectors.entities import find_entities
from knowledge.graph.selectors.readers import make_world_reader
from reviews.models import AuditEntry
from tests.admin.conftest import SITE
from tests.factories.canon import make_article, publish
from tests.factories.conversations import open_chat

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.django_db
ARTICLES = (
    make_article("inn", "Old [[keeper]] rents it.", type="place", title="Moonlight Inn"),
    make_article("keeper", "He limps.", type="character", title="Li Shen", relations=[{"type": "owns", "to": "lamp"}]),
    make_article("lamp", "It hums.", type="item", title="فانوس البحر", language="ar"),
    make_article("cellar", "Below the [[inn]].", type="place", title="The Cellar", audience=["npc:keeper"]),
)


@pytest.fixture
def graph(selmar):
    """A published world with a secret, and a proposal out of a player's talk."""
    publish(selmar.world, *ARTICLES)
    upsert_from_events(
        tenant_id=selmar.tenant.pk,
        world_id=selmar.world.pk,
        owner=GraphOwner("conversation", 5),
        events=[SourceStatements(1, (MentionedEntity("Moonlite Inn", "place"),), context="We met at Moonlite Inn.")],
    )
    return GraphMergeProposal.objects.get()


def url_of(name: str, selmar, *args: Any) -> str:
    return reverse(f"admin:{name}", args=[selmar.world.pk, *args])


def act(client, selmar, verb: str, **sent: Any):
    return client.post(url_of("graph_action", selmar, verb), sent, follow=True)


def names_found(selmar, query: str) -> set[str]:
    reader = make_world_reader(
        selmar.tenant.pk, selmar.world.pk, audience=None, owners=(GraphOwner("conversation", 5),)
    )
    return {name.text for each in find_entities(reader, query, limit=1) for name in each.names}


def test_the_picture_and_the_table_say_the_same(selmar, graph, sign_in):
    client = sign_in(selmar.editor)
    data = client.get(url_of("graph_data", selmar)).json()
    assert {each["name"] for each in data["entities"]} >= {"Moonlight Inn", "Li Shen", "فانوس البحر", "The Cellar"}
    page = client.get(url_of("graph", selmar)).content.decode()
    assert page.count("data-relation=") == len(data["relations"]) == 3
    assert "Moonlite" not in page
    assert client.get(url_of("graph", selmar) + "?release=99").status_code == 404


def test_a_merge_is_accepted_and_undone_with_reasons_and_an_audit(selmar, graph, sign_in):
    client = sign_in(selmar.reviewer)
    assert "Say why" in act(client, selmar, "accept", proposal=graph.pk, reason=" ").content.decode()
    act(client, selmar, "accept", proposal=graph.pk, reason="A typo.")
    assert names_found(selmar, "Moonlight Inn") == {"Moonlight Inn", "Moonlite Inn"}
    act(client, selmar, "undo", proposal=graph.pk, reason="It was another inn.")
    assert names_found(selmar, "Moonlight Inn") == {"Moonlight Inn"}
    assert names_found(selmar, "Moonlite Inn") == {"Moonlite Inn"}
    entries = AuditEntry.objects.filter(action__startswith="graph.").order_by("pk")
    assert [(each.action, each.reason) for each in entries] == [
        ("graph.merge_accepted", "A typo."),
        ("graph.merge_undone", "It was another inn."),
    ]
    assert not [each for each in entries if "oonlite" in f"{each.object_label}{each.details}{each.before}{each.after}"]


def test_a_refused_pair_is_kept_apart_past_the_pages(selmar, graph, sign_in):
    from django.db import IntegrityError, transaction

    act(sign_in(selmar.reviewer), selmar, "refuse", proposal=graph.pk, reason="Two inns.")
    pair = GraphNotSame.objects.get()
    with pytest.raises(IntegrityError, match="graph_entity_not_same"), transaction.atomic():
        GraphEntity.objects.filter(pk=pair.second_id).update(merged_into=pair.first_id, merged_by="editor")
    act(sign_in(selmar.reviewer), selmar, "together", pair=pair.pk, reason="One after all.")
    GraphEntity.objects.filter(pk=pair.second_id).update(merged_into=pair.first_id, merged_by="editor")


def test_an_editor_proposes_and_names_but_does_not_merge(selmar, graph, sign_in):
    client = sign_in(selmar.editor)
    assert "Moonlite" not in client.get(url_of("graph_merges", selmar)).content.decode()
    act(client, selmar, "accept", proposal=graph.pk, reason="x")
    assert not GraphEntity.objects.filter(merged_into__isnull=False).exists()
    inn, keeper = (GraphEntity.objects.get(slug=slug).pk for slug in ("inn", "keeper"))
    act(client, selmar, "propose", first=inn, second=keeper, reason="Perhaps.")
    assert GraphMergeProposal.objects.filter(reason="by_hand").count() == 1
    act(client, selmar, "add-alias", entity=inn, text="The Crooked House", reason="Players say so.", back=inn)
    assert "The Crooked House" in names_found(selmar, "crooked house")
    name = GraphName.objects.get(source_kind="editor")
    act(client, selmar, "end-alias", name=name.pk, reason="They stopped.", back=inn)
    assert names_found(selmar, "The Crooked House") & {"The Crooked House"} == set()


def test_worlds_of_others_do_not_exist(selmar, rival, graph, sign_in):
    client = sign_in(rival.owner)
    inn = GraphEntity.objects.get(slug="inn").pk
    for name, args in (("graph", ()), ("graph_data", ()), ("graph_merges", ()), ("graph_entity", (inn,))):
        assert client.get(url_of(name, selmar, *args)).status_code == 404
    assert act(client, selmar, "accept", proposal=graph.pk, reason="x").status_code == 404
    sent = {"first": inn, "second": GraphEntity.objects.get(slug="keeper").pk, "reason": "x"}
    act(client, rival, "apart", **sent)
    assert not GraphNotSame.objects.exists()


@pytest.mark.browser
@pytest.mark.usefixtures("close_connections")
def test_an_editor_walks_the_graph_by_keyboard_and_opens_an_article(visit, selmar, graph):
    from axe_playwright_python.sync_playwright import Axe

    page: Page = visit(selmar.owner)
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(SITE + url_of("graph", selmar))
    page.wait_for_selector("[data-graph][data-ready=true]")
    assert Axe().run(page, context=".m-page").response["violations"] == []
    page.select_option("[data-graph-predicate]", "owns")
    assert page.locator("[data-graph-table] tbody tr:visible").count() == 1
    page.select_option("[data-graph-predicate]", "")
    page.locator("[data-graph-find]").fill("li sh")
    assert page.locator("[data-graph-status] h2").inner_text() == "Li Shen"
    page.locator("[data-graph]").focus()
    page.keyboard.press("ArrowRight")
    assert page.locator("[data-graph-status] h2").inner_text() != "Li Shen"
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.querySelector('.m-page').scrollWidth <= 390")
    page.locator("[data-graph]").focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("text=Is it the same as another?")
    assert Axe().run(page, context=".m-page").response["violations"] == []
    page.goto(SITE + url_of("graph_merges", selmar))
    assert Axe().run(page, context=".m-page").response["violations"] == []
    assert errors == []


def test_a_reviewer_sees_what_play_states_beside_canon_and_an_editor_does_not(selmar, graph, sign_in):
    chat = open_chat(selmar.tenant, world=selmar.world)
    upsert_from_events(
        tenant_id=selmar.tenant.pk,
        world_id=selmar.world.pk,
        owner=GraphOwner("conversation", chat.pk),
        events=[
            SourceStatements(
                9,
                (MentionedEntity("Li Shen", "character"), MentionedEntity("Rook", "character")),
                (StatedRelation("Rook", "befriends", "Li Shen", "Rook sat down with Li Shen."),),
            )
        ],
    )
    play = {"conversation_id": chat.pk}
    client = sign_in(selmar.reviewer)
    data = client.get(url_of("graph_data", selmar), play).json()
    [rook] = [each for each in data["entities"] if each["name"] == "Rook"]
    assert [each["source"] for each in data["relations"] if each["predicate"] == "befriends"] == ["event"]
    page = client.get(url_of("graph", selmar), play).content.decode()
    assert f"conversation {chat.pk}" in page
    assert "Rook sat down" in page
    assert "Li Shen" in client.get(rook["url"]).content.decode()
    assert "Rook" not in client.get(url_of("graph", selmar)).content.decode()
    assert "As a graph" in client.get(reverse("admin:event_timeline", args=[chat.pk])).content.decode()
    for number in (chat.pk + 99, "x", "9" * 30):
        assert client.get(url_of("graph", selmar), {"conversation_id": number}).status_code == 404
    editor = sign_in(selmar.editor)
    assert editor.get(url_of("graph", selmar)).status_code == 200
    for name in ("graph", "graph_data"):
        assert editor.get(url_of(name, selmar), play).status_code == 404
