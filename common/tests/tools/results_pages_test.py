"""README.md, docs/results.md and the ladder's chart: what they show is what is recorded, of the GPU that README names."""

import json
import shutil
import unittest
from unittest import mock

from common.base.command_line import ROOT, CommandFailed, run_command
from common.tests.tools.case import InFolder, call, needs_matplotlib
from common.tools.ladder import front_page, pages, record
from common.tools.ladder.recorded import CHART, Recorded
from common.tools.sweeps import figures

SHOWN = record.shown_folder()
SHOWN_DEVICE = json.loads((SHOWN / "ladder.json").read_text())["device"]["name"]

def run_of(step, ms, **more):
    return {"step": step, "bodies": 1000, "scene": "plummer", "precision": "fp32", "checked": True, "passed": True,
            "parameters": {}, "error": {"median": 1e-6}, "force_ms": {"median": ms}, "interactions_per_s": 1e9, "gflops": 20.0, "fma_share": 0.5, **more}


class Shown(unittest.TestCase):
    """What is in the repository."""

    def test_it_is_what_is_recorded(self):
        status, said, error = call(run_command, "record", record, ["--check"])
        self.assertEqual((status or 0, error), (0, ""), said)
        self.assertIn("those of docs/results/", said)

    def test_the_front_page_is_short(self):
        readme = pages.README.read_text()
        self.assertLessEqual(len(readme.splitlines()), 100)
        rows = [line for line in readme.splitlines() if line.startswith("|")]
        self.assertLessEqual(max(line.count("|") - 1 for line in rows), 6)

    def test_the_points_of_the_chart_are_recorded_ones(self):
        recorded = Recorded(SHOWN)
        by_row = {(rate.row, rate.bodies): rate for rate in recorded.rates()}
        self.assertEqual(round(by_row["NVIDIA's nbody sample", 16384].gflops), 15143)  # 2,820.64 x 16,384^2 x 20
        equal = by_row["05_triangular_map, equal masses", 262144]
        self.assertAlmostEqual(equal.executed / equal.gflops, 12 / 20)  # 24 FLOP a pair
        steps = {run["step"] for run in recorded.runs if run["step"][:2] in ("01", "02", "03", "04", "05")}
        self.assertEqual({row.split(",")[0] for row, _ in by_row}, {"NVIDIA's nbody sample", *steps})


class MadeUp(InFolder):
    """Over results that nobody measured: those of the GPU that README.md shows, changed."""

    def setUp(self):
        super().setUp()
        self.results = self.folder / "docs" / "results" / SHOWN.name
        self.results.mkdir(parents=True)
        for file in [SHOWN / "ladder.json", SHOWN / "fp64.json", SHOWN / "cuda_sample.json", *SHOWN.glob("instructions_*.json"),
                     *(SHOWN / name for name in CHART)]:
            shutil.copy(file, self.results)
        for page in (pages.README, pages.RESULTS):
            self.write(page.relative_to(ROOT), page.read_text())
        self.enterContext(mock.patch.multiple(pages, README=self.folder / "README.md",
                                              RESULTS=self.folder / "docs" / "results.md"))
        self.enterContext(mock.patch.object(record, "ROOT", self.folder))

    def change(self):
        """Another rate and time of a run of the ladder."""
        document = json.loads((self.results / "ladder.json").read_text())
        run = next(run for run in document["runs"] if run["step"] == "02_tiled" and run["bodies"] == 262144)
        run["gflops"] = 1234500.0
        run["force_ms"]["median"] = 0.123
        (self.results / "ladder.json").write_text(json.dumps(document))

    def test_what_is_not_recorded_any_more_is_named(self):
        self.assertEqual(record.stale(self.results), [])
        self.change()
        self.assertEqual(record.stale(self.results), [pages.README, pages.RESULTS, *(self.results / file for file in CHART)])
        with self.assertRaisesRegex(CommandFailed, "README.md, .*ladder-times.png: not .*./run record --rewrite"):
            record.check()
        pages.README.write_text("no chart")
        with self.assertRaisesRegex(CommandFailed, "README.md shows the chart of no recorded ladder"):
            record.check()

    @needs_matplotlib()
    def test_it_is_written_again_without_measuring(self):
        self.change()
        status, said, error = call(run_command, "record", record, ["--rewrite"])
        self.assertEqual((status or 0, error), (0, ""), said)
        self.assertEqual(record.stale(self.results), [])
        self.assertIn("| 0.123 |", pages.README.read_text())
        self.assertIn("| 1,234,500 |", pages.RESULTS.read_text())

    @needs_matplotlib()
    def test_recorded_figures_are_drawn_again(self):
        self.change()
        status, said, error = call(run_command, "figures", figures, ["--from", str(self.results)])
        self.assertEqual((status, error), (0, ""), said)
        self.assertEqual(record.stale(self.results), [pages.README, pages.RESULTS])
        for words in (["--from", str(self.folder)], ["--from", str(self.results), "--record"]):
            status, _, error = call(run_command, "figures", figures, words)
            self.assertEqual((status, error.count("\n")), (2, 1), error)

    def test_of_another_gpu_the_pages_stay_as_they_are(self):
        before = pages.README.read_text(), pages.RESULTS.read_text()
        document = json.loads((self.results / "ladder.json").read_text())
        for name, stays in (("Made-up GPU", True), (SHOWN_DEVICE, False)):
            document["device"]["name"] = name
            document["suite"]["commit"] = "made-up"
            call(record.record, [self.write("ladder.json", json.dumps(document))])
            self.assertEqual((pages.README.read_text(), pages.RESULTS.read_text()) == before, stays, name)
        self.assertTrue((self.folder / "docs" / "results" / "made-up-gpu" / "ladder.json").exists())


