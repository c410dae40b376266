"""Who NPCs are: profiles in versions, with the secrets and relations that stand in them."""
