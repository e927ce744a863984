"""Tests of the grader's parts that build nothing: complaints, limits, speed, reports, bad input."""

import fcntl
import os
import re
import subprocess
import sys
import time
import unittest
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

from common.base.command_line import ROOT, run_command
from common.executor.nvcc.launcher import SIDES
from common.grader import checks, grade, tests
from common.grader import speed as grade_speed
from common.grader.build import SubmissionBuild, complaint
from common.grader.checks import changed_reads_test, forces_with, reads_test
from common.grader.complaints import Complaint, DoesNotBuild
from common.grader.diagnosis import SUBMISSION_GONE, Diagnosis, test_report
from common.grader.exercises.files import exercise, exercises
from common.grader.grading import check_files
from common.grader.handed_in import found_folder, why_no_folder
from common.grader.reports.report import TIME_LEFT, cause_of, first_diagnosis, mistake_of, printed
from common.grader.runs import NO_BODIES, Stopped, Submission
from common.grader.same_text import handed_out, nearly_equal
from common.grader.sandbox import limited_run
from common.grader.sandbox.judging import Judged, SubmissionProcess
from common.grader.sandbox.limited_run import Ended, run_limited
from common.grader.sandbox.sandbox import Sandbox
from common.grader.step_build import StepBuild
from common.grader.tests import settings_test
from common.tests.tools.case import InFolder, call

PLACE = "/b/grade/x/02_tiled"


class Complaints(unittest.TestCase):
    def expect(self, text, *expected):
        found = complaint(text, PLACE, "/b")
        self.assertEqual((found.text, found.file, found.line), expected)

    def test_only_a_file_with_kernels_has_the_launchers_option(self):
        building = SubmissionBuild.__new__(SubmissionBuild)
        building.build = Path("cpu-check")
        with mock.patch.object(StepBuild, "compiled", lambda _, compiling, *others: [*compiling]):
            for file, has in (("forces.cu", True), ("factory.cpp", False)):
                self.assertEqual(SIDES in building.compiled(["/b/kernel-launcher", "g++", "-c", file], None, None), has)

    def test_the_first_error_is_the_students_line(self):
        forces = f"{PLACE}/forces.cu"
        self.expect(f"{forces}:45:3: warning: w\n{forces}:46:3: error: no x\n{forces}:1: error: y\n",
                    "no x", "forces.cu", 46)
        self.expect("grade/x/02_tiled/mine.cuh:3:10: fatal error: y.h: No such file\n",
                    "y.h: No such file", "mine.cuh", 3)
        self.expect(f"{PLACE}/forces.cu(12): error: identifier \"x\" is undefined\n", 'identifier "x" is undefined',
                    "forces.cu", 12)

    def test_an_error_in_a_header_is_at_the_line_that_led_there(self):
        self.expect("/r/common/cuda/launch.hpp: In instantiation of 'void f()':\n"
                    f"{PLACE}/forces.cu:61:9:   required from here\n/r/common/cuda/launch.hpp:80:3: error: too few\n",
                    "too few", "forces.cu", 61)

    def test_what_is_missing_at_the_link(self):
        self.expect("/usr/bin/ld: main.cpp:(.text+0x1): undefined reference to `nbody::computeForces()'\n",
                    "linking: undefined reference to nbody::computeForces()", None, None)
        self.expect("killed\n", "the compiler failed", None, None)

    def test_an_argument_that_does_not_fit_has_its_number(self):
        note = f"{PLACE}/forces.cu:7:41: note:   initializing argument 3 of ‘void nbody::fp32::tiled::k(const nbody::real4*, int)’\n"
        for between, details in (("", ("this is argument 3 of void k(const real4*, int)",)), ("f.cu:1:1: error: y\n", ())):
            found = complaint(f"{PLACE}/forces.cu:39:125: error: cannot convert\n   39 |   k(x);\n{between}{note}", PLACE, "/b")
            self.assertEqual(found.details, details)


