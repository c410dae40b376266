"""Lists and calls every tool of a running Memory37 by MCP, with whichever official client is installed (1.x or 2.x).

    python qa/clients/mcp_client.py http://localhost:8000 m37_…

Needs nothing of this repository: `pip install mcp` into any environment will do. Exits with 1 when a tool is missing or
an answer is not what it should be.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import version
from typing import Any

CALLS: dict[str, dict[str, Any]] = {
    "rules_lookup": {"term": "clasped"},
    "lore_search": {"query": "who keeps the Moon Bridge", "k": 2},
    "lore_assert": {"fact": "The Moon Bridge has eleven arches."},
}
"""One call of each tool, which the sample world answers."""


@asynccontextmanager
async def connect(url: str, headers: dict[str, str]) -> AsyncIterator[Any]:
    """A session that is ready for calls."""
    if version("mcp").startswith("1."):
        from mcp.client.streamable_http import streamablehttp_client  # type: ignore[attr-defined]

        from mcp import ClientSession  # type: ignore[attr-defined]

        async with (
            streamablehttp_client(url, headers=headers) as (read, write, _),
            ClientSession(read, write) as client,
        ):
            await client.initialize()
            yield client
    else:
        import httpx2
        from mcp.client.streamable_http import streamable_http_client

        from mcp import Client

        async with (
            httpx2.AsyncClient(headers=headers, timeout=30) as http,
            Client(streamable_http_client(url, http_client=http)) as client,
        ):
            yield client


def read_answer(answer: Any) -> tuple[bool, dict[str, Any]]:
    """Whether the tool failed, and its structured content, or the problem document of its text.

    The two majors name both differently.
    """
    is_error = answer.isError if hasattr(answer, "isError") else answer.is_error
    if is_error:
        return True, json.loads(answer.content[0].text)
    content = answer.structuredContent if hasattr(answer, "structuredContent") else answer.structured_content
    return False, content


def describe(tool: str, content: dict[str, Any]) -> str:
    """The answer in one line."""
    if tool == "rules_lookup":
        return f"{content['rule']['title']} ({content['rule']['rule_id']}), found by {content['matched_by']}"
    if tool == "lore_search":
        hits = ", ".join(f"{hit['document']['slug']} {hit['score']:.2f}" for hit in content["hits"])
        return f"{hits} in release {content['release']['number']}"
    return f"{content['verdict']}: {content['explanation']}"


async def try_tools(url: str, headers: dict[str, str]) -> int:
    """How many things were wrong; what came is printed."""
    wrong = 0
    async with connect(url, headers) as client:
        listed = {tool.name for tool in (await client.list_tools()).tools}
        print(f"mcp {version('mcp')} sees {', '.join(sorted(listed))}")
        for tool, arguments in CALLS.items():
            failed, content = read_answer(await client.call_tool(tool, arguments))
            wrong += failed or tool not in listed
            shown = json.dumps(content, ensure_ascii=False) if failed else describe(tool, content)
            print(f"{tool} {json.dumps(arguments)}\n    {shown}")
        failed, content = read_answer(await client.call_tool("rules_lookup", {}))
        wrong += not failed or content["code"] != "rule_lookup_needs_one"
        print(f"rules_lookup {{}}\n    refused, as it should be: {content['code']}: {content['detail']}")
    return wrong


def main() -> int:
    """The exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("url", help="of the service, without a path: http://localhost:8000")
    parser.add_argument("key", help="an API key with the scope read")
    parser.add_argument("--world", help="X-Site-ID, for a key of several worlds")
    options = parser.parse_args()
    headers = {"Authorization": f"Bearer {options.key}"}
    if options.world:
        headers["X-Site-ID"] = options.world
    return min(asyncio.run(try_tools(f"{options.url.rstrip('/')}/mcp", headers)), 1)


if __name__ == "__main__":
    sys.exit(main())
