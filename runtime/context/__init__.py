"""The context pack of one turn: request → resolve → sources → gate → fit → render. `pipeline.py` puts it together."""