class StudentsLines(InFolder):
    """A compiler's error, shown with the line of the student's file."""

    def found(self, text, *lines):
        self.write("forces.cu", "\n".join(lines))
        error = complaint(f"{self.folder}/forces.cu:{len(lines)}:9: error: {text}\n", self.folder, "/b")
        return error.text, error.line, *error.details

    def test_a_semicolon_is_missing_in_the_line_before(self):
        ends = "expected ‘;’ at the end of this line"
        self.assertEqual(self.found("expected ‘;’ before ‘for’", "  f()  // call", "", "  for (;;)"), (ends, 1, "f()  // call", "   ^"))
        self.assertEqual(self.found("expected ‘,’ or ‘;’ before ‘[’ token", "  R a = {0, 0}", "  extern __shared__ R b[];")[:2],
                         ("expected ‘,’ or ‘;’ at the end of this line", 1))
        self.assertEqual(self.found("expected ‘;’ before ‘}’ token", "  f();", "  g() }"),
                         ("expected ‘;’ before ‘}’ token", 2, "g() }", "    ^"))

    def test_a_name_is_marked_and_a_brace_is_missed(self):
        self.assertEqual(self.found("‘k’ was not declared in this scope", "  i = j + k;")[2:], ("i = j + k;", "        ^"))
        self.assertIn("is a } missing above", self.found("a function-definition is not allowed here before ‘{’ token", "void g() {")[0])

    def test_an_unknown_name_is_in_the_line_that_has_it(self):
        lines = "__global__ void __launch_bounds__(most(B))", "  k() {", "}"  # bounds are compiled at the end
        for text in ("‘most’ was not declared in this scope", "there are no arguments to ‘most’ that depend on a template parameter, so "
                     "a declaration of ‘most’ must be available [-fpermissive]"):
            self.assertEqual(self.found(text, *lines), ("‘most’ was not declared in this scope", 1, lines[0], " " * 34 + "^"))
        self.assertEqual(self.found("‘other’ was not declared in this scope", *lines)[1], 3)

    def test_a_macro_that_ends_with_a_semicolon_is_at_its_definition(self):
        macro = "#define TILE 256;"
        for text in ("this <<< has no matching >>>(...): a launch is kernel<<<grid, block>>>(arguments)", "expected ‘]’ before ‘;’ token"):
            self.assertEqual(self.found(text, macro, "k<<<1, TILE>>>();"),
                             ("this macro ends with a semicolon, which is then inside line 2 too: remove it", 1, macro))
            self.assertEqual(self.found(text, macro, "k<<<1, 2>>();")[1], 2)


class HandedIn(InFolder):
    def found(self, *files):
        folder = f"{len(list(self.folder.iterdir()))}"
        for file in files:
            self.write(f"{folder}/{file}")
        place, why = found_folder(self.folder / folder, ["forces.cu"])
        return why or str(place.relative_to(self.folder / folder))

    def test_files_are_found_below_and_near_names_are_told(self):
        self.assertEqual(self.found("2.1 (Smith, J)/a/forces.cu", "__MACOSX/forces.cu"), "2.1 (Smith, J)/a")
        self.assertIn("in 2 folders: a, b", self.found("a/forces.cu", "b/forces.cu"))
        for name in ("forces (1).cu", "Forces.cu", "forces.cu.txt", "forces-2.cu", "forces - Copy.cu", "forces.cu ", "forces", "froces.cu",
                     "Kopie von forces.cu", "smith_123_forces.cu", "forces.cu~", "\uff26orces.CU", "02_tiled\\forces.cu"):
            self.assertEqual(self.found(name), f"no forces.cu; is it the file '{name}'? Rename it to forces.cu")
        for name in ("2.1.zip", "ABGABE.ZIP", "x.tar.xz", "forces.cu.zip"):
            self.assertEqual(self.found(name), f"no forces.cu; '{name}' is an archive: unpack it")
        self.assertEqual(self.found("kernel.cu"), "no forces.cu; there is only 'kernel.cu'")
        self.assertEqual(self.found("forces.docx", "b", "c", "d"), "no forces.cu; there is only 'b', 'c', 'd' and 1 more")
        self.assertEqual(self.found("a/b/c/d/forces.cu"), "no forces.cu; move 'a/b/c/d/forces.cu' to forces.cu in the folder that you hand in")
        self.assertEqual(self.found("forces.cu/forces.cu"), "forces.cu")
        self.assertIn("forces (1).cu", self.found(*(f".git/{n}" for n in range(1001)), "forces (1).cu"))
        self.assertEqual(self.found(".git/config"), "an empty folder")
        # A file that was asked for is no other one under a wrong name.
        folder = self.write("two/build_options.hpp").parent
        self.assertEqual(found_folder(folder, ["build_options.hpp", "options.hpp"])[1], "no options.hpp")

    def test_a_file_instead_of_a_folder_is_told(self):
        self.assertIn("is an archive: unpack it", why_no_folder(self.write("a.zip")))
        self.assertIn("name the folder that it is in", why_no_folder(self.write("forces.cu")))
        self.assertIn("no folder '", why_no_folder(self.folder / "none"))

    def test_an_emptied_file_is_told(self):
        for texts, said in (({"forces.cu": " \n"}, "forces.cu is empty"), ({"forces.cu": "int", "pairs.cuh": ""}, "pairs.cuh is empty")):
            with self.assertRaises(DoesNotBuild) as raised:
                check_files(self.folder, "05_triangular_map", ["forces.cu"], texts)
            self.assertEqual(raised.exception.complaint.text, said)
        check_files(self.folder, "05_triangular_map", ["forces.cu"], {"forces.cu": "int", "mine.h": ""})

    def test_a_file_that_is_no_text_is_told(self):
        for text, said in (("PK\3\4\x14forces.cu", "is a zip archive"), ("\ufffd\ufffd#\0d\0", "save it as UTF-8")):
            with self.assertRaises(DoesNotBuild) as raised:
                check_files(self.folder, "02_tiled", ["forces.cu"], {"forces.cu": text})
            self.assertIn(said, raised.exception.complaint.text)


