"""Episode search finds what a user said, exactly, and says how."""

from __future__ import annotations

import datetime as dt
import math

import numpy as np
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from episodes.embedding.actions.embeddings import embed_messages
from episodes.models import Message, MessagePassage
from episodes.search.selectors import search
from episodes.search.selectors.partition import EpisodeFilters
from episodes.search.selectors.search import search_episodes
from knowledge.config import get_message_settings
from knowledge.errors import EmbedderUnavailable, InvalidQuery
from knowledge.text.analysis import lexeme_counts
from tests.factories.conversations import open_chat, say

HOUR = dt.timedelta(hours=1)
ALONE = {"features": {}}


def say_and_embed(conversation, *turns, **more):
    said = say(conversation, *turns, **more)
    embed_messages(conversation.pk)
    return said


def find(conversation, query, **options):
    return search_episodes(
        tenant_id=conversation.tenant_id, end_user_id=conversation.end_user_id, query=query, **options
    )


def texts(result):
    return [card.raw_excerpt for card in result.cards]


def make_settings(*, features=None, **retrieval):
    settings = get_message_settings()
    weights = settings.features if features is None else features
    return settings.model_copy(
        update={"retrieval": settings.retrieval.model_copy(update=retrieval), "features": weights}
    )


def age(conversation, by=HOUR):
    """As if what was said so far came in an hour ago."""
    MessagePassage.objects.filter(conversation=conversation).update(created_at=timezone.now() - by)


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("Примерила вчера два платья в магазине", "какое платье я примеряла"),
        ("We were walking along the old rivers", "walk by the river"),
        ("جربت الفساتين الجديدة في السوق", "الفستان الجديد"),
        ("我昨天在商店看了一条红色的裙子", "红色裙子"),
        ("abi 7elu fustan lel 3ers", "fustan"),
    ],
)  # fmt: skip
def test_a_message_is_found_by_other_forms_of_its_words(conversation, said, asked):
    say_and_embed(conversation, "something else entirely", said, "and now of bread and cheese", "пошли дальше")
    assert texts(find(conversation, asked, settings=make_settings(mode="keyword", **ALONE)))[:1] == [said]


def test_keyword_scores_are_exact_with_the_users_own_statistics(conversation, tenant):
    words = ["wolf", "river", "gate", "bell", "tower", "the", "night"]
    turns = [" ".join(words[(n * step) % 7] for step in range(1, 2 + n % 6)) for n in range(60)]
    say(conversation, *turns)
    other = open_chat(tenant, "player-2")
    say(other, *["wolf bell"] * 30)
    settings = make_settings(mode="keyword", **ALONE)
    found = [card.parts.bm25 for card in find(conversation, "wolf bell tower", k=10, settings=settings).cards]
    k1, b, counts = settings.bm25.k1, settings.bm25.b, [lexeme_counts(turn) for turn in turns]

    def weigh(document):
        score, norm = 0.0, k1 * (1 - b + b * document.total() / settings.pivot)
        for term in ("wolf", "bell", "tower"):
            held = sum(term in each for each in counts)
            idf = math.log1p((len(turns) - held + 0.5) / (held + 0.5))
            score += idf * document[term] * (k1 + 1) / (document[term] + norm)
        return score

    assert found == pytest.approx(sorted(map(weigh, counts), reverse=True)[:10], rel=1e-3)


def test_nearest_by_vector_is_exact_among_the_users_own_messages(conversation, tenant, monkeypatch):
    other = open_chat(tenant, "player-2")
    say_and_embed(other, "its twin")
    say_and_embed(conversation, *[f"turn {n}" for n in range(30)])
    rng = np.random.default_rng(1)
    vectors = {}
    for passage in MessagePassage.objects.all():
        vector = rng.normal(size=1024)
        vectors[passage.pk] = vector / np.linalg.norm(vector)
        MessagePassage.objects.filter(pk=passage.pk).update(embedding=vectors[passage.pk].tolist())
    wanted = rng.normal(size=1024)
    wanted /= np.linalg.norm(wanted)
    monkeypatch.setattr(search, "embed_query", lambda *_: (wanted.astype(np.float32), None))
    settings = make_settings(mode="vector", vector_floor=0.0, **ALONE)
    own = MessagePassage.objects.filter(conversation=conversation).values_list("pk", flat=True)
    best = sorted(own, key=lambda pk: -float(vectors[pk] @ wanted))[:5]
    result = find(conversation, "anything", k=5, settings=settings)
    assert [card.parts.id for card in result.cards] == best
    assert result.cards[0].parts.vector == pytest.approx(float(vectors[best[0]] @ wanted), abs=2e-3)


