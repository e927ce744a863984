"""The command line: python3 common/tools COMMAND OPTION...; see commands.py."""

import sys

if sys.version_info < (3, 10):
    sys.stderr.write("run: Python %d.%d is too old, 3.10 or newer is needed\n" % sys.version_info[:2])
    sys.exit(2)

from pathlib import Path

sys.path[0] = str(Path(__file__).resolve().parents[2])

from common.tools.commands import main

sys.exit(main(sys.argv[1:]))
