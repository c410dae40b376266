"""Search in a release: what is found, by whom, why, and what happens when a part is missing."""

import random
from dataclasses import replace

import pytest
from django.db import connection

from knowledge.canon.actions import roll_back, set_canary_percent
from knowledge.canon.core.chunks import indexed_text
from knowledge.canon.models import DomainIndex, LorePassage, Release
from knowledge.canon.selectors.audience import get_npc_audience
from knowledge.canon.selectors.releases import is_in_canary, resolve_release
from knowledge.canon.selectors.search import search_lore
from knowledge.config import get_domain_settings
from knowledge.errors import InvalidQuery, UnknownAlias, UnknownDomain, UnknownRelease, UnknownTag
from knowledge.search.core.bm25 import BM25Params, ExactDocument, document_weights, inverse_document_frequency
from knowledge.search.core.lexemes import sparse_index
from knowledge.search.zero_hits import list_zero_hits
from knowledge.text.analysis import lexeme_counts
from tests.factories.canon import make_article, publish, stage
from tests.factories.tenants import make_world
from tests.loopback_openai import serve_openai

pytestmark = pytest.mark.django_db

BRIDGE = make_article("moon-bridge", "Nine arches of grey stone carry the old road over the river.", tags=["bridge"])
KEEPER = make_article("keeper", "The keeper lights lanterns on every arch before the fog rises.", tags=["person"])


def _slugs(world, query, **options):
    release = resolve_release(world_id=world.pk, domain="lore", **options.pop("at", {}))
    return [hit.slug for hit in search_lore(release, query, **options).hits]


@pytest.mark.parametrize(
    ("query", "slug"),
    [("lantern lit", "en"), ("мосту", "ru"), ("المدينة", "ar"), ("灯笼", "zh")],
)
def test_inflected_query_finds_the_article_of_its_language(query, slug):
    world = make_world()
    publish(
        world,
        make_article("en", "Every lantern is lighted at dusk."),
        make_article("ru", "Старые мосты города помнят туман.", language="ru"),
        make_article("ar", "مدينة الجسور تسكنها الأجراس.", language="ar"),
        make_article("zh", "夜里点起的灯笼照亮河面。", language="zh"),
    )
    assert _slugs(world, query)[0] == slug


def test_title_and_aliases_are_searched():
    world = make_world()
    publish(world, make_article("li-shen", "A wanderer.", title="Li Shen", aliases=["Ли Шэнь"]), BRIDGE)
    assert _slugs(world, "Ли Шэнь")[0] == "li-shen"
    assert _slugs(world, "shen")[0] == "li-shen"


def test_hit_says_what_it_is_and_how_it_got_there():
    world = make_world()
    publish(world, BRIDGE, KEEPER)
    result = search_lore(resolve_release(world_id=world.pk, domain="lore"), "arches of the river")
    hit = result.hits[0]
    assert (hit.slug, hit.title, hit.version, hit.revision_number) == ("moon-bridge", "Moon Bridge", "1.0.0", 1)
    assert "grey stone" in hit.text
    assert hit.parts.bm25 > 0
    assert hit.parts.vector is not None
    assert hit.score == pytest.approx(hit.parts.bm25_part + hit.parts.vector_part)
    assert result.degraded == ()
    assert (result.release.number, result.release.alias, result.release.embedder) == (1, "latest", "hashing-v1")


def test_keyword_ranking_is_exact_bm25_in_every_release():
    source = random.Random(5)
    words = [f"w{number}" for number in range(60)]
    world = make_world()
    bodies = {}
    settings = get_domain_settings("lore")
    keyword = settings.model_copy(update={"retrieval": settings.retrieval.model_copy(update={"mode": "keyword"})})
    for number in range(1, 4):
        changed = {
            f"d{place}": " ".join(source.choices(words, weights=range(60, 0, -1), k=40))
            for place in range(0, 80, number)
        }
        bodies = bodies | changed
        publish(world, *(make_article(slug, body, title="x") for slug, body in changed.items()))
        release = resolve_release(world_id=world.pk, domain="lore", release=number)
        corpus = [
            ExactDocument(slug, lexeme_counts(indexed_text("x", (), f"x\n{body}"))) for slug, body in bodies.items()
        ]
        for _ in range(10):
            query = " ".join(source.sample(words, 5))
            exact = _exact_scores(corpus, query, release.length_pivot)
            found = search_lore(release, query, k=10, settings=keyword).hits
            assert [hit.parts.bm25 for hit in found] == pytest.approx(exact, abs=1e-4)


