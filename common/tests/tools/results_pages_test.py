"""./run record: which parts it measures, and that the pages and the ladder's chart show what is recorded. If a part fails, the
others are kept."""

import json
import os
import re
import shutil
import subprocess
import unittest
from unittest import mock

from common.base.command_line import ROOT, BadInput, CommandFailed, run_command
from common.tests.tools.case import CommandTest, InFolder, call, needs_matplotlib, timed_run
from common.tools import packages, ranks
from common.tools.commands import COMMANDS
from common.tools.ladder import pages, publish, record, sources, store
from common.tools.ladder.acts import FEW, MANY, Acts
from common.tools.ladder.recorded import CHART, Recorded
from common.tools.sweeps.table import SWEEPS

SHOWN = store.shown_folder()
SHOWN_DEVICE = json.loads((SHOWN / "ladder.json").read_text())["device"]["name"]


class Shown(CommandTest):
    """Tests of the pages and results in the repository."""

    def test_it_is_what_is_recorded(self):
        self.assertIn("those of docs/results/", self.expect_success(call(run_command, "record", record, ["--check"])))


class MadeUp(InFolder):
    """Over results that nobody measured: those of the GPU that README.md shows, changed."""

    def setUp(self):
        super().setUp()
        self.results = self.folder / "docs" / "results" / SHOWN.name
        self.results.mkdir(parents=True)
        for file in [SHOWN / "ladder.json", SHOWN / "ladder.log", SHOWN / "fp64.json", *SHOWN.glob("instructions_*.json"),
                     *(SHOWN / name for name in CHART)]:
            shutil.copy(file, self.results)
        for sample in SHOWN.parent.glob("*/cuda_sample.json"):
            self.write(sample.relative_to(ROOT), sample.read_text())
        for name in ("README", "RESULTS"):
            page = getattr(pages, name)
            self.enterContext(mock.patch.object(pages, name, self.write(page.relative_to(ROOT), page.read_text())))
        self.enterContext(mock.patch.object(store, "ROOT", self.folder))
        self.shown_pages = [pages.README, pages.RESULTS]

    def change(self):
        """Another rate and time of a run of the ladder."""
        document = json.loads((self.results / "ladder.json").read_text())
        run = next(run for run in document["runs"] if run["step"] == "02_tiled" and run["bodies"] == MANY)
        run["gflops"] = 1234500.0
        run["force_ms"]["median"] = 0.123
        (self.results / "ladder.json").write_text(json.dumps(document))

    def test_what_is_not_recorded_any_more_is_named(self):
        self.assertEqual(publish.stale(self.results), [])
        self.change()
        self.assertEqual(publish.stale(self.results), [*self.shown_pages, *(self.results / file for file in CHART)])
        with self.assertRaisesRegex(CommandFailed, "README.md, .*ladder-acts-dark.svg: not .*./run record --rewrite"):
            publish.check()
        pages.README.write_text("no chart")
        with self.assertRaisesRegex(CommandFailed, "README.md shows the chart of no recorded ladder"):
            publish.check()

    @needs_matplotlib()
    def test_it_is_written_again_without_measuring(self):
        self.change()
        self.expect_success(call(run_command, "record", record, ["--rewrite"]))
        self.assertEqual(publish.stale(self.results), [])
        self.assertIn("| 0.123 |", pages.README.read_text())
        self.assertIn("| 1,234,500 |", pages.RESULTS.read_text())

    def test_of_another_gpu_the_pages_stay_as_they_are(self):
        before = pages.README.read_text(), pages.RESULTS.read_text()
        document = json.loads((self.results / "ladder.json").read_text())
        for name, stays in (("Made-up GPU", True), (SHOWN_DEVICE, False)):
            document["device"]["name"] = name
            document["suite"]["commit"] = "made-up"
            call(publish.record, [self.write("ladder.json", json.dumps(document)), self.write("ladder.log", "")])
            self.assertEqual((pages.README.read_text(), pages.RESULTS.read_text()) == before, stays, name)
        self.assertTrue((self.folder / "docs" / "results" / "made-up-gpu" / "ladder.json").exists())

    def test_other_numbers_of_bodies_keep_their_runs_with_their_commit_and_log(self):
        document = json.loads((self.results / "ladder.json").read_text())
        earlier = f"commit {document['suite']['commit']}, {document['date'][:10]}"
        measured = {**document, "suite": {"commit": "later"}, "date": "2026-12-24",
                    "runs": [run for run in document["runs"] if run["bodies"] == MANY]}
        call(publish.record, [self.write("ladder.json", json.dumps(measured)),
                             self.write("ladder.log", f"$ 01_naive --bodies={MANY}\nlater\n")])
        kept = Recorded(self.results)
        self.assertEqual(len(kept.runs), len(document["runs"]))
        self.assertEqual(kept.stamp(MANY), "commit later, 2026-12-24")
        self.assertEqual(kept.stamp(FEW), earlier)
        self.assertEqual(kept.stamp(MANY, FEW), f"{earlier}; commit later, 2026-12-24")
        log = (self.results / "ladder.log").read_text()
        self.assertEqual(log.count(f"--bodies={MANY}"), 1)
        self.assertIn(f"$ 01_naive --bodies={FEW}", log)
        self.assertIn("commit later, 2026-12-24", pages.RESULTS.read_text())