class Copies(unittest.TestCase):
    STEP_01 = (ROOT / "01_naive" / "forces.cu").read_text()

    def test_what_was_handed_out_is_told_whatever_its_names(self):
        other_names = re.sub(r"\bbody\b", "me", self.STEP_01).replace("/// ", "// Hello ")
        for text in (self.STEP_01, other_names):
            self.assertEqual(handed_out({"forces.cu": text}, "02_tiled", None), "this is the kernel of step 01")
        self.assertIsNone(handed_out({"forces.cu": self.STEP_01}, "01_naive", None))
        self.assertIsNone(handed_out({"forces.cu": self.STEP_01.replace("{0, 0, 0}", "{0, 0, 1}")}, "02_tiled", None))
        one = exercise("2.4")
        self.assertIn("handed out", handed_out(one.starter(), "02_tiled", one))

    def test_equal_files_are_told(self):
        own = "\n".join(f"float number{n} = {n} * first;" for n in range(20))
        files = {"a": own, "b": own.replace("first", "start"), "c": "// quite another\n" + own + "int x;", "d": "int x;", "e": self.STEP_01,
                 "f": self.STEP_01}
        self.assertEqual([names for names, _ in nearly_equal(files, {"01": self.STEP_01})], [["a", "b"], ["a", "c"]])


class PointsOfTests(unittest.TestCase):
    def test_each_test_has_a_line_and_each_line_a_test(self):
        asked = set()
        with mock.patch.object(checks, "points", lambda name: asked.add(name) or 1), \
                mock.patch.object(tests, "points", lambda name: asked.add(name) or 1):
            for step in sorted(path.parent.name for path in ROOT.glob("[0-9][0-9]_*/forces.cu")):
                tests.tests_of(step, None, SimpleNamespace(forces=None))
            for one in exercises():
                tests.tests_of(one.step, one, SimpleNamespace(forces=None))
                tests.answer_tests(one.questions, "")
        self.assertEqual(asked, set(checks.all_points()))


class Limits(InFolder):
    def run_python(self, code, seconds=20, **options):
        return run_limited([sys.executable, "-c", code], seconds, **options)

    def test_a_good_run(self):
        ended = self.run_python("import sys; print(1); sys.stderr.write('2'); sys.exit(3)")
        self.assertEqual((ended.status, ended.out, ended.error, ended.flooded), (3, "1\n", "2", False))

    def test_one_that_does_not_end_and_its_children(self):
        child = f"import time\nwhile True: time.sleep(0.05); print(1, file=open('{self.folder}/lines', 'a'))"
        ended = self.run_python(f"import subprocess, sys; subprocess.Popen([sys.executable, '-c', {child!r}])\n"
                                "while True: pass", 1)
        self.assertIsNone(ended.status)
        lines = (self.folder / "lines").read_text()
        time.sleep(1)
        self.assertEqual((self.folder / "lines").read_text(), lines)

    WORKS = "import time\nwhile time.process_time() < {}: pass\nprint(1)"

    def test_a_busy_machine_takes_no_time(self):
        cores, load = os.sched_getaffinity(0), 3
        os.sched_setaffinity(0, {min(cores)})  # that of all processes which begin here, so that one core is enough
        self.addCleanup(os.sched_setaffinity, 0, cores)
        others = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(load)]
        try:
            started = time.monotonic()
            # By the clock, it needs more than its limit.
            ended = self.run_python(self.WORKS.format(0.6), 2)
            took = time.monotonic() - started
        finally:
            for other in others:
                other.kill()
                other.wait()
        self.assertEqual(ended.out, "1\n", took)
        self.assertLess(ended.seconds, took / 2)

    def test_a_thread_that_waits_for_a_core_is_not_asleep_even_if_the_first_one_is(self):
        code = "import threading, time\ndef work():\n    while time.monotonic() < end: pass\nend = time.monotonic() + 2\n" \
               "thread = threading.Thread(target=work)\nthread.start()\nthread.join()\nprint(1)"
        # As if the machine gave it no time between two looks.
        with mock.patch.object(limited_run, "processor_seconds", lambda _: 0), mock.patch.object(limited_run, "idle_seconds", lambda: 0):
            self.assertEqual(self.run_python(code, 0.7).out, "1\n")

    def test_processor_time_of_children_and_sleep_count(self):
        child = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {self.WORKS.format(20)!r}])"
        for code in (self.WORKS.format(20), child, f"{child[:-1]}, start_new_session=True)", "import time; time.sleep(60)",
                     "import os, signal; os.kill(os.getpid(), signal.SIGSTOP)"):
            ended = self.run_python(code, 0.5)
            self.assertIsNone(ended.status, code)
            self.assertTrue(0.5 < ended.seconds < 5, (code, ended.seconds))

    def test_a_twentieth_of_the_time_counts_in_which_a_core_is_idle(self):
        waits = mock.patch.object(limited_run, "WORKING", (b"S", b"R"))  # as if it waited for a core
        with waits, mock.patch.object(limited_run, "idle_seconds", time.monotonic):
            started = time.monotonic()
            self.assertIsNone(self.run_python("import time; time.sleep(60)", 0.1).status)
            self.assertGreater(time.monotonic() - started, 2)
        with waits, mock.patch.object(limited_run, "idle_seconds", lambda: 0):
            self.assertEqual(self.run_python("import time; time.sleep(4); print(1)", 0.1).out, "1\n")
        before = limited_run.idle_seconds()
        self.assertGreaterEqual(limited_run.idle_seconds(), before)

    def test_a_flood_ends_at_the_limit(self):
        code = "import signal; signal.signal(signal.SIGXFSZ, signal.SIG_DFL)\nwhile True: print('x' * 1000)"
        ended = self.run_python(code)
        self.assertTrue(ended.flooded)
        self.assertLessEqual(len(ended.out), limited_run.KEPT)

    def test_memory_has_a_limit(self):
        self.assertNotEqual(self.run_python("x = bytearray(3 << 30)", memory=1 << 30).status, 0)


