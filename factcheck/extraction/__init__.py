"""The second stage: a proposer reads what no rule could, a gate decides, people label a sample."""