class Sections(InFolder):
    def recorded(self, *runs):
        device = {"name": "d", "driver": "1", "cuda": "1", "fma_tflops": 1.0, "fma_clock_ghz": 1.0}
        self.write("ladder.json", json.dumps({"device": device, "suite": {"commit": "c"}, "runs": runs}))
        return Recorded(self.folder)

    def test_energy_has_columns_where_it_was_counted(self):
        self.assertNotIn("pJ/interaction", pages.ladder_section(self.recorded(timed_run("01_naive", 8.0))))
        energy = {"joules": 12.34, "watts": 500.4, "picojoules_per_interaction": 56.78, "seconds": 2.0, "updates": 20}
        page = pages.ladder_section(self.recorded(
            timed_run("01_naive", 8.0, energy=energy, flop_per_interaction=20),
            timed_run("06_tree_walk", 0.5, energy=energy), timed_run("02_tiled", 4.0)))
        self.assertIn("| W | pJ/interaction | check |", page)
        self.assertIn("| 12.3 | 500 | 56.8 | ok |", page)
        self.assertIn("| 12.3 | 500 | - | ok |", page)  # a tree's interactions are of two kinds
        self.assertIn("| - | - | - | ok |", page)
        self.assertIn("idle power included", page)

    def test_each_act_has_the_fastest_program_of_a_step_and_what_was_counted_is_executed(self):
        def run(step, ms, bodies, **more):
            return timed_run(step, ms, bodies=bodies, flop_per_interaction=20, **more)

        masses = [run("05_triangular_map", ms, pages.SITE_BODIES, parameters={"equal_masses": masses})
                  for masses, ms in (("ignored", 1.5), ("used", 1.25))]
        recorded = self.recorded(*masses, run("01_naive", 1.0, FEW), run("01_naive", 600.0, MANY), run("04_tuned", 0.03125, FEW),
                                 run("04_multithread_per_body", 0.0625, FEW), run("04_multithread_per_body", 500.0, MANY),
                                 run("05_triangular_map", 0.05, FEW, parameters={"equal_masses": "used"}),
                                 run("05_triangular_map", 400.0, MANY, parameters={"equal_masses": "ignored"}))
        self.assertEqual([[row[0][1:3], *row[1:5]] for row in pages.front_rows(recorded)], [
            ["01", "1.00", "1", "600", "1"], ["04", "0.0312", "**32**", "500", "1.20"], ["05", "-", "-", "400", "**1.50**"]])
        section = pages.front_section(recorded)
        self.assertIn("a tuned version (04_tuned).", section)
        self.assertNotIn("No step is best", section)  # without times of steps 02 and 06
        recorded.flop["05_triangular_map, equal masses"] = 12
        self.assertEqual([row[4] for row in pages.site_rows(recorded)], ["-", "12"])
        self.assertEqual(pages.sample_section(recorded), "Nothing is recorded of this on d.")

    def test_what_the_two_acts_show(self):
        times = {"01_naive": (1.0, 600.0), "02_tiled": (0.2, 500.0), "06_tree_walk": (2.0, 100.0)}
        recorded = self.recorded(*(timed_run(step, ms, bodies=bodies) for step, both in times.items() for ms, bodies in zip(both, (FEW, MANY))))
        finding = pages.front_finding(Acts(recorded.runs))
        self.assertIn("Tiles (02) gain 20% with a million bodies, but a factor of 5.0 with 4,096.", finding)
        self.assertIn("is 2.0 times as slow as step 01 with 4,096 bodies, but 6.0 times as fast", finding)


