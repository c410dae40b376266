"""Notebooks past the REST interface: guards of the database, forgetting, redaction, isolation, two writers at once."""

from __future__ import annotations

import datetime as dt
import threading
from itertools import product

import pytest
from django.db import DatabaseError, connection, connections, transaction
from django.utils import timezone

from knowledge.notebook.actions.commands import run_commands
from knowledge.notebook.actions.deletion import forget_messages
from knowledge.notebook.actions.entries import write_entry
from knowledge.notebook.actions.forgetting import archive_everywhere, archive_fading, list_fading
from knowledge.notebook.actions.notebooks import write_member, write_notebook
from knowledge.notebook.actions.passages import embed_notebook, list_waiting_notebooks
from knowledge.notebook.actions.redaction import redact_entry
from knowledge.notebook.core.drafts import Draft, Origin
from knowledge.notebook.errors import NotebookFull, StaleEntry, UnknownEntry, UnknownNotebook
from knowledge.notebook.models import (
    EntryState,
    Notebook,
    NotebookEntry,
    NotebookMember,
    NotebookReceipt,
    NotebookVersion,
)
from knowledge.notebook.models.entries import SHOWN_STATES
from knowledge.notebook.selectors.context import read_notebook_context
from knowledge.notebook.selectors.entries import find_entry, get_entry, read_entry
from knowledge.notebook.selectors.memberships import Seat
from knowledge.notebook.selectors.search import search_notebook
from tenancy.actions.keys import issue_api_key
from tests.factories.tenants import make_world

TABLES = ("entry", "version", "proposal", "conflict", "command", "passage", "folder", "receipt")


def make_seat(slug="plans", tenant="t"):
    world = make_world(slug, tenant=tenant)
    key = issue_api_key(tenant_id=world.tenant_id, name="agent", scopes=["notebook"]).api_key
    seat, _ = write_notebook(
        tenant_id=world.tenant_id, world_id=world.pk, slug="plans", agent="coder", api_key_id=key.pk
    )
    return seat


@pytest.fixture
def seat(db, redis):
    return make_seat()


def run_sql(statement, *parameters):
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")


@pytest.mark.parametrize(
    ("statement", "guard"),
    [
        ("UPDATE knowledge_notebookentry SET content = 'other' WHERE kind = 'fact'", "notebook_entry_by_versions"),
        (
            "UPDATE knowledge_notebookentry SET version = 2, content = 'x' WHERE kind = 'fact'",
            "notebook_entry_has_version",
        ),
        ("UPDATE knowledge_notebookentry SET content = '' WHERE kind = 'fact'", "notebook_entry_"),
        ("DELETE FROM knowledge_notebookentry WHERE kind = 'fact'", "notebook_entry_is_kept"),
        ("DELETE FROM knowledge_notebookversion", "notebook_version_is_kept"),
        ("UPDATE knowledge_notebookversion SET content = 'other'", "notebook_version_fixed"),
        ("UPDATE knowledge_notebookversion SET redacted_at = now()", "notebook_version_"),
        ("DELETE FROM knowledge_notebook", "notebook_is_kept"),
        ("UPDATE knowledge_notebookmember SET is_trusted = false", "notebook_manager_is_trusted"),
        ("UPDATE knowledge_notebookfolder SET path = 'a/../b'", "notebook_folder_path_safe"),
        (
            "UPDATE knowledge_notebookentry SET name = '../x', folded_name = 'x', version = 2 WHERE kind = 'document'",
            "notebook_entry_path_safe",
        ),
        (
            "UPDATE knowledge_notebookproposal SET state = 'approved', decided_by = author, decided_at = now()",
            "notebook_proposal_by_another",
        ),
        (
            "UPDATE knowledge_notebookentry SET state = 'archived' WHERE kind = 'fact'",
            "notebook_entry_archived_has_time",
        ),
    ],
)
def test_the_database_refuses_what_the_actions_never_do(seat, statement, guard):
    write_entry(seat, Draft("fact", "db", "PostgreSQL"))
    write_entry(seat, Draft("document", "a/b.md", "text"))
    proposer = Seat(seat.notebook, "scout", "propose", is_trusted=True)
    assert write_entry(proposer, Draft("fact", "db", "MySQL")).outcome == "proposed"
    with pytest.raises(DatabaseError, match=guard):
        run_sql(statement)


