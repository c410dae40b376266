"""User facts: superseded, disputed, expired, always with their evidence."""