class Ends(InFolder):
    def setUp(self):
        super().setUp()
        self.submission = Diagnosis("02_tiled", self.folder)
        self.write("forces.cu", "//\n__global__ void forcesKernel(int) {\n}\n")

    def found(self, status, log="", judged=SUBMISSION_GONE, words="", stopped=None):
        """The message about a submission's end. judged: the judge's exit status; words: the judge's output"""
        judge = Ended(judged, "", words, 30)
        return self.submission.complaint(Judged(judge, Ended(status, "", log, 30), stopped))

    def text_of(self, *arguments, **others):
        found = self.found(*arguments, **others)
        return found and (found.text, found.line)

    def test_each_end_is_a_report(self):
        self.assertEqual(self.text_of(0, stopped="time"),
                         ("the program did not end within 30 s: does a loop or a wait never end?", None))
        self.assertEqual(self.text_of(0, stopped="it used too much"), ("it used too much", 2))
        self.assertEqual(self.text_of(-11), ("the program crashed: segmentation fault (SIGSEGV)", 2))
        self.assertIn("that it calls", self.found(-11).details[0])
        self.assertEqual(self.text_of(-25), ("the program printed more than 4 MB", None))
        self.assertEqual(self.text_of(0), ("the program ended before it had computed the forces", 2))
        self.assertEqual(self.text_of(3), ("the program ended with status 3", None))
        self.assertEqual(self.text_of(0, judged=1, words="02_tiled: check failed: x\n  hint: sign?\n"), ("sign?", 2))

    def test_wrong_forces_are_at_the_kernel_in_a_file_that_was_handed_in(self):
        self.write("tuned.cuh", "void forcesKernel(int);\n")
        self.write("forces.cu", "__global__ void mine(int) {}\n\nvoid computeForces() {}\n")
        self.submission.files = ("forces.cu",)
        found = self.found(0)
        self.assertEqual((found.file, found.line), ("forces.cu", 3))

    def test_what_cannot_be_in_a_file_as_it_was_handed_out_is_at_what_the_exercise_asks_for(self):
        asked = exercise("7.1")
        starter = asked.starter()
        for forces, file, words in ((starter["forces.cu"], "tree/cells.cuh", ["sharedDigits() and lastInCell()"]),
                                    (starter["forces.cu"] + "//", "forces.cu", [])):
            texts = {**starter, "forces.cu": forces, "tree/cells.cuh": "//\n" + starter["tree/cells.cuh"]}
            for name, text in texts.items():
                self.write(name, text)
            written, given = asked.parts(texts)
            submission = Submission("07_device_tree", self.folder, self.folder, self.folder, None, 1, files=tuple(texts), written=written,
                                    given=given)
            lines = texts["tree/cells.cuh"].splitlines()
            for found in (submission.placed("race", ("write at tree/links.cuh:36", "(in the kernel launched at forces.cu:60)")),
                          submission.at_kernel("all forces are zero")):
                self.assertEqual(found.file, file)
                if file != "forces.cu":
                    self.assertIn("sharedDigits(", lines[found.line - 1])
                self.assertTrue(all(word in found.details[-1] for word in words), found)
            found = submission.placed("race", ("write at tree/cells.cuh:9", "(in the kernel launched at forces.cu:60)"))
            self.assertEqual((found.file, found.line, len(found.details)), ("tree/cells.cuh", 9, 2))

    def test_a_missing_option_is_at_the_options(self):
        submission = Submission("07_device_tree", self.folder, self.folder, self.folder, None, 1, files=("forces.cu", "build_options.hpp"))
        found = submission.placed("the program does not accept --levels 2", ())
        self.assertEqual((found.file, found.line, found.details), ("build_options.hpp", None, ()))

    def test_an_endless_loop_is_told_with_its_line(self):
        stopped = "executor: stopped by SIGTERM in "
        in_function = ("__device__ int next(\n    int k) {\n  return k;\n}\n__global__ void forcesKernel() {\n"
                       "  for (int k = 0; k < 9;)\n    k = next(k);\n}\n")
        of_host = "void computeForces() {\n  for (int level = 3; level >= 0;)\n    array.clear(),\n    k<<<1, 1>>>();\n}\n"
        for text, log, line, details in (
                ("//\n__global__ void forcesKernel(int) {\n}\n",
                 "kernel 'forcesKernel', launched at 02_tiled/forces.cu:3, after 29 s: thread (7,0,0) of block (0,0,0) at "
                 "02_tiled/forces.cu:2 was running.\n", 2,
                 ("kernel forcesKernel, launched at forces.cu:3, thread (7,0,0) of block (0,0,0) was running at forces.cu:2",)),
                (in_function,  # which has none itself
                 "kernel 'forcesKernel', launched at 02_tiled/forces.cu:9, after 29 s: thread (0,0,0) of block (0,0,0) at "
                 "02_tiled/forces.cu:2 was running.\n", 6,
                 ("kernel forcesKernel, launched at forces.cu:9, thread (0,0,0) of block (0,0,0) was running at forces.cu:2",
                  "the loop around it: forces.cu:6")),
                (of_host, "host code at common/cuda/memory.hpp:20, called at 02_tiled/forces.cu:3, called at "
                 "common/grader/judge/submission_main.cpp:120.\n", 2,
                 ("host code was running at forces.cu:3", "the loop around it: forces.cu:2")),
                (of_host,  # a kernel that has just begun is not what takes the time
                 "kernel 'k', launched at 02_tiled/forces.cu:4, after 0.0021 s: thread (0,0,0) of block (0,0,0) at "
                 "02_tiled/forces.cu:1 was running.\n", 2,
                 ("host code was running at forces.cu:4, which last launched kernel k", "the loop around it: forces.cu:2")),
                (of_host, "host code at common/cuda/memory.hpp:20.\n", 1, ("host code was running",))):
            self.write("forces.cu", text)
            found = self.found(None, stopped + log, stopped="time")
            self.assertEqual(found.text, "the program did not end within 30 s: does a loop or a wait never end?")
            self.assertEqual((found.line, found.details), (line, details))

    def test_a_report_comes_before_wrong_messages(self):
        report = "submission: executor: uninitialised global memory: bodies[0]\n"
        log = "08_many_gpus: the forces are correct, but rank 0 of 3 sends the wrong messages for this exchange.\n"
        for words, told in ((report, "uninitialised global memory: bodies[0]"), ("", log.partition(": ")[2].strip())):
            submission = Submission("08_many_gpus", self.folder, self.folder, self.folder, None, 1)
            judged = Judged(Ended(SUBMISSION_GONE, "", words, 1), Ended(2, "", log, 1))
            self.assertEqual(submission.found(judged).text, told)
            self.assertEqual(submission.ends().text, log.partition(": ")[2].strip())

    def test_a_tree_that_does_not_end_runs_once_more_and_is_told(self):
        runs = []

        def run_judge(command, process, seconds, environment):
            runs.append((environment.get("NBODY_JUDGE_STOPS"), seconds))
            return Judged(Ended(0, "", "", seconds), Ended(None, "", "", seconds), "time")

        submission = Submission("07_device_tree", self.folder, self.folder, self.folder / "a" / "judge", None, 1)
        self.write("forces.cu")
        with mock.patch("common.grader.runs.run_judge", run_judge):
            self.assertIn("did not end", submission.forces(9)[0].text)
            self.assertRaises(Stopped, submission.forces, 8)
        self.assertEqual(runs, [(None, 30), ("1", 10)])
        self.assertIn("did not end", submission.ends().text)

    def test_correct_forces_of_a_run_with_a_report_do_not_earn_all_points(self):
        passed = '<Catch><OverallResults successes="5" failures="0"/></Catch>'
        outside, race = "out of bounds of global memory: bodies[9]", "race on global memory: bodies[0]"
        for reports, text, credit in (((race,), race, 0.5), ((outside,), outside, 0.75), ((outside, race), race, 0.5)):
            words = "".join(f"submission: executor: {report}\n" for report in reports)
            judged = Judged(Ended(0, passed, words, 1), Ended(0, "", "", 1))
            submission = Submission("08_many_gpus", self.folder, self.folder, self.folder, None, 1)
            with mock.patch.object(Submission, "run", lambda *_: judged):
                for found in (submission.forces(9)[0], submission.forces(9, arguments=("--ranks", "2"))[0], submission.test_case("t")):
                    self.assertEqual((found.text, found.credit), (text, credit))

    def test_a_report_stands_for_wrong_forces_only_if_it_explains_them(self):
        offset, law = "every force is off by the same vector, (1, 1, 1): does the sum start at 0?", "all forces are 1.5 times the correct value"
        missing = "sources 32 to 255 are missing in the sums"
        for report, hint, line, is_effect in (("uninitialised local variable: ax", offset, 3, False), ("uninitialised local variable: ax", law, 2, True),
                                              ("out of bounds of global memory: a[9]", law, 2, True),
                                              ("out of bounds of global memory: a[9]", missing, 2, True),
                                              ("out of bounds of shared memory: tile[9]", missing, 3, False),
                                              ("out of bounds of global memory: a[9]",
                                               "The forces are wrong if every cell is opened: the forces on 2 of 9 bodies are wrong", 3, False),
                                              ("out of bounds of global memory: a[9]", "the forces on 2 of 9 bodies are wrong", 3, False)):
            words = (f"submission: executor: {report}\nsubmission:   read by thread (0,0,0) of block (0,0,0) at 02_tiled/forces.cu:3\n"
                     f"02_tiled: check failed: x\n  hint: {hint}\n")
            submission = Submission("02_tiled", self.folder, self.folder, self.folder, None, 1)
            with mock.patch.object(Submission, "run", lambda *_, words=words: Judged(Ended(1, "", words, 1), Ended(0, "", "", 1))):
                found, _ = submission.forces(9)
            self.assertEqual((found.text, found.line, found.is_effect), (hint if is_effect else report, line, is_effect))

    def test_one_run_of_several_bodies_shows_that_kernels_use_them(self):
        submission = Submission("05_triangular_map", self.folder, self.folder, self.folder, None, 1)
        unused = Judged(Ended(1, "", f"05_triangular_map: {NO_BODIES}: is the launch missing?\n", 1), Ended(0, "", "", 1))
        correct = Judged(Ended(0, "", "", 1), Ended(0, "", "", 1))
        for judged, bodies, uses in ((unused, 2, False), (correct, 1, False), (correct, 9, True), (unused, 2, True)):
            with mock.patch.object(Submission, "run", lambda *_, judged=judged: judged):
                submission.forces(bodies, order=str(uses))
            self.assertEqual(submission.uses_bodies, uses)

    def test_the_judge_ends_with_the_status_that_is_looked_for(self):
        protocol = (ROOT / "common" / "grader" / "judge" / "pipe_protocol.hpp").read_text()
        self.assertIn(f"kSubmissionGone = {SUBMISSION_GONE};", protocol)

    def test_nothing_that_a_submission_says_helps_it_or_stands_for_the_judge(self):
        self.assertIsNone(self.found(-9, "executor: race", judged=0))
        self.assertEqual(self.text_of(0, "All tests passed\ncheck passed\n"),
                         ("the program ended before it had computed the forces", 2))
        said = self.text_of(1, "02_tiled: check failed: all is well\n", 1, "02_tiled: check failed: x\n  hint: y\n")
        self.assertEqual(said, ("y", 2))

    def test_a_race_is_at_its_first_line(self):
        self.write("lists/my-walk.cuh")
        for file in ("forces.cu", "lists/my-walk.cuh"):
            report = (f"executor: race on shared memory: tile[0]\n  write by thread (0,0,0) at 02_tiled/{file}:45\n"
                      "  A __syncthreads() is missing between these two lines.\n02_tiled: the executor reports 1 bug\n")
            self.assertEqual(self.found(1, report), Complaint("race on shared memory: tile[0]",
                                                              (f"write by thread (0,0,0) at {file}:45",
                                                               "A __syncthreads() is missing between these two lines."),
                                                              file, 45))

    def test_a_place_in_the_suites_own_files_is_not_shown(self):
        report = ("executor: uninitialised global memory: accelerations[0]\n  read by cudaMemcpyAsync at cuda/device_array.cpp:51\n"
                  "  write at 02_tiled/forces.cu:2\n")
        self.assertEqual(self.found(1, report).details, ("read by cudaMemcpyAsync in the suite's code", "write at forces.cu:2"))

    def test_catch2s_report(self):
        passed = '<Catch><OverallResults successes="5" failures="0" expectedFailures="0"/></Catch>'
        self.assertEqual(test_report(passed), (True, None))
        self.assertFalse(test_report(passed.replace('"5"', '"0"'))[0])
        self.assertFalse(test_report("PASS")[0])
        failed = ('<Catch><Info>9 bodies: x\n  hint: sign?</Info><Expression><Original>p</Original></Expression>'
                  '<OverallResults successes="4" failures="1"/></Catch>')
        self.assertEqual(test_report(failed), (False, "sign?"))
        # Never the code of what is compared.
        self.assertEqual(test_report(failed.replace("hint: sign?", "")), (False, "9 bodies: x"))
        bare = ('<Catch><TestCase name="forces sum to nothing"><Expression><Original>length(sum) &lt;= x</Original>'
                '</Expression></TestCase><OverallResults successes="4" failures="1"/></Catch>')
        self.assertEqual(test_report(bare), (False, "this test failed: forces sum to nothing"))


