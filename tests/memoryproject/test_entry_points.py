"""What browsers are told, how often strangers may call, and what guards the login."""

import re

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import reverse

from memoryproject import anonymous_rate
from memoryproject.anonymous_rate import AddressRate
from memoryproject.client_address import choose_address
from memoryproject.openapi import load_document

PASSWORD = "correct horse battery staple"


@pytest.fixture
def few(settings, monkeypatch):
    """Three anonymous calls a minute."""
    settings.ANONYMOUS_REQUESTS_PER_MINUTE = 3
    monkeypatch.setattr(anonymous_rate, "RATE", AddressRate(lambda: 30.0))


@pytest.fixture
def person(db):
    return get_user_model().objects.create_superuser("ada", password=PASSWORD)


def sign_in(client, password, **headers):
    return client.post(reverse("admin:login"), {"username": "ada", "password": password}, **headers)


def test_the_schema_is_the_shipped_file_and_is_not_sent_twice():
    first = Client().get("/api/schema/")
    assert first.content == load_document()[0]
    assert first.headers["Content-Type"] == "application/vnd.oai.openapi"
    again = Client().get("/api/schema/", headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert Client().post("/api/schema/").status_code == 405


@pytest.mark.parametrize(
    "path", ["/", "/favicon.ico", "/api/schema/", "/api/docs/", "/admin/", "/admin/login/", "/healthz", "/nowhere"]
)
def test_every_anonymous_route_has_a_rate(db, few, path):
    codes = [Client().get(path).status_code for _ in range(4)]
    assert 429 not in codes[:3]
    refused = Client().get(path)
    assert codes[3] == refused.status_code == 429
    assert 1 <= int(refused.headers["Retry-After"]) <= 60
    assert refused.json()["code"] == "rate_limited"
    assert Client(REMOTE_ADDR="10.0.0.9").get(path).status_code != 429, "another address"


def test_guesses_of_a_key_have_the_same_rate(db, few):
    headers = {"Authorization": "Bearer m37_guess"}
    codes = [Client().get("/api/v1/status", headers=headers).status_code for _ in range(4)]
    assert codes == [401, 401, 401, 429]


def test_a_made_up_session_or_key_does_not_pass_by_the_rate_of_an_open_route(few):
    client = Client(headers={"Authorization": "Bearer m37_guess"})
    client.cookies["sessionid"] = "made-up"
    assert [client.get("/api/schema/").status_code for _ in range(4)] == [200, 200, 200, 429]


def test_a_minute_begins_anew_and_further_addresses_share_a_count(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(anonymous_rate, "MAX_ADDRESSES", 1)
    rate = AddressRate(lambda: now[0])
    assert [rate.count("a", 1), rate.count("a", 1)] == [0, 60]
    assert [rate.count("b", 1), rate.count("c", 1)] == [0, 60]
    now[0] = 61.0
    assert rate.count("c", 1) == 0


@pytest.mark.parametrize(
    ("trusted", "peer", "forwarded", "address"),
    [
        (False, "10.0.0.1", "6.6.6.6", "10.0.0.1"),
        (True, "10.0.0.1", "6.6.6.6, 192.0.2.7", "192.0.2.7"),
        (True, "10.0.0.1", "", "10.0.0.1"),
    ],
)
def test_only_what_a_trusted_proxy_added_last_is_believed(settings, trusted, peer, forwarded, address):
    settings.TRUST_PROXY_HEADERS = trusted
    assert choose_address(peer, forwarded) == address


@pytest.mark.parametrize("path", ["/", "/admin/login/", "/api/docs/", "/api/v1/status", "/nowhere"])
def test_answers_carry_a_policy_for_content_and_features(db, path):
    headers = Client().get(path).headers
    policy = headers["Content-Security-Policy"]
    assert re.search(r"script-src 'self' [^;]*'unsafe-eval'|script-src [^;]*'self'", policy)
    scripts = re.search(r"script-src ([^;]*)", policy)[1]
    assert "'unsafe-inline'" not in scripts
    assert "frame-ancestors 'none'" in policy
    assert "camera=()" in headers["Permissions-Policy"]


def test_no_page_of_the_admin_needs_an_inline_script(person):
    client = Client()
    client.force_login(person)
    for path in ("/admin/", "/admin/tenancy/world/", "/admin/tenancy/world/add/", "/api/docs/"):
        page = client.get(path).content.decode()
        inline = re.findall(r"<script(?![^>]*\b(?:src|type=.application/json|data-))[^>]*>", page)
        assert inline == [], (path, inline)
        assert not re.findall(r"\son(?:click|change|load|submit)=", page), path


def test_five_wrong_passwords_lock_the_name_at_the_address_and_are_listed(person, caplog):
    client = Client()
    codes = [sign_in(client, f"wrong {number}").status_code for number in range(5)]
    assert codes == [200, 200, 200, 200, 429]
    locked = sign_in(client, PASSWORD)
    assert locked.status_code == 429
    assert int(locked.headers["Retry-After"]) == 15 * 60
    assert "15 minutes" in locked.content.decode()
    assert any(record.name.startswith("axes") for record in caplog.records)
    assert sign_in(Client(), PASSWORD, REMOTE_ADDR="10.0.0.9").status_code == 302, "not locked elsewhere"
    admin = Client(REMOTE_ADDR="10.0.0.9")
    admin.force_login(person)
    attempts = admin.get(reverse("admin:axes_accessattempt_changelist"))
    assert "127.0.0.1" in attempts.content.decode()
    assert admin.get(reverse("admin:axes_accessfailurelog_changelist")).status_code == 200
    [attempt] = attempts.context["cl"].result_list
    admin.post(reverse("admin:axes_accessattempt_delete", args=[attempt.pk]), {"post": "yes"})
    assert sign_in(Client(), PASSWORD).status_code == 302, "unlocked"


def test_only_superusers_read_failed_logins(db):
    staff = get_user_model().objects.create_user("eve", password=PASSWORD, is_staff=True)
    client = Client()
    client.force_login(staff)
    assert client.get(reverse("admin:axes_accessattempt_changelist")).status_code == 403
