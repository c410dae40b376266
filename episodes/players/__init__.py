"""Players as support sees them: who they are, what is known of them and why."""
