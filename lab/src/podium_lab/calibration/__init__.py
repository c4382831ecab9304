"""Calibration: the error rates of procedures, measured by simulation under their own null.

`scenario.py` says what a scenario is, `scenarios.py` lists all there are (families of them in
`simulated_learners.py`, `damaged_learners.py` and `equal_processes.py`; for the latter there are
`tree_or_discriminant.py` and fast `trees.py`); `judging.py` says what comes of one draw;
`calibrate.py` counts, in `batches.py` that are kept.
"""
