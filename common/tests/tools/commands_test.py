"""Tests of the command line, of what it installs and builds with, and of the summary of `./run test`."""

import io
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from unittest import mock

from common.base.command_line import ROOT, BadInput, CommandFailed, run_command
from common.tests.tools.case import InFolder, call
from common.tools import build, commands, packages, progress
from common.tools.ladder import ladder
from common.tools.testing import benchmark, test

# Results as ctest --output-junit writes them.
RECORD = """<testsuite tests="4" failures="1" disabled="0" skipped="2">
<testcase name="a" status="run"/><testcase name="b" status="fail"><system-out>x</system-out></testcase>
<testcase name="c" status="notrun"><skipped/><system-out>run: 3
SKIPPED: bubblewrap, git missing
</system-out></testcase>
<testcase name="d" status="notrun"><skipped/><system-out>SKIPPED: needs two cores</system-out></testcase>
</testsuite>"""


class Words(InFolder):
    def test_help_lists_every_command_and_imports_none(self):
        code = ("import sys; from common.tools.commands import main; main(['help']); "
                "print([name for name in sys.modules if name.startswith(('common.grader', 'common.tools.ladder'))])")
        said = subprocess.run([sys.executable, "-B", "-c", code], cwd=ROOT, capture_output=True, text=True).stdout
        self.assertEqual(said.splitlines()[-1], "[]")
        for name in commands.COMMANDS:
            self.assertRegex(said, rf"(?m)^ +{name}( |$)")

    def test_every_command_describes_its_options(self):
        for name in commands.COMMANDS:
            for words in ((name, "--help"), ("help", name)) if name != "help" else ((name,), ("--help",), (name, "--help"), ()):
                status, out, error = call(commands.main, list(words))
                self.assertEqual((status, error), (0, ""), words)
                self.assertTrue(out.startswith(f"usage: ./run {'COMMAND' if name == 'help' else name}"), out)

    def test_unknown_words_get_one_line_with_the_nearest_known(self):
        for words, complaint in (
                (["lader"], "run: unknown command 'lader'; did you mean 'ladder'?"),
                (["xyz"], "run: unknown command 'xyz'; ./run help lists the commands"),
                (["ladder", "--bodie=3"], "ladder: unknown option '--bodie'; did you mean '--bodies'?"),
                (["grade", "--trusty"], "grade: unknown option '--trusty'; did you mean '--trust'?"),
                (["test", "fast"], "test: unknown argument 'fast'"),
                (["check", "01", "--preset", "cpu"], "check: unknown option '--preset'"),
                (["check", "01", "nowhere"], "check: nowhere has no forces.cu"),
                (["check", "99"], "check: no step '99'; there are 01 02 "),
                (["record", "--preset", "cpu"], "record: needs a GPU and nvcc"),
                (["sanitize", "--preset=cpu"], "sanitize: argument --preset: invalid choice"),
                (["fuzz", "--runs", "1e6"], "fuzz: argument --runs: must be a whole number, not '1e6'"),
                (["exercises"], "exercises: say which folder"),
                (["ladder", "--preset", "tpu"], "ladder: argument --preset: invalid choice: 'tpu'")):
            self.expect_refusal(call(commands.main, words), complaint)

    def test_without_python3_the_bootstrap_says_how_to_get_it(self):
        for program in ("bash", "env", "dirname", "readlink"):
            (self.folder / program).symlink_to(f"/usr/bin/{program}")
        done = subprocess.run([ROOT / "run", "help"], env={"PATH": self.folder}, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (2, "run: install python3, then try again\n"))


class Packages(InFolder):
    def test_headers_of_staged_packages_count(self):
        self.assertFalse(packages.has_header("staged/there.hpp"))
        self.write("include/staged/there.hpp")
        with mock.patch.dict(os.environ, CMAKE_PREFIX_PATH=f"/nowhere:{self.folder}"):
            self.assertTrue(packages.has_header("staged/there.hpp"))

    def test_headers_of_fibers_without_the_library_are_not_enough(self):
        self.write(f"include/{packages.FIBERS}")
        there = packages.Path(self.folder).glob
        with mock.patch.dict(os.environ, CMAKE_PREFIX_PATH=str(self.folder)), \
                mock.patch.object(packages.Path, "glob", lambda path, pattern: there(pattern)):
            self.assertFalse(packages.has_fibers())
            self.write("lib/x86_64-linux-gnu/libboost_context.so")
            self.assertTrue(packages.has_fibers())

    def test_only_the_executor_needs_fibers(self):
        with mock.patch.object(packages, "has_header", return_value=False):
            self.assertIn("libboost-context-dev", packages.for_building("cpu"))
            self.assertNotIn("libboost-context-dev", packages.for_building("gpu"))

    def test_a_module_that_no_python_has_is_installed_or_named(self):
        with mock.patch.object(packages, "install") as install:
            with self.assertRaisesRegex(BadInput, "has no module nonesuch; type: .* -m pip install nonesuch"):
                packages.need("nonesuch")
        install.assert_called_once_with(["python3-nonesuch"])

    def test_who_may_not_install_is_told_what_to_type(self):
        with mock.patch("os.getuid", return_value=1000), mock.patch.object(sys, "stdin", io.StringIO()), \
                mock.patch.object(packages.shutil, "which", lambda program: program == "apt-get"):
            with self.assertRaisesRegex(BadInput, "type: sudo apt-get update && sudo apt-get install -y cmake g"):
                packages.install(["cmake", "g++"])
        with mock.patch.object(packages.shutil, "which", return_value=None):
            with self.assertRaisesRegex(BadInput, "install what these Debian packages hold.*: cmake"):
                packages.install(["cmake"])
            packages.install([])


    def test_it_waits_while_another_program_installs_packages(self):
        said = []
        with tempfile.TemporaryDirectory() as folder, mock.patch.object(packages, "LOCK_PAUSE", 0.1):
            script = f"cd {folder}; echo x >> tried; [ $(wc -l < tried) -ge 3 ] || {{ echo 'E: Could not get lock x'; exit 100; }}"
            output = call(lambda: said.append(packages.apt(["sh", "-c", script])))
        self.assertEqual(said, [(0, [])])
        self.assertEqual(output[2], "Another program is installing packages; this one waits for it, up to 5 minutes.\n")


