"""Search, look-up, documents and releases by REST."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from knowledge.canon.actions import Edit, build_release, record_gate, roll_back, set_canary_percent, start_release
from knowledge.canon.core.article import parse_article
from tests.factories.canon import LORE, RULES, article, publish


@pytest.fixture
def canon(world):
    publish(world, *LORE)
    publish(world, *RULES, domain="srd")
    return world


def slugs(response) -> list[str]:
    assert response.status_code == 200, response.content
    return [hit["document"]["slug"] for hit in response.json()["hits"]]


def count_queries(call) -> int:
    with CaptureQueriesContext(
        connection,
    ) as captured:
        assert call().status_code == 200
    return len(captured)


def test_a_hit_says_what_it_is_where_it_stands_and_why(api, canon):
    document = api.get("lore/search", {"q": "bell tower"}).json()
    assert document["domain"] == "lore"
    assert document["release"] == {"number": 1, "alias": "latest", "canary": False, "state": "published"}
    hit = document["hits"][0]
    assert hit["document"]["slug"] == "bell-tower"
    assert hit["document"]["title"] == "Bell Tower"
    assert hit["document"]["tags"] == ["bell"]
    assert hit["version"] == "1.0.0"
    assert "1204" in hit["text"]
    assert hit["release"] == 1
    assert hit["passage_id"] > 0
    parts = hit["parts"]
    assert parts["bm25"] > 0
    assert parts["bm25_rank"] == 1
    assert hit["score"] == pytest.approx(sum(parts[f"{part}_part"] for part in ("bm25", "vector", "neighbour", "name")))


def test_search_reads_any_language(api, canon):
    assert slugs(api.get("lore/search", {"q": "серые реки"}))[0] == "reka"
    assert slugs(api.get("lore/search", {"q": "река", "language": "en"})) in ([], ["grey-river"])


def test_search_is_narrowed_by_tags_type_language_and_k(api, canon):
    assert slugs(api.get("lore/search", {"q": "river", "tags": "water"})) == ["grey-river"]
    assert slugs(api.get("lore/search", {"q": "bells", "type": "character"})) == ["mira"]
    assert len(slugs(api.get("lore/search", {"q": "bell river league", "k": 1}))) == 1


@pytest.mark.parametrize("path", ["lore/search?q=stolen+vault", "lore/search?q=nine+bells+owes"])
def test_without_an_npc_nothing_secret_is_found(api, canon, path):
    assert not {"hidden-vault", "league-ledger"} & set(slugs(api.get(path)))


def test_an_npc_finds_its_own_secrets_and_its_factions(api, canon):
    assert "hidden-vault" in slugs(api.get("lore/search", {"q": "stolen vault", "npc_id": "mira"}))
    assert "league-ledger" in slugs(api.get("lore/search", {"q": "owes nine bells", "npc_id": "mira"}))
    assert "hidden-vault" not in slugs(api.get("lore/search", {"q": "stolen vault", "npc_id": "stranger"}))


def test_secrets_look_absent_wherever_they_are_asked_for(api, canon, problem):
    secret = problem(api.get("lore/documents/hidden-vault"), 404, "document_not_found")
    absent = problem(api.get("lore/documents/hidden-thing"), 404, "document_not_found")
    assert secret["detail"].replace("hidden-vault", "hidden-thing") == absent["detail"]
    assert api.get("lore/documents/hidden-vault", {"npc_id": "mira"}).status_code == 200
    problem(api.get("rules/lookup", {"rule_id": "COND-09"}), 404, "rule_not_found")
    assert api.get("rules/lookup", {"rule_id": "COND-09", "npc_id": "mira"}).json()["rule"]["slug"] == "secret-rule"
    problem(api.get("lore/search", {"q": "vault", "tags": "vault"}), 404, "tag_not_found")
    listed = [document["slug"] for document in api.get("lore/documents").json()["documents"]]
    assert "hidden-vault" not in listed
    backlinks = api.get("lore/documents/grey-river").json()["backlinks"]
    assert backlinks == [{"slug": "bell-tower", "title": "Bell Tower"}]
    changes = api.get("releases/1").json()["changes"]
    assert "hidden-vault" not in changes["added"]["slugs"]
    assert "hidden-vault" in api.get("releases/1", {"npc_id": "mira"}).json()["changes"]["added"]["slugs"]


BAD_SEARCHES = [
    ({}, 400, "parameter_missing"),
    ({"q": ""}, 400, "query_empty"),
    ({"q": " \t\n"}, 400, "query_empty"),
    ({"q": "\x00\x01"}, 400, "query_empty"),
    ({"q": "x" * 4001}, 400, "query_too_long"),
    ({"q": "x" * 1_000_000}, 400, "query_too_long"),
    ({"q": "bell", "k": "0"}, 400, "k_out_of_range"),
    ({"q": "bell", "k": "51"}, 400, "k_out_of_range"),
    ({"q": "bell", "k": "many"}, 400, "parameter_invalid"),
    ({"q": "bell", "k": "１"}, 400, "parameter_invalid"),
    ({"q": "bell", "k": "9" * 5000}, 400, "parameter_invalid"),
    ({"q": "bell", "k": ["1", "2"]}, 400, "parameter_invalid"),
    ({"q": "bell", "limit": "5"}, 400, "parameter_unknown"),
    ({"q": "bell", "release": "1", "alias": "latest"}, 400, "release_and_alias"),
    ({"q": "bell", "release": "0"}, 400, "parameter_invalid"),
    ({"q": "bell", "release": "99999999999"}, 400, "parameter_invalid"),
    ({"q": "bell", "release": "99"}, 404, "release_not_found"),
    ({"q": "bell", "alias": "newest"}, 404, "alias_not_found"),
    ({"q": "bell", "alias": "stage"}, 404, "alias_not_found"),
    ({"q": "bell", "domain": "myths"}, 404, "domain_not_found"),
    ({"q": "bell", "domain": "lo\x00re"}, 400, "parameter_invalid"),
    ({"q": "bell", "npc_id": ""}, 400, "parameter_invalid"),
    ({"q": "bell", "npc_id": "x" * 121}, 400, "parameter_invalid"),
    ({"q": "bell", "tags": "dragons"}, 404, "tag_not_found"),
    ({"q": "bell", "tags": "a b"}, 400, "parameter_invalid"),
    ({"q": "bell", "tags": ",".join(f"t{n}" for n in range(21))}, 400, "parameter_invalid"),
]


def test_a_search_out_of_form_is_told_by_its_code(api, canon, problem, subtests):
    for query, status, code in BAD_SEARCHES:
        with subtests.test(query=str(query)[:60]):
            problem(api.get("lore/search", query), status, code)


def test_control_characters_in_a_query_are_read_as_blanks(api, canon):
    assert slugs(api.get("lore/search", {"q": "bell\x00tower\x07\u0085"}))[0] == "bell-tower"


def test_a_domain_without_releases_is_told_from_an_unknown_one(api, world, problem):
    problem(api.get("lore/search", {"q": "bell"}), 404, "domain_not_found")
    page = {"data": [], "next_cursor": None, "releases": [], "next_before": None}
    assert api.get("releases").json() == {"domain": "lore", **page}
    problem(api.get("releases", {"domain": "myths"}), 404, "domain_not_found")
    problem(api.get("releases/1"), 404, "domain_not_found")


def test_a_past_release_answers_with_its_own_words(api, canon):
    publish(canon, article("bell-tower", "The bell tower fell in 1300.", tags=["bell"]), retire=("ash-league",))
    now = api.get("lore/search", {"q": "bell tower"}).json()
    then = api.get("lore/search", {"q": "bell tower", "release": "1"}).json()
    assert "fell in 1300" in now["hits"][0]["text"]
    assert "1204" in then["hits"][0]["text"]
    assert (now["release"]["number"], then["release"]["number"]) == (2, 1)
    assert then["release"]["alias"] is None
    assert api.get("lore/documents/ash-league", {"release": "1"}).status_code == 200
    assert api.get("lore/documents/ash-league").status_code == 404
    roll_back(canon.domain_indexes.get(domain="lore").pk, to_number=1)
    assert "1204" in api.get("lore/search", {"q": "bell tower"}).json()["hits"][0]["text"]


def test_the_canary_share_of_sessions_reads_the_stage(api, canon):
    index = canon.domain_indexes.get(domain="lore")
    edit = Edit(None, parse_article(article("comet", "A comet was seen over the bell tower.")))
    release = start_release(domain_index_id=index.pk, edits=[edit])
    build_release(release.pk)
    record_gate(release.pk, state="passed")
    set_canary_percent(index.pk, percent=99)
    plain = api.get("lore/search", {"q": "comet"}).json()["release"]
    sessions = [f"s{number}" for number in range(20)]
    answers = {session: api.get("lore/search", {"q": "comet", "session_id": session}).json() for session in sessions}
    # One session in a hundred reads what is live: which one, the keys of rows decide.
    session = next(session for session, answer in answers.items() if answer["release"]["canary"])
    by_query = answers[session]
    by_header = api.get("lore/search", {"q": "comet"}, X_Session_ID=session).json()
    assert plain == {"number": 1, "alias": "latest", "canary": False, "state": "published"}
    assert by_query["release"] == {"number": 2, "alias": "latest", "canary": True, "state": "staged"}
    assert by_header["release"] == by_query["release"]
    assert by_query["hits"][0]["document"]["slug"] == "comet"
    assert api.get("lore/search", {"q": "comet", "alias": "stage"}).json()["release"]["number"] == 2


@pytest.mark.parametrize(
    ("query", "slug", "matched_by"),
    [
        ({"term": "Grappled"}, "grappled", "name"),
        ({"term": "held"}, "grappled", "name"),
        ({"rule_id": "COND-01"}, "grappled", "rule_id"),
        ({"rule_id": "COND-01", "language": "ru"}, "grappled-ru", "rule_id"),
        ({"term": "схваченный"}, "grappled-ru", "name"),
        ({"term": "crawls"}, "prone", "search"),
    ],
)
def test_a_rule_is_found_by_number_by_name_and_by_search(api, canon, query, slug, matched_by):
    document = api.get("rules/lookup", query).json()
    assert document["domain"] == "srd"
    assert (document["rule"]["slug"], document["matched_by"]) == (slug, matched_by)
    assert document["rule"]["chunks"][0]["text"]


@pytest.mark.parametrize(
    ("query", "status", "code"),
    [
        ({}, 400, "rule_lookup_needs_one"),
        ({"term": "a", "rule_id": "b"}, 400, "rule_lookup_needs_one"),
        ({"term": "  "}, 400, "rule_lookup_needs_one"),
        ({"term": "x" * 4001}, 400, "query_too_long"),
        ({"rule_id": "COND-77"}, 404, "rule_not_found"),
        ({"term": "zzzzqqqq"}, 404, "rule_not_found"),
    ],
)
def test_a_look_up_that_cannot_be_answered_says_why(api, canon, problem, query, status, code):
    problem(api.get("rules/lookup", query), status, code)


def test_a_document_comes_whole(api, canon):
    document = api.get("lore/documents/mira").json()
    assert document["fields"] == {"factions": ["ash-league"], "born_year": 1180}
    assert document["body"] == "Mira keeps the bells."
    assert document["revision"] == 1
    assert document["since_release"] == 1
    tower = api.get("lore/documents/bell-tower").json()
    assert tower["links"] == [{"slug": "grey-river", "title": "Grey River"}]
    assert [chunk["text"] for chunk in tower["chunks"]]


def test_documents_come_by_pages(api, canon):
    first = api.get("lore/documents", {"limit": 2}).json()
    assert [document["slug"] for document in first["documents"]] == ["ash-league", "bell-tower"]
    second = api.get("lore/documents", {"limit": 200, "after": first["next_after"]}).json()
    assert [document["slug"] for document in second["documents"]] == ["grey-river", "mira", "reka"]
    assert second["next_after"] is None


def test_releases_come_newest_first_with_what_they_changed(api, canon):
    publish(canon, article("bell-tower", "It fell."), article("comet", "A comet."), retire=("ash-league",))
    listed = api.get("releases").json()
    assert [(release["number"], release["aliases"]) for release in listed["releases"]] == [(2, ["latest"]), (1, [])]
    assert api.get("releases", {"limit": 1}).json()["next_before"] == 2
    assert [each["number"] for each in api.get("releases", {"before": 2}).json()["releases"]] == [1]
    assert api.get("releases/2").json()["changes"] == {
        "added": {"count": 1, "slugs": ["comet"]},
        "changed": {"count": 1, "slugs": ["bell-tower"]},
        "removed": {"count": 1, "slugs": ["ash-league"]},
    }


def test_an_article_that_goes_into_hiding_looks_removed(api, canon):
    publish(canon, article("grey-river", "Gone dark.", audience=["npc:mira"]))
    assert api.get("releases/2").json()["changes"]["removed"] == {"count": 1, "slugs": ["grey-river"]}
    assert api.get("releases/2", {"npc_id": "mira"}).json()["changes"]["changed"]["count"] == 1


def test_a_release_that_is_still_built_has_no_changes_to_show(api, canon, problem):
    index = canon.domain_indexes.get(domain="lore")
    start_release(domain_index_id=index.pk, edits=[Edit(None, parse_article(article("comet")))])
    document = api.get("releases/2").json()
    assert (document["state"], document["changes"]) == ("building", None)
    problem(api.get("releases/3"), 404, "release_not_found")
    problem(api.get("releases/99999999999999999999"), 404, "release_not_found")
    problem(api.get("releases/0"), 404, "release_not_found")


def test_status_shows_releases_and_what_search_does_without(api, canon):
    domains = {each["domain"]: each for each in api.get("status").json()["worlds"][0]["domains"]}
    assert set(domains) == {"lore", "srd"}
    assert domains["lore"]["latest"]["number"] == 1
    assert domains["lore"]["latest"]["documents"] == 7
    assert domains["lore"]["embedder"]["semantic"] is False
    assert "embedder_not_semantic" in domains["lore"]["degraded"]
    assert domains["lore"]["stage"] is None


READS = {
    # Where common terms must be taken in to be exact, a search takes one query more for each step.
    "search": ("lore/search", {"q": "who trades"}, 6),
    "look-up by name": ("rules/lookup", {"term": "prone"}, 7),
    "document": ("lore/documents/bell-tower", {}, 7),
    "list of documents": ("lore/documents", {}, 4),
    "list of releases": ("releases", {}, 5),
    "release": ("releases/1", {}, 7),
    "status": ("status", {}, 9),
}


@pytest.mark.parametrize("name", READS)
def test_the_number_of_queries_does_not_depend_on_the_size(api, canon, name):
    path, query, expected = READS[name]
    api.get(path, query)
    few = count_queries(lambda: api.get(path, query))
    publish(
        canon,
        *(article(f"bell-{n}", f"Bell {n} of the tower by the river, [[bell-tower]].") for n in range(60)),
    )
    many = count_queries(lambda: api.get(path, query))
    assert (few, many) == (expected, expected)