class Sections(InFolder):
    def recorded(self, *runs):
        device = {"name": "d", "driver": "1", "cuda": "1", "fma_tflops": 1.0, "fma_clock_ghz": 1.0}
        self.write("ladder.json", json.dumps({"device": device, "suite": {"commit": "c"}, "runs": runs}))
        return Recorded(self.folder)

    def test_parts_of_trees(self):
        page = pages.ladder_section(self.recorded(
            run_of("simd", 8.0), run_of("host_tree", 4.0, parts_ms={"build": 1.0, "walk_and_forces": 3.0}),
            run_of("06_tree_walk", 0.5, parts_ms={"first_walk": 0.25})))
        self.assertIn("- host_tree, N = 1,000: build 1 ms, walk and forces 3 ms", page)
        self.assertIn("- 06_tree_walk, N = 1,000: first walk 0.25 ms", page)

    def test_energy_has_columns_where_it_was_counted(self):
        self.assertNotIn("pJ/interaction", pages.ladder_section(self.recorded(run_of("01_naive", 8.0))))
        energy = {"joules": 12.34, "watts": 500.4, "picojoules_per_interaction": 56.78, "seconds": 2.0, "updates": 20}
        page = pages.ladder_section(self.recorded(
            run_of("01_naive", 8.0, energy=energy, flop_per_interaction=20), run_of("06_tree_walk", 0.5, energy=energy),
            run_of("02_tiled", 4.0)))
        self.assertIn("| W | pJ/interaction | check |", page)
        self.assertIn("| 12.3 | 500 | 56.8 | ok |", page)
        self.assertIn("| 12.3 | 500 | - | ok |", page)  # a tree's interactions are of two kinds
        self.assertIn("| - | - | - | ok |", page)
        self.assertIn("idle power included", page)

    def test_other_numbers_of_bodies_and_no_rates(self):
        recorded = self.recorded(run_of("07_device_tree", 1.0, bodies=500), run_of("06_tree_walk", 1.0))
        self.assertEqual([row[0] for row in front_page.front_rows(recorded)], ["[06_tree_walk](06_tree_walk/README.md)"])
        self.assertEqual(pages.instructions_section(recorded), "Nothing is recorded of this on d.")

    def test_of_a_step_the_fastest_program_is_shown_and_what_was_counted_is_executed(self):
        both = [run_of("05_triangular_map", ms, bodies=front_page.FRONT_BODIES, flop_per_interaction=20,
                       parameters={"equal_masses": masses}) for masses, ms in (("ignored", 1.5), ("used", 1.25))]
        tuned = run_of("04_tuned", 0.5, bodies=front_page.FRONT_BODIES, flop_per_interaction=20)
        recorded = self.recorded(*both, tuned)
        recorded.flop["05_triangular_map, equal masses"] = 12
        self.assertEqual([[row[0], *row[2:]] for row in front_page.front_rows(recorded)],
                         [["[05_triangular_map](05_triangular_map/README.md)", "1.25", "1.0e-06"]])
        self.assertEqual([row[4] for row in front_page.site_rows(recorded)], ["-", "12", "-"])
        self.assertEqual(pages.sample_section(recorded), "Nothing is recorded of this on d.")
