"""REST routes of canon: search, rules, documents, releases."""
