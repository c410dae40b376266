"""Short texts that a chat model makes of long talk: snippets of messages, summaries of what left the window."""
