"""REST of lorebooks and cards."""
