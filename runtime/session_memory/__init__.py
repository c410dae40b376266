"""What NPCs remember of the talk that goes on: a cache over RAW in Redis, with a TTL."""
