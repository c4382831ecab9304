"""`python -m podium` is the `podium` command."""

import os
import sys

if not sys.flags.safe_path and sys.path and sys.path[0] == os.getcwd():
    del sys.path[0]  # `-m` put it there: what lies in the working folder is data, not code

from podium.cli import main

main()
