"""Whole CUDA programs, compiled by ladder-nvcc and run: what they print, and what is reported of them.

The first argument is a build folder. Each program under common/tests/programs, and 01_naive/drift.cu, says in comments
what to expect:
  // prints: TEXT      the next line of its output
  // reports: FORM     a report that matches; @x in it is the number of the line that ends with // @x
  // notes: FORM       a note that matches; a program that says none of notes may have any
  // status: NUMBER    its exit status, 0 where it does not say
  // orders: ORDER...  orders of a block's threads; the program runs once in each
  // only: MODE        plain or check; such a line may also begin one of the others, "// check reports: FORM"
"""

import concurrent.futures
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from common.base.command_line import ROOT
from common.executor.checker import see
from common.executor.nvcc.toolchain import thrust_flags

PROGRAMS = ROOT / "common" / "tests" / "programs"
DRIFT = ROOT / "01_naive" / "drift.cu"
BUILD = Path(sys.argv.pop(1)).resolve()
EXPECTATION = re.compile(r"^// (?:(plain|check) )?(prints|reports|notes|status|orders|only): ?(.*)$", re.M)
REPORT = re.compile(r"^executor: (?!note: |\d+ reports?).*\n(?:  .*\n)*", re.M)
NOTE = re.compile(r"^executor: note: .*\n(?:  .*\n)*", re.M)


def modes():
    """The modes whose libraries the build folder has."""
    libraries = json.loads((BUILD / "executor.json").read_text())["libraries"]
    return [mode for mode in ("plain", "check") if Path(libraries[mode]).exists()]


def expectations(file, mode):
    """The expected texts for a mode, by kind."""
    source = file.read_text()
    lines = {match[1]: str(number) for number, line in enumerate(source.splitlines(), 1)
             if (match := re.search(r"// @(\w+)$", line))}
    found = {"prints": [], "reports": [], "notes": [], "status": ["0"], "orders": ["forward"], "only": []}
    for of_mode, kind, text in EXPECTATION.findall(source):
        if of_mode in ("", mode):
            found[kind].append(re.sub(r"@(\w+)", lambda match: lines[match[1]], text) if kind in ("reports", "notes") else text)
    return found


class Programs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        """Begins to compile all programs. The first of a mode builds an executor that is older than its sources, and says so."""
        cls.folder = Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        for mode in modes():
            cls.compile(DRIFT, mode)
        pool = concurrent.futures.ThreadPoolExecutor(os.cpu_count())
        cls.addClassCleanup(pool.shutdown)
        cls.compiled = {(file, mode): pool.submit(cls.compile, file, mode) for file, mode in CASES}

    @classmethod
    def program(cls, file, mode):
        return cls.folder / f"{file.stem}_{mode}"

    @classmethod
    def compile(cls, file, mode):
        return subprocess.run([BUILD / "ladder-nvcc", f"--{mode}", "-o", cls.program(file, mode), file], capture_output=True,
                              text=True)

    def run_program(self, file, mode):
        if "#include <thrust/" in file.read_text() and thrust_flags() is None:
            self.skipTest("Thrust's headers are missing")
        compiled = self.compiled[file, mode].result()
        self.assertEqual((compiled.returncode, compiled.stderr), (0, ""))
        expected = expectations(file, mode)
        for order in expected["orders"][-1].split():
            ran = subprocess.run([self.program(file, mode)], capture_output=True, text=True, timeout=120,
                                 env={**os.environ, "NBODY_EXECUTOR_ORDER": order})
            with self.subTest(order=order):
                self.check_run(ran, expected)
        if mode == "check":  # a run that records what the threads do (see.py) prints and reports the same; of a race, sides may change
            recording = see.settings(self.folder / f"{file.stem}.jsonl", ran.stderr)
            recorded = subprocess.run([self.program(file, mode)], capture_output=True, text=True, timeout=120,
                                      env={**os.environ, "NBODY_EXECUTOR_ORDER": order, **recording})
            with self.subTest(recorded=True):
                self.assertEqual(*((one.stdout, one.returncode, len(REPORT.findall(one.stderr))) for one in (recorded, ran)))

    def check_run(self, ran, expected):
        told = {"reports": REPORT.findall(ran.stderr), "notes": NOTE.findall(ran.stderr)}
        self.assertEqual(ran.stdout.splitlines(), expected["prints"], ran.stderr)
        for kind, texts in told.items():
            for form in expected[kind]:
                self.assertTrue(any(re.search(form, text) for text in texts), f"{form}\n{ran.stderr}")
            if kind == "reports" or expected[kind]:
                self.assertEqual(len(texts), len(expected[kind]), ran.stderr)
        self.assertEqual(ran.returncode, int(expected["status"][-1]), ran.stderr)


def add_test(file, mode):
    setattr(Programs, f"test_{file.stem}_{mode}", lambda self: self.run_program(file, mode))


CASES = [(file, mode) for file in [DRIFT, *sorted(PROGRAMS.rglob("*.cu"))] for mode in modes()
         if mode in (expectations(file, mode)["only"] or [mode])]
for case in CASES:
    add_test(*case)
