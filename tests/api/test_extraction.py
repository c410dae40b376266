"""The second stage by REST: run now, try, read, undo; for keys of the whole tenant alone."""

from __future__ import annotations

import pytest

from episodes.forgetting.actions.forgetting import forget_message
from factcheck.extraction.actions.runs import extract_user
from factcheck.extraction.models import ExtractionRun
from factcheck.tasks import extract_user as task
from knowledge.facts.models import UserFact
from tenancy.models import Tenant
from tests.factcheck.extraction.proposers import BrokenProposer, FixedProposer, make_delta
from tests.factories.conversations import open_chat, say
from tests.factories.facts import owner_filter

ALLERGY = "I am allergic to hazelnuts"
HAZELNUTS = make_delta("hazelnuts", (1, ALLERGY))
USER = "users/player-1"


@pytest.fixture
def engine(make_api, tenant):
    tenant.extraction = "on"
    tenant.save()
    return make_api("read", "engine")


@pytest.fixture
def chat(tenant):
    chat = open_chat(tenant)
    say(chat, ALLERGY, "So, where were we?")
    return chat


@pytest.fixture
def run(engine, chat):
    [run] = extract_user(**owner_filter(chat), triggered_by="manual", proposer=FixedProposer([HAZELNUTS]))
    return run


@pytest.fixture
def propose(monkeypatch):
    """Has REST ask another proposer."""

    def use(proposer: FixedProposer) -> FixedProposer:
        monkeypatch.setattr("factcheck.extraction.api.users.get_proposer", lambda: proposer)
        return proposer

    return use


def test_a_run_is_read_with_its_deltas_and_messages(engine, run, chat):
    listed = engine.get("extraction/runs").json()
    assert [row["run_id"] for row in listed["data"]] == [run.pk]
    detail = engine.get(f"extraction/runs/{run.pk}").json()
    [delta] = detail["delta_list"]
    message = chat.messages.get(seq=1).pk
    assert (delta["value"], delta["verdict"], delta["outcome"]) == ("hazelnuts", "accepted", "written")
    assert delta["quotes"] == [{"message_id": message, "text": ALLERGY}]
    assert [row["state"] for row in detail["message_list"]] == ["extracted", "nothing"]
    assert engine.get(f"messages/{message}/extraction").json()["state"] == "extracted"


def test_a_message_is_read_with_what_became_of_it(engine, run, chat, make_api, tenant):
    stated = chat.messages.get(seq=1)
    read = engine.get(f"messages/{stated.pk}").json()
    assert (read["content"], read["seq"], read["user_id"], read["is_current"]) == (ALLERGY, 1, "player-1", True)
    assert read["extraction"] == engine.get(f"messages/{stated.pk}/extraction").json()
    assert (read["extraction"]["state"], read["extraction"]["run_id"]) == ("extracted", run.pk)
    say(chat, "Something new.")
    assert engine.get(f"messages/{chat.messages.get(seq=3).pk}").json()["extraction"]["state"] == "waiting"
    forget_message(tenant_id=tenant.pk, message_id=stated.pk, requested_by="test")
    gone = engine.get(f"messages/{stated.pk}").json()
    assert (gone["content"], gone["extraction"], gone["forgotten_at"] is None) == (None, None, False)


def test_a_message_of_nobody_or_of_another_tenant_is_not_read(engine, chat, make_api):
    other = Tenant.objects.create(slug="other", name="Other")
    stated = say(open_chat(other), "Mine alone.")[0]
    for message_id in (stated.pk, 10**12, 10**30):
        refused = engine.get(f"messages/{message_id}")
        assert refused.status_code == 404, message_id


def test_runs_are_paged(engine, run, chat):
    for text in ("One", "Two"):
        say(chat, text)
        extract_user(**owner_filter(chat), triggered_by="manual", proposer=FixedProposer())
    first = engine.get("extraction/runs", {"limit": 2}).json()
    assert (len(first["data"]), first["next_cursor"]) == (2, first["data"][-1]["run_id"])
    last = engine.get("extraction/runs", {"limit": 2, "cursor": first["next_cursor"]}).json()
    assert ([row["run_id"] for row in last["data"]], last["next_cursor"]) == ([run.pk], None)


def test_a_run_is_undone_once_and_with_a_reason(engine, run, problem):
    path = f"extraction/runs/{run.pk}/revert"
    problem(engine.post(path, {"reason": " "}), 400, "body_invalid")
    reverted = engine.post(path, {"reason": "A bad prompt."}).json()
    assert (len(reverted["ended"]), reverted["run"]["reverted_at"] is None) == (1, False)
    assert not UserFact.objects.filter(is_active=True).exists()
    problem(engine.post(path, {"reason": "Again."}), 409, "run_not_revertible")
    problem(engine.post("extraction/runs/99999/revert", {"reason": "What?"}), 404, "run_not_found")


