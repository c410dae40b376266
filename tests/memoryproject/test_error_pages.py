"""Errors outside the API are pages of our own; the API and the probes keep problem documents."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import unfold
from django.conf import settings
from django.test import Client

pytestmark = pytest.mark.urls("tests.memoryproject.urls_for_problems")


@pytest.fixture
def web() -> Client:
    return Client(raise_request_exception=False)


@pytest.mark.parametrize(
    ("path", "status", "words"),
    [
        ("/nothing/here", 404, "There is nothing here"),
        ("/page-fail/http404", 404, "There is nothing here"),
        ("/page-fail/denied", 403, "This is not allowed"),
        ("/page-fail/surprise", 500, "Something went wrong here"),
        ("/page-fail/database", 503, "The database does not answer"),
    ],
)
def test_people_get_a_page_with_a_way_on_and_the_request_number(web, path, status, words):
    page = web.get(path, headers={"X-Request-ID": "abc-123"})
    text = page.content.decode()
    assert page.status_code == status
    assert page.headers["Content-Type"].startswith("text/html")
    assert words in text
    assert "abc-123" in text
    assert 'href="/"' in text
    assert len(re.findall(r"<main\b", text)) == 1
    assert "a surprise with a detail" not in text
    assert "my secret diary" not in text


def test_error_pages_need_no_database(web):
    """No `django_db` mark: a query would fail the test."""
    assert web.get("/page-fail/surprise").status_code == 500


@pytest.mark.parametrize("path", ["/api/v1/page-fail/http404", "/api/v1/nothing", "/api/v1/page-fail/surprise"])
def test_programs_keep_their_problem_documents(web, path):
    assert web.get(path).headers["Content-Type"] == "application/problem+json"


@pytest.mark.django_db
def test_a_form_without_its_token_is_told_what_to_do():
    page = Client(enforce_csrf_checks=True).post("/admin/login/", {"username": "x", "password": "y"})
    assert page.status_code == 403
    assert "reload the page" in page.content.decode()


@pytest.mark.django_db
def test_a_missing_page_of_the_admin_leads_back_to_its_home(web, django_user_model):
    web.force_login(django_user_model.objects.create_superuser("operator", password="a-long-password"))
    missing = web.get("/admin/no/such/page/")
    assert missing.status_code == 404
    assert 'href="/admin/"' in missing.content.decode()


def test_the_base_of_the_admin_is_unfolds_but_for_main_and_the_skip_link():
    """Fails when an update of unfold changes the original: take its changes over."""
    original = (Path(unfold.__file__).parent / "templates" / "admin" / "base.html").read_text()
    ours = (settings.BASE_DIR / "templates" / "admin" / "base.html").read_text()
    kept = [line for line in ours.splitlines()[1:] if not re.search(r"</?main\b|m-skip", line)]
    assert kept == original.splitlines()


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/admin/", "/admin/auth/user/", "/admin/auth/user/add/", "/admin/login/"])
def test_pages_of_the_admin_have_one_main_and_a_way_to_it(web, django_user_model, path):
    if path != "/admin/login/":
        web.force_login(django_user_model.objects.create_superuser("operator", password="a-long-password"))
    text = web.get(path).content.decode()
    assert len(re.findall(r"<main\b", text)) == len(re.findall(r"</main>", text)) == 1
    assert len(re.findall(r'id="content-start"', text)) == 1
    if path != "/admin/login/":
        assert text.index('href="#content-start"') < text.index("<main")
