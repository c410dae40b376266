"""Tables of snippets and summaries of talk."""
