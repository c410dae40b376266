"""Tenants, worlds, end users, API keys and their scopes, idempotency keys."""
