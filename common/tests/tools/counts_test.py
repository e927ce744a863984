"""Tests of what is counted of memory: against a profiler's counts, by lines, and as a table."""

import collections
import csv
import json
import os
import re
import subprocess
import unittest
from types import SimpleNamespace

from common.base.command_line import ROOT
from common.executor.checker.advice import advice, all_advice, rows
from common.grader.exercises.files import exercise
from common.tests.tools.case import InFolder
from common.tools.cuda import cuda
from common.tools.cuda.counts import counted, per_interaction, table
from common.tools.ladder import micro
from common.tools.ladder.recorded import access_counts

COUNTS = ROOT / "common" / "executor" / "tests" / "counts"
RECORDS = sorted((ROOT / "docs" / "results").glob("*/micro_counts.json"))
# Counters that need not be equal: kernels and counters as regular expressions, and the reason.
UNEQUAL = [
    ("oddLanes|first.*Lanes.*|guarded|shared(Odd|Some)Lanes.*|atomicOddLanes", "branches that part lanes",
     "nvcc makes instructions that only some lanes execute of a short branch, so that no lanes part"),
]


def own_counters(kernel):
    """The executor's counts, by the names of the record. Blocks that were not counted are like the others."""
    found = collections.Counter()
    for one in kernel["accesses"]:
        name = f"{one['memory']} {one['access']}"
        found[f"{name} conflicts"] += one["wavefronts"] - one["least_wavefronts"]
        for what in ("requests", "sectors", "wavefronts"):
            found[f"{name} {what}"] += one[what]
        found[f"{name} bytes"] += one["distinct_bytes"]
    found["branches that part lanes"] = sum(branch["parted"] for branch in kernel["branches"])
    return {name: value * kernel["blocks"] / kernel["blocks_seen"] for name, value in found.items()}


def recorded_counters(record, kernel):
    """A record's, in which atomics with and without a result are one."""
    found = collections.Counter()
    for name in record["metrics"]:
        found[name.replace("reduction", "atomic")] += record["kernels"][kernel].get(name, 0)
    return found


def is_unequal(kernel, counter):
    return any(re.fullmatch(kernels, kernel) and counter == own for kernels, own, _ in UNEQUAL)


def compiled(file):
    return str(cuda.compiled(SimpleNamespace(file=str(file), compile="", counts=True), "check"))


class Counts(InFolder):
    @classmethod
    def setUpClass(cls):
        cls.program = compiled(micro.PROGRAM)
        cls.status, cls.document = counted([cls.program], stdout=subprocess.DEVNULL)
        launches = {f"counts/micro.cu:{number}": name for number, name in micro.launches().items()}
        cls.kernels = {launches[kernel["launched"]]: kernel for kernel in cls.document["kernels"]}

    def test_they_are_those_of_a_profiler(self):
        self.assertEqual(self.status, 0)
        self.assertGreaterEqual(len(self.kernels), 65)
        self.assertTrue(RECORDS)
        for path in RECORDS:
            record = json.loads(path.read_text())
            with open(path.with_suffix(".csv")) as table:
                self.assertEqual(micro.parsed([*csv.DictReader(table)], record["metrics"], record["kernels"]), record["kernels"])
            for name in record["kernels"]:  # an older record has fewer
                own = own_counters(self.kernels[name])
                for counter, value in recorded_counters(record, name).items():
                    with self.subTest(record=path.parent.name, kernel=name, counter=counter):
                        check = self.assertNotEqual if is_unequal(name, counter) else self.assertEqual
                        check(own.get(counter, 0), value)

    def test_half_of_the_lanes(self):
        for row in rows(self.kernels["oddLanes"]):
            self.assertEqual(row["lanes"], 16 * row["requests"])

    def test_waste_comes_first_and_is_explained(self):
        worst = rows(self.kernels["transposeNaive"])[0]
        self.assertEqual((worst["access"], worst["stride"]), ("store", 512))
        self.assertIn("32 sectors per request where 4 would do: neighbouring lanes are 512 bytes apart, as in a column", advice(worst))
        self.assertIn("one more column", advice(rows(self.kernels["transposeTile<float, 0>"])[0]))
        self.assertIn("add up within the warp", advice(rows(self.kernels["atomicAdds<float, 0>"])[0]))
        for name in ("copy<float>", "copy<float4>", "transposeTile<float, 1>", "atomicAdds<float, 1>"):
            self.assertEqual({advice(row) for row in rows(self.kernels[name])}, {""}, name)

    def test_the_table(self):
        text = table(self.document)
        self.assertLessEqual(max(map(len, text.splitlines())), 120)
        self.assertIn("64 of 64 blocks counted", text)
        self.assertRegex(text, r"micro.cu:\d+ +global load +4 +512 +32.0 +2,048 +2,048\n")

    def test_barriers_are_those_of_the_blocks_that_were_counted(self):
        self.assertEqual(self.kernels["transposeTile<float, 0>"]["barriers"], self.kernels["transposeTile<float, 0>"]["blocks_seen"])
        self.assertEqual(self.kernels["transposeNaive"]["barriers"], 0)

    def test_bytes_per_interaction(self):
        access = {"access": "load", "memory": "global", "lanes": 64, "bytes": 16}
        store = {**access, "access": "store"}
        document = {"kernels": [{"blocks": 8, "blocks_seen": 2, "accesses": [access, store]}]}
        self.assertEqual(per_interaction(document, 16), {"global_bytes": 16.0, "shared_bytes": 0.0})

    def test_the_recorded_counts_have_every_row_of_steps_with_one_loop(self):
        rows = {row["row"]: row for row in access_counts()["rows"]}
        self.assertEqual(rows["01_naive"]["global_bytes"], 16)
        self.assertLess(rows["02_tiled"]["global_bytes"], 0.1)
        self.assertEqual([name[:2] for name in rows], ["01", "02", "03", "04", "04", "05", "05"])

    def test_a_file_that_cannot_be_written(self):
        ran = subprocess.run([self.program], env={**os.environ, "NBODY_EXECUTOR_COUNTS": "/nowhere/counts.json"},
                             capture_output=True, text=True)
        self.assertIn("cannot write '/nowhere/counts.json'", ran.stderr)


class InARow(InFolder):
    def test_what_overlaps_is_not_in_a_row(self):
        sums = exercise("8.5")
        for texts, most in ((sums.starter(), 32), (sums.solution(), 17)):
            _, document = counted([compiled(self.write(sums.main, texts[sums.main]))], stdout=subprocess.DEVNULL)
            self.assertEqual((document["operations"], document["operations_in_a_row"]), (32, most))


class WrongForSpeed(unittest.TestCase):
    def test_each_mistake_is_named_and_nothing_else(self):
        file = COUNTS / "wrong_for_speed.cu"
        _, document = counted([compiled(file)], stdout=subprocess.DEVNULL)
        said = [(row["line"], text) for row, text in all_advice(document)]
        expected = {f"counts/{file.name}:{number}": line.partition("  // advice: ")[2]
                    for number, line in enumerate(file.read_text().splitlines(), 1) if "  // advice: " in line}
        if not cuda.built_executor("check")[2]:
            self.skipTest("only the plugin of g++ tells of branches")
        self.assertEqual({line for line, _ in said}, expected.keys())
        for line, text in said:
            self.assertIn(expected[line], text, line)
        text = table(document)
        self.assertRegex(text, r"branch +4,096 +16.5 +3,968 parted\n    the lanes of a warp part 31 times here")
