"""Replications of the seed papers' tables: theirs beside ours.

One module per paper registers its items in `replication.PAPERS`; what several of them need is
below: `replication` (the value that comes out), `batches` (long simulations that can be resumed).
"""
