"""Runs the service on a developer's machine: PostgreSQL and Redis from wheels, a supervisor of processes, the demo.

Production code imports nothing of it: a process that is given `DATABASE_URL` and `REDIS_URL` loads no module from here.
"""