class Report(unittest.TestCase):
    def test_a_kernel_that_is_not_new_has_no_other_diagnosis_place(self):
        result = {"build": {"status": "passed"}, "tests": [{"name": "t", "diagnosis": {"text": "a race", "file": "forces.cu", "line": 4}}]}
        self.assertEqual(first_diagnosis({**result, "same_as": None})["line"], 4)
        same = first_diagnosis({**result, "same_as": "this is the kernel of step 01"})
        self.assertEqual((same["text"][:29], same["file"], same["line"]), ("this is the kernel of step 01", None, None))
        # Nothing counts if it does not fit the other files of the step.
        failed = {"step": "05_triangular_map", "build": {"status": "failed"}, "tests": [], "same_as": "this is the kernel of step 02"}
        self.assertEqual(first_diagnosis(failed)["text"],
                         "this is the kernel of step 02, which does not fit the other files of step 05")

    def test_a_mistake_with_other_numbers_is_the_same(self):
        texts = ["232 of 1000 bodies are wrong (median relative error 0.03)",
                 "7 of 33 bodies are wrong (median relative error 1e-05)"]
        mistakes = {mistake_of({"text": text, "file": "forces.cu", "line": 4}) for text in texts}
        self.assertEqual(len(mistakes), 1)
        races = {mistake_of({"text": f"race on global memory: {array}", "file": "forces.cu", "line": line})
                 for array, line in (("element 56 of 'bodies of the cells'", 60), ("element 2 of 'tree links'", 60), ("bodies[0]", 61))}
        self.assertEqual(len(races), 2)
        self.assertNotIn(mistake_of({"text": "all forces are zero", "file": "forces.cu", "line": 4}), mistakes)

    def test_memory_that_a_race_reads_too_early_is_the_same_mistake(self):
        race, early = ({"text": f"{kind} shared memory: tile[0]", "file": "forces.cu", "line": 4} for kind in ("race on", "uninitialised"))
        said = {mistake_of(race): "t"}
        self.assertEqual(cause_of(early, said), mistake_of(race))
        for other in ({**early, "line": 5}, {**early, "text": "uninitialised global memory: bodies[0]"}):
            self.assertEqual(cause_of(other, said), mistake_of(other))

    def test_less_is_read_by_threads_with_more_bodies_or_if_the_idea_is_missing(self):
        wrong = Complaint("wrong")
        for step, found, said in (("02_tiled", None, None), ("02_tiled", wrong, "too few blocks?"),
                                  ("04_multithread_per_body", None, "too few threads share"), ("06_tree_walk", None, "are left out")):
            submission = SimpleNamespace(step=step, at_kernel=Complaint, forces=lambda *_, found=found, **__: (found, {"global_bytes_read": 1}))
            complained = reads_test(10, lambda *_, **__: (None, {"global_bytes_read": 4})).check(submission)
            self.assertIs(complained is None, said is None)
            self.assertIn(said or "", complained.text if complained else "")

    def test_tests_that_were_not_run_are_told_with_the_cause(self):
        def test(name, text):
            status = "not run" if text.startswith("not run") else "failed"
            return {"name": name, "points": 0, "max_points": 2, "status": status, "diagnosis": {"text": text, "file": "forces.cu", "line": 4}}
        tests = [test("a", "all forces are zero"), test("b", "the program did not end within 30 s"), test("c", "not run, because the test 'a' failed"),
                 test("d", f"not run, because {TIME_LEFT}"), test("e", f"not run, because {TIME_LEFT}")]
        result = {"submission": "x", "step": "02", "exercise": None, "score": 0, "max_score": 10, "build": {"status": "passed"}, "tests": tests,
                  "ignored_files": [], "speed": None}
        self.assertEqual([line.split()[0] for line in printed(result).splitlines() if "because of it" in line], ["1", "2"])
        result["tests"] = [tests[0], *tests[2:]]
        self.assertIn("used up:\n     d (2), e (2)", printed(result))

    def test_a_setting_that_fails_is_named(self):
        failing = SimpleNamespace(forces=lambda bodies, arguments: (
            Complaint("wrong", ("as told",)) if "8" in arguments else None, {}))
        check = forces_with({("--unroll", "4"): 10, ("--unroll", "8"): 10})
        self.assertEqual(check(failing).details, ("as told", "with --unroll 8"))

    def test_a_setting_has_the_bodies_that_show_a_mistake(self):
        asked = {}  # the number of bodies by the arguments

        def forces(bodies, arguments):
            asked[" ".join(arguments)] = bodies
            return None, {}

        test, = settings_test("07_device_tree")
        self.assertIsNone(test.check(SimpleNamespace(forces=forces)))
        self.assertEqual(sorted(name for name in asked if name in test.name), sorted(asked))
        self.assertEqual([n > 4000 for name, n in asked.items() if "tree-memory" in name], [True])

    def test_an_option_must_change_what_is_read_and_not_just_a_little(self):
        def reading(without, with_option):
            return SimpleNamespace(
                at_kernel=str,
                forces=lambda bodies, arguments: (None, {"global_bytes_read": with_option if arguments else without}))

        check = changed_reads_test(["--levels", "2"], 0.6).check
        for reads, said in ((1000, "no effect"), (999, "too little effect"), (1004, "too little effect"),
                            (1400, "too little effect"), (800, None), (600, None)):
            found = check(reading(1000, reads))
            self.assertIs(found is None, said is None, reads)
            self.assertIn(said or "", found or "")


