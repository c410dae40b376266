"""Articles that a message names: told first, however much else the player says."""

from __future__ import annotations

import pytest

from devtools.demo.load import TENANT_SLUG, WORLD_SLUG, load_canon
from knowledge.canon.models import Publication
from runtime.config import load_budgets
from runtime.context.request import ContextRequest
from runtime.context.sources.canon import find_canon
from tests.factories.canon import make_article, publish
from tests.factories.tenants import make_world

pytestmark = pytest.mark.django_db
TOLD = 3
ASIDES = {
    "en": "I grab the smuggler by the collar, hold him against the wall of the tea house and ask where the salt went. ",
    "ru": "Я хватаю контрабандиста за ворот, прижимаю к стене чайной и спрашиваю, куда делись соль и фонари. ",
    "ar": "أمسك بالمهرب من ياقته وأسأله أين ذهب الملح والمصابيح. ",
    "zh": "我抓住走私贩的衣领，问他盐和灯到哪里去了。",
}
QUESTIONS = {
    "en": "What do you know of {}?",
    "ru": "Что ты знаешь про {}?",
    "ar": "ماذا تعرف عن {}؟",
    "zh": "你知道{}吗？",
}


def find_slugs(world, message, **more):
    ask = ContextRequest(tenant_id=world.tenant_id, world_id=world.pk, message=message, is_preview=True)
    (lore,) = (layer for layer in find_canon(ask, load_budgets().to_budget(), **more).layers if layer.name == "lore")
    return [item.provenance.ids["slug"] for item in lore.items]


def test_articles_of_the_sample_world_are_told_when_they_are_named():
    world = make_world(WORLD_SLUG, tenant=TENANT_SLUG)
    load_canon(world)
    asked = told = first = 0
    for publication in Publication.objects.filter(domain_index__domain="lore").select_related("revision"):
        language = publication.revision.language
        message = ASIDES[language] + QUESTIONS[language].format(publication.title)
        slugs = find_slugs(world, message, audience=publication.audience)
        asked += 1
        told += publication.slug in slugs[:TOLD]
        first += publication.slug in slugs[:1]
    assert asked > 50
    assert told >= 0.9 * asked, (told, asked)
    assert first >= 0.85 * asked, (first, asked)


def test_of_a_long_article_that_is_named_only_the_best_passage_goes_first():
    world = make_world()
    chapters = "\n\n".join(
        f"## Chapter {n}\n\n" + f"The bell rang over the river in year {n}. " * 60 for n in range(1, 6)
    )
    publish(
        world,
        make_article("chronicle", chapters, title="The Chronicle"),
        make_article("bell", "The bell over the river rang. It rings each year.", title="River Bell"),
    )
    slugs = find_slugs(world, "What does the chronicle say, in which year did the river bell ring?")
    assert sorted(slugs[:2]) == ["bell", "chronicle"]


def test_an_article_that_is_not_named_stays_where_the_search_put_it():
    world = make_world()
    publish(
        world,
        make_article("ferry", "The ferry crosses at dusk, and the bell of the ferry rings.", title="Ferry"),
        make_article("dusk-bell", "A bell.", title="Dusk Bell Tower"),
    )
    assert find_slugs(world, "When does the bell of the ferry ring at dusk?") == ["ferry", "dusk-bell"]