class Parts(unittest.TestCase):
    def call(self, *words, fails=(), holds=()):
        """Runs `./run record` as on a GPU, with these commands failing and the records of these parts still holding; returns its
        output and the commands.
        """
        begun = []

        def started(command):
            begun.append(" ".join(command))
            return 1 if begun[-1] in fails else 0

        with mock.patch.object(record, "started", started), mock.patch.object(packages, "need"), \
                mock.patch.multiple(record, prepare=lambda names: "c", gpu=lambda fact: "NVIDIA Made-up",
                                    still_holds=lambda part, *more: part in holds):
            return *call(run_command, "record", record, ["--preset", "gpu", *words]), begun

    def test_all_is_measured_in_order_ranks_where_there_are_two_gpus(self):
        for gpus in (1, 2):
            with mock.patch.object(ranks, "gpus", lambda gpus=gpus: gpus):
                status, _, error, begun = self.call()
            self.assertEqual((status, error), (0, ""))
            self.assertEqual(begun[0], "ladder")
            self.assertIn("profile --instructions 05 --equal-masses ignored", begun)
            tools = {re.match(r"\w+( --\w+)?", line)[0] for line in begun}  # a command of before begins nothing
            self.assertLessEqual(tools, set(COMMANDS))
            self.assertIn("profile --instructions 04_tuned", begun)
            self.assertEqual("sweep ranks" in begun, gpus > 1)
            self.assertEqual({word.split()[1] for word in begun if word.startswith("sweep")},
                             set(SWEEPS) - (set() if gpus > 1 else {"ranks"}))

    def test_after_a_failure_the_next_is_measured_and_the_failed_are_named(self):
        status, out, error, begun = self.call("--only", "maps", "instructions", "unroll",
                                              fails=["sweep maps", "profile --instructions 02_tiled"])
        self.assertEqual((status, error), (1, "record: failed: maps, instructions\n"))
        self.assertEqual((begun[0], begun[-1]), ("sweep maps", "sweep unroll"))
        self.assertIn("profile --instructions 03_unrolled", begun)  # after the one that failed
        lines = out.splitlines()[-3:]
        self.assertRegex(lines[0], r"^maps +\d+ s  FAILED: the earlier record stays$")
        self.assertRegex(lines[2], r"^unroll +\d+ s  recorded$")

    def test_what_still_holds_is_left_out_if_the_user_continues(self):
        for words, measured in ((["--continue"], ["sweep unroll"]), ([], ["sweep maps", "sweep unroll"])):
            status, out, error, begun = self.call("--only", "maps", "unroll", *words, holds=["maps"])
            self.assertEqual((status, error, begun), (0, "", measured))
            self.assertEqual("maps          is recorded, and its programs have not changed since\n" in out, bool(words))


