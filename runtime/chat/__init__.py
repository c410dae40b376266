"""A player speaks to an NPC: kept, understood, put in context, answered, held against canon."""
