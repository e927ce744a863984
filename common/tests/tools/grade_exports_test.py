"""Tests of what is made from a result: Gradescope's results.json, GitHub's annotations and summary, rows of a CSV."""

import errno
import json
import os
import re
import unittest
from types import SimpleNamespace
from unittest import mock

from common.base.command_line import complaint
from common.base.whole_file import write_whole
from common.grader.class_page import class_page
from common.grader.class_results import COLUMNS, csv_row, row
from common.grader.grade import export
from common.grader.grading import counted, score_of
from common.grader.reports.github import annotations, muted, summary
from common.grader.reports.gradescope import results_json, ungraded
from common.grader.reports.report import printed
from common.tests.tools.case import InFolder, call, needs

HOSTILE = "=1\n::set-output name=a::b\x1b[31m</pre><script>|`*_[x](y)`\r\udcff%0A##[error]"
DEVICE = {"name": "GPU"}


def test(name, points, most, status, **diagnosis):
    return {"name": name, "points": points, "max_points": most, "status": status,
            **({"diagnosis": {"details": [], "file": None, "line": None, **diagnosis}} if diagnosis else {})}


def result(tests, **others):
    tests = counted(tests)
    return {"step": "02_tiled", "exercise": None, "submission": "h", "seed": 7, "build": {"status": "passed"},
            "ignored_files": [], "tests": tests, "speed": None, "score": score_of(tests), "max_score": 100, "seconds": 2.5, **others}


RACE = {"text": "race", "details": ["write at forces.cu:4"], "file": "forces.cu", "line": 4}
PASSED = result([test("a", 20, 20, "passed"), test("b", 15, 15, "passed"), test("c", 7, 7, "passed")])
FAILED = result([test("a", 20, 20, "passed"), test("b, c: d", 0, 15, "failed", **RACE),
                 test("e", 0, 7, "failed", **RACE), test("f", 0, 1, "not run", text="not run: an earlier test")])
UNBUILT = result([test("a", 0, 20, "not run"), test("b", 0, 15, "not run")], build={
    "status": "failed", "diagnosis": {"text": "no x", "details": [], "file": "forces.cu", "line": 3}})
FAST = {**PASSED, "speed": {"score": 80.0, "max_score": 100, "text": "speed: 80", "force_ms": 2.5, "reference_ms": 2.0,
                            "device": DEVICE}}
EVIL = result([test(HOSTILE, 0, 20, "failed", text=HOSTILE, details=[HOSTILE], file="a,b:c\n.cu", line=1)],
              ignored_files=[HOSTILE], exercise="2.1")
ALL = [PASSED, FAILED, UNBUILT, FAST, EVIL]
SHOWN = {"hidden", "after_due_date", "after_published", "visible"}
FORMATS = {"text", "html", "simple_format", "md", "ansi"}