def _exact_scores(corpus, query, pivot):
    """The ten best scores of BM25 worked out document by document, with the release's pivot."""
    counts = lexeme_counts(query)
    frequency = {lexeme: sum(lexeme in document.counts for document in corpus) for lexeme in counts}
    scores = []
    for document in corpus:
        weights = document_weights(document.counts, length=document.counts.total(), pivot=pivot, params=BM25Params())
        score = sum(
            count * inverse_document_frequency(frequency[lexeme], len(corpus)) * weights.get(sparse_index(lexeme), 0)
            for lexeme, count in counts.items()
        )
        scores.append(score)
    return sorted((score for score in scores if score > 0), reverse=True)[:10]


def test_past_release_answers_with_its_own_text():
    world = make_world()
    publish(world, BRIDGE)
    publish(world, BRIDGE | {"body": "A ferry of reed replaced the fallen span."})
    assert _slugs(world, "ferry reed") == ["moon-bridge"]
    old = search_lore(resolve_release(world_id=world.pk, domain="lore", release=1), "arches")
    assert "grey stone" in old.hits[0].text
    assert _slugs(world, "arches grey stone road", at={"release": 2}) == []


def test_rollback_brings_the_old_text_back_at_once():
    world = make_world()
    publish(world, BRIDGE)
    publish(world, BRIDGE | {"body": "A ferry of reed."})
    roll_back(DomainIndex.objects.get().pk, to_number=1)
    assert _slugs(world, "arches") == ["moon-bridge"]


def test_secret_is_found_only_by_those_who_may_know_it():
    world = make_world()
    publish(
        world,
        make_article("traitor", "Gleb sold the bell to the salt league.", audience=["npc:li-shen", "faction:league"]),
        make_article("merchant", "A seller of salt.", type="character", fields={"factions": ["league"]}),
        BRIDGE,
    )
    assert "traitor" not in _slugs(world, "who sold the bell")
    assert _slugs(world, "who sold the bell", audience=get_npc_audience(world.pk, "li-shen"))[0] == "traitor"
    assert _slugs(world, "who sold the bell", audience=get_npc_audience(world.pk, "merchant"))[0] == "traitor"
    assert "traitor" not in _slugs(world, "who sold the bell", audience=get_npc_audience(world.pk, "stranger"))


def test_filters_narrow_and_unknown_tag_is_told():
    world = make_world()
    publish(world, BRIDGE, KEEPER, make_article("ru", "Мост и фонарь.", language="ru", type="place"))
    release = resolve_release(world_id=world.pk, domain="lore")
    assert _slugs(world, "arch", tags=["person"]) == ["keeper"]
    assert _slugs(world, "фонарь arch", language="ru") == ["ru"]
    assert _slugs(world, "мост arch", type="place") == ["ru"]
    with pytest.raises(UnknownTag, match="dragon"):
        search_lore(release, "arch", tags=["dragon"])


def test_tag_that_only_a_secret_carries_looks_unknown():
    world = make_world()
    publish(world, BRIDGE, make_article("plot", "A plot.", tags=["treason"], audience=["npc:x"]))
    release = resolve_release(world_id=world.pk, domain="lore")
    with pytest.raises(UnknownTag):
        search_lore(release, "plot", tags=["treason"])


def test_other_worlds_with_the_same_words_are_never_found():
    one, other = make_world("one"), make_world("other", tenant="t2")
    publish(one, BRIDGE)
    publish(other, BRIDGE | {"slug": "their-bridge"})
    assert _slugs(one, "arches") == ["moon-bridge"]
    assert _slugs(other, "arches") == ["their-bridge"]


def test_nothing_found_is_an_empty_answer_and_is_remembered_for_the_editors(redis):
    world = make_world()
    publish(world, BRIDGE)
    result = search_lore(resolve_release(world_id=world.pk, domain="lore"), "quasar telemetry")
    assert result.hits == ()
    assert [row.query for row in list_zero_hits(result.release.domain_index_id)] == ["quasar telemetry"]


@pytest.mark.parametrize(
    ("query", "code"), [("", "query_empty"), (" \n\t", "query_empty"), ("x" * 4001, "query_too_long")]
)
def test_unusable_query_is_refused_with_a_code(query, code):
    world = make_world()
    publish(world, BRIDGE)
    with pytest.raises(InvalidQuery) as caught:
        search_lore(resolve_release(world_id=world.pk, domain="lore"), query)
    assert caught.value.code == code


