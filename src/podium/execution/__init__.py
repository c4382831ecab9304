"""Running a study: `run.py` does one run, `backends.py` says where, `runner.py` drives."""