@unittest.skipUnless(shutil.which("git"), "needs git")
class InGit(InFolder):
    """A made-up suite in a git repository: one step, with its header and that header's source, and its record."""

    def setUp(self):
        super().setUp()
        for module in (record, sources):
            self.enterContext(mock.patch.object(module, "ROOT", self.folder))
        self.enterContext(mock.patch.object(sources, "step_names", lambda: ["01_naive"]))
        self.enterContext(mock.patch.object(record, "parts", lambda: {"ladder": []}))
        self.enterContext(mock.patch.dict(os.environ))
        sources.files_of.cache_clear()
        self.addCleanup(sources.files_of.cache_clear)
        self.write("01_naive/CMakeLists.txt", "add_step(01_naive NAMESPACE naive)\n")
        self.write("01_naive/forces.cu", '#include "driver/step.hpp"\n#include "physics/pull.hpp"\nint one;\n')
        self.write("common/driver/step.hpp", '#include "driver/say.hpp"\n#include "options.hpp"\n')
        for name in ("01_naive/options.hpp", "common/driver/say.hpp", "common/physics/pull.hpp", "common/physics/pull.cpp", "01_naive/README.md"):
            self.write(name, "int two;\n")
        self.git("init", "-q")
        self.first = self.commit()

    def git(self, *words):
        named = ["-c", "user.name=n", "-c", "user.email=e", "-c", "commit.gpgsign=false"]
        return subprocess.run(["git", "-C", self.folder, *named, *words], check=True, text=True, stdout=subprocess.PIPE).stdout.strip()

    def commit(self):
        """Commits everything. Returns the commit's name."""
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "m", "--allow-empty")
        return self.git("rev-parse", "HEAD")[:8]

    def record(self, commit, **more):
        runs = [{"step": "01_naive", "bodies": 4096}]
        self.write(f"docs/results/{SHOWN.name}/ladder.json", json.dumps({"suite": {"commit": commit}, "date": "d", "runs": runs, **more}))

    def stale(self):
        return call(run_command, "record", record, ["--stale"])

    def test_a_program_is_compiled_from_what_it_includes_and_not_from_what_prints(self):
        self.assertEqual(sources.files_of("01_naive"), {
            "01_naive/forces.cu", "01_naive/options.hpp", "common/driver/step.hpp", "common/physics/pull.hpp", "common/physics/pull.cpp"})
        self.assertEqual(sources.files_of("01_naive_fp64"), sources.files_of("01_naive"))
        self.assertEqual(sources.files_of("nothing"), set())

    def test_the_first_change_of_the_code_is_named(self):
        self.record(self.first)
        self.write("common/driver/say.hpp", "int other;\n")
        self.write("common/physics/pull.cpp", "// Two.\nint  two; /* in\nfour */\n")
        self.commit()
        self.git("mv", "01_naive/options.hpp", "common/physics/options.hpp")
        self.write("01_naive/forces.cu", '#include "physics/pull.hpp"\n#include "physics/options.hpp"\n#include "driver/step.hpp"\nint one;\n')
        self.commit()
        sources.files_of.cache_clear()
        self.assertEqual(self.stale()[:2], (0, f"All 1 parts of {SHOWN.name} are of the code as it is.\n"))
        self.write("common/physics/pull.cpp", "int three;\n")
        second = self.commit()
        self.write("01_naive/forces.cu", "int four;\n")
        self.commit()
        status, out, error = self.stale()
        self.assertEqual((status, error), (1, ""))
        self.assertRegex(out, rf"^ladder: common/physics/pull.cpp changed in {second} \([\d-]+\), 01_naive was measured at {self.first}\n"
                              "1 of 1 parts")

    def test_a_part_without_a_record_is_named(self):
        self.assertEqual(self.stale()[:2], (1, f"ladder: it is not recorded\n1 of 1 parts of {SHOWN.name} should be measured again.\n"))

    def test_a_run_with_its_own_commit_a_lost_commit_and_no_date(self):
        self.write("01_naive/forces.cu", "int five;\n")
        second = self.commit()
        self.record(second, runs=[{"step": "01_naive", "suite": {"commit": self.first}}, {"step": "01_naive"}])
        self.assertIn(f"01_naive was measured at {self.first}", self.stale()[1])
        for commit in ("abcdef12", f"{second}+"):
            self.record(commit)
            self.assertIn(f"ladder: its commit {commit} is not in the history\n", self.stale()[1])
        self.record(second, date="")
        self.assertIn("ladder: it has no date\n", self.stale()[1])

    def test_without_history_there_is_one_line(self):
        shallow = self.folder / "shallow"
        self.git("clone", "-q", "--depth=1", f"file://{self.folder}", str(shallow))
        empty = self.folder / "empty"
        empty.mkdir()
        for folder, why in ((shallow, "this checkout is shallow"), (empty, "this folder is no git repository")):
            with mock.patch.object(sources, "ROOT", folder):
                self.expect_refusal(self.stale(), why)

    def test_what_is_measured_must_be_committed(self):
        self.write("01_naive/README.md", "text\n")
        self.assertEqual(store.prepare(["01_naive"]), self.git("rev-parse", "--short", "HEAD"))
        self.assertEqual(os.environ.pop("NBODY_COMMIT"), self.git("rev-parse", "--short", "HEAD"))
        self.write("common/physics/pull.hpp", "int six;\n")
        with self.assertRaisesRegex(BadInput, "^common/physics/pull.hpp differs from the last commit"):
            store.prepare(["01_naive"])
        shutil.rmtree(self.folder / ".git")
        with self.assertRaisesRegex(BadInput, "no git repository; give the commit in NBODY_COMMIT"):
            store.prepare(["01_naive"])
        os.environ["NBODY_COMMIT"] = "1234567"
        self.assertEqual(store.prepare(["01_naive"]), "1234567")

    def test_a_part_holds_if_its_files_are_there_and_its_code_is_the_same(self):
        folder = self.folder / "docs" / "results" / SHOWN.name
        self.assertFalse(record.still_holds("ladder", folder, self.first, record.known_history()))
        self.record(self.first)
        self.assertTrue(record.still_holds("ladder", folder, "later", record.known_history()))
        self.write("01_naive/options.hpp", "int seven;\n")
        later = self.commit()
        self.assertFalse(record.still_holds("ladder", folder, later, record.known_history()))
        shutil.rmtree(self.folder / ".git")
        self.assertTrue(record.still_holds("ladder", folder, self.first, record.known_history()))
        self.assertFalse(record.still_holds("ladder", folder, later, record.known_history()))
