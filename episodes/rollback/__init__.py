"""Rollback of play: checkpoints of a campaign, and ways back to them that delete nothing."""