@pytest.mark.parametrize(
    "query", ["\x00", "👹👹", "' OR 1=1 --", "\ud800", "%s %(x)s {table}", "\u202e\u200b", "[[a]]", "* & | ! :*"]
)
def test_odd_query_finds_nothing_or_something_but_never_fails(query):
    world = make_world()
    publish(world, BRIDGE)
    search_lore(resolve_release(world_id=world.pk, domain="lore"), query)


@pytest.mark.parametrize("k", [0, -1, 51])
def test_k_out_of_range_is_refused(k):
    world = make_world()
    publish(world, BRIDGE)
    with pytest.raises(InvalidQuery) as caught:
        search_lore(resolve_release(world_id=world.pk, domain="lore"), "arch", k=k or -1)
    assert caught.value.code == "k_out_of_range"


def test_unknown_release_alias_and_domain_are_told_apart():
    world = make_world()
    publish(world, BRIDGE)
    with pytest.raises(UnknownRelease):
        resolve_release(world_id=world.pk, domain="lore", release=7)
    with pytest.raises(UnknownAlias):
        resolve_release(world_id=world.pk, domain="lore", alias="stage")
    with pytest.raises(UnknownAlias):
        resolve_release(world_id=world.pk, domain="lore", alias="newest")
    with pytest.raises(UnknownDomain):
        resolve_release(world_id=world.pk, domain="srd")
    with pytest.raises(UnknownDomain):
        resolve_release(world_id=world.pk, domain="poetry")


def test_canary_sends_a_share_of_sessions_to_the_stage():
    world = make_world()
    publish(world, BRIDGE)
    index = DomainIndex.objects.get()
    staged = stage(index, BRIDGE | {"body": "A ferry of reed."})
    Release.objects.filter(pk=staged.pk).update(gate_state="passed")
    set_canary_percent(index.pk, percent=30)
    sessions = [f"session-{number}" for number in range(400)]
    seen = [resolve_release(world_id=world.pk, domain="lore", session_id=session) for session in sessions]
    assert 0.2 < sum(release.canary for release in seen) / len(seen) < 0.4
    assert {release.number for release in seen if release.canary} == {staged.number}
    again = [resolve_release(world_id=world.pk, domain="lore", session_id=session) for session in sessions]
    assert again == seen
    assert not resolve_release(world_id=world.pk, domain="lore").canary


def test_canary_of_nothing_and_of_everything():
    assert not any(is_in_canary(f"s{n}", release_id=1, percent=0) for n in range(50))
    assert all(is_in_canary(f"s{n}", release_id=1, percent=100) for n in range(50))


class TestEmbedder:
    """With a remote embedder that answers, fails, lies, or is replaced."""

    @pytest.fixture(autouse=True)
    def _endpoint(self, settings, redis):
        settings.EMBEDDING_QUERY_TIMEOUT_SECONDS = 0.3
        settings.OPENAI_MAX_RETRIES = 0
        with serve_openai() as server:
            settings.EMBEDDING_BASE_URL = server.url
            self.server = server
            yield

    def test_remote_vectors_are_used(self):
        world = make_world()
        publish(world, BRIDGE, KEEPER)
        result = search_lore(resolve_release(world_id=world.pk, domain="lore"), "arches")
        assert result.degraded == ()
        assert result.release.embedder.startswith("openai:")
        assert result.hits[0].parts.vector is not None

    @pytest.mark.parametrize(
        ("trouble", "code"),
        [
            ({"status": 500}, "embedder_unavailable"),
            ({"delay_seconds": 1}, "embedder_unavailable"),
            ({"dims": 3}, "embedder_misbehaves"),
        ],
    )
    def test_keyword_results_still_come_marked_degraded(self, trouble, code):
        world = make_world()
        publish(world, BRIDGE, KEEPER)
        for name, value in trouble.items():
            setattr(self.server, name, value)
        result = search_lore(resolve_release(world_id=world.pk, domain="lore"), "grey arches")
        assert result.hits[0].slug == "moon-bridge"
        assert result.degraded == (code,)

    def test_passages_without_a_vector_are_found_by_keywords(self):
        self.server.status = 500
        world = make_world()
        publish(world, BRIDGE)
        assert set(LorePassage.objects.values_list("embedding_state", flat=True)) == {"pending"}
        self.server.status = 200
        assert _slugs(world, "arches") == ["moon-bridge"]

    def test_changed_embedder_is_marked(self, settings):
        world = make_world()
        publish(world, BRIDGE)
        settings.EMBEDDING_PROVIDER = "hashing"
        result = search_lore(resolve_release(world_id=world.pk, domain="lore"), "arches")
        assert result.degraded == ("embedder_changed",)
        assert result.hits[0].slug == "moon-bridge"


