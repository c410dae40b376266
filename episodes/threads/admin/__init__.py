"""Pages of threads: their checkpoints as a tree, and the questions that wait for people."""
