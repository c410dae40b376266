"""The MCP door: three read-only tools over streamable HTTP."""
