"""Short talks with the facts that must come of them: what a prompt or a proposer is worth before it is used."""
