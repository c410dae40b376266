"""What the demo prints when it is ready: where to look, how to sign in, what to paste."""

from __future__ import annotations

import json

from devtools.demo.load import SampleWorld

QUERIES = (
    "how many arches does the bridge of the moon have and who designed it",
    "сколько арок у Лунного моста и кто его строил",
    "متى بني باب الملح وكم ارتفاعه",
    "月桥有几个桥孔，谁设计的",
)
CLAIM = "The Moon Bridge has eleven arches."


ROLES = {
    "labeller": "labels extractions, sees nothing else",
    "editor": "proposes changes of canon",
    "reviewer": "approves, stages and swaps, sees players",
    "owner": "also overrides gates, erases players, issues keys",
    "superuser": "sees every tenant, people, periodic tasks",
}


def render_banner(sample: SampleWorld, url: str) -> str:
    """The text for a base URL. Its commands can be pasted into a shell as they are."""
    logins = "\n".join(
        f"    {login.username:<9} {login.password:<13} {ROLES.get(login.role, '')}" for login in sample.logins
    )
    keys = "\n".join(f"    {scope:<9} {key}" for scope, key in sample.keys.items())
    commands = "\n\n".join(build_commands(url, sample.keys["read"]))
    return f"""
Memory37 runs at {url}

  start page  {url}/
  admin       {url}/admin/
  API docs    {url}/api/docs/
  MCP         {url}/mcp   (streamable HTTP; a key as bearer)

  sign in as (name, password)
{logins}

  API keys (scope, key) for the world {sample.world_slug} of the tenant {sample.tenant_slug}; `tenant`: all worlds
{keys}

Try it:

{commands}
{render_trace_line(sample, url)}
Ctrl-C ends it.
"""


def render_trace_line(sample: SampleWorld, url: str) -> str:
    """Where to read why an NPC said what it said; nothing where traces are not kept."""
    if not sample.trace_id:
        return ""
    page = f"{url}/admin/runtime/trace/{sample.trace_id}/change/"
    return f"\nWhy did the NPC say that? Sign in as reviewer and open\n\n{page}\n"


def build_commands(url: str, key: str) -> list[str]:
    """A search in four languages, a rule by its name, a claim about the world, and what is known of a player."""
    bearer = f"-H 'Authorization: Bearer {key}'"
    queries = " ".join(f"'{query}'" for query in QUERIES)
    search = f'curl -sG {bearer} {url}/api/v1/lore/search --data-urlencode "q=$q" -d k=1'
    claim = json.dumps({"fact": CLAIM})
    return [
        f"for q in {queries}; do {search}; echo; done",
        f"curl -sG {bearer} {url}/api/v1/rules/lookup -d term=clasped; echo",
        f"curl -s {bearer} -H 'Content-Type: application/json' {url}/api/v1/lore/assert -d '{claim}'; echo",
        f"curl -s {bearer} {url}/api/v1/users/player-1/facts; echo",
    ]
