"""An agent in LangGraph whose memory is Memory37: it remembers people, and asks a person before it spends money.

What it learns stands in `Memory37Store`, where every later thread finds it. Its steps stand in `Memory37Saver`: kill
the process while it waits for a person, and another one goes on where it stopped.

    pip install langgraph memory37-langgraph
    export M37=http://localhost:8000 AGENT_KEY=m37_…
    export OPENAI_BASE_URL=http://localhost:11434/v1 OPENAI_MODEL=qwen3:8b
    python samples/agents/langgraph_agent.py --thread shop-1 --user reader-7 --say "Buy me a lamp for the ferry."
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
import time
import uuid
from itertools import pairwise
from typing import Any, TypedDict

import httpx
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.store.base import BaseStore
from memory37_langgraph import Memory37Client, Memory37Saver, Memory37Store, ask_person, build_resume

INSTRUCTIONS = """You buy things for {user}. What you know of them:
{memories}
Answer in one or two sentences. Write what is worth remembering of them on a line of its own: REMEMBER: …
To buy something, write on a line of its own: BUY: {{"what": "…", "price": 12}}"""
ANSWER = {
    "type": "object",
    "properties": {"approved": {"type": "boolean"}, "note": {"type": "string"}},
    "required": ["approved"],
}
MEMORIES = 5
MIN_SCORE = 0.1
"""A search tells what is far as well: its score says so."""
POLL_SECONDS = 1.0
REMEMBER = re.compile(r"^REMEMBER:\s*(.+)$", re.MULTILINE)
BUY = re.compile(r"^BUY:\s*(\{.*\})\s*$", re.MULTILINE)


class Turn(TypedDict, total=False):
    """What the steps of one turn hand on."""

    user: str
    said: str
    memories: list[str]
    reply: str
    learnt: list[str]
    order: dict[str, Any] | None


class Model:
    """A chat model behind an OpenAI-compatible address."""

    def __init__(self, url: str, name: str, key: str = "none") -> None:
        self.name = name
        headers = {"Authorization": f"Bearer {key}"}
        self.client = httpx.Client(base_url=f"{url.rstrip('/')}/", headers=headers, timeout=60)

    def answer(self, system: str, said: str) -> str:
        """What the model says."""
        messages = [{"role": "system", "content": system}, {"role": "user", "content": said}]
        response = self.client.post("chat/completions", json={"model": self.name, "messages": messages})
        response.raise_for_status()
        return str(response.json()["choices"][0]["message"]["content"] or "")


def recall(turn: Turn, *, store: BaseStore) -> Turn:
    """What is remembered of the person and has to do with what they say."""
    found = store.search(("memories", turn["user"]), query=turn["said"][:4000], limit=MEMORIES)
    return {"memories": [item.value["text"] for item in found if (item.score or 0) >= MIN_SCORE]}


def build_think(model: Model) -> Any:
    """The step that asks the model: its words, what it learnt, and what it would buy."""

    def think(turn: Turn) -> Turn:
        memories = "\n".join(f"- {text}" for text in turn["memories"]) or "- nothing yet"
        text = model.answer(INSTRUCTIONS.format(user=turn["user"], memories=memories), turn["said"])
        wanted = BUY.search(text)
        return {
            "reply": BUY.sub("", REMEMBER.sub("", text)).strip(),
            "learnt": REMEMBER.findall(text),
            "order": _parse_order(wanted[1]) if wanted else None,
        }

    return think


def _parse_order(text: str) -> dict[str, Any] | None:
    """The order, or None where the model wrote none that can be read."""
    try:
        order = json.loads(text)
    except ValueError:
        return None
    is_order = isinstance(order, dict) and isinstance(order.get("what"), str) and isinstance(order.get("price"), int)
    return order if is_order else None


def remember(turn: Turn, *, store: BaseStore) -> Turn:
    """What was learnt is kept, a month longer each time it is found."""
    for text in turn["learnt"]:
        # The same words again are the same memory.
        key = str(uuid.uuid5(uuid.NAMESPACE_OID, text))
        store.put(("memories", turn["user"]), key, {"text": text}, index=["text"], ttl=60 * 24 * 30)
    return {}


def buy(turn: Turn, *, store: BaseStore) -> Turn:
    """Nothing is bought without a person. This step begins anew when the answer comes: nothing stands before it."""
    order = turn["order"]
    if order is None:
        return {}
    answer = ask_person(f"Buy {order['what']} for {order['price']}?", schema=ANSWER)
    note = str(answer.get("note") or answer.get("rejected") or "")
    if not answer.get("approved"):
        return {"reply": f"I did not buy {order['what']}. {note}".strip()}
    store.put(("orders", turn["user"]), str(uuid.uuid5(uuid.NAMESPACE_OID, json.dumps(order))), {**order, "note": note})
    return {"reply": f"I bought {order['what']} for {order['price']}. {note}".strip()}


def build_graph(model: Model, saver: BaseCheckpointSaver[str], store: BaseStore) -> Any:
    """The graph: recall, think, remember, and buy what a person approves."""
    builder = StateGraph(Turn)
    builder.add_node("recall", recall)
    builder.add_node("think", build_think(model))
    builder.add_node("remember", remember)
    builder.add_node("buy", buy)
    for before, after in pairwise([START, "recall", "think", "remember", "buy", END]):
        builder.add_edge(before, after)
    return builder.compile(checkpointer=saver, store=store)


def run(graph: Any, client: Memory37Client, thread: str, turn: Turn | None) -> str:
    """The reply to a turn, or to the one that another process left waiting (`turn` None).

    While a person is asked, waits for the answer; people give it in the admin or by REST.
    """
    config = {"configurable": {"thread_id": thread}}
    given: Any = turn if turn is not None else build_resume(client, thread)
    if given is None and not graph.get_state(config).interrupts:
        return "Nobody waits in this thread."
    state = graph.invoke(given, config) if given is not None else None
    while graph.get_state(config).interrupts:
        for question in graph.get_state(config).interrupts:
            print(f"waiting: {question.value['question']}", flush=True)
        while (given := build_resume(client, thread)) is None:
            time.sleep(POLL_SECONDS)
        state = graph.invoke(given, config)
    return str((state or graph.get_state(config).values)["reply"])


def main() -> None:
    """One turn on the command line."""
    parser = argparse.ArgumentParser(description="Ask an agent that remembers you, and asks before it buys.")
    parser.add_argument("--thread", required=True, help="the thread's name; without --say it is taken up again")
    parser.add_argument("--user", default="reader-7")
    parser.add_argument("--say")
    options = parser.parse_args()
    try:
        client = Memory37Client(os.environ["M37"], os.environ["AGENT_KEY"], world=os.environ.get("M37_WORLD"))
        key = os.environ.get("OPENAI_API_KEY", "none")
        model = Model(os.environ["OPENAI_BASE_URL"], os.environ["OPENAI_MODEL"], key)
    except KeyError as missing:
        sys.exit(f"Set {missing.args[0]}; the beginning of this file says how.")
    with client:
        graph = build_graph(model, Memory37Saver(client), Memory37Store(client))
        turn: Turn | None = {"user": options.user, "said": options.say} if options.say else None
        print(run(graph, client, options.thread, turn))


if __name__ == "__main__":
    main()