def test_other_users_and_tenants_are_never_found(conversation, tenant, rival):
    for owner, user in ((tenant, "player-2"), (rival, "player-1")):
        say_and_embed(open_chat(owner, user), "the silver bell")
    say_and_embed(conversation, "the wooden door")
    assert texts(find(conversation, "silver bell")) == []


def test_the_number_of_queries_does_not_grow(conversation):
    say_and_embed(conversation, *[f"the bell number {n}" for n in range(5)])
    counts = []
    for _ in range(2):
        with CaptureQueriesContext(
            connection,
        ) as captured:
            find(conversation, "which bell did you hear in the night", k=10)
        counts.append(len(captured))
        say_and_embed(conversation, *[f"the bell and the tower {n}" for n in range(300)])
    assert counts == [3, 3]


def test_a_turn_gets_a_share_of_its_neighbours_scores(conversation):
    say_and_embed(
        conversation,
        "What allergies does your sister have?",
        ("assistant", "Hm, give me a moment."),
        "unrelated weather",
        "nothing here",
    )
    settings = make_settings(mode="keyword", features={"near": 0.4, "second": 0.1})
    question, answer, second = find(conversation, "sister allergies", settings=settings).cards
    assert answer.raw_excerpt == "Hm, give me a moment."
    assert (answer.parts.bm25, answer.parts.neighbour_part) == (0, pytest.approx(0.4 * question.score))
    assert second.parts.features == (("near", 0.0), ("second", pytest.approx(0.1 * question.score)))
    assert texts(find(conversation, "sister allergies", settings=make_settings(mode="keyword", **ALONE))) == [
        "What allergies does your sister have?"
    ]


def test_a_system_message_is_not_found_and_parts_no_neighbours(conversation):
    say_and_embed(conversation, "about the griffin", ("system", "griffin griffin"), ("assistant", "it sleeps"))
    found = texts(find(conversation, "griffin", settings=make_settings(mode="keyword")))
    assert found == ["about the griffin", "it sleeps"]


def test_a_message_just_said_is_found_without_a_vector_or_a_common_word(conversation):
    say_and_embed(conversation, "an old tale of wolves")
    say(conversation, "купила туфли", ("assistant", "прекрасно"))
    result = find(conversation, "wolves", settings=make_settings(**ALONE))
    fresh = next(card for card in result.cards if card.raw_excerpt == "купила туфли")
    assert (fresh.parts.bm25, fresh.parts.vector, fresh.parts.is_placed_as_fresh) == (0, None, True)
    assert "прекрасно" not in texts(result)
    assert result.degraded == ("embeddings_pending",)
    age(conversation)
    assert texts(find(conversation, "wolves", settings=make_settings(**ALONE))) == ["an old tale of wolves"]


def test_reciprocal_rank_fusion_places_fresh_messages_too(conversation):
    say_and_embed(conversation, "an old tale of wolves")
    say(conversation, "купила туфли")
    assert "купила туфли" in texts(find(conversation, "wolves", settings=make_settings(fuse="rrf", **ALONE)))


def test_an_imported_history_is_not_fresh(conversation):
    say(conversation, "купила туфли", sent_at=timezone.now() - 400 * HOUR)
    assert texts(find(conversation, "wolves")) == []


def test_vectors_of_another_embedder_are_not_compared(conversation):
    say_and_embed(conversation, "bells", "the bell of the tower")
    age(conversation)
    MessagePassage.objects.filter(message__content="bells").update(embedder="other/3", embedding=[1, 0, 0])
    result = find(conversation, "bell")
    by_text = {card.raw_excerpt: card.parts for card in result.cards}
    assert by_text["bells"].vector is None
    assert by_text["the bell of the tower"].vector is not None
    assert not by_text["bells"].is_placed_as_fresh
    assert result.degraded == ("embedder_changed",)


def test_without_the_embedder_keywords_still_answer(conversation, monkeypatch):
    say_and_embed(conversation, "the bell of the tower", "bread")
    monkeypatch.setattr(search, "embed_query", lambda *_: (None, EmbedderUnavailable.code))
    result = find(conversation, "bell", settings=make_settings(**ALONE))
    assert (texts(result), result.degraded) == (["the bell of the tower"], ("embedder_unavailable",))


