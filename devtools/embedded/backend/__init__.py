"""A Django database engine for the embedded PostgreSQL."""
