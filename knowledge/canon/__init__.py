"""The canon: lore documents, immutable revisions, releases and the aliases that point at them."""
