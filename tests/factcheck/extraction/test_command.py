"""`manage.py extract_facts`: by hand, for one player or for all who wait; it prints no words of players."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from factcheck.extraction.models import ExtractionRun
from tests.factcheck.extraction.proposers import BrokenProposer, FixedProposer, make_delta
from tests.factories.conversations import open_chat, say
from tests.factories.facts import get_known

pytestmark = pytest.mark.django_db
ALLERGY = "I am allergic to hazelnuts"


@pytest.fixture
def propose(monkeypatch):
    def use(proposer: FixedProposer) -> FixedProposer:
        for module in ("factcheck.extraction.actions.runs", "factcheck.management.commands.extract_facts"):
            monkeypatch.setattr(f"{module}.get_proposer", lambda: proposer)
        return proposer

    return use


def run(*arguments: str) -> list[str]:
    out = StringIO()
    call_command("extract_facts", *arguments, stdout=out)
    return out.getvalue().splitlines()


def test_all_who_wait_are_worked_off_and_nobody_twice(chat, tenant, propose):
    other = open_chat(tenant, "player-2")
    for each in (chat, other):
        say(each, ALLERGY)
    propose(FixedProposer([make_delta("hazelnuts", (1, ALLERGY))]))
    lines = run("--tenant", tenant.slug)
    assert [line.partition(": ")[0] for line in lines] == [f"user {each.end_user_id}" for each in (chat, other)]
    assert all("applied (on), 1 messages, 1 of 1 applied" in line for line in lines)
    assert "hazelnuts" not in "".join(lines)
    assert get_known(chat) == get_known(other) == {("allergy", "hazelnuts"): "hazelnuts"}
    assert run("--tenant", tenant.slug) == []


def test_a_dry_run_tells_verdicts_and_writes_nothing(chat, tenant, propose):
    say(chat, ALLERGY)
    proposer = propose(FixedProposer([make_delta("hazelnuts", (1, ALLERGY)), make_delta("cats", (1, "cats"))]))
    [line] = run("--tenant", tenant.slug, "--user", "player-1", "--dry-run")
    assert line.endswith("1 messages: ADD allergy accepted, ADD allergy rejected_no_quote")
    assert (len(proposer.asked), get_known(chat), ExtractionRun.objects.exists()) == (1, {}, False)


def test_what_speaks_against_a_run_is_told(chat, tenant, propose):
    say(chat, ALLERGY)
    propose(BrokenProposer())
    [line] = run("--tenant", tenant.slug)
    assert line.endswith("0 of 0 applied, model_unavailable")
    with pytest.raises(CommandError, match="model_unavailable"):
        run("--tenant", tenant.slug, "--dry-run")
    tenant.extraction = "off"
    tenant.save()
    assert run("--tenant", tenant.slug) == [f"user {chat.end_user_id}: extraction_off"]
    with pytest.raises(CommandError, match="no tenant"):
        run("--tenant", "nobody")
    with pytest.raises(CommandError, match="no such user"):
        run("--tenant", tenant.slug, "--user", "nobody")
