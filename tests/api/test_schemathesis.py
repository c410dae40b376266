"""The ASGI application against its own OpenAPI document: no server error, nothing that the document does not say."""

from __future__ import annotations

import copy
import re
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest
from django.conf import settings
from django.db import connection

from episodes.art.actions.cards import prepare_card, record_card
from episodes.conversations.actions.messages import store_message
from episodes.conversations.core.drafts import MessageDraft
from episodes.facts.actions import write_fact
from episodes.forgetting.actions.forgetting import forget_message
from knowledge.facts.core.drafts import FactDraft
from memoryproject.asgi import django_application
from memoryproject.asgi_router import AsgiRouter
from tenancy.actions.keys import issue_api_key
from tenancy.actions.worlds import ensure_tenant, ensure_world
from tests.factories.campaigns import add_scene, start
from tests.factories.canon import LORE, RULES, publish
from tests.factories.conversations import open_chat
from tests.factories.npcs import write_npc
from tests.kept_worlds import make_once
from tests.openapi import load_openapi

if TYPE_CHECKING:
    from schemathesis import Case
    from schemathesis.checks import CheckContext, CheckFunction
    from schemathesis.core.parameters import ParameterLocation
    from schemathesis.core.transport import Response
    from schemathesis.schemas import BaseSchema

pytestmark = pytest.mark.slow

EXAMPLES = 8
REFUSALS = [400, 401, 403, 404, 405, 406, 409, 413, 415, 422, 428, 429, 503]
"""What may answer a malformed request; 413 where it is malformed by its size."""

CONFIG = {
    "request-timeout": 120,
    "generation": {"max-examples": EXAMPLES, "deterministic": True, "allow-x00": False},
    "checks": {
        "positive_data_acceptance": {"enabled": False},
        "negative_data_rejection": {"expected-statuses": REFUSALS},
    },
}
BEYOND_SCHEMAS = {
    "parameter_replaced",
    "cursor_unknown",
    "release_and_alias",
    "rule_lookup_needs_one",
    "query_empty",
    "claim_empty",
    "nothing_to_change",
    "message_empty",
    "message_not_text",
    "reply_to_unknown",
    "sent_at_in_future",
    "sent_at_too_early",
    "user_id_invalid",
    "activation_too_large",
    "after_and_before",
    "as_of_invalid",
    "erasure_not_confirmed",
    "since_invalid",
    "until_invalid",
    "expires_at_invalid",
    "fact_does_not_expire",
    "fact_evidence_missing",
    "fact_evidence_unknown",
    "fact_key_invalid",
    "fact_type_unknown",
    "fact_type_soft",
    "fact_value_invalid",
    "instruction_refused",
    "forget_range_invalid",
    "preview_needed",
    "topic_empty",
    "summary_invalid",
    "event_invalid",
    "event_policy_invalid",
    "when_invalid",
    "disposition_delta_out_of_bounds",
    "party_id_and_user_id",
    "profile_invalid",
    "artcard_invalid",
    "campaign_invalid",
    "marker_conflict",
    "preference_invalid",
    "site_id_conflict",
    "feedback_item_unknown",
    "as_of_and_alias",
    "as_of_and_release",
    "branch_invalid",
    "card_invalid",
    "graph_input_invalid",
    "worldinfo_invalid",
    "document_name_invalid",
    "notebook_entry_invalid",
    "store_filter_invalid",
    "store_key_invalid",
    "store_namespace_invalid",
    "store_value_invalid",
    "serializer_unknown",
    "thread_invalid",
}
"""Refusals of what is well formed by itself: OpenAPI cannot say that two parameters exclude each other."""

EXPLORED_LAYERS = ("lore", "facts")
SHARED_HEADERS = frozenset({"X-Tenant-ID", "X-Site-ID", "X-Agent-ID", "X-Session-ID"})
"""Headers of which all operations make the same: their edges are a third of all requests."""
KNOWN_WORDS: dict[str, str | int] = {"domain": "lore", "alias": "latest", "slug": "bell-tower"}

DOCUMENT = settings.BASE_DIR / "docs" / "openapi.yaml"
_PATH = re.compile(r"^  (/\S+):$")
_METHOD = re.compile(r"^    (get|put|post|patch|delete):$")