class Gradescope(InFolder):
    def check_fields(self, found):
        """Each field against Gradescope's specification."""
        found = json.loads(json.dumps(found))
        for field in ("score", "execution_time"):
            self.assertIsInstance(found[field], (int, float))
        self.assertIsInstance(found["output"], str)
        self.assertLessEqual({found[f] for f in ("output_format", "test_output_format", "test_name_format")}, FORMATS)
        self.assertLessEqual({found["visibility"], found["stdout_visibility"]}, SHOWN)
        known = {"score", "execution_time", "output", "output_format", "test_output_format", "test_name_format",
                 "visibility", "stdout_visibility", "tests", "leaderboard"}
        self.assertLessEqual(set(found), known)
        for entry in found["tests"]:
            self.assertEqual(set(entry), {"name", "score", "max_score", "status", "output", "visibility", "tags"})
            self.assertTrue(0 <= entry["score"] <= entry["max_score"])
            self.assertIn(entry["status"], ("passed", "failed"))
            self.assertIn(entry["visibility"], SHOWN)
            self.assertTrue(all(isinstance(tag, str) for tag in entry["tags"]) and isinstance(entry["tags"], list))
            for text in (entry["name"], *entry["output"].split("\n")):
                self.assertTrue(text.isprintable(), text)
        for entry in found.get("leaderboard", []):
            self.assertEqual((set(entry), entry["order"]), ({"name", "value", "order"}, "asc"))

    def test_every_field_is_as_specified_and_the_points_sum_to_the_score(self):
        for given in ALL:
            found = results_json(given)
            self.check_fields(found)
            self.assertEqual(round(sum(t["score"] for t in found["tests"]), 6), given["score"])
            self.assertEqual(round(sum(t["max_score"] for t in found["tests"]), 6), 100)
            self.assertTrue(all(line.isprintable() for line in found["output"].split("\n")))

    def test_what_passed_has_all_of_its_points_and_what_did_not_says_why(self):
        tests = results_json(FAILED)["tests"]
        self.assertEqual([t["status"] for t in tests], ["passed", "failed", "failed", "failed"])
        self.assertEqual((tests[0]["score"], tests[0]["output"]), (tests[0]["max_score"], ""))
        self.assertEqual(tests[1]["output"], "forces.cu:4: race\n  write at forces.cu:4\n  2 of 4 tests failed because of it")
        self.assertEqual(tests[3]["output"], "not run: an earlier test")
        found = results_json(UNBUILT)
        self.assertIn("It does not compile.\nforces.cu:3: no x\n", found["output"])
        self.assertEqual({t["output"] for t in found["tests"]}, {"not run, because it does not compile"})

    def test_speed_is_on_the_leaderboard_where_it_was_measured(self):
        self.assertEqual([e["value"] for e in results_json(FAST)["leaderboard"]], [2.5, 1.25])
        self.assertEqual(results_json(FAST)["score"], 100)
        for speed in (None, {"score": None, "text": "the reference did not run"},
                      {**FAST["speed"], "score": 0.0, "text": "the forces of a timed run are wrong"}):
            self.assertNotIn("leaderboard", results_json({**PASSED, "speed": speed}))

    def test_where_the_grader_failed(self):
        found = ungraded("no-fault", "It ended with status 1", self.write("log", "\x1b[1mTraceback"))
        self.assertIn("not your fault", found["output"])
        self.assertIn("\\x1b[1mTraceback", found["output"])
        self.check_fields({**found, "execution_time": 0, "tests": []})


class Points(unittest.TestCase):
    WEIGHTS = [20, 15, 5, 15, 40, 5, 20, 3, 3, 3, 3]  # of a whole step: 132 in all

    def entries(self, failed=()):
        return [test(f"{n}.", w * (n not in failed), w, "failed" if n in failed else "passed")
                for n, w in enumerate(self.WEIGHTS)]

    def test_they_are_whole_and_do_not_depend_on_what_failed(self):
        most = [t["max_points"] for t in counted(self.entries())]
        self.assertEqual(sum(most), 100)
        for failed in ((), (4,), range(11)):
            tests = counted(self.entries(failed))
            self.assertEqual([t["max_points"] for t in tests], most)
            self.assertEqual(score_of(tests), sum(points for n, points in enumerate(most) if n not in failed))
            self.assertTrue(all(isinstance(t["points"], int) for t in tests))
        self.assertEqual(counted([test("a", 1.5, 4, "failed"), test("b", 4, 4, "passed")])[0]["points"], 18.7)
        self.assertTrue(24 < score_of(counted(self.entries(), 0.25)) <= 25)

    def test_every_report_has_them(self):
        given = result(self.entries((4,)))
        self.assertEqual(given["score"], 70)  # 92 of 132
        self.assertIn(": 70 of 100 points", printed(given))
        shown = re.findall(r"\| (\d+)/(\d+) \|", summary(given))
        self.assertEqual([sum(map(int, column)) for column in zip(*shown)], [70, 100])


