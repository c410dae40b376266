"""Questions that only point: by what was said just before, by who is near in the graph, and never by a secret."""

from __future__ import annotations

import pytest

from episodes.alternatives.branches import branch_conversation
from episodes.events.actions.archive import archive_conversation
from episodes.events.core.references import KnownName, build_context_query, leave_out_pointing
from episodes.events.core.targets import NEAR_SHARE, weigh_targets
from episodes.events.models import EventName
from episodes.events.selectors.event_filters import EventFilters
from episodes.events.selectors.readers import make_graph_reader
from episodes.events.selectors.recall import RecalledEvents, embed_event_query, recall_events
from knowledge.graph.models import GraphEntity
from tests.factcheck.plots.talks import TAVERN, make_events
from tests.factories.canon import make_article, publish
from tests.factories.conversations import open_chat, say_alternately

SMALL = ("I wait and look around.", "The wind is cold today.") * 7


def play(chat, *told: str, npc_id: str = "") -> None:
    """Sixteen messages, of which some tell something, archived as an event of their own."""
    say_alternately(chat, [*told, *SMALL][:16], **({"npc_id": npc_id} if npc_id else {}))
    make_events(chat)
    archive_conversation(chat.pk, by_hand=True)


def ask(chat, query: str, talk: tuple[str, ...] = (), *, npc_id: str | None = None, graph: bool = True):
    reader = make_graph_reader(tenant_id=chat.tenant_id, world_id=chat.world_id, npc_id=npc_id) if graph else None
    filters = EventFilters(
        tenant_id=chat.tenant_id,
        end_user_id=chat.end_user_id,
        world_id=chat.world_id,
        npc_id=npc_id,
        graph=reader,
    )
    return recall_events(filters, query=query, talk=talk, embed=embed_event_query)


def firsts(found: RecalledEvents) -> list[int]:
    return [hit.first_seq for hit in found.hits]


def publish_family(world, audience="public") -> None:
    relations = [{"type": "sibling_of", "to": "gorm"}]
    irina = make_article("irina", "A sister.", type="character", aliases=["the Lamplighter"], audience=audience)
    publish(world, irina | {"relations": relations}, make_article("gorm", "A brother.", type="character"))


def play_gorm(chat, npc_id: str = "") -> None:
    play(chat, "Gorm says that he sells the comb.", "Gorm smiles and hides the coins. Gorm is glad.", npc_id=npc_id)
    play(chat, "Hald says that he sees a dog.", "Hald waits at the door. Hald is cold.", npc_id=npc_id)


def test_archived_names_know_their_entities_and_canons(world):
    publish_family(world)
    chat = open_chat(world.tenant, world=world)
    play_gorm(chat)
    assert EventName.objects.get(folded="gorm").entity_id == GraphEntity.objects.get(slug="gorm").pk
    assert not EventName.objects.filter(conversation=chat, entity_id__isnull=True).exclude(type="").exists()


def test_who_was_named_leads_to_the_events_of_a_relative_by_one_step_of_the_graph(world):
    publish_family(world)
    chat = open_chat(world.tenant, world=world)
    play_gorm(chat)
    talk = ("By the way, have you seen Irina?",)
    assert firsts(ask(chat, "and what was it with the relative?", talk))[:1] == [1]
    assert ask(chat, "and what was it with the relative?", talk, graph=False).reference.pointed_at == ()
    assert firsts(ask(chat, "remember that time?", ("The Lamplighter again.",)))[:1] == [1]


def test_what_canon_keeps_secret_leads_an_npc_and_a_player_nowhere(world):
    publish_family(world, audience=["npc:elder"])
    chat = open_chat(world.tenant, world=world, npc_id="miron")
    play_gorm(chat, npc_id="miron")
    talk = ("Now tell me about Irina.",)
    for npc_id in ("miron", None):
        assert ask(chat, "remember that time?", talk, npc_id=npc_id).reference.pointed_at == ()
    known = open_chat(world.tenant, "player-2", world=world, npc_id="elder")
    play_gorm(known, npc_id="elder")
    assert firsts(ask(known, "remember that time?", talk, npc_id="elder"))[:1] == [1]


@pytest.mark.parametrize(
    ("query", "line"),
    [
        ("remember that time?", "By the way, Miron. And a silver key, too."),
        ("помнишь тот раз?", "Кстати, Miron. And a silver key."),
        ("那件事最后怎么样了？", "对了，Miron。 And a silver key."),
        ("وذاك الأمر كيف انتهى؟", "بالمناسبة Miron. And a silver key."),
    ],
)
def test_a_question_that_only_points_is_searched_by_the_words_beside_it(world, query, line):
    chat = open_chat(world.tenant, world=world)
    play(chat, "Miron says that we remember that time in the story.", "Miron asks what happened back then in the end.")
    say_alternately(chat, TAVERN)
    make_events(chat)
    play(chat, "Miron tells a story of what happened that time.", "Miron remembers it.")
    assert firsts(ask(chat, query, (line,)))[:1] == [17]


def test_recall_takes_two_queries_with_the_graph_and_in_a_branch(world, django_assert_num_queries):
    publish_family(world)
    chat = open_chat(world.tenant, world=world)
    play_gorm(chat)
    reader = make_graph_reader(tenant_id=chat.tenant_id, world_id=world.pk, npc_id=None)
    branch = branch_conversation(tenant_id=chat.tenant_id, conversation_id=chat.pk, from_seq=16).conversation
    filters = EventFilters(
        tenant_id=chat.tenant_id,
        end_user_id=chat.end_user_id,
        world_id=chat.world_id,
        graph=reader,
        conversation_id=branch.pk,
        tree_id=branch.tree_id,
    )
    with django_assert_num_queries(2):
        found = recall_events(filters, query="remember that time?", talk=("Irina and Hald.",), embed=embed_event_query)
    assert firsts(found) == [1]  # what came behind the fork is another line's


def test_a_rare_name_weighs_more_and_a_neighbour_half_unless_it_is_one_of_many():
    rare, common = KnownName("Irina", "irina", "Character", 2, (7,)), KnownName("inn", "inn", "Location", 60)
    targets = weigh_targets(
        [rare, common], total=100, near={7: (8,)}, counts={7: 2, 8: 3}, members={7: (7,), 8: (8, 9)}
    )
    assert targets.name_weights[0] > 5 * targets.name_weights[1]
    assert sum(targets.name_weights) == pytest.approx(1)
    assert (targets.entities, targets.entity_refs) == ([7, 8, 9], [0, 0, 0])
    assert targets.entity_weights[1] == pytest.approx(NEAR_SHARE * targets.name_weights[0])
    crowd = tuple(range(100, 120))
    lone = weigh_targets([rare], total=100, near={7: crowd}, counts={}, members={each: (each,) for each in crowd})
    assert lone.entities == []


def test_words_that_only_point_are_left_out():
    assert leave_out_pointing("that thing at the tavern") == "at the tavern"
    assert leave_out_pointing("что тогда случилось?") == "?"
    assert build_context_query("那件事", ("我们走吧", "银钥匙")) == "我们走吧 银钥匙"
    assert build_context_query("The Bell?", ()) == "The Bell?"  # nothing more is embedded
