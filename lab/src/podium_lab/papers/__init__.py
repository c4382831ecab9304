"""Replications of the seed papers' tables: theirs beside ours.

The modules of a paper begin with its name; one of them registers its items in `replication.PAPERS`.
`replication.py` has what comes out, the items, and how the studies of papers are run; `bundling.py`
has two algorithms that only hothorn2005 needs.
"""