def test_a_run_now_is_queued_for_what_waits(engine, chat, monkeypatch, problem):
    queued = []
    monkeypatch.setattr(task, "apply_async", lambda arguments, **_: queued.append(arguments))
    response = engine.post(f"{USER}/extractions", None)
    assert (response.status_code, response.json()) == (202, {"user_id": "player-1", "waiting": 2})
    assert queued == [(chat.tenant_id, chat.end_user_id, "manual")]
    extract_user(**owner_filter(chat), triggered_by="manual", proposer=FixedProposer())
    problem(engine.post(f"{USER}/extractions", None), 409, "nothing_pending")
    problem(engine.post("users/nobody/extractions", None), 404, "user_not_found")


def test_a_tenant_that_is_off_is_told_so(engine, chat, tenant, problem):
    tenant.extraction = "off"
    tenant.save()
    problem(engine.post(f"{USER}/extractions", None), 409, "extraction_off")
    message = chat.messages.get(seq=1).pk
    assert engine.get(f"messages/{message}/extraction").json()["state"] == "off"


def test_a_dry_run_writes_nothing(engine, chat, tenant, propose):
    tenant.extraction = "off"
    tenant.save()
    unclear = make_delta("hazelnuts", (1, "no such words"))
    propose(FixedProposer([HAZELNUTS, unclear]))
    dry = engine.post(f"{USER}/extractions/dry-run", {}).json()
    assert [(each["verdict"], each["would_be"]) for each in dry["deltas"]] == [
        ("accepted", "fact"),
        ("rejected_no_quote", "nothing"),
    ]
    assert (dry["messages"], dry["input_tokens"]) == (2, 100)
    assert not ExtractionRun.objects.exists()
    assert not UserFact.objects.exists()


def test_a_dry_run_takes_the_last_messages(engine, chat, propose):
    proposer = propose(FixedProposer())
    assert engine.post(f"{USER}/extractions/dry-run", {"messages": 1}).json()["deltas"] == []
    assert [(each.seq, each.is_new) for each in proposer.asked[0].messages] == [(1, False), (2, True)]


def test_a_model_that_does_not_answer_is_told_as_an_outage(engine, chat, propose, problem):
    propose(BrokenProposer())
    problem(engine.post(f"{USER}/extractions/dry-run", {}), 503, "model_unavailable")
    problem(engine.post(f"{USER}/extractions/dry-run", {"messages": 0}), 400, "body_invalid")


def test_what_waits_for_more_evidence_is_listed(engine, chat):
    say(chat, "wedding in three weeks, help")
    wedding = make_delta("wedding", (3, "wedding in three weeks, help"), type="life_event")
    extract_user(**owner_filter(chat), triggered_by="manual", proposer=FixedProposer([wedding]))
    [candidate] = engine.get(f"{USER}/candidates").json()["data"]
    assert (candidate["value"], candidate["state"], candidate["independent"]) == ("wedding", "open", 1)
    assert engine.get(f"{USER}/candidates", {"state": "promoted"}).json()["data"] == []


def test_candidates_are_paged(engine, chat):
    said = ["wedding in three weeks, help", "birthday next month, help", "graduation in two months, help"]
    say(chat, *said)
    proposed = [make_delta(text.split()[0], (place, text), type="life_event") for place, text in enumerate(said, 3)]
    extract_user(**owner_filter(chat), triggered_by="manual", proposer=FixedProposer(proposed))
    first = engine.get(f"{USER}/candidates", {"limit": 2}).json()
    assert ([row["value"] for row in first["data"]], first["next_cursor"]) == (
        ["graduation", "birthday"],
        first["data"][-1]["candidate_id"],
    )
    last = engine.get(f"{USER}/candidates", {"limit": 2, "cursor": first["next_cursor"]}).json()
    assert ([row["value"] for row in last["data"]], last["next_cursor"]) == (["wedding"], None)


def test_a_key_of_one_world_sees_no_runs(make_api, world, run, chat, problem):
    bound = make_api("read", "engine", world_id=world.pk)
    for path in ("extraction/runs", f"extraction/runs/{run.pk}", f"{USER}/candidates"):
        problem(bound.get(path), 403, "tenant_key_required")
    problem(bound.post(f"{USER}/extractions", None), 403, "tenant_key_required")


def test_reading_takes_a_key_that_may_read_and_undoing_one_of_the_engine(make_api, run, problem):
    reader = make_api("read")
    assert reader.get(f"extraction/runs/{run.pk}").status_code == 200
    problem(reader.post(f"extraction/runs/{run.pk}/revert", {"reason": "No."}), 403, "scope_missing")
