"""The command line: python3 common/tools COMMAND OPTION..., and a script of the suite by its name with a dot in it:
python3 common/tools grader.grade OPTION...
"""

import importlib
import sys
from pathlib import Path

sys.path[0] = str(Path(__file__).resolve().parents[2])

from common.base.command_line import run_command


def run_script(name, words):
    module = importlib.import_module(f"common.{name}")
    if hasattr(module, "add_arguments"):
        return run_command(name.rpartition(".")[2].replace("_", "-"), module, words)
    sys.argv[1:] = words
    return module.main()


if __name__ == "__main__":
    sys.exit(run_script(sys.argv[1], sys.argv[2:]))