class TestRerank:
    """The optional second look."""

    @pytest.fixture
    def reranked(self):
        base = get_domain_settings("lore")
        rerank = base.retrieval.rerank.model_copy(update={"enabled": True, "timeout_ms": 300})
        return base.model_copy(update={"retrieval": base.retrieval.model_copy(update={"rerank": rerank})})

    def test_without_a_model_the_fused_order_stands_marked(self, reranked):
        world = make_world()
        publish(world, BRIDGE, KEEPER)
        result = search_lore(resolve_release(world_id=world.pk, domain="lore"), "arch", settings=reranked)
        assert result.degraded == ("rerank_not_configured",)
        assert len(result.hits) == 2

    def test_model_turns_the_order(self, reranked, settings):
        world = make_world()
        publish(world, BRIDGE, KEEPER)
        release = resolve_release(world_id=world.pk, domain="lore")
        plain = [hit.slug for hit in search_lore(release, "arch").hits]
        with serve_openai(chat=lambda _: '{"order": [2, 1]}') as server:
            settings.CHAT_MODEL, settings.OPENAI_BASE_URL = "m", server.url
            result = search_lore(release, "arch", settings=reranked, k=1)
        assert [hit.slug for hit in result.hits] == plain[1:]
        assert result.hits[0].rerank_place == 1


def test_a_search_takes_three_queries_whatever_the_size(django_assert_num_queries):
    world = make_world()
    publish(world, *(make_article(f"a{n}", f"Lantern number {n} of the bridge.") for n in range(5)))
    with django_assert_num_queries(4):
        _slugs(world, "lantern")
    publish(world, *(make_article(f"b{n}", f"Lantern number {n} of the tower.") for n in range(60)))
    with django_assert_num_queries(4):
        _slugs(world, "lantern")


def test_hnsw_finds_what_the_exact_scan_finds(monkeypatch):
    """The same first places by both, on the index that a large scope gets."""
    world = make_world()
    publish(world, *(make_article(f"a{n}", f"Tale {n} of {random.Random(n).sample(WORDS, 8)}.") for n in range(120)))
    release = resolve_release(world_id=world.pk, domain="lore")
    exact = search_lore(release, "salt lantern").hits
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute(
            f"CREATE INDEX ON knowledge_lorepassage USING hnsw ((embedding::halfvec({release.dims})) halfvec_ip_ops)"
            f" WHERE domain_index_id = {release.domain_index_id} AND vector_space_id = {release.vector_space_id}"
        )
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute("SET LOCAL enable_sort = off")
    settings = get_domain_settings("lore")
    large = settings.model_copy(update={"retrieval": settings.retrieval.model_copy(update={"exact_scan_rows": 1})})
    indexed = search_lore(replace(release, hnsw_ready=True), "salt lantern", settings=large).hits
    assert [hit.slug for hit in indexed] == [hit.slug for hit in exact]


WORDS = [
    "salt",
    "lantern",
    "bridge",
    "river",
    "bell",
    "fog",
    "raft",
    "keeper",
    "stone",
    "oath",
    "ledger",
    "mask",
    "well",
]


@pytest.mark.parametrize("query", ["fireball", "Fireballs", "fire stone", "FIRE  STONES"])
def test_article_that_the_whole_query_names_comes_first(query):
    world = make_world()
    necklace = make_article(
        "necklace", "Fireball fireball fireball, a fire stone of fireballs.", title="Necklace of Fireballs"
    )
    others = [
        make_article(f"scroll-{n}", "A fireball in a fire stone.", title=f"Scroll {n} of Fireball") for n in range(3)
    ]
    publish(
        world,
        necklace,
        *others,
        make_article("fireball", "It burns.", title="Fireball [Spell]", aliases=["Fire Stone"]),
    )
    release = resolve_release(world_id=world.pk, domain="lore")
    hit = search_lore(release, query, k=1).hits[0]
    assert (hit.slug, hit.parts.name_part) == ("fireball", 1.0)
    assert hit.score == pytest.approx(hit.parts.bm25_part + hit.parts.vector_part + 1.0)
    assert search_lore(release, f"{query} burns scroll", k=1).hits[0].parts.name_part == 0
