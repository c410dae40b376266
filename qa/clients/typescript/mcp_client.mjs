// Lists and calls the tools of a running Memory37 by MCP, with the official TypeScript SDK.
//
//     npm ci --prefix qa/clients/typescript
//     node qa/clients/typescript/mcp_client.mjs http://localhost:8000 m37_… [world]
//
// The SDK checks each structured answer against the tool's outputSchema and throws on what does not fit, so a failed
// call must come as text. Exits with 1 when a tool is missing or an answer is not what it should be.

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const CALLS = [
  ["rules_lookup", { term: "clasped" }, (answer) => answer.structuredContent.rule.slug === "clasped"],
  ["lore_search", { query: "who keeps the Moon Bridge", k: 2 }, (answer) => answer.structuredContent.hits.length > 0],
  ["lore_assert", { fact: "The Moon Bridge sings." }, (answer) => answer.structuredContent.verdict === "unknown"],
  ["graph_lookup", { name: "Moon Bridge" }, (answer) => answer.structuredContent.entity.slug === "moon-bridge"],
  ["context_pack", { message: "Who keeps the Moon Bridge?" }, (answer) => answer.content[0].text.includes("Moon Bridge")],
];
const REFUSALS = [
  ["rules_lookup", {}, "rule_lookup_needs_one"],
  ["rules_lookup", { term: "zzzz qqqq" }, "rule_not_found"],
  ["lore_search", { query: "" }, "query_empty"],
  ["lore_assert", { fact: "" }, "claim_empty"],
  ["graph_lookup", { name: "zzzz qqqq" }, "entity_not_found"],
  ["npc_profile", { npc_id: "nobody" }, "npc_not_found"],
  ["session_fetch", { party_id: "nobody" }, "party_not_found"],
  ["art_suggest", {}, "invalid"],
  ["context_pack", { message: "Hello?", npc_id: "nobody" }, "npc_not_found"],
];

async function tryTools(url, headers) {
  const client = new Client({ name: "memory37-qa", version: "1" });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }));
  const { tools } = await client.listTools();
  const listed = new Set(tools.map((tool) => tool.name));
  let wrong = 0;
  const note = (name, given, isRight, shown) => {
    wrong += isRight ? 0 : 1;
    console.log(`${isRight ? "ok   " : "WRONG"} ${name} ${JSON.stringify(given)} ${shown}`);
  };
  for (const [name, given, isRight] of CALLS) {
    const answer = await client.callTool({ name, arguments: given });
    note(name, given, listed.has(name) && !answer.isError && isRight(answer), `${answer.content[0].text.length} characters`);
  }
  for (const [name, given, code] of REFUSALS) {
    const answer = await client.callTool({ name, arguments: given });
    const problem = JSON.parse(answer.content[0].text);
    note(name, given, listed.has(name) && answer.isError && problem.code === code, `${problem.code}: ${problem.detail}`);
  }
  await client.close();
  return wrong;
}

const [url, key, world] = process.argv.slice(2);
if (!url || !key) {
  console.error("usage: node mcp_client.mjs URL KEY [WORLD]");
  process.exit(2);
}
const headers = { Authorization: `Bearer ${key}`, ...(world ? { "X-Site-ID": world } : {}) };
process.exit(Math.min(await tryTools(url.replace(/\/$/, ""), headers), 1));
