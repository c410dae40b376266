"""What the demo prints when it is ready: where to look, how to sign in, what to paste."""

from __future__ import annotations

import json

from runtime.demo.load import SampleWorld

QUERIES = (
    "how many arches does the bridge of the moon have and who designed it",
    "сколько арок у Лунного моста и кто его строил",
    "متى بني باب الملح وكم ارتفاعه",
    "月桥有几个桥孔，谁设计的",
)
CLAIM = "The Moon Bridge has eleven arches."


def render_banner(sample: SampleWorld, url: str) -> str:
    """The text for a base URL. Its three commands can be pasted into a shell as they are."""
    logins = "\n".join(f"    {login.username:<9} {login.password}" for login in sample.logins)
    keys = "\n".join(f"    {scope:<9} {key}" for scope, key in sample.keys.items())
    commands = "\n\n".join(build_commands(url, sample.keys["read"]))
    return f"""
Memory37 runs at {url}

  admin       {url}/admin/
  API docs    {url}/api/docs/
  MCP         {url}/mcp   (streamable HTTP; a key as bearer)

  sign in as (name, password)
{logins}

  API keys (scope, key) for the world {sample.world_slug} of the tenant {sample.tenant_slug}
{keys}

Try it:

{commands}

Ctrl-C ends it.
"""


def build_commands(url: str, key: str) -> list[str]:
    """A search in four languages, a rule by its name, and a claim about the world."""
    bearer = f"-H 'Authorization: Bearer {key}'"
    queries = " ".join(f"'{query}'" for query in QUERIES)
    search = f'curl -sG {bearer} {url}/api/v1/lore/search --data-urlencode "q=$q" -d k=1'
    claim = json.dumps({"fact": CLAIM})
    return [
        f"for q in {queries}; do {search}; echo; done",
        f"curl -sG {bearer} {url}/api/v1/rules/lookup -d term=clasped; echo",
        f"curl -s {bearer} -H 'Content-Type: application/json' {url}/api/v1/lore/assert -d '{claim}'; echo",
    ]