class Building(InFolder):
    def cmake(self, version, offered):
        """Makes a cmake that is too old until it is installed, and an apt-cache that offers the given version."""
        self.program("cmake", f"#!/bin/sh\necho 'cmake version {version}'\necho\necho 'CMake suite'\n")
        self.program("apt-cache", f"#!/bin/sh\necho '{offered and f'  Candidate: {offered}'}'\n")
        with mock.patch.dict(os.environ, PATH=f"{self.folder}:{os.environ['PATH']}"), \
                mock.patch.object(packages, "install", lambda _: self.cmake_is(offered)):
            build.check_cmake()

    def cmake_is(self, version):
        self.program("cmake", f"#!/bin/sh\necho 'cmake version {version}'\n")

    def test_an_old_cmake_is_refused(self):
        for version, offered in (("3.22.1", "3.22.1-1ubuntu1"), ("4.0.0-rc1", ""), ("3.18.4", "3.25.1-1~bpo11+1")):
            self.cmake(version, offered)
        for offered in ("3.16.3-1ubuntu1", "(none)", ""):
            with self.assertRaisesRegex(BadInput, r"cmake 3\.21\.9 is too old, 3\.22 .* type: python3 -m pip install"):
                self.cmake("3.21.9", offered)

    def test_an_old_python_is_told_so(self):
        done = subprocess.run([sys.executable, "-c", "import runpy, sys; sys.version_info = (3, 6, 9)\n"
                               f"runpy.run_path({str(ROOT / 'common' / 'tools')!r})"], stderr=subprocess.PIPE, text=True)
        self.assertEqual((done.returncode, done.stderr), (2, "run: Python 3.6 is too old, 3.8 or newer is needed\n"))

    def test_a_copy_within_another_repository_does_not_report_its_commit(self):
        if not shutil.which("git"):
            return  # the rest of this file is tested without it

        def commit():
            subprocess.run(["cmake", f"-DSOURCE={self.folder}/suite/common", f"-DOUTPUT={self.folder}/version.cpp", "-DPRESET=cpu",
                            "-P", ROOT / "common" / "suite_version.cmake"], check=True, env={**os.environ, "NBODY_COMMIT": ""})
            return re.search('kSuiteCommit = "(.*)"', (self.folder / "version.cpp").read_text())[1]

        def git(folder, *words):
            identity = ["-c", "user.name=a", "-c", "user.email=a@b"]
            subprocess.run(["git", *identity, "-C", self.folder / folder, *words], check=True, capture_output=True)

        self.write("suite/common/a")
        self.assertEqual(commit(), "unknown")
        for folder, expected in ((".", "unknown"), ("suite", "[0-9a-f]{7,}")):
            git(folder, "init")
            git(folder, "add", ".")
            git(folder, "commit", "-m", "one")
            self.assertRegex(commit(), expected)

    def test_what_the_compiler_says_is_shown_and_its_failure_ends_the_command(self):
        self.program("cmake", "#!/bin/sh\necho '[1/2] Building a'\necho 'a.cpp:1: error'\nexit 1\n")

        def built():
            with self.assertRaisesRegex(CommandFailed, "--target simd' failed"):
                build.build_targets(self.folder, ["simd"])

        with mock.patch.dict(os.environ, PATH=f"{self.folder}:{os.environ['PATH']}"):
            self.assertEqual(call(built), (None, "", "a.cpp:1: error\n"))

    def test_in_a_pipe_it_says_each_stage_once(self):
        def shown():
            for text in ("1 of 3", "2 of 3", "2 of 3 for x"):
                progress.show(building=text)
                time.sleep(0.7)
            progress.show(building="")

        with mock.patch.object(progress, "SECONDS", 0.1), mock.patch.object(progress, "_stages", set()):
            _, _, error = call(shown)
        self.assertEqual(error, "building 1 of 3\nbuilding 2 of 3 for x\n")


