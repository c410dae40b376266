"""The pages of lorebooks: what is uploaded is shown and proposed, what is exported is told before it is lost."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from knowledge.lorebooks.detection import FileFormat
from knowledge.lorebooks.files import read_document, read_lore_file, write_png_file
from reviews.models import ChangeRequest
from tests.admin.conftest import SITE
from tests.factories.canon import article
from tests.factories.npcs import write_npc
from tests.knowledge.lorebooks.corpus import load

pytestmark = pytest.mark.django_db


def upload(client: Any, world: Any, data: bytes, button: str = "preview", **more: Any) -> Any:
    form = {"index": world.index.pk, "type": "article", "file": SimpleUploadedFile("gate.json", data), button: "1"}
    return client.post(reverse("admin:lorebook_import"), {**form, **more})


def test_a_preview_shows_entries_losses_and_what_fires(selmar, sign_in):
    client = sign_in(selmar.editor)
    answer = upload(client, selmar, json.dumps(load("st-memory-books")).encode())
    page = answer.content.decode()
    assert "SillyTavern World Info" in page
    assert "the-copper-gate" in page
    assert "STMB_chatId" in page
    assert "&lt;b&gt;nobody" in page
    chat = "Ilya Brandt? At the gatehouse, by night!"
    answer = upload(client, selmar, json.dumps(load("st-1.10-en")).encode(), chat=chat)
    assert "2 fire on the chat" in answer.content.decode()
    assert not ChangeRequest.objects.exists()


def test_a_picture_is_proposed_as_a_draft_and_its_repeat_is_nothing(selmar, sign_in):
    client = sign_in(selmar.editor)
    picture = write_png_file(read_document(load("card-v2-en")), FileFormat.CARD_V2)
    answer = upload(client, selmar, picture, "propose", title="A card")
    request = ChangeRequest.objects.get()
    assert answer["Location"] == reverse("admin:change_request", args=[request.pk])
    assert (request.state, request.title, request.items.count()) == ("draft", "A card", 4)
    again = upload(client, selmar, picture, "propose")
    assert "Nothing to change" in again.content.decode()
    assert ChangeRequest.objects.count() == 1


def test_a_bad_file_is_told_with_its_place(selmar, sign_in):
    client = sign_in(selmar.editor)
    answer = upload(client, selmar, b'{"entries": {"0": {"key": {}}}}')
    assert "/entries/0/key must be a list" in answer.content.decode()
    assert "Choose a file" in client.post(reverse("admin:lorebook_import"), {"index": selmar.index.pk}).content.decode()


def test_worlds_of_others_are_no_choice(selmar, rival, sign_in):
    client = sign_in(selmar.editor)
    answer = upload(client, rival, json.dumps(load("st-full")).encode(), "propose")
    assert "Select a valid choice" in answer.content.decode()
    assert not ChangeRequest.objects.exists()
    query = {"index": rival.index.pk, "target": "sillytavern", "download": "1"}
    assert "Select a valid choice" in client.get(reverse("admin:lorebook_export"), query).content.decode()


def test_an_export_is_reported_and_downloaded(selmar, sign_in):
    selmar.publish(article("gate", "Shut.", tags=["gate"]), article("secret", "Hush.", audience=["npc:mira"]))
    client = sign_in(selmar.editor)
    query = {"index": selmar.index.pk, "target": "card_v2"}
    page = client.get(reverse("admin:lorebook_export"), query).content.decode()
    assert "1 entry, " in page
    assert "a card is made around the book" in page
    answer = client.get(reverse("admin:lorebook_export"), {**query, "download": "1"})
    assert [entry.memory37_id for entry in read_lore_file(answer.content).book.entries] == ["gate"]
    answer = client.get(reverse("admin:lorebook_export"), {**query, "secrets": "on", "download": "1"})
    assert len(read_lore_file(answer.content).book.entries) == 2


def check_page(page: Any, name: str) -> list[Any]:
    from axe_playwright_python.sync_playwright import Axe

    flaws = [
        (each["id"], each["nodes"][0]["target"]) for each in Axe().run(page, context=".m-page").response["violations"]
    ]
    page.set_viewport_size({"width": 390, "height": 844})
    if page.evaluate("document.querySelector('.m-page').scrollWidth > 390"):
        flaws.append((name, "wider than a phone"))
    page.set_viewport_size({"width": 1280, "height": 900})
    return flaws


@pytest.mark.browser
@pytest.mark.usefixtures("close_connections")
def test_a_book_is_imported_tried_edited_and_exported_in_a_browser(visit, selmar):
    selmar.publish(article("ferry", "The ferry leaves at dusk."))
    page = visit(selmar.editor)
    page.goto(SITE + reverse("admin:lorebook_import"))
    flaws = check_page(page, "empty")
    page.fill("[name=source]", json.dumps(load("st-1.12.6-zh")))
    page.fill("[name=chat]", "我们到了盐路。\n冬天来了。")
    page.click("button:has-text('Preview')")
    page.wait_for_selector("text=1 fires on the chat")
    assert page.locator("tr", has_text="铜门").first.locator("text=silent").count() == 1
    flaws += check_page(page, "preview")
    source = page.input_value("[name=source]")

    page.fill("[name=source]", source.replace('"守卫"', '"盐路"').replace('"夜"', '"冬天"'))
    page.click("button:has-text('Preview')")
    page.wait_for_selector("text=2 fire on the chat")
    page.fill("[name=title]", "The copper gate")
    page.click("text=Make a change request")
    page.wait_for_selector("text=Submit for review")
    request = ChangeRequest.objects.get(title="The copper gate")
    assert request.items.count() == 3
    assert any("盐路" in item.content["aliases"] for item in request.items.all())

    page.goto(SITE + reverse("admin:lorebook_export"))
    page.select_option("[name=target]", "novelai")
    page.click("text=See what is lost")
    page.wait_for_selector("text=1 entry")
    flaws += check_page(page, "export")
    assert page.get_by_role("link", name="Download").get_attribute("href").endswith("&download=1")
    assert flaws == []


def test_an_npc_s_card_is_shown_and_downloaded(selmar, sign_in):
    selmar.publish(article("bell", "The bell rings."), article("vault", "Below.", audience=["npc:mira"]))
    npc = write_npc(
        selmar.world, "mira", name="Mira", persona="Dry.", secrets=["She stole it."], lore_refs=["bell"], author="key"
    )
    client, url = sign_in(selmar.editor), reverse("admin:npc_card", args=[npc.pk])
    page = client.get(url).content.decode()
    assert "1 entry" in page
    assert "She stole it." not in page
    assert "holds secrets" in client.get(url, {"secrets": "on"}).content.decode()
    picture = read_lore_file(client.get(url, {"download": "png"}).content)
    assert (picture.card.name, picture.card.description) == ("Mira", "Dry.")
    assert "She stole it." not in client.get(url, {"download": "card_v2"}).content.decode()
    assert "She stole it." in client.get(url, {"download": "card_v3", "secrets": "on"}).content.decode()
    assert url in client.get(reverse("admin:npc", args=[npc.pk])).content.decode()
