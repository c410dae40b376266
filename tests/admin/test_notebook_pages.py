"""Notebooks in admin: for whom, what they show, and what people decide there."""

from __future__ import annotations

import pytest
from django.urls import reverse

from knowledge.notebook.actions.commands import run_commands
from knowledge.notebook.actions.entries import write_entry
from knowledge.notebook.actions.notebooks import write_member, write_notebook
from knowledge.notebook.core.drafts import Draft
from knowledge.notebook.models import NotebookEntry, NotebookProposal
from knowledge.notebook.selectors.memberships import Seat
from tenancy.actions.keys import issue_api_key

pytestmark = pytest.mark.django_db


@pytest.fixture
def coder(selmar):
    """A notebook with all that pages show."""
    key = issue_api_key(tenant_id=selmar.tenant.pk, name="agent", scopes=["notebook"]).api_key
    seat, _ = write_notebook(
        tenant_id=selmar.tenant.pk, world_id=None, slug="plans", agent="coder", api_key_id=key.pk, title="Plans"
    )
    write_entry(seat, Draft("fact", "db", "PostgreSQL"))
    write_entry(seat, Draft("note", "", "решили переходить на MongoDB"))
    tag = write_entry(seat, Draft("document", "decisions/db.md", "one <b>two</b>\n")).entry.sha256
    write_entry(seat, Draft("document", "decisions/db.md", "one three\n"), expected_sha256=tag)
    write_member(seat=seat, agent="scout", access="propose", api_key_id=key.pk)
    scout = Seat(seat.notebook, "scout", "propose", is_trusted=False)
    run_commands(scout, '[SAVE_FACT key="lang" value="Python"] [GET_FACT key=broken]')
    return seat


def url(name, seat, *args):
    return reverse(f"admin:{name}", args=[seat.notebook.pk, *args])


def test_a_page_shows_folders_conflicts_proposals_and_the_ledger(selmar, sign_in, coder, django_assert_max_num_queries):
    client = sign_in(selmar.reviewer)
    assert "Plans" in client.get(reverse("admin:knowledge_notebook_changelist")).content.decode()
    with django_assert_max_num_queries(30):
        page = client.get(url("knowledge_notebook_change", coder)).content.decode()
    for told in (
        "decisions/",
        "db.md",
        "решили переходить на MongoDB",
        "PostgreSQL",
        "scout",
        "malformed",
        "quarantine",
    ):
        assert told in page, told
    document = NotebookEntry.objects.get(kind="document")
    page = client.get(url("notebook_entry", coder, document.pk)).content.decode()
    assert "Version 2" in page
    assert "<del>" in page
    assert "<b>two" not in page


def test_people_decide_on_proposals_conflicts_pins_and_the_archive(selmar, sign_in, coder):
    client = sign_in(selmar.reviewer)
    proposal = NotebookProposal.objects.get()
    client.post(url("notebook_act", coder, "approve"), {"id": proposal.pk})
    proposal.refresh_from_db()
    assert (proposal.state, proposal.decided_by.startswith("staff:")) == ("approved", True)
    assert NotebookEntry.objects.get(name="lang").author == "scout"
    conflict = coder.notebook.conflicts.get()
    client.post(url("notebook_act", coder, "newer"), {"id": conflict.pk})
    conflict.refresh_from_db()
    assert (conflict.state, conflict.resolution) == ("resolved", "newer")
    fact = NotebookEntry.objects.get(name="db")
    for verb, state, pinned in (("pin", "live", True), ("archive", "archived", False), ("restore", "live", False)):
        client.post(url("notebook_act", coder, verb), {"id": fact.pk})
        fact.refresh_from_db()
        assert (fact.state, fact.is_pinned) == (state, pinned)


def test_redaction_takes_an_owner_and_other_tenants_see_nothing(selmar, rival, sign_in, coder):
    fact = NotebookEntry.objects.get(name="db")
    assert sign_in(selmar.reviewer).post(url("notebook_act", coder, "redact"), {"id": fact.pk}).status_code == 404
    assert sign_in(rival.owner).get(url("knowledge_notebook_change", coder)).status_code == 404
    assert sign_in(rival.owner).get(url("notebook_entry", coder, fact.pk)).status_code == 404
    assert sign_in(selmar.editor).get(url("knowledge_notebook_change", coder)).status_code in (403, 404)
    sign_in(selmar.owner).post(url("notebook_act", coder, "redact"), {"id": fact.pk})
    fact.refresh_from_db()
    assert (fact.state, fact.content) == ("redacted", "")
