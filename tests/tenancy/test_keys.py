from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from tenancy.actions.keys import flush_key_uses, issue_api_key, revoke_api_key
from tenancy.actions.rate import count_request
from tenancy.actions.worlds import ensure_tenant, ensure_world
from tenancy.core.keys import generate_key, hash_secret, is_same_secret, parse_key
from tenancy.errors import InvalidTenancy, KeyRefused, UnknownTenant, UnknownWorld, WorldRequired
from tenancy.models import ApiKey, Scope
from tenancy.selectors import authenticate_key, resolve_world


def test_a_key_survives_text_and_back():
    key = generate_key()
    assert parse_key(key.as_text()) == key
    assert key.secret not in repr(key)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "m37_",
        "m37_abcdefgh_short",
        "m38_abcdefgh_" + "x" * 43,
        "m37_ABCDEFGH_" + "x" * 43,
        "m37_a\x00cdefgh_" + "x" * 43,
        "m37_abcdefgh_" + "x" * 43 + "\n",
        "m37_abcdefgh_" + "é" * 43,
    ],
)
def test_a_text_that_cannot_be_a_key_is_not_parsed(text):
    assert parse_key(text) is None


def test_only_the_same_secret_matches_its_hash():
    assert is_same_secret("a" * 43, hash_secret("a" * 43))
    assert not is_same_secret("a" * 42 + "b", hash_secret("a" * 43))


def test_an_issued_key_authenticates_its_caller(tenant, world):
    issued = issue_api_key(
        tenant_id=tenant.pk, name="game", scopes=["read", "engine", "read"], world_id=world.pk, requests_per_minute=7
    )
    caller = authenticate_key(issued.text)
    assert (caller.tenant_id, caller.tenant_slug, caller.world_id) == (tenant.pk, "studio", world.pk)
    assert (caller.key_id, caller.key_prefix) == (issued.api_key.pk, issued.api_key.prefix)
    assert caller.scopes == {"read", "engine"}
    assert caller.requests_per_minute == 7
    assert not caller.has_scope("editor")


@pytest.mark.parametrize(
    ("held", "allowed"),
    [
        ("read", {"read"}),
        ("engine", {"read", "engine"}),
        ("editor", {"editor"}),
        ("notebook", {"notebook"}),
    ],
)
def test_engine_includes_read_and_no_other_scope_includes_one(issue, held, allowed):
    caller = authenticate_key(issue(held))
    assert {scope for scope in Scope.values if caller.has_scope(scope)} == allowed


def test_neither_key_nor_secret_is_stored(issue):
    text = issue()
    row = ApiKey.objects.values().get()
    stored = repr(row) + bytes(row["secret_hash"]).decode("latin-1")
    assert parse_key(text).secret not in stored


def test_authentication_takes_one_query(issue, django_assert_num_queries):
    text = issue()
    with django_assert_num_queries(1):
        authenticate_key(text)


def test_an_unknown_key_and_a_wrong_secret_are_told_alike(issue):
    text = issue()
    wrong_secret = text[:-1] + ("a" if text[-1] != "a" else "b")
    unknown = generate_key().as_text()
    refusals = []
    for attempt in (wrong_secret, unknown, "nonsense"):
        with pytest.raises(KeyRefused) as caught:
            authenticate_key(attempt)
        refusals.append((caught.value.code, caught.value.detail))
    assert set(refusals) == {("api_key_invalid", "The API key is not known.")}


def test_a_revoked_key_is_refused_from_the_next_request_on(issue):
    text = issue()
    key_id = authenticate_key(text).key_id
    first = revoke_api_key(key_id=key_id).revoked_at
    with pytest.raises(KeyRefused) as caught:
        authenticate_key(text)
    assert caught.value.code == "api_key_revoked"
    assert revoke_api_key(key_id=key_id).revoked_at == first


def test_an_expired_key_is_refused(issue):
    text = issue(expires_at=timezone.now() + timedelta(hours=1))
    authenticate_key(text)
    ApiKey.objects.update(created_at=timezone.now() - timedelta(days=2), expires_at=timezone.now() - timedelta(days=1))
    with pytest.raises(KeyRefused) as caught:
        authenticate_key(text)
    assert caught.value.code == "api_key_expired"


@pytest.mark.parametrize(
    "wrong",
    [
        {"scopes": []},
        {"scopes": ["admin"]},
        {"name": "  "},
        {"name": "x" * 201},
        {"requests_per_minute": 0},
        {"expires_at": timezone.now() - timedelta(seconds=1)},
    ],
)
def test_a_key_that_cannot_be_is_not_issued(tenant, wrong):
    with pytest.raises(InvalidTenancy):
        issue_api_key(**{"tenant_id": tenant.pk, "name": "x", "scopes": ["read"], **wrong})
    assert not ApiKey.objects.exists()