class LadderPrograms(unittest.TestCase):
    def programs(self, size):
        with mock.patch.object(ladder.progress, "say") as said:
            told = ladder.Ladder(mock.Mock(input=None), Path("build"), None)
            found = ladder.programs_for(told, [*ladder.BASELINES, "01/01"], size)
        return [program.split("/")[1] for program in found], [each.args[0] for each in said.call_args_list]

    def test_a_host_is_not_asked_for_what_would_take_it_minutes(self):
        everything = ["serial", "simd", "host_tree", "01"]
        self.assertEqual(self.programs("16384"), (everything, []))
        self.assertEqual(self.programs("16385")[0], everything[1:])
        self.assertEqual(self.programs("65536")[0], everything[1:])
        self.assertEqual(self.programs("65537"), (everything[2:], ["serial: skipped above 16,384 bodies",
                                                                   "simd: skipped above 65,536 bodies"]))
        self.assertEqual(self.programs("1e5")[0], everything)  # the programs refuse it
        self.assertEqual(self.programs(None)[0], everything)


class LadderActs(InFolder):
    """The table of a GPU with two steps, of which the second is five times as fast with few bodies, and no faster with many."""

    RUNS = """
bodies = int(given["bodies"])
ms = {4096: 1.0, 262144: 40.0, 1048576: 600.0}[bodies] / (5 if name == "02_tiled" and bodies == 4096 else 1)
runs = [run_of(name, bodies, force_ms={"median": ms}, steps=given.get("steps"), repeats=given.get("repeats"))]
"""

    def call(self, *words, tflops=60.0):
        for step in ("01_naive", "02_tiled"):
            self.reporter(f"{step}/{step}", self.RUNS, fma_tflops=tflops)
        with mock.patch.multiple(ladder, kernel_steps=lambda: ["01_naive", "02_tiled"], BASELINES=[], configured=lambda preset: self.folder,
                                 ROOT=self.folder, predict=mock.Mock()), mock.patch.object(ladder.Builder, "make_ready"):
            return self.expect_success(call(run_command, "ladder", ladder, ["--preset=gpu", *words]))

    def rows(self, said):
        return [line.split() for line in said.splitlines() if line[:3] in ("01_", "02_")]

    def test_a_row_has_both_acts_and_the_fastest_is_named(self):
        said = self.call()
        self.assertRegex(said, " 4,096 bodies +1,048,576 bodies\n")
        self.assertEqual([row[:5] + row[6:] for row in self.rows(said)],
                         [["01_naive", "1.00", "1", "600", "1", "ok"], ["02_tiled", "0.200", "5.0", "600", "1", "ok"]])
        self.assertIn("Fastest with 4,096 bodies: 02_tiled, 5.0 times as fast as step 01.", said)
        document = json.loads((self.folder / "ladder.json").read_text())
        self.assertEqual([(run["bodies"], run["steps"], run["repeats"]) for run in document["runs"][:2]],
                         [(4096, None, None), (1048576, "0", "3")])
        self.assertRegex(document["date"], r"^\d{4}-\d\d-\d\d$")

    def test_a_small_gpu_gets_fewer_bodies(self):
        said = self.call(tflops=5.0)
        self.assertIn("With 262,144 bodies instead of 1,048,576", said)
        self.assertEqual(self.rows(said)[1][:5], ["02_tiled", "0.200", "5.0", "40.0", "1"])

    def test_given_numbers_of_bodies_have_a_row_each(self):
        said = self.call("--bodies=4096,262144")
        self.assertEqual([row[:3] for row in self.rows(said)],
                         [[step, bodies, ms] for bodies, times in (("4,096", ("1.00", "0.200")), ("262,144", ("40.0", "40.0")))
                          for step, ms in zip(("01_naive", "02_tiled"), times)])
        self.assertNotIn("Fastest", said)
        self.assertIn("Fastest", self.call("--bodies=4096,1048576"))


class Summary(unittest.TestCase):
    def test_what_was_skipped_and_how_to_get_it(self):
        lines, missing = test.summary(ElementTree.fromstring(RECORD))
        self.assertEqual(missing, {"bubblewrap", "git"})
        self.assertEqual(lines, [
            "skipped: c: bubblewrap, git missing", "skipped: d: needs two cores",
            "To run these too: sudo apt-get update && sudo apt-get install -y bubblewrap git",
            "1 passed, 1 failed, 2 skipped"])


class Benchmark(unittest.TestCase):
    def test_it_says_what_falls_short(self):
        well, badly = "reading: 400 MB/s, at least 300 wanted", "writing: 200 MB/s, at least 300 wanted: FALLS SHORT"
        self.assertEqual(benchmark.verdict([well]), ("1 figures, none falls short", 0))
        self.assertEqual(benchmark.verdict([well, badly]), ("2 figures, 1 fall short: writing", 1))