def list_operations() -> list[tuple[str, str]]:
    """Method and path of each operation, by the indentation of the document: to parse it takes a second."""
    found: list[tuple[str, str]] = []
    path = ""
    for line in DOCUMENT.read_text().partition("\ncomponents:")[0].splitlines():
        if match := _PATH.match(line):
            path = match[1]
        elif match := _METHOD.match(line):
            found.append((match[1].upper(), path))
    return found


OPERATIONS = list_operations()


def list_firsts() -> set[tuple[str, str]]:
    """The first operation of each method under each resource: those that the edges of shared headers are tried on."""
    firsts: dict[tuple[str, str], str] = {}
    for method, path in OPERATIONS:
        firsts.setdefault((method, path.split("/")[3]), path)
    return {(method, path) for (method, _), path in firsts.items()}


def read_document() -> dict[str, Any]:
    """The document with two of the layers that a pack's budget may name, since all have one shape, whose edges would
    else be tried in each of seventeen, a thousand requests; and with shared headers at the first operations alone.
    """
    document = copy.deepcopy(load_openapi())
    for method, path in set(OPERATIONS) - list_firsts():
        operation = document["paths"][path][method.lower()]
        operation["parameters"] = [each for each in operation["parameters"] if get_name(each) not in SHARED_HEADERS]
    budget = document["components"]["schemas"]["ContextPackBody"]["properties"]["budget"]["properties"]
    layers = budget["layers"]["properties"]
    assert {each["$ref"] for each in layers.values()} == {"#/components/schemas/LayerBudget"}
    budget["layers"]["properties"] = {name: layers[name] for name in EXPLORED_LAYERS}
    return document


def get_name(parameter: dict[str, str]) -> str:
    """The name of a parameter, which may stand among the document's components."""
    if "$ref" not in parameter:
        return parameter["name"]
    return load_openapi()["components"]["parameters"][parameter["$ref"].rsplit("/", 1)[1]]["name"]


@cache
def get_schema() -> BaseSchema:
    """The document, loaded when the first test asks: schemathesis takes a second to import."""
    import schemathesis
    from schemathesis.checks import load_all_checks
    from schemathesis.config import SchemathesisConfig

    load_all_checks()
    schema = schemathesis.openapi.from_dict(read_document(), config=SchemathesisConfig.from_dict(CONFIG))
    schema.app = AsgiRouter(
        django=django_application,
        mcp=None,
        max_body_bytes=settings.DATA_UPLOAD_MAX_MEMORY_SIZE,
        close_pools=lambda: None,
    )
    return schema


@cache
def get_feedback() -> object:
    """What schemathesis learns from answers, shared by all operations."""
    from schemathesis.generation.feedback import FeedbackSources
    from schemathesis.python._constants.orchestrator import make_constants_value_source

    return FeedbackSources(constants_value_source=make_constants_value_source(get_schema()))


def explore(method: str, path: str, check: Callable[[Case], None]) -> None:
    """Run ``check`` on cases of one operation: its examples, the edges of each schema, random ones.

    ``schema.parametrize`` makes all these cases, thousands, while tests are collected: in every process of a run,
    whichever tests it was asked for.
    """
    from hypothesis import HealthCheck
    from hypothesis import settings as hypothesis_settings
    from schemathesis.pytest._test_builder import build_operation_test

    def test(case: Case) -> None:
        check(case)

    schema = get_schema()
    limits = hypothesis_settings(
        max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck), database=None
    )
    build_operation_test(
        config=schema.config,
        operation=schema[path][method],
        test_func=limits(test),
        given_kwargs={},
        feedback=get_feedback(),
    )()


@pytest.fixture(scope="module")
def pool(django_db_setup) -> Iterator[None]:
    """Connections out of a pool, as in the web process: to connect for each request costs more than to answer it."""
    options = connection.settings_dict["OPTIONS"]
    connection.close()
    options["pool"] = {"min_size": 1, "max_size": 4, "timeout": 10}
    yield
    connection.close()
    connection.close_pool()
    del options["pool"]


@pytest.fixture
def key(pool, transactional_db, redis):
    """A key for everything, over a world with some canon."""
    text, words = make_once("schemathesis", make_world)
    KNOWN_WORDS.update(words)
    return text


