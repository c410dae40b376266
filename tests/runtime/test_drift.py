"""What had to be corrected is counted by who found it."""

from __future__ import annotations

import pytest
from prometheus_client import REGISTRY

from episodes.conversations.actions.conversations import open_conversation
from episodes.conversations.core.drafts import MessageDraft
from factcheck.posting.actions.messages import post_messages
from tenancy.actions.worlds import ensure_tenant
from tests.reviews.world import article, make_world

pytestmark = pytest.mark.django_db


def drift(source):
    return REGISTRY.get_sample_value("memory37_drift_total", {"source": source}) or 0


def test_a_player_s_denial_is_drift(django_capture_on_commit_callbacks):
    chat = open_conversation(tenant_id=ensure_tenant(slug="studio").pk, user_id="player-1").conversation
    before = drift("player")
    for text in ("I am allergic to nickel.", "No, I'm not allergic to nickel"):
        with django_capture_on_commit_callbacks(execute=True):
            said = MessageDraft(role="user", content=text)
            post_messages(tenant_id=chat.tenant_id, conversation_id=chat.pk, drafts=[said])
    assert drift("player") == before + 1


def test_a_changed_article_is_drift_and_a_new_one_is_not(django_capture_on_commit_callbacks):
    selmar, before = make_world(), drift("change_request")
    with django_capture_on_commit_callbacks(execute=True):
        selmar.publish(article("harbour", "Ships."))
    assert drift("change_request") == before
    with django_capture_on_commit_callbacks(execute=True):
        selmar.publish(article("harbour", "Many ships."))
    assert drift("change_request") == before + 1
