"""LangMem on Memory37Store: its tools and its store manager, with a scripted model."""

import asyncio
import os

from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage
from langmem import create_manage_memory_tool, create_memory_store_manager, create_search_memory_tool
from memory37_langgraph import Memory37Client, Memory37Store

client = Memory37Client(os.environ["M37"], os.environ["NOTEBOOK_KEY"])
store = Memory37Store(client)
config = {"configurable": {"user": "reader-7"}}
manage = create_manage_memory_tool(namespace=("langmem", "{user}"), store=store)
search = create_search_memory_tool(namespace=("langmem", "{user}"), store=store)
print(manage.invoke({"content": "Her dog is called Bruno", "action": "create"}, config=config))
print(manage.invoke({"content": "She drinks tea without sugar", "action": "create"}, config=config))
found = search.invoke({"query": "what is the dog called?"}, config=config)
print(found)
assert "Bruno" in str(found)
items = store.search(("langmem", "reader-7"), query="dog")
print([(i.value, round(i.score, 3)) for i in items])
key = items[0].key
print(manage.invoke({"content": "Her dog is called Bruno and barks", "action": "update", "id": key}, config=config))
assert "barks" in str(store.get(("langmem", "reader-7"), key).value)
print(manage.invoke({"action": "delete", "id": key}, config=config))
assert store.get(("langmem", "reader-7"), key) is None
print(asyncio.run(search.ainvoke({"query": "tea"}, config=config)))


class Scripted(GenericFakeChatModel):
    def bind_tools(self, tools, **more):
        return self


call = {"name": "Memory", "args": {"content": "She moved to Porto in May"}, "id": "c1", "type": "tool_call"}
done = {"name": "Done", "args": {}, "id": "c2", "type": "tool_call"}
model = Scripted(messages=iter([AIMessage("", tool_calls=[call])] + [AIMessage("", tool_calls=[done])] * 5))
manager = create_memory_store_manager(
    model, namespace=("langmem", "{user}"), store=store, query_model=None, query_limit=5
)
result = manager.invoke({"messages": [{"role": "user", "content": "I moved to Porto in May"}]}, config=config)
print(result)
kept = [i.value for i in store.search(("langmem", "reader-7"), query="Porto", limit=5)]
print(kept)
assert "Porto" in str(kept)
for namespace in store.list_namespaces(prefix=("langmem",)):
    for item in store.search(namespace, limit=100):
        store.delete(namespace, item.key)
print("LangMem runs on Memory37Store")
