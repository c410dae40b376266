"""LangMem on Memory37Store: its tools and its store manager, with a scripted model that costs nothing."""

from __future__ import annotations

import asyncio
import os
from typing import Any

from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage
from langmem import create_manage_memory_tool, create_memory_store_manager, create_search_memory_tool
from memory37_langgraph import Memory37Client, Memory37Store

NAMESPACE = ("langmem", "{user}")
CONFIG: Any = {"configurable": {"user": "reader-7"}}
TOLD = "She moved to Porto in May"


class ScriptedModel(GenericFakeChatModel):
    """A chat model that says what it was given to say, whatever tools it is given."""

    def bind_tools(self, tools: Any, **options: Any) -> Any:
        """Itself."""
        return self


def manage_memories(store: Memory37Store) -> dict[str, Any]:
    """What an agent's tools write, find, change and delete, sync and async, by the step."""
    manage = create_manage_memory_tool(namespace=NAMESPACE, store=store)
    search = create_search_memory_tool(namespace=NAMESPACE, store=store)
    manage.invoke({"content": "Her dog is called Bruno", "action": "create"}, config=CONFIG)
    manage.invoke({"content": "She drinks tea without sugar", "action": "create"}, config=CONFIG)
    found = search.invoke({"query": "what is the dog called?", "limit": 1}, config=CONFIG)
    [item] = store.search(("langmem", "reader-7"), query="dog Bruno", limit=1)
    change = {"content": "Her dog is called Bruno and barks", "action": "update", "id": item.key}
    manage.invoke(change, config=CONFIG)
    changed = store.get(item.namespace, item.key)
    manage.invoke({"action": "delete", "id": item.key}, config=CONFIG)
    return {
        "found": found,
        "changed": None if changed is None else changed.value,
        "deleted": store.get(item.namespace, item.key),
        "found_async": asyncio.run(search.ainvoke({"query": "tea", "limit": 1}, config=CONFIG)),
    }


def keep_what_a_talk_says(store: Memory37Store) -> list[dict[str, Any]]:
    """What LangMem's store manager keeps of a message, by two calls of the model: a memory, and that it is done."""
    calls = [
        {"name": "Memory", "args": {"content": TOLD}, "id": "c1", "type": "tool_call"},
        {"name": "Done", "args": {}, "id": "c2", "type": "tool_call"},
    ]
    model = ScriptedModel(messages=iter([AIMessage("", tool_calls=[call]) for call in (calls[0], *calls[1:] * 5)]))
    manager = create_memory_store_manager(model, namespace=NAMESPACE, store=store, query_model=None, query_limit=5)
    manager.invoke({"messages": [{"role": "user", "content": "I moved to Porto in May"}]}, config=CONFIG)
    return [item.value for item in store.search(("langmem", "reader-7"), query="Porto", limit=1)]


def main() -> None:
    """Runs both against the service at `M37`, and leaves its store as it was."""
    store = Memory37Store(Memory37Client(os.environ["M37"], os.environ["NOTEBOOK_KEY"]))
    print(manage_memories(store))
    print(keep_what_a_talk_says(store))
    for item in store.search(("langmem", "reader-7"), limit=100):
        store.delete(item.namespace, item.key)


if __name__ == "__main__":
    main()