class Speed(unittest.TestCase):
    device = {"name": "GPU", "fma_tflops": 60.0}

    def document(self, *times, passed=True):
        runs = [{"seed": n, "force_ms": ms, "passed": passed} for n, ms in enumerate(times)]
        return {"device": self.device, "runs": runs}

    def judged(self, student, step="02_tiled"):
        return grade_speed.judged(step, 65536, self.document(2.0, 2.1, 1.9), student, self.document(2.0, 2.2, 2.0))

    def test_points(self):
        self.assertEqual([grade_speed.points(r) for r in (0.5, 1.2, 12**0.5, 10, 50)], [100, 100, 50, 0, 0])

    def test_as_fast_as_the_reference(self):
        self.assertEqual(self.judged(self.document(2.2, 2.3, 2.4))["score"], 100)
        self.assertEqual(self.judged(self.document(20.0, 21.0, 22.0))["score"], 0)

    def test_wrong_forces_earn_nothing(self):
        speed = self.judged(self.document(2.0, passed=False))
        self.assertEqual(speed["score"], 0)
        self.assertIn("wrong", speed["text"])

    def test_faster_than_the_device_can_be_is_refused(self):
        # 65,536^2 interactions at 60 TFLOP/s / 2 / 7.5 slots: 1.07 ms.
        for times, score in (((1.1,), 100), ((1.0,), 0), ((2.0, 1.0, 2.0), 0), ((0.0,), 0)):
            self.assertEqual(self.judged(self.document(*times))["score"], score, times)
        self.assertEqual(self.judged(self.document(1.0), "06_tree_walk")["score"], 100)


