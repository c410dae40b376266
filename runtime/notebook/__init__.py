"""Notebooks where several apps meet: context, commands with their follow-up, chat, the memory tool over MCP."""
