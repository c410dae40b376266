"""What agents keep by namespace and key, across their threads: the store of LangGraph, and of anything else."""
