"""Random play, checkpoints and rollbacks: the state is always that of the ops on the present line, played once."""

from __future__ import annotations

import json

import pytest
from django.db import connection, transaction
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from episodes.models import EpisodicSummary, EventFact, Flag, NpcTold, PartyMember, SummaryPassage
from episodes.npc_memory.actions import record_hearsay
from npcs.models import Disposition
from tests.episodes.test_rollback import go_to, mark
from tests.factories.campaigns import add_event, add_scene, make_body, start
from tests.factories.npcs import make_npc
from tests.factories.tenants import make_world

pytestmark = pytest.mark.django_db
PARTIES, PLAYERS, NPCS = ["pty_1", "pty_2"], ["p_A", "p_B", "p_C"], ["npc_LiShen", "npc_Oda"]
VALUES = st.sampled_from([True, False, 0, 1, "open", "shut"])
FLAGS = st.dictionaries(st.sampled_from(["gate", "oath"]), VALUES, max_size=2)
DELTAS = st.lists(
    st.tuples(st.sampled_from(NPCS), st.sampled_from(["party", "p_A"]), st.sampled_from([-3, -1, 2, 3])), max_size=2
)
SUMMARY = st.tuples(
    st.just("summary"), st.sampled_from(PARTIES), st.integers(0, 20), FLAGS, DELTAS, st.sampled_from(PLAYERS)
)
EVENT = st.tuples(st.just("event"), st.sampled_from([None, *PARTIES]), st.integers(0, 20), FLAGS)
OPS = st.one_of(
    SUMMARY,
    SUMMARY,
    EVENT,
    st.tuples(st.just("told"), st.sampled_from(NPCS), st.integers(0, 5)),
    st.tuples(st.just("mark")),
    st.tuples(st.just("go"), st.integers(0, 9)),
)


class Model:
    """What holds after some ops, by the rules as they are told to engines."""

    def __init__(self, ops):
        self.flags, self.standing, self.told = {}, {}, set()
        self.summaries, self.events, self.members = [], [], set()
        for op in ops:
            getattr(self, f"play_{op[0]}")(*op[1:])

    def play_summary(self, party, minute, flags, deltas, player, id_):
        self.summaries.append(id_)
        self.members |= {(party, "p_A"), (party, player)}
        self.set_flags(party, minute, flags)
        for npc, towards, delta in deltas:
            key = (npc, party if towards == "party" else towards)
            self.standing[key] = min(5, max(-5, self.standing.get(key, 0) + delta))

    def play_event(self, party, minute, flags, id_):
        self.events.append(id_)
        self.set_flags(party, minute, flags)

    def play_told(self, npc, summary_id):
        self.told.add((npc, summary_id))

    def set_flags(self, party, minute, flags):
        for name, value in flags.items():
            if self.flags.get((party, name), (-1, None))[0] <= minute:
                self.flags[(party, name)] = (minute, value)

    def view(self):
        """The state in plain values."""
        flags = {key: json.dumps(value) for key, (_, value) in self.flags.items()}
        standing = {key: value for key, value in self.standing.items() if value}
        return flags, standing, self.told, sorted(self.summaries), sorted(self.events), self.members


def read_view():
    flags = {
        (row.party and row.party.external_id, row.name): json.dumps(row.value)
        for row in Flag.objects.filter(is_set=True).select_related("party")
    }
    standing = {
        (row.npc.npc_id, row.party_id or row.end_user.external_id): row.value
        for row in Disposition.objects.exclude(value=0).select_related("npc", "end_user")
    }
    told = set(NpcTold.objects.living().values_list("npc_id", "summary__summary_id"))
    summaries = sorted(EpisodicSummary.objects.living().values_list("summary_id", flat=True))
    assert sorted(SummaryPassage.objects.values_list("summary__summary_id", flat=True)) == summaries
    events = sorted(EventFact.objects.living().values_list("event_id", flat=True))
    members = set(PartyMember.objects.living().values_list("party__external_id", "end_user__external_id"))
    return flags, standing, told, summaries, events, members


class Play:
    """A campaign that is played by ops, and the ops that led to each checkpoint."""

    def __init__(self, world):
        self.world, self.line, self.saved, self.count = world, [], [], 0

    def do(self, op):
        getattr(self, op[0])(*op[1:])

    def summary(self, party, minute, flags, deltas, player):
        # As many ids as places on the line: what was undone is told again under its id.
        id_ = f"sum_{sum(op[0] == 'summary' for op in self.line)}"
        self.count += 1
        changes = [{"npc_id": npc, "towards": towards, "delta": delta, "reason": "r"} for npc, towards, delta in deltas]
        body = make_body(
            id_,
            minute=minute,
            party_id=party,
            scene_id=f"scn_{party}",
            flags=flags,
            relations_delta=changes,
            who={"players": sorted({"p_A", player}), "npcs": []},
            notes=f"It was turn {self.count}.",
        )
        add_scene(self.world, body)
        self.line.append(("summary", party, minute, flags, deltas, player, id_))

    def event(self, party, minute, flags):
        id_ = f"evt_{sum(op[0] == 'event' for op in self.line)}"
        more = {} if party is None or not self.has(party) else {"party_id": party}
        self.count += 1
        add_event(self.world, event_id=id_, minute=minute, flags=flags, notes=f"Bell {self.count}.", **more)
        self.line.append(("event", more.get("party_id"), minute, flags, id_))

    def told(self, npc, number):
        known = [op[-1] for op in self.line if op[0] == "summary"]
        if not known:
            return
        summary_id = known[number % len(known)]
        place = {"tenant_id": self.world.tenant_id, "world_id": self.world.pk}
        record_hearsay(**place, npc_id=npc, source="p_A", told_at=timezone.now(), summary_id=summary_id)
        self.line.append(("told", npc, summary_id))

    def mark(self):
        self.saved.append((mark(self.world), list(self.line)))

    def go(self, number):
        if not self.saved:
            return
        checkpoint, line = self.saved[number % len(self.saved)]
        dry = go_to(self.world, checkpoint, dry_run=True)
        assert read_view() == Model(self.line).view()
        done = go_to(self.world, checkpoint)
        assert dry.changes == done.changes
        if done.rollback is not None:
            self.saved.append((done.rollback.before, list(self.line)))
        self.line = list(line)

    def has(self, party):
        return any(op[0] == "summary" and op[1] == party for op in self.line)


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(OPS, min_size=4, max_size=14))
def test_random_play_and_rollback_is_the_present_line_played_once(db, ops):
    with transaction.atomic():
        world = make_world("ashfall", tenant="studio")
        for npc in NPCS:
            make_npc(world, npc)
        start(world)
        play = Play(world)
        for op in ops:
            play.do(op)
            assert read_view() == Model(play.line).view()
        with connection.cursor() as cursor:
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        transaction.set_rollback(True)
