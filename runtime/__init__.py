"""Session memory, context packs, chat, traces, REST routes and the MCP server."""
