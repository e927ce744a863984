"""Tests of the runner of public programs, with a driver that makes scripts of "sources", and of the list itself."""

import json
import sys
import types
import unittest
from unittest import mock

from common.tests.tools.case import InFolder
from common.tools.cuda import corpus_list
from common.tools.cuda.corpus_run import compiled, judged
from common.tools.docs import public_programs

# Makes a program of its first source, which is a script; --check is handed on to it.
DRIVER = f"""import pathlib, sys
words = sys.argv[1:]
target = pathlib.Path(words[words.index("-o") + 1])
source = next(word for word in words if word.endswith(".cu"))
text = pathlib.Path(source).read_text()
if "error" in text:
    sys.exit(f"{{source}}:1: error: as told")
target.write_text("#!{sys.executable}\\nchecked = " + repr("--check" in words) + "\\n" + text)
target.chmod(0o755)
"""
REPORT = 'print("executor: race on shared memory: tile[0]\\n  write by thread 0\\n  read\\nother", file=sys.stderr)'
LAST = 'print("executor: 1 report; the program\'s own status is {}", file=sys.stderr)'


class InRepositories(InFolder):
    def setUp(self):
        super().setUp()
        self.options = types.SimpleNamespace(build=self.folder / "build", limit=20,
                                             repositories=self.folder / "repositories")
        self.driver = self.program("driver", DRIVER)
        self.options.drivers = {"plain": self.driver, "check": self.driver}

    def made(self, text, **entry):
        self.write("repositories/r/f/p/p.cu", f"import sys, time\n{text}\n")
        return corpus_list.Program("p", "p", "r", "f", entry)


class OneProgram(InRepositories):
    def judged(self, text, mode="plain", **entry):
        program = self.made(text, **entry)
        return judged(program, mode, compiled(program, mode, self.options), self.options)[0]

    def test_outcomes(self):
        for outcome, text, entry in (
            ("passes", "", {}),
            ("passes", "print('PASSED')", {"says": "PASS"}),
            ("runs", "", {"unchecked": True}),
            ("fails, status 0", "print('FAILED')", {"says": "PASS"}),
            ("fails, status 3", "print('PASSED'); sys.exit(3)", {"says": "PASS"}),
            ("fails, status 2", "sys.exit(2)", {}),
            ("waived", "print('Waived: no second GPU'); sys.exit(2)", {}),
            ("signal 9", "import os; os.kill(os.getpid(), 9)", {}),
            ("passes", f"{REPORT}; {LAST.format(0)}; print('PASSED'); sys.exit(1)", {"says": "PASS"}),
            ("runs", f"{REPORT}; {LAST.format(0)}; sys.exit(1)", {"unchecked": True}),
            ("fails, status 3", f"{REPORT}; {LAST.format(3)}; sys.exit(3)", {}),
            ("fails, status 1", f"{REPORT}; sys.exit(1)", {}),
        ):
            self.assertEqual(self.judged(text, **entry)["outcome"], outcome, text)

    def test_what_has_said_it_passes_is_ended(self):
        entry = self.judged("print('All match', flush=True); time.sleep(60)", until="All match")
        self.assertEqual(entry["outcome"], "passes")
        self.assertLess(entry["run_s"], 10)

    def test_reports_are_kept_when_checked(self):
        more = "print('executor: note: never freed', file=sys.stderr); " + LAST.format(0)
        text = f"import os; assert checked and os.environ['NBODY_EXECUTOR_CHECK_LAUNCHES']; {REPORT}; {REPORT.replace('race', 'assert')}; {more}"
        entry = self.judged(text, "sampled", wanted="assert")
        self.assertEqual(entry["notes"], ["executor: note: never freed"])
        self.assertEqual([report.splitlines() for report in entry["reports"]],
                         [["executor: race on shared memory: tile[0]", "  write by thread 0", "  read"]])
        self.assertEqual(len(entry["wanted"]), 1)

    def test_what_does_not_compile_says_why(self):
        entry = self.judged("error")
        self.assertEqual((entry["outcome"], entry["message"]), ("does not compile", "f/p/p.cu:1: error: as told"))


class TheList(InFolder):
    def test_it_is_read(self):
        programs, excluded, repositories = corpus_list.read()
        names = [program.name for program in programs]
        self.assertEqual(len(names), len(set(names)))
        self.assertFalse(set(names) & {name for _, _, name, _ in excluded})
        self.assertEqual({program.repository for program in programs}, set(repositories))
        for program in programs:
            if "own" in program.entry:
                self.assertTrue((corpus_list.FOLDER / program.entry["own"]).is_file(), program.name)


class TheRecord(InFolder):
    DOCUMENT = {"device": {"name": "CPU", "cores": 2}, "recorded": "2025-01-01", "runs": [
        {"program": "a", "repository": "r", "folder": "f", "arguments": "",
         "plain": {"outcome": "passes", "run_s": 1.0, "cpu_s": 2.0, "commit": "c", "device": "CPU"},
         "checked": {"outcome": "passes", "run_s": 4.0, "cpu_s": 8.0, "commit": "c", "device": "CPU", "reports": ["executor: race: x\n at y"]},
         "sampled": {"outcome": "passes", "run_s": 9.0, "cpu_s": 3.0, "commit": "c", "device": "CPU", "reports": []}},
        {"program": "b", "repository": "r", "folder": "f", "arguments": "-n 1",
         "plain": {"outcome": "passes", "run_s": 0.1, "cpu_s": 0.01, "commit": "c", "device": "CPU"}}]}
    BUG = {"program": "a", "report": "race: x", "at": "a.cu:1", "what": "w", "matters": "m"}

    def patched(self, bugs):
        recorded, read = self.write("corpus.json", json.dumps(self.DOCUMENT)), self.write("bugs.json", json.dumps(bugs))
        self.enterContext(mock.patch.multiple(public_programs, RECORDED=recorded, BUGS=read))

    def test_tables(self):
        self.patched([self.BUG])
        self.assertIn('<td class="figure">8.0</td><td class="figure">4.0</td><td class="figure">1.5</td><td class="figure">1</td>',
                      public_programs.programs(None))
        self.assertIn("<td>b -n 1</td>", public_programs.programs(None))
        self.assertIn('<td>all</td><td class="figure">2</td>', public_programs.summary(None))
        self.assertIn("a.cu:1", public_programs.found_bugs(None))
        self.assertIn("cuRAND", public_programs.left_out(None))

    def test_reports_that_nobody_has_read(self):
        self.patched([])
        self.assertEqual(public_programs.problems(), ["a: nobody has read 'executor: race: x'"])
        self.patched([self.BUG, {**self.BUG, "report": "other"}])
        self.assertEqual(public_programs.problems(), ["a: 'other' was not reported"])

    @unittest.skipUnless(public_programs.RECORDED.exists(), "not recorded yet")
    def test_every_recorded_report_has_been_read(self):
        self.assertEqual(public_programs.problems(), [])
