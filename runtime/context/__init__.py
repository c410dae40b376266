"""The context pack of one turn: request → resolve → sources → relevance filter → fit → render. `pipeline.py` puts it
together."""
