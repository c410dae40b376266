"""What had to be corrected is counted by who found it."""

from __future__ import annotations

import pytest
from prometheus_client import REGISTRY

from tenancy.actions.worlds import ensure_tenant
from tests.factories.canon import article
from tests.factories.change_requests import make_selmar
from tests.factories.conversations import open_chat, post

pytestmark = pytest.mark.django_db


def drift(source):
    return REGISTRY.get_sample_value("memory37_drift_total", {"source": source}) or 0


def test_a_player_s_denial_is_drift(django_capture_on_commit_callbacks):
    chat = open_chat(ensure_tenant(slug="studio"))
    before = drift("player")
    for text in ("I am allergic to nickel.", "No, I'm not allergic to nickel"):
        with django_capture_on_commit_callbacks(execute=True):
            post(chat, text)
    assert drift("player") == before + 1


def test_a_changed_article_is_drift_and_a_new_one_is_not(django_capture_on_commit_callbacks):
    selmar, before = make_selmar(), drift("change_request")
    with django_capture_on_commit_callbacks(execute=True):
        selmar.publish(article("harbour", "Ships."))
    assert drift("change_request") == before
    with django_capture_on_commit_callbacks(execute=True):
        selmar.publish(article("harbour", "Many ships."))
    assert drift("change_request") == before + 1