def test_a_key_is_not_issued_for_another_tenants_world(tenant):
    other = ensure_world(tenant_id=ensure_tenant(slug="rival").pk, slug="elsewhere")
    with pytest.raises(InvalidTenancy):
        issue_api_key(tenant_id=tenant.pk, name="x", scopes=["read"], world_id=other.pk)


def test_the_last_use_reaches_the_table_by_the_minute(issue, redis):
    caller = authenticate_key(issue())
    count_request(caller)
    count_request(caller)
    assert ApiKey.objects.get().last_used_at is None
    assert flush_key_uses() == 1
    used_at = ApiKey.objects.get().last_used_at
    assert used_at.second == 0
    assert timezone.now() - used_at < timedelta(minutes=2)
    assert flush_key_uses() == 0
    count_request(caller)
    ApiKey.objects.update(last_used_at=timezone.now() + timedelta(minutes=5))
    assert flush_key_uses() == 0, "a later use is not overwritten by an earlier one"


def test_the_world_is_the_one_named_or_the_only_one(issue, tenant, world):
    caller = authenticate_key(issue())
    assert resolve_world(caller).world_id == world.pk
    assert resolve_world(caller, world_slug="ashfall", tenant_slug="studio").world_id == world.pk
    second = ensure_world(tenant_id=tenant.pk, slug="second")
    assert resolve_world(caller, world_slug="second").world_id == second.pk
    with pytest.raises(WorldRequired):
        resolve_world(caller)


def test_a_world_bound_key_reaches_its_world_alone(issue, tenant, world):
    ensure_world(tenant_id=tenant.pk, slug="second")
    caller = authenticate_key(issue(world_id=world.pk))
    assert resolve_world(caller).world_id == world.pk
    with pytest.raises(UnknownWorld) as beside:
        resolve_world(caller, world_slug="second")
    with pytest.raises(UnknownWorld) as absent:
        resolve_world(caller, world_slug="nowhere")
    assert beside.value.detail.replace("second", "nowhere") == absent.value.detail


def test_another_tenant_and_its_worlds_look_absent(issue, world):
    rival = ensure_tenant(slug="rival")
    ensure_world(tenant_id=rival.pk, slug="elsewhere")
    caller = authenticate_key(issue())
    for slug in ("rival", "nobody"):
        with pytest.raises(UnknownTenant) as caught:
            resolve_world(caller, tenant_slug=slug)
        assert caught.value.detail == f"There is no tenant {slug!r}."
    with pytest.raises(UnknownWorld):
        resolve_world(caller, world_slug="elsewhere")


def test_a_tenant_without_worlds_says_so(issue):
    with pytest.raises(UnknownWorld):
        resolve_world(authenticate_key(issue()))


def test_ensuring_twice_gives_the_same_row(tenant, world):
    assert ensure_tenant(slug="studio", name="Other").pk == tenant.pk
    assert ensure_world(tenant_id=tenant.pk, slug="ashfall").pk == world.pk


@pytest.mark.parametrize("slug", ["", "Ash Fall", "пепел", "x" * 64, "a--b"])
def test_a_slug_out_of_form_is_refused(tenant, slug):
    with pytest.raises(InvalidTenancy):
        ensure_tenant(slug=slug)
    with pytest.raises(InvalidTenancy):
        ensure_world(tenant_id=tenant.pk, slug=slug)


def test_the_command_issues_lists_and_revokes(db, capsys):
    call_command(
        "api_key",
        "issue",
        "--tenant",
        "acme",
        "--world",
        "w",
        "--create",
        "--name",
        "bot",
        "--scope",
        "read",
        "--days",
        "3",
    )
    text = capsys.readouterr().out.strip()
    prefix = authenticate_key(text).key_prefix
    call_command("api_key", "list", "--tenant", "acme")
    listing = capsys.readouterr().out
    assert prefix in listing
    assert parse_key(text).secret not in listing
    call_command("api_key", "revoke", prefix)
    with pytest.raises(KeyRefused):
        authenticate_key(text)


def test_the_command_names_what_is_wrong(db):
    with pytest.raises(CommandError, match="no tenant 'nobody'"):
        call_command("api_key", "issue", "--tenant", "nobody", "--name", "x", "--scope", "read")
    with pytest.raises(CommandError, match="prefix 'zzzz'"):
        call_command("api_key", "revoke", "zzzz")