class TimedPrograms(InFolder):
    def timed(self, body):
        """The result of a judge whose last argument is the file."""
        program = self.program("program", f"#!/bin/sh\njson=$4\n{body}\n")
        return grade_speed.timed(program, SubmissionProcess(Sandbox("none"), "cat", [], []), 100, 1)

    def test_its_document_or_why_there_is_none(self):
        document, why = self.timed("""echo '{"runs": [{"seed": 1, "force_ms": 2.5, "passed": true}]}' > "$json\"""")
        self.assertEqual((document["runs"][0]["force_ms"], why), (2.5, None))
        self.assertIsNone(self.timed("echo no GPU >&2; exit 1")[0])

    def test_one_at_a_time(self):
        with self.write("speed.lock").open() as other:
            with grade_speed.alone(self.folder):
                self.assertRaises(BlockingIOError, fcntl.flock, other, fcntl.LOCK_EX | fcntl.LOCK_NB)
            fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)


class Command(InFolder):
    def test_bad_input_gets_a_line(self):
        folder = self.write("forces.cu").parent
        for arguments in (["99", folder], ["02", folder / "none"], ["3.3", folder], ["02", "/proc"], [],
                          ["02", folder, "--json", "/none/x"], ["02", folder, "--seed", "a"]):
            self.expect_refusal(call(run_command, "grade", grade, [*map(str, arguments)]))
