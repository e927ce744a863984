"""The command line: python3 common/tools COMMAND OPTION..., as commands.py has it."""

import sys
from pathlib import Path

sys.path[0] = str(Path(__file__).resolve().parents[2])

from common.tools.commands import main

sys.exit(main(sys.argv[1:]))
