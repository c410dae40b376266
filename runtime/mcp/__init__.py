"""The MCP endpoint: three read-only tools over streamable HTTP."""