class Printed(unittest.TestCase):
    def test_each_mistake_is_told_once_with_what_it_costs_and_what_waits_for_it(self):
        self.assertEqual(printed(FAILED).splitlines()[1:], [
            "", "FAIL h/forces.cu:4: race", "     write at forces.cu:4", "     This costs 51 points:", "     b, c: d (35), e (16)",
            "     1 more test was not run because of it (2 points).", "", "Passed (47 points):", "     a (47)"])

    def test_what_does_not_compile(self):
        self.assertIn("It does not compile: h/forces.cu:3: no x", printed(UNBUILT))


class GitHub(unittest.TestCase):
    def test_each_diagnosis_once(self):
        self.assertEqual(annotations(FAILED, "2.1/"), [
            "::error file=2.1/forces.cu,line=4,title=b%2C c%3A d::race%0Awrite at forces.cu:4",
            "::error title=f::not run: an earlier test"])
        self.assertEqual(annotations(UNBUILT), ["::error file=forces.cu,line=3,title=it does not compile::no x"])
        self.assertEqual(annotations(PASSED), [])

    def test_hostile_text_stays_in_its_annotation(self):
        (line,) = annotations(EVIL)
        self.assertTrue(line.isprintable())
        properties, _, text = re.sub("^::error ", "", line).partition("::")
        self.assertEqual([p.partition("=")[0] for p in properties.split(",")], ["file", "line", "title"])
        self.assertTrue(properties.startswith("file=a%2Cb%3Ac\\n.cu,"))
        self.assertIn("\\udcff%250A", text)

    def test_no_command_is_heard_in_the_report(self):
        lines = muted(printed(EVIL)).split("\n")
        self.assertTrue(all(line.isprintable() for line in lines))
        token = re.sub("^::stop-commands::", "", lines[0])
        self.assertEqual((lines[-1], len(token)), (f"::{token}::", 40))
        self.assertFalse(any(line.lstrip().startswith("::") for line in lines[1:-1]))

    def test_the_summary_is_markdown_that_hostile_text_does_not_break(self):
        rows = [line for line in summary(EVIL).split("\n") if line.startswith("| ❌")]
        self.assertEqual((len(rows), rows[0].count("|")), (1, 5))
        self.assertFalse(set("<>`*[]\\") & set(summary(EVIL).split("wrong |")[1]))
        self.assertIn("## Step 02&#95;tiled: 47 of 100 points", summary(FAILED))
        self.assertIn("It does not compile: forces.cu:3: no x", summary(UNBUILT))


class Csv(unittest.TestCase):
    def test_rows(self):
        self.assertEqual(list(csv_row("s", PASSED)), COLUMNS)
        ungraded = {"student": "s", "status": "not graded", "message": "why", "result": None, "graded_at": ""}
        self.assertEqual(list(row(ungraded)), COLUMNS)
        self.assertEqual([csv_row("s", r)["status"] for r in ALL], ["passed", "failed", "does not build", "passed", "failed"])
        self.assertEqual([csv_row("s", r)["speed"] for r in (PASSED, FAST)], ["", 80.0])
        failed = csv_row("s", FAILED)
        self.assertEqual((failed["message"], failed["file"], failed["line"]), ("race", "forces.cu", 4))

    def test_no_cell_is_a_formula(self):
        for name in ("=1+1", "+1", "-1", "@x", "\t=1", "\r=1", " =1+1", "\u3000=1", "＝1+1", " ＠x", "＋1", "\xa0-1"):
            self.assertTrue(csv_row(name, PASSED)["student"].startswith("'"), name)
        for name, shown in (("a;=1+1", "a;'=1+1"), ('a; "@x', "a; \"'@x"), ("a|＝1", "a|'＝1"), ("a - b, =c", "a - b, =c")):
            self.assertEqual(csv_row(name, PASSED)["student"], shown)
        self.assertLess(len(csv_row("x" * 100000, PASSED)["student"]), 2000)
        evil = csv_row("Zoë\nO'Hara", EVIL)
        self.assertEqual(evil["student"], "Zoë\\nO'Hara")
        self.assertTrue(evil["message"].startswith("'=1\\n") and all(str(cell).isprintable() for cell in evil.values()))


