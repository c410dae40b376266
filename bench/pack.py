"""Context packs against the bare SQL and Redis calls that they need, their tokens, and many clients at once."""

from __future__ import annotations

import argparse
import statistics
import time
from concurrent.futures import ThreadPoolExecutor

import httpx
from django.db import connection

from bench.report import Report, measure_ms, median
from bench.server import serve
from bench.statements import capture_statements, send_statements
from bench.turns import NEWCOMER_MESSAGES, NPC, PARTY, PLAYER, SCENE, SESSION, Turns, make_turns
from knowledge.text.tokens import count_tokens
from memoryproject.redis import get_redis
from runtime.config import load_prompts
from runtime.context.core.pack import LAYERS
from runtime.context.pipeline import assemble_context
from runtime.session_memory import store
from runtime.session_memory.core.keys import SessionRef
from tenancy.actions.keys import issue_api_key

MIN_EPISODES = 6


def run(options: argparse.Namespace) -> Report:
    """Loads the world, then measures."""
    report = Report("pack")
    turns = make_turns(options.passages, options.messages, options.questions, say=report.say)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")
    _weigh(report, turns)
    _weigh_rules(report)
    _count_episodes(report, turns)
    _compare(report, turns)
    key = _issue_key(turns)
    _compare_orders(report, turns, key)
    _crowd(report, turns, options.clients, key)
    return report


def _weigh(report: Report, turns: Turns) -> None:
    """Tokens of default packs, by layer."""
    packs = [assemble_context(turns.ask(question)).pack for question in turns.questions]
    rows = [[name, median([pack.tokens_by_layer.get(name, 0) for pack in packs])] for name in LAYERS]
    report.table(["layer", "median tokens"], [*rows, ["all", median([pack.tokens for pack in packs])]])
    report.figure("tokens_least", min(pack.tokens for pack in packs), at_least=1200)
    report.figure("tokens_most", max(pack.tokens for pack in packs), at_most=1800)


def _weigh_rules(report: Report) -> None:
    """Tokens of the longest system layer with the longest memory rules, in each language."""
    rows = []
    for language, prompts in load_prompts().items():
        system, rules = prompts.layers["system"].items, prompts.layers["memory_rules"].items
        most = max(
            count_tokens("\n\n".join([system[role], system["no_lore"], system["reply"], rules[kind]]))
            for role in ("narrator", "npc")
            for kind in ("game", "companion")
        )
        rows.append([language, most])
    report.table(["language", "tokens of system and memory rules"], rows)
    report.figure("rule_tokens_most", max(most for _, most in rows), at_most=300)


def _count_episodes(report: Report, turns: Turns) -> None:
    """Episodes told to a user of 62 messages where at least six were found, beside all else that a pack holds."""
    told = []
    for question in turns.ask_newcomer():
        pack = assemble_context(question).pack
        in_pack = sum(len(layer.items) for layer in pack.layers if layer.name == "episodes")
        found = in_pack + sum(cut.layer == "episodes" and cut.reason != "repeated" for cut in pack.cut)
        if found >= MIN_EPISODES:
            told.append(in_pack)
    report.say(f"{len(told)} turns of a user of {NEWCOMER_MESSAGES} messages found {MIN_EPISODES} episodes or more")
    report.figure("newcomer_turns", len(told), at_least=1)
    report.figure("newcomer_episodes_least", min(told, default=0), at_least=MIN_EPISODES)


def _compare(report: Report, turns: Turns) -> None:
    """p50 of a pack, and of its statements sent by psycopg alone with its reads of Redis; turn about."""

    def read(question: str) -> None:
        assemble_context(turns.ask(question))

    statements = capture_statements(read, turns.questions)
    session = SessionRef(turns.tenant_id, turns.world_id, SESSION)

    def send(batch: list[str]) -> None:
        send_statements(batch)
        store.read_memory(get_redis(), session, [NPC])

    measure_ms(read, turns.questions)
    ours: list[float] = []
    bare: list[float] = []
    steps: dict[str, list[float]] = {}
    for question, batch in zip(turns.questions, statements, strict=True):
        ours += measure_ms(read, [question])
        bare += measure_ms(send, [batch])
        for name, ms in assemble_context(turns.ask(question)).steps_ms.items():
            steps.setdefault(name, []).append(ms)
    report.say(f"{max(map(len, statements))} statements at most")
    report.table(
        ["what", "p50 ms"],
        [["pack", median(ours)], ["bare SQL and Redis", median(bare)]]
        + [[f"step {name}", median(each)] for name, each in steps.items()],
    )
    report.figure("pack_over_bare", median(ours) / median(bare), at_most=2)
    report.figure("statements", max(map(len, statements)), at_most=12)


def _compare_orders(report: Report, turns: Turns, key: str) -> None:
    """p50 by REST with canon and episodes searched at once, and in turn; one client asks both by turns."""
    with (
        serve() as beside,
        serve(MAX_PARALLEL_READS="0") as plain,
        _connect(beside, key) as one,
        _connect(plain, key) as other,
    ):
        pairs = [(_ask(one, question), _ask(other, question)) for question in turns.questions * 4]
    warm = pairs[len(turns.questions) :]
    at_once, in_turn = (median(list(times)) for times in zip(*warm, strict=True))
    report.table(["searches", "p50 ms"], [["at once", at_once], ["in turn", in_turn]])
    report.figure("at_once_over_in_turn", at_once / in_turn, at_most=1)


def _crowd(report: Report, turns: Turns, clients: int, key: str) -> None:
    """p95 against p50 of requests by REST while all clients ask at once."""
    with serve() as url:

        def use(_: int) -> list[float]:
            with _connect(url, key) as client:
                return [_ask(client, question) for question in turns.questions]

        use(0)
        with ThreadPoolExecutor(clients) as pool:
            times = [ms for each in pool.map(use, range(clients)) for ms in each]
    p95 = statistics.quantiles(times, n=20)[-1]
    report.table(["at once", "p50 ms", "p95 ms"], [[clients, median(times), p95]])
    report.figure("p95_over_p50", p95 / median(times), at_most=4)


def _issue_key(turns: Turns) -> str:
    issued = issue_api_key(
        tenant_id=turns.tenant_id,
        world_id=turns.world_id,
        name="bench",
        scopes=["read"],
        requests_per_minute=1_000_000,
    )
    return issued.text


def _connect(url: str, key: str) -> httpx.Client:
    return httpx.Client(base_url=url, headers={"Authorization": f"Bearer {key}"}, timeout=60)


def _ask(client: httpx.Client, question: str) -> float:
    """The time that a pack took, in milliseconds."""
    members = {"user_id": PLAYER, "session_id": SESSION, "npc_id": NPC, "party_id": PARTY, "scene_id": SCENE}
    start = time.perf_counter()
    client.post("/api/v1/context", json={"content": question, **members}).raise_for_status()
    return (time.perf_counter() - start) * 1000
