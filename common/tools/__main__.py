"""Runs a script of the suite's: python3 common/tools grader.grade ARGUMENT..."""

import runpy
import sys
from pathlib import Path

sys.path[0] = str(Path(__file__).resolve().parents[2])
module = sys.argv.pop(1)
runpy.run_module(f"common.{module}", run_name="__main__", alter_sys=True)