def make_world() -> tuple[str, dict[str, str | int]]:
    """The text of the key, and the ids of what there is."""
    words: dict[str, str | int] = {}
    tenant = ensure_tenant(slug="studio")
    world = ensure_world(tenant_id=tenant.pk, slug="ashfall")
    publish(world, *LORE)
    publish(world, *RULES, domain="srd")
    words["conversation_id"] = open_chat(tenant).pk
    onboarding = FactDraft(type="allergy", value="nickel", source="onboarding")
    words["fact_id"] = write_fact(tenant_id=tenant.pk, user_id="player-1", draft=onboarding).fact.pk
    words["user_id"] = "player-1"
    stored = store_message(
        tenant_id=tenant.pk,
        conversation_id=words["conversation_id"],
        draft=MessageDraft(role="user", content="I am allergic to nickel."),
    )
    words["message_id"] = stored.message.pk
    receipt = forget_message(tenant_id=tenant.pk, message_id=stored.message.pk, requested_by="key 1")
    words["receipt_id"] = str(receipt.pk)
    start(world)
    add_scene(world)
    write_npc(world, visual={"must_have": ["scar"]})
    picture = {"image_id": "img_1", "scene_id": "scn_1", "prompt_text": "fog", "style": {"preset": "ink"}}
    draft = prepare_card({**picture, "visual_tags": ["fog", "rope", "bell", "dusk", "pier"]})
    words["card_id"] = record_card(tenant_id=tenant.pk, world_id=world.pk, draft=draft).card.pk
    words.update(campaign_id="camp_1", party_id="pty_1", npc_id="npc_LiShen")
    scopes = ["read", "engine", "editor", "notebook"]
    issued = issue_api_key(tenant_id=tenant.pk, name="schemathesis", scopes=scopes, requests_per_minute=1_000_000)
    return issued.text, words


def accepts_what_fits_the_schema(context: CheckContext, response: Response, case: Case) -> None:
    """A request that fits the schema is not called malformed, save for what schemas cannot say."""
    if case.meta is None or not case.meta.generation.mode.is_positive or response.status_code != 400:
        return
    problem = response.json()
    assert problem["code"] in BEYOND_SCHEMAS, problem


def is_valid(case: Case, location: ParameterLocation) -> bool:
    """Whether this part of the request fits the schema."""
    component = case.meta.components.get(location) if case.meta else None
    return component is None or component.mode.is_positive


def describe(case: Case) -> str:
    """The request as it is to be sent, and which of its parts are made to fit the schema."""
    modes = {location: part.mode for location, part in case.meta.components.items()} if case.meta else {}
    parts = (case.method, case.path_parameters, case.query, dict(case.headers), case.cookies, case.body)
    return repr((*parts, case.media_type, modes))


def steer(case: Case) -> None:
    """Point valid parameters at what exists, or every request would end in a 404."""
    from schemathesis.core.parameters import ParameterLocation

    if is_valid(case, ParameterLocation.HEADER):
        for name, value in (("X-Tenant-ID", "studio"), ("X-Site-ID", "ashfall")):
            if name in case.headers:
                case.headers[name] = value
    for location, values in ((ParameterLocation.QUERY, case.query), (ParameterLocation.PATH, case.path_parameters)):
        if is_valid(case, location):
            for name in values.keys() & KNOWN_WORDS.keys():
                values[name] = KNOWN_WORDS[name]


def test_the_document_is_read_whole():
    described = {
        (operation.ok().method.upper(), operation.ok().path) for operation in get_schema().get_all_operations()
    }
    assert set(OPERATIONS) == described
    assert len(OPERATIONS) > 50


@pytest.mark.parametrize(("method", "path"), OPERATIONS, ids=[" ".join(operation) for operation in OPERATIONS])
def test_every_operation_keeps_to_its_description(method, path, key):
    """A request that is the same as an earlier one says nothing new; one that writes is sent twice."""
    from schemathesis.core.parameters import ParameterLocation
    from schemathesis.specs.openapi.checks import ignored_auth

    headers = {"Authorization": f"Bearer {key}"}
    sent: Counter[str] = Counter()
    known: list[CheckFunction] = []

    def check(case: Case) -> None:
        steer(case)
        request = describe(case)
        if sent[request] >= (1 if method == "GET" else 2):
            return
        sent[request] += 1
        response = case.call_and_validate(
            headers=headers, additional_checks=[accepts_what_fits_the_schema], excluded_checks=known
        )
        if not known and response.status_code < 300 and is_valid(case, ParameterLocation.PATH):
            known.append(ignored_auth)  # three more requests, of which one success is enough

    explore(method, path, check)
