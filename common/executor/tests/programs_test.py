"""Whole CUDA programs, compiled by ladder-nvcc and run: what they print, and what is reported of them.

The arguments are a build folder and the mode of the programs, plain or check. Each program under common/executor/tests/programs, and
01_naive/drift.cu, says in comments what to expect:
  // prints: TEXT      the next line of its output
  // reports: FORM     a report that matches; @x in it is the number of the line that ends with // @x
  // notes: FORM       a note that matches; a program that says none of notes may have any
  // status: NUMBER    its exit status, 0 where it does not say
  // orders: ORDER...  orders of a block's threads; the program runs once in each
  // only: MODE        plain or check; such a line may also begin one of the others, "// check reports: FORM"
"""

import concurrent.futures
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
from common.tests.tools.case import HANG

PROGRAMS = ROOT / "common" / "executor" / "tests" / "programs"
DRIFT = ROOT / "01_naive" / "drift.cu"
BUILD, MODE = Path(sys.argv.pop(1)).resolve(), sys.argv.pop(1)
EXPECTATION = re.compile(r"^// (?:(plain|check) )?(prints|reports|notes|status|orders|only): ?(.*)$", re.M)
REPORT = re.compile(r"^executor: (?!note: |\d+ reports?).*\n(?:  .*\n)*", re.M)
NOTE = re.compile(r"^executor: note: .*\n(?:  .*\n)*", re.M)


def expectations(file):
    """The expected texts, by kind."""
    source = file.read_text()
    lines = {match[1]: str(number) for number, line in enumerate(source.splitlines(), 1)
             if (match := re.search(r"// @(\w+)$", line))}
    found = {"prints": [], "reports": [], "notes": [], "status": ["0"], "orders": ["forward"], "only": []}
    for of_mode, kind, text in EXPECTATION.findall(source):
        if of_mode in ("", MODE):
            found[kind].append(re.sub(r"@(\w+)", lambda match: lines[match[1]], text) if kind in ("reports", "notes") else text)
    return found


class Programs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        """Begins to compile all programs. The first builds an executor that is older than its sources, and says so."""
        cls.folder = Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.compile(DRIFT)
        pool = concurrent.futures.ThreadPoolExecutor(os.cpu_count())
        cls.addClassCleanup(pool.shutdown)
        cls.compiled = {file: pool.submit(cls.compile, file) for file in FILES}

    @classmethod
    def compile(cls, file):
        return subprocess.run([BUILD / "ladder-nvcc", f"--{MODE}", "-o", cls.folder / file.stem, file], capture_output=True, text=True)

    def run_program(self, file):
        if "#include <thrust/" in file.read_text() and thrust_flags() is None:
            self.skipTest("Thrust's headers are missing")
        compiled = self.compiled[file].result()
        self.assertEqual((compiled.returncode, compiled.stderr), (0, ""))
        expected = expectations(file)
        for order in expected["orders"][-1].split():
            ran = subprocess.run([self.folder / file.stem], capture_output=True, text=True, timeout=HANG,
                                 env={**os.environ, "NBODY_EXECUTOR_ORDER": order})
            with self.subTest(order=order):
                self.check_run(ran, expected)
        if MODE == "check":  # a run that records what the threads do (see.py) prints and reports the same; of a race, sides may change
            recording = see.settings(self.folder / f"{file.stem}.jsonl", ran.stderr)
            recorded = subprocess.run([self.folder / file.stem], capture_output=True, text=True, timeout=HANG,
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


def add_test(file):
    setattr(Programs, f"test_{file.stem}", lambda self: self.run_program(file))


FILES = [file for file in [DRIFT, *sorted(PROGRAMS.rglob("*.cu"))] if MODE in (expectations(file)["only"] or [MODE])]
for file in FILES:
    add_test(file)
