"""Tenants, worlds, people and keys in the admin site, and what every other app's admin pages stand on."""

from tenancy.admin import api_keys, logins, people, tenants

__all__ = ["api_keys", "logins", "people", "tenants"]
