"""Tables of tenancy."""