class ClassPage(unittest.TestCase):
    def page(self, entries, **options):
        entries = {name: {"student": name, "status": "graded", "message": "", "result": None, "graded_at": "", **more}
                   for name, more in entries.items()}
        return class_page(entries, [], ["forces.cu"], "step 02_tiled", "02_tiled", None, **options)

    def failed(self, place, said, **more):
        return {"result": result([test("a", 0, 10, "failed", **{**RACE, **said})], submission=place, **more)}

    def test_a_mistake_is_one_whatever_the_array_is_called(self):
        page = self.page({name: self.failed("x", {"text": f"race on shared memory: {name}[3]"}) for name in ("tile", "mine")})
        self.assertEqual(re.findall(r"<td class=number>(\d+)</td><td>(race[^<]*)<", page), [("2", "race on shared memory: mine[3]")])

    def test_a_report_names_its_student_and_changes_nothing_else(self):
        page = self.page({"a": self.failed("a", {}), "two\nlines": self.failed("in/two\nlines/sub", {})})
        self.assertIn("\nFAIL a/forces.cu:4: race\n     write at forces.cu:4\n", page)
        self.assertIn("\nFAIL two\\nlines/forces.cu:4: race\n", page)

    def test_without_names_there_is_no_name_in_any_place(self):
        missing = {"status": "no submission"}
        page = self.page({
            "Zo\u00eb <b>Ann": self.failed("in/Zo\u00eb <b>Ann/Ann_99", {"text": "‘ann_sum’ was not declared", "file": "ann.cuh",
                             "details": ["ann = 1  // by me", "^", "/* Ann */", "thread 3"]}, ignored_files=["Ann.txt"]),
            "two\nAnn": self.failed("in/two\nAnn", {}), "Ann 1": {**missing, "message": "no forces.cu; is it the file 'Ann/Forces.cu'? Rename it"},
            "Ann 2": {**missing, "message": "forces.cu in 2 folders: Ann, Ann_2"},
            "Ann 3": {"status": "not graded", "message": "/in/Ann 3/x: Permission denied"}, "thread": self.failed("in/thread", {"text": "thread 3"}),
        }, without_names=True)
        self.assertEqual(re.findall(r".*(?:Zo\u00eb|two|\b[Aa]nn|by me).*", page), [])
        self.assertIn("<td>thread 3<br>", page)
        for words in ("student 6", "no forces.cu<", "forces.cu in 2 folders<", "not graded<"):
            self.assertIn(words, page)


class Files(InFolder):
    def test_whole_or_not_at_all(self):
        file = self.folder / "results.json"
        write_whole(file, "old")
        with mock.patch("os.replace", side_effect=KeyboardInterrupt), self.assertRaises(KeyboardInterrupt):
            write_whole(file, "new")
        self.assertEqual([(p.name, p.read_text()) for p in self.folder.iterdir()], [("results.json", "old")])
        self.assertEqual(file.stat().st_mode & 0o777, 0o644)
        for name in ("os.replace", "tempfile.mkstemp"):
            with mock.patch(name, side_effect=OSError(errno.ENOSPC, "No space left on device", "odd name")), self.assertRaises(OSError) as full:
                write_whole(file, "new")
            self.assertEqual(complaint(full.exception), f"the disk is full: {file} could not be written")
        self.assertEqual(file.read_text(), "old")

    @needs("git")
    def test_what_grades_options_write(self):
        self.output_of("git", "init", "-q")
        page = self.write("summary.md", "before\n")
        options = SimpleNamespace(folder=self.write("2.1/forces.cu").parent, json=self.folder / "r.json", github=True,
                                  gradescope=self.folder / "results.json")
        with mock.patch.dict(os.environ, GITHUB_STEP_SUMMARY=str(page)):
            _, out, _ = call(export, FAILED, options)
        self.assertEqual(json.loads(options.gradescope.read_text()), results_json(FAILED))
        self.assertEqual(json.loads(options.json.read_text()), FAILED)
        self.assertEqual(page.read_text(), f"before\n{summary(FAILED)}")
        self.assertEqual(out.splitlines()[-2:], annotations(FAILED, "2.1/"))