def test_what_is_forgotten_is_neither_found_nor_shown_beside(conversation):
    said = say_and_embed(
        conversation,
        ("assistant", "I can offer a crimson robe or an azure one."),
        "My secret is the crimson robe.",
        "The second!",
    )
    for message in said[:2]:
        MessagePassage.objects.filter(message=message).delete()
        Message.objects.filter(pk=message.pk).update(forgotten_at=timezone.now())
    result = find(conversation, "which crimson robe was the second that I chose")
    assert texts(result) == ["The second!"]
    assert result.cards[0].span_context == ()


def test_a_message_forgotten_while_its_passage_still_stands_gives_no_card(conversation):
    (message,) = say_and_embed(conversation, "My secret is the crimson robe.")
    Message.objects.filter(pk=message.pk).update(forgotten_at=timezone.now())
    assert texts(find(conversation, "crimson robe")) == []


def test_filters_choose_conversation_role_and_time(conversation, tenant):
    old, new = timezone.now() - 48 * HOUR, timezone.now() - HOUR
    say_and_embed(conversation, "bell one", ("assistant", "bell two"), sent_at=old)
    second = open_chat(tenant)
    say_and_embed(second, "bell three", sent_at=new)

    def found(**filters):
        return set(texts(find(conversation, "bell", filters=EpisodeFilters(**filters))))

    assert found() == {"bell one", "bell two", "bell three"}
    assert found(conversation_id=second.pk) == {"bell three"}
    assert found(role="assistant") == {"bell two"}
    assert found(since=old + HOUR) == {"bell three"}
    assert found(until=old + HOUR, role="user") == {"bell one"}
    assert found(world_id=1) == set()


def test_a_description_is_the_snippet_of_an_assistants_message_only(conversation):
    say_and_embed(conversation, ("assistant", "Look at this bell."), response_description="a drawing of a bell")
    say_and_embed(conversation, "My bell is cracked.", response_description="ignored")
    snippets = {card.role: card.snippet for card in find(conversation, "bell").cards}
    assert snippets == {"assistant": "a drawing of a bell", "user": ""}


@pytest.mark.parametrize(("length", "type_"), [(500, ""), (501, ""), (1500, "fact"), (1501, "event"), (90_000, "")])
def test_long_messages_are_quoted_by_head_and_tail(conversation, length, type_):
    content = ("bell " + "".join(chr(0x430 + n % 32) for n in range(length)))[: length - 4] + " end"
    (message,) = say_and_embed(conversation, content, memory_type=type_)
    (card,) = find(conversation, "bell").cards
    head, tail = (800, 400) if type_ else (280, 220)
    whole = length <= (1500 if type_ else 500)
    assert card.raw_excerpt == (content if whole else f"{content[:head]} [...] {content[-tail:]}")
    assert card.message_id == message.pk


def test_short_messages_come_with_what_they_answer(conversation):
    said = say_and_embed(
        conversation,
        "too far back",
        "Show me robes, please, I need one for the feast.",
        ("assistant", "One is crimson, one is azure. " + "x" * 300),
        "The second robe!",
    )
    result = find(conversation, "which of the robes did I choose for the feast")
    card = next(card for card in result.cards if card.message_id == said[3].pk)
    before, core = card.span_context
    assert (before.message_id, before.role, before.is_core) == (said[1].pk, "user", False)
    assert (core.message_id, core.is_core, len(core.text)) == (said[2].pk, True, 200)
    assert before.cosine == pytest.approx(
        next(hit.vector for hit in result.candidates if hit.id == said[1].passage.pk), abs=1e-6
    )
    assert find(conversation, "which robe").cards[0].span_context == ()
    long = next(card for card in result.cards if card.message_id == said[2].pk)
    assert long.span_context == ()


@pytest.mark.parametrize(
    ("query", "k", "code"),
    [(" ", None, "query_empty"), ("x" * 4001, None, "query_too_long"), ("x", 0, "k_out_of_range"),
     ("x", 51, "k_out_of_range")],
)  # fmt: skip
def test_bad_questions_are_refused(conversation, query, k, code):
    with pytest.raises(InvalidQuery) as refused:
        find(conversation, query, k=k)
    assert refused.value.code == code


def test_odd_questions_do_no_harm(conversation):
    say_and_embed(conversation, "the bell")
    for query in ("\x00", "🙂", "%s %(x)s {0}", "' OR 1=1 --", "\u200b\u202e", "\ud83d", "bell " * 700):
        assert isinstance(find(conversation, query).cards, tuple)
    assert find(open_chat(conversation.tenant, "silent"), "bell").cards == ()