def test_ten_megabytes_are_refused_by_the_database_too(seat):
    entry = write_entry(seat, Draft("note", "", "short")).entry
    with pytest.raises(DatabaseError, match="notebook_entry_size"):
        run_sql(
            "UPDATE knowledge_notebookentry SET content = repeat('x', 10000000), version = 2 WHERE id = %s", entry.pk
        )


def test_a_month_of_talk_fades_by_use_and_nothing_in_use_goes(seat):
    """Sixty days after a month of three notes a day: small talk that nobody used is archived, and nothing else."""
    now = timezone.now()
    used, decided, pinned = set(), set(), set()
    for day in range(30):
        for kind, text in (
            ("talk", f"nice weather again, says the porter of day {'i' * (day + 1)}"),
            ("detail", f"the port of service {day} is {8000 + day}"),
            ("decision", f"we decided on plan {day} because it is cheaper"),
        ):
            entry = write_entry(seat, Draft("note", "", text)).entry
            said = now - dt.timedelta(days=90 - day)
            NotebookEntry.objects.filter(pk=entry.pk).update(created_at=said, updated_at=said)
            if kind == "decision":
                decided.add(entry.pk)
            elif day % 5 == 0:
                uses = {"uses": 3, "last_used_at": now - dt.timedelta(days=20 + day)}
                NotebookEntry.objects.filter(pk=entry.pk).update(**uses)
                used.add(entry.pk)
            elif day % 7 == 3:
                NotebookEntry.objects.filter(pk=entry.pk).update(is_pinned=True)
                pinned.add(entry.pk)
    would, receipt = archive_fading(seat, is_dry_run=True)
    assert receipt is None
    assert NotebookEntry.objects.filter(state="archived").count() == 0
    gone, receipt = archive_fading(seat, is_dry_run=False)
    ids = {each.entry.pk for each in gone}
    assert ids == {each.entry.pk for each in would}
    assert not ids & (used | decided | pinned)
    talk = set(NotebookEntry.objects.filter(content__contains="weather").values_list("pk", flat=True))
    assert talk - used - pinned <= ids
    assert receipt.counts["entries"] == len(ids) == NotebookEntry.objects.filter(state="archived").count()
    assert archive_everywhere() == 0
    assert list_fading(seat.notebook.pk) == []
    assert not {hit.entry.pk for hit in search_notebook(seat, "weather porter").hits} & ids
    found = search_notebook(seat, "weather", k=50, with_archived=True).hits
    assert {hit.entry.pk for hit in found} & ids


def test_what_is_redacted_stands_in_no_table(seat):
    write_entry(seat, Draft("note", "", "the code is hunter2secret"))
    write_entry(seat, Draft("fact", "vault", "hunter2secret"))
    write_entry(seat, Draft("fact", "vault", "hunter2secret", {"hint": "hunter2secret"}), expected_sha256=None)
    write_entry(Seat(seat.notebook, "scout", "propose", is_trusted=True), Draft("fact", "x", "hunter2secret"))
    run_commands(
        seat, '[SAVE_DOC folder="a" name="b" content="hunter2secret"] [SAVE_FACT key="hunter2secret" value="v"'
    )
    for entry in NotebookEntry.objects.all():
        redact_entry(seat, entry)
    for table in TABLES:
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT count(*) FROM knowledge_notebook{table} t WHERE t::text LIKE '%%hunter2%%'")
            assert cursor.fetchone() == (0,), table
    assert NotebookReceipt.objects.count() == 3


def test_words_that_rest_on_a_forgotten_message_go(seat):
    kept = write_entry(seat, Draft("fact", "a", "one")).entry
    write_entry(seat, Draft("fact", "b", "two"), origin=Origin("command", 77))
    assert forget_messages(tenant_id=seat.notebook.tenant_id, message_ids=[77, 78]) == 1
    assert forget_messages(tenant_id=seat.notebook.tenant_id, message_ids=[77, 78]) == 0
    assert list(NotebookEntry.objects.filter(state="live")) == [kept]


def test_notebooks_of_other_worlds_and_tenants_are_never_searched(seat):
    others = [make_seat("other"), make_seat("plans", tenant="rival")]
    for each in (seat, *others):
        write_entry(each, Draft("note", "", f"the silver lamp of {each.notebook.pk}"))
        embed_notebook(each.notebook.pk)
        [hit] = search_notebook(each, "silver lamp", k=10).hits
        assert hit.entry.notebook_id == each.notebook.pk
        assert len(read_notebook_context(each, "silver lamp").hits) == 1


