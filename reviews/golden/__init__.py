"""Golden queries: what search must find, the runs that test it, and the gate that they keep."""
