"""The executor's counts of the force kernels of steps 01 to 07 against a profiler's (./run profile micro). All counters of steps 01
to 03 are equal. What else differs is listed with the reason."""

import csv
import json
import math
import os
import re
import unittest

from common.base.command_line import ROOT
from common.tests.tools.counts_test import own_counters, recorded_counters
from common.tools.build import built
from common.tools.cuda.counts import counted
from common.tools.ladder import micro
from common.tools.programs import flags

RECORDS = sorted((ROOT / "docs" / "results").glob("*/force_counts.json"))
MULTIPROCESSORS = 132  # of the GPUs in the records: blocks are chosen by them
# (steps, counters, the least and the most that the executor counts for each one that a profiler counts, reason).
DIFFERENT = [
    ("04|05", "global atomic .*", 3.9, 4.1, "from compute capability 9.0 on, four sums are added by one instruction"),
    ("04", "shared load (requests|wavefronts|bytes)", 2, 2, "nvcc reads one source for two bodies"),
    ("04", "branches .*", 0, 0, "nvcc branches around sums that g++ predicates"),
    ("05", "shared atomic wavefronts", 0.45, 0.55, "nvcc adds a float to shared memory by a loop of a load and an exchange"),
    ("05", "shared load conflicts", 0, 0, "five among 67,701 wavefronts"),
    ("05", "shared .*", 0.8, 1.05, "two of three blocks are counted; nvcc clears sums in pieces of 4 bytes"),
    ("05", "global .*", 0.95, 1.05, "two of three blocks are counted"),
    ("06|07", "global load (requests|sectors)", 0.9, 1.25, "nvcc reads four links of a cell at once, or one"),
    ("06|07", "shared .*", 0.6, 2.7, "nvcc keeps parts of a warp's queue in registers"),
    ("06|07", "global atomic .*", 1, 5, "one of the executor's three launches also counts interactions"),
    ("06|07", "branches .*", 0, 0, "lanes part where a loop of the queue ends"),
]


class ForceCounts(unittest.TestCase):
    def test_they_are_those_of_a_profiler_but_for_what_is_listed(self):
        self.assertTrue(RECORDS)
        build = built("cpu-check", *micro.FORCE_KERNELS)
        environment = {**os.environ, "NBODY_EXECUTOR_MULTIPROCESSORS": str(MULTIPROCESSORS)}
        for step, name in micro.FORCE_KERNELS.items():
            status, document = counted([build / step / step, *flags(bodies=micro.FORCE_BODIES, steps=0)], environment)
            self.assertEqual(status, 0, step)
            kernel = next(one for one in document["kernels"] if name in one["kernel"])
            for path in RECORDS:
                self.compare(path, step, kernel)

    def compare(self, path, step, kernel):
        record = json.loads(path.read_text())
        with open(path.with_suffix(".csv")) as table:
            rows = [*csv.DictReader(table)]
        self.assertEqual(micro.parsed(rows, record["metrics"], micro.FORCE_KERNELS), record["kernels"])
        grid = rows[[*record["kernels"]].index(step)]["Grid Size"]
        launches = kernel["blocks"] / math.prod(map(int, re.findall(r"\d+", grid)))
        for counter, value in (+recorded_counters(record, step)).items():  # without zeros
            ratio = own_counters(kernel).get(counter, 0) / launches / value
            least, most = next(((least, most) for steps, counters, least, most, _ in DIFFERENT
                                if re.match(steps, step) and re.fullmatch(counters, counter)), (1, 1))
            with self.subTest(record=path.parent.name, step=step, counter=counter):
                self.assertTrue(least <= ratio <= most, f"{ratio:.3f}")
