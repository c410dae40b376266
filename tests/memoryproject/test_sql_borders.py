"""SQL names tables of its own app alone, but for what is listed here.

Looked at are all `.sql` files and all string constants of the apps, migrations apart: these repeat what the models say.
A text is parsed by sqlglot if it holds the name of another app's table at all. What sqlglot cannot parse, triggers in
PL/pgSQL and fragments of statements, is read by `TABLE_PLACE`, which takes any known table behind FROM, JOIN, INTO,
UPDATE and the like, or behind a comma.
"""

from __future__ import annotations

import ast
import logging
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
import sqlglot
from django.apps import apps
from django.db.models import Model
from sqlglot import exp

ROOT = Path(__file__).resolve().parents[2]
APPS = ("memoryproject", "tenancy", "knowledge", "npcs", "episodes", "factcheck", "reviews", "runtime", "devtools")
TABLE_PLACE = re.compile(
    r'(?:\b(?:FROM|JOIN|INTO|UPDATE|ONLY|USING|TABLE|COPY|TRUNCATE)\b|,)\s+"?(\w+)"?', re.IGNORECASE
)
SQL_WORD = re.compile(r"\b(?:SELECT|FROM|JOIN|INSERT|UPDATE|DELETE|COPY|TRUNCATE|LOCK|ALTER|DROP|CREATE)\b")

ONE_PACK = "a pack reads who takes part, and where they stand, in one statement each: its statements are counted"
DRAWN = "one statement draws and locks a sample beside its leases and labels, so that no two people get it"
BY_TENANT = "figures for operators are told by tenant, whose name is in its row"

ALLOWED: dict[str, tuple[set[str], str]] = {
    "episodes/embedding/sql/embedding_backlog.sql": ({"tenancy_tenant"}, BY_TENANT),
    "episodes/embedding/sql/orphan_messages.sql": ({"tenancy_tenant"}, BY_TENANT),
    "episodes/conversations/sql/place_messages.sql": (
        {"knowledge_userfact"},
        "posting is one statement: it tells whether the message before last said an active fact, under the same lock",
    ),
    "factcheck/extraction/sql/due_users.sql": (
        {"episodes_conversation", "episodes_message", "episodes_messagechange", "tenancy_tenant"},
        "who is due is drawn in turn between tenants, from counters of conversations, without reading all of them",
    ),
    "knowledge/facts/actions/locks.py": (
        {"tenancy_enduser"},
        "the lock under which facts are written is prepared: the ORM takes several times as long",
    ),
    "memoryproject/forgetting/erased_names.py": (
        {"tenancy_enduser"},
        "a condition of triggers of all apps: that a change only puts an erased user's placeholder in",
    ),
    "memoryproject/triggers.py": (
        {"tenancy_world"},
        "one trigger for tables of all apps that name a world",
    ),
    "reviews/labelling/models/labels.py": (
        {"factcheck_runmessage"},
        "a trigger checks that the message which a label says was missed is one of the sample's run",
    ),
    "reviews/labelling/sql/lock_next.sql": ({"factcheck_extractionsample"}, DRAWN),
    "reviews/labelling/sql/queue_heads.sql": ({"factcheck_extractionsample"}, DRAWN),
    "reviews/labelling/sql/reviewer_state.sql": ({"factcheck_extractionsample"}, DRAWN),
    "reviews/labelling/sql/take_lease.sql": ({"factcheck_extractionsample"}, DRAWN),
    "runtime/context/sql/cast.sql": (
        {
            "episodes_artcard", "episodes_campaign", "episodes_episodicsummary", "episodes_eventfact",
            "episodes_npcpresence", "episodes_npctold", "episodes_party", "episodes_scene", "knowledge_domainindex",
            "knowledge_lorerevision", "knowledge_publication", "npcs_disposition", "npcs_dispositionentry",
            "npcs_dispositionscale", "npcs_npc", "npcs_npcpersona", "tenancy_enduser", "tenancy_world",
        },
        ONE_PACK,
    ),
    "runtime/context/sql/play.sql": (
        {
            "episodes_artcard", "episodes_campaign", "episodes_episodicsummary", "episodes_eventfact", "episodes_flag",
            "episodes_flagchange", "episodes_npcpresence", "episodes_npctold", "episodes_party", "episodes_scene",
            "npcs_npc", "npcs_npcpersona",
        },
        ONE_PACK,
    ),
    "runtime/context/sql/player.sql": (
        {
            "episodes_conversation", "episodes_conversationancestor", "episodes_message", "episodes_messagepassage",
            "episodes_talksummary", "tenancy_enduser", "tenancy_tenant",
        },
        ONE_PACK,
    ),
}  # fmt: skip
"""Path: the tables of other apps that it names, and why. What is not used any more is refused."""

UNPARSED = {
    "episodes/events/sql/event_statistics.sql",
    "knowledge/canon/sql/copy_passages.sql",
    "knowledge/graph/sql/near_names.sql",
    "knowledge/search/sql/messages.sql",
    "knowledge/search/sql/messages_by_postings.sql",
    "knowledge/search/sql/messages_by_scan.sql",
}
"""Pieces of statements, COPY, and one CTE that sqlglot takes for a function: `TABLE_PLACE` reads them."""


def list_owners() -> dict[str, str]:
    """The app of each table, of those between models too."""
    owners = {}
    for model in apps.get_models(include_auto_created=True):
        owner = model._meta.auto_created or model
        owners[model._meta.db_table] = owner.__module__.partition(".")[0]
    return {table: app for table, app in owners.items() if app in APPS}


