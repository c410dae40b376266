"""Pure parts of facts: types, keys, encryption."""
