"""What a pack may tell: one source a file. `runtime/context/pipeline.py` lists them; `docs/how-to/add-a-source.md`."""