def list_referenced_tables(app: str) -> set[str]:
    """Tables of other apps that foreign keys of the app point at: triggers of its models check what they name."""
    models: Iterator[type[Model]] = (m for m in apps.get_models() if m.__module__.partition(".")[0] == app)
    fields = (field for model in models for field in model._meta.get_fields() if field.many_to_one and field.concrete)
    return {field.related_model._meta.db_table for field in fields}


def list_strings(source: str) -> Iterator[str]:
    """All strings of a module but docstrings; the values that an f-string puts in are left as `{}`."""
    nodes = list(ast.walk(ast.parse(source)))
    docstrings = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    pieces = {id(piece) for node in nodes if isinstance(node, ast.JoinedStr) for piece in node.values}
    for node in nodes:
        if isinstance(node, ast.JoinedStr):
            yield "".join(str(each.value) if isinstance(each, ast.Constant) else "{}" for each in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings | pieces:
            yield node.value


def parse_tables(sql: str) -> set[str] | None:
    """The tables that a statement names, by sqlglot; None where it cannot parse it."""
    sql = re.sub(r"--.*", "", sql)
    sql = re.sub(r"%(\(\w+\))?s", "NULL", sql).replace("%%", "%")
    sql = re.sub(r"\{(\w*)\}", r"value_\1", sql).replace("<#>", "<->")  # pgvector's inner product, unknown to sqlglot
    try:
        statements = [each for each in sqlglot.parse(sql, dialect="postgres") if each is not None]
    except sqlglot.ParseError:
        return None
    if any(isinstance(each, exp.Command) or not each.find(exp.Table) for each in statements):
        return None
    named = {table.name for each in statements for table in each.find_all(exp.Table)}
    return named - {cte.alias for each in statements for cte in each.find_all(exp.CTE)}


def find_tables(text: str, known: Mapping[str, str]) -> set[str]:
    """The known tables that a string names: as a whole, in a statement, or in a piece of one."""
    if text in known:
        return {text}
    if not SQL_WORD.search(text):
        return set()
    parsed = parse_tables(text)
    return (set(TABLE_PLACE.findall(re.sub(r"--.*", "", text))) if parsed is None else parsed) & known.keys()


def list_files() -> Iterator[Path]:
    for app in APPS:
        for path in (ROOT / app).rglob("*"):
            if path.suffix in {".sql", ".py"} and "migrations" not in path.parts:
                yield path


def find_foreign_tables() -> dict[str, set[str]]:
    """Path: tables of other apps that it names. Models may name what foreign keys of their app point at."""
    owners = list_owners()
    found = {}
    for path in list_files():
        name = path.relative_to(ROOT)
        app = name.parts[0]
        others = {table: owner for table, owner in owners.items() if owner != app}
        if "models" in name.with_suffix("").parts:
            others = {table: others[table] for table in others.keys() - list_referenced_tables(app)}
        text = path.read_text(encoding="utf-8")
        if others.keys().isdisjoint(re.findall(r"\w+", text)):
            continue
        strings = [text] if path.suffix == ".sql" else list_strings(text)
        if tables := set().union(*(find_tables(each, others) for each in strings)):
            found[str(name)] = tables
    return found


@pytest.fixture(autouse=True)
def quiet(caplog):
    """What sqlglot cannot parse it tells in warnings."""
    caplog.set_level(logging.ERROR, logger="sqlglot")


def test_sql_names_tables_of_its_own_app():
    listed = {path: tables for path, (tables, _) in ALLOWED.items()}
    assert find_foreign_tables() == listed, "Ask the owner's selector; or list it with a reason. Remove what is unused."


def test_files_are_parsed_but_for_those_that_are_listed():
    files = {str(path.relative_to(ROOT)): path for path in list_files() if path.suffix == ".sql"}
    assert len(files) > 70
    assert {name for name, path in files.items() if parse_tables(path.read_text(encoding="utf-8")) is None} == UNPARSED


@pytest.mark.parametrize(
    "text",
    [
        "SELECT 1 FROM tenancy_world",
        "SELECT 1 FROM one o, tenancy_world w",
        "SELECT (SELECT max(id) FROM tenancy_world)",
        "WITH one AS (DELETE FROM tenancy_world WHERE id = %(id)s RETURNING id) SELECT id FROM one",
        "UPDATE tenancy_world SET name = %s WHERE {}",
        "IF NOT EXISTS (SELECT 1 FROM tenancy_world w WHERE w.id = NEW.id) THEN RETURN NULL; END IF;",
        "IF NEW.id IS NULL THEN SELECT w.* INTO found FROM one o, tenancy_world w WHERE w.id = o.id; END IF;",
        " AND EXISTS (SELECT 1 FROM tenancy_world w WHERE {})",
        "tenancy_world",
    ],
)
def test_a_table_is_found(text):
    assert find_tables(text, {"tenancy_world": "tenancy"}) == {"tenancy_world"}


@pytest.mark.parametrize(
    "text",
    [
        "SELECT 1 FROM one -- FROM tenancy_world",
        "SELECT 'FROM tenancy_world' FROM one",
        "WITH tenancy_world AS (SELECT 1) SELECT 1 FROM tenancy_world",
        "The rows of tenancy_world",
    ],
)
def test_what_names_no_table_is_left(text):
    assert find_tables(text, {"tenancy_world": "tenancy"}) == set()


def test_strings_are_those_of_code():
    source = 'def read(table):\n    """FROM one"""\n    return f"SELECT 1 FROM {table} a" + "two"'
    assert list(list_strings(source)) == ["SELECT 1 FROM {} a", "two"]
