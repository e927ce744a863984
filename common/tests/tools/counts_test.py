"""Tests of what is counted of memory: against a profiler's counts, by lines, and as a table."""

import csv
import json
import os
import re
import subprocess
import unittest
from pathlib import Path
from types import SimpleNamespace

from common.base.command_line import ROOT
from common.executor.checker.advice import advice, all_advice, rows
from common.tests.tools.case import InFolder
from common.tools.cuda import counts, cuda
from common.tools.cuda.counts import counted, page, per_interaction, table

COUNTS = ROOT / "common" / "tests" / "counts"
# Columns of a profiler's counts, by memory and access.
COLUMNS = {("global", "load"): ("load requests", "load sectors"), ("global", "store"): ("store requests", "store sectors"),
           ("global", "atomic"): ("atomic requests", "atomic sectors"), ("shared", "load"): ("shared loads", "load wavefronts"),
           ("shared", "store"): ("shared stores", "store wavefronts")}


def recorded():
    """Of each kernel, what Nsight Compute has counted on an H100."""
    with open(COUNTS / "h100.csv") as file:
        return {row["kernel"]: row for row in csv.DictReader(file)}


class Counts(InFolder):
    @classmethod
    def setUpClass(cls):
        options = SimpleNamespace(file=str(COUNTS / "memory_counts.cu"), compile="", counts=True)
        cls.program = str(cuda.compiled(options, "check"))
        cls.status, cls.document = counted([cls.program], stdout=subprocess.DEVNULL)
        lines = (COUNTS / "memory_counts.cu").read_text().splitlines()
        launched = {f"counts/memory_counts.cu:{number}": match[1] for number, line in enumerate(lines, 1)
                    if (match := re.search(r"(\w+(?:<\w+(?:, \d)?>)?)<<<", line))}
        cls.kernels = {launched[kernel["launched"]]: kernel for kernel in cls.document["kernels"]}

    def sums(self, kernel):
        found = {}
        for one in self.kernels[kernel]["accesses"]:
            requests, moved = found.get((one["memory"], one["access"]), (0, 0))
            found[one["memory"], one["access"]] = (requests + one["requests"],
                                                   moved + one["sectors" if one["memory"] == "global" else "wavefronts"])
        return found

    def test_they_are_those_of_a_profiler(self):
        self.assertEqual(self.status, 0)
        for name, row in recorded().items():
            for what, columns in COLUMNS.items():
                if name.startswith("sharedStride") and what[0] == "global":
                    continue  # this program fills the tile with zeros
                expected = tuple(int(row[column]) for column in columns)
                self.assertEqual(self.sums(name).get(what, (0, 0)), expected, (name, what))

    def test_half_of_the_lanes(self):
        for row in rows(self.kernels["oddLanes"]):
            self.assertEqual(row["lanes"], 16 * row["requests"])

    def test_waste_comes_first_and_is_explained(self):
        worst = rows(self.kernels["transposeNaive"])[0]
        self.assertEqual((worst["access"], worst["stride"]), ("store", 512))
        self.assertIn("32 sectors per request where 4 would do: neighbouring lanes are 512 bytes apart", advice(worst))
        self.assertIn("one more column", advice(rows(self.kernels["transposeTile<0>"])[0]))
        self.assertIn("add up within the warp", advice(rows(self.kernels["atomicSame"])[0]))
        for name in ("copyRow", "copy4", "transposeTile<1>", "atomicEach"):
            self.assertEqual({advice(row) for row in rows(self.kernels[name])}, {""}, name)

    def test_the_table(self):
        text = table(self.document)
        self.assertLessEqual(max(map(len, text.splitlines())), 120)
        self.assertIn("64 of 64 blocks counted", text)
        self.assertRegex(text, r"memory_counts.cu:\d+ +global load +4 +512 +32.0 +2,048 +2,048\n")

    def test_the_page_has_the_source_and_the_lanes_of_the_worst_request(self):
        text = page(self.document, COUNTS / "memory_counts.cu")
        kernels = json.loads(re.search(r"^const kernels = (.*);$", text, re.MULTILINE)[1])
        naive = next(kernel for kernel in kernels if kernel["kernel"] == "transposeNaive")
        line = next(line for line in naive["lines"] if line["accesses"])
        self.assertIn("out[x * n + y] = in[y * n + x]", line["text"])
        store = line["accesses"][0]
        self.assertEqual((store["access"], store["worst_lanes"]), ("store", 2**32 - 1))
        self.assertEqual(store["worst_addresses"], [512 * lane for lane in range(32)])
        self.assertNotIn("</script>", text[:text.rindex("</script>")])

    def test_barriers_are_those_of_the_blocks_that_were_counted(self):
        self.assertEqual(self.kernels["transposeTile<0>"]["barriers"], self.kernels["transposeTile<0>"]["blocks_seen"])
        self.assertEqual(self.kernels["transposeNaive"]["barriers"], 0)

    def test_bytes_per_interaction(self):
        access = {"access": "load", "memory": "global", "lanes": 64, "bytes": 16}
        store = {**access, "access": "store"}
        document = {"kernels": [{"blocks": 8, "blocks_seen": 2, "accesses": [access, store]}]}
        self.assertEqual(per_interaction(document, 16), {"global_bytes": 16.0, "shared_bytes": 0.0})

    def test_the_recorded_counts_have_every_row_of_steps_with_one_loop(self):
        rows = {row["row"]: row for row in counts.recorded()["rows"]}
        self.assertEqual(rows["01_naive"]["global_bytes"], 16)
        self.assertLess(rows["02_tiled"]["global_bytes"], 0.1)
        self.assertEqual([name[:2] for name in rows], ["01", "02", "03", "04", "04", "05", "05"])

    def test_a_file_that_cannot_be_written(self):
        ran = subprocess.run([self.program], env={**os.environ, "NBODY_EXECUTOR_COUNTS": "/nowhere/counts.json"},
                             capture_output=True, text=True)
        self.assertIn("cannot write '/nowhere/counts.json'", ran.stderr)


class WrongForSpeed(unittest.TestCase):
    def test_each_mistake_is_named_and_nothing_else(self):
        file = COUNTS / "wrong_for_speed.cu"
        options = SimpleNamespace(file=str(file), compile="", counts=True)
        _, document = counted([str(cuda.compiled(options, "check"))], stdout=subprocess.DEVNULL)
        said = [(row["line"], text) for row, text in all_advice(document)]
        expected = {f"counts/{file.name}:{number}": line.partition("  // advice: ")[2]
                    for number, line in enumerate(file.read_text().splitlines(), 1) if "  // advice: " in line}
        self.assertEqual({line for line, _ in said}, expected.keys())
        for line, text in said:
            self.assertIn(expected[line], text, line)
        text = table(document)
        self.assertRegex(text, r"branch +4,096 +16.5   lanes part in 3,968\n    the lanes of a warp part 31 times here")


if __name__ == "__main__":
    unittest.main()