def ask_at(seat, **more):
    """What says who asks, as `find_seat` takes it."""
    member = NotebookMember.objects.get(notebook=seat.notebook, agent=seat.agent)
    return {
        "tenant_id": seat.notebook.tenant_id, "world_id": seat.notebook.world_id, "slug": "plans",
        "agent": seat.agent, "api_key_id": member.api_key_id, **more,
    }  # fmt: skip


def test_a_fact_takes_one_query_however_much_stands_there(seat, django_assert_num_queries):
    asked = ask_at(seat)
    for number in range(8):
        write_entry(seat, Draft("fact", f"key {number}", "value", {"n": number}))
        with django_assert_num_queries(1):
            found = read_entry(**asked, kind="fact", name=f"key {number}")
        assert (found, found.content, found.metadata) == (
            get_entry(seat, "fact", f"key {number}"), "value", {"n": number},
        )  # fmt: skip


@pytest.mark.parametrize("is_trusted", [True, False])
@pytest.mark.parametrize("access", ["read", "propose", "write"])
def test_one_query_reads_what_the_members_access_shows(seat, access, is_trusted):
    key_id = ask_at(seat)["api_key_id"]
    write_member(seat=seat, agent="reader", access=access, api_key_id=key_id, is_trusted=is_trusted)
    reader = Seat(seat.notebook, "reader", access, is_trusted)
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('memory37.notebook_redaction', 'on', true)")
    seen = {}
    for state, author in product(EntryState.values, ("coder", "reader")):
        name = f"{state} by {author}"
        write_entry(Seat(seat.notebook, author, "write", is_trusted=True), Draft("fact", name, "value"))
        archived = timezone.now() if state == "archived" else None
        words = {} if state in SHOWN_STATES else {"content": ""}
        NotebookEntry.objects.filter(name=name).update(state=state, archived_at=archived, **words)
        try:
            seen[name] = read_entry(**ask_at(reader), kind="fact", name=name)
        except UnknownEntry:
            seen[name] = None
        assert seen[name] == find_entry(reader, "fact", name), name
    is_judge = access == "write" and is_trusted
    assert sum(row is not None for row in seen.values()) == (6 if is_judge else 5)
    for other in ({"agent": "stranger"}, {"api_key_id": 0}, {"slug": "other"}, {"tenant_id": 0}, {"world_id": None}):
        with pytest.raises(UnknownNotebook):
            read_entry(**ask_at(reader, **other), kind="fact", name="live by coder")


def test_a_lost_task_is_swept_up(seat, settings):
    write_entry(seat, Draft("note", "", "a silver lamp"))
    assert list_waiting_notebooks() == []
    run_sql("UPDATE knowledge_notebookpassage SET created_at = now() - interval '2 minutes'")
    assert list_waiting_notebooks() == [seat.notebook.pk]
    assert embed_notebook(seat.notebook.pk).done == 1
    assert list_waiting_notebooks() == []


def test_a_newcomer_cannot_flood(seat, monkeypatch):
    monkeypatch.setattr("knowledge.notebook.core.limits.MAX_QUARANTINED", 2)
    newcomer = Seat(seat.notebook, "newcomer", "write", is_trusted=False)
    for number in range(2):
        write_entry(newcomer, Draft("note", "", f"note {number}"))
    with pytest.raises(NotebookFull):
        write_entry(newcomer, Draft("note", "", "one more"))
    assert write_entry(seat, Draft("note", "", "mine")).outcome == "created"


@pytest.mark.django_db(transaction=True)
def test_of_two_writers_who_read_the_same_one_is_told(redis):
    seat = make_seat()
    read = write_entry(seat, Draft("document", "plan.md", "zero")).entry.sha256
    outcomes, start = [], threading.Barrier(2)

    def write(text):
        try:
            start.wait(10)
            outcomes.append(write_entry(seat, Draft("document", "plan.md", text), expected_sha256=read).outcome)
        except StaleEntry:
            outcomes.append("stale")
        finally:
            connections.close_all()

    threads = [threading.Thread(target=write, args=(text,)) for text in ("one", "two")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert sorted(outcomes) == ["modified", "stale"]
    assert NotebookVersion.objects.count() == 2
    assert Notebook.objects.count() == 1
