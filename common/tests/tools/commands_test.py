"""Tests of the command line, of what it installs and builds with, and of the summary of `./run test`."""

import errno
import fnmatch
import io
import json
import math
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import types
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from unittest import mock

from common.base import command_line
from common.base.command_line import ROOT, BadInput, CommandFailed, run_command
from common.base.whole_file import whole_folders
from common.grader import grade
from common.tests.tools.case import InFolder, call, wait_until
from common.tools import build, commands, packages, programs, progress, setup, terminal
from common.tools.cuda import counts, cuda
from common.tools.docs import docs
from common.tools.ladder import instructions, ladder, table
from common.tools.testing import check, test

STANDALONE = str(ROOT / "01_naive" / "standalone.cu")
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
            self.assertRegex(said, rf"(?m)^ +{name.rpartition(' ')[2]}( |$)")

    def test_every_command_describes_its_options(self):
        for name in commands.COMMANDS:
            command = name.split()
            for words in ([*command, "--help"], ["help", *command]) if name != "help" else ([name], ["--help"], [name, "--help"], []):
                status, out, error = call(commands.main, words)
                self.assertEqual((status, error), (0, ""), words)
                self.assertTrue(out.startswith(f"usage: ./run {'COMMAND' if name == 'help' else name}"), out)

    def test_a_tool_that_is_an_option_may_be_asked_for_anywhere(self):
        for words in (["check", "--see", "99"], ["check", "99", "--see"]):
            self.expect_refusal(call(commands.main, words), "check --see: no step '99'; there are 01 02 ")

    def test_a_step_has_several_names(self):
        for word in ("02", "2", "02_tiled", "02_tiled/"):
            self.assertEqual(build.step_named(word), "02_tiled")
            self.assertEqual(grade.task_of(word), ("02_tiled", None))
            self.assertEqual(instructions.step_named(word), ("02_tiled", "02_tiled"))

    def test_a_value_may_begin_with_a_dash(self):
        parser = command_line.OneLineParser()
        cuda.add_arguments(parser)
        for words, value in ((["--compile", "-DN=4"], "-DN=4"), (["--compile", "--std=c++20"], "--std=c++20"), (["--compile=-lm -lx"], "-lm -lx")):
            options = parser.parse_args(cuda.arranged([*words, "a.cu", "--compile", "-5"]))
            self.assertEqual((options.compile, options.file, options.arguments), (value, "a.cu", ["--compile", "-5"]))
        for words in (["-x.cu"], ["--", "-x.cu"], ["--plain", "-x.cu"], ["--json", "-a.json", "--x.cu"]):
            options = parser.parse_args(cuda.arranged([*words, "-5"]))
            self.assertEqual((options.file, options.arguments), (words[-1], ["-5"]))

    def test_each_filter_of_the_checks_names_a_test(self):
        filters = re.search(r'set\(NBODY_CHECK_TESTS "(.*)"\)', (ROOT / "common" / "test.cmake").read_text())[1].split(",")
        names = re.findall(r'^TEST_CASE\("(.*?)"', (ROOT / "common" / "tests" / "kernels" / "step_test.cpp").read_text(), re.MULTILINE)
        for each in filters:
            self.assertTrue(fnmatch.filter(names, each), each)

    def test_unknown_words_get_one_line_with_the_nearest_known(self):
        for words, complaint in (
                (["lader"], "run: unknown command 'lader'; did you mean 'ladder'?"),
                (["LADDER"], "run: unknown command 'LADDER'; did you mean 'ladder'?"),
                (["2.1"], "run: unknown command '2.1'; ./run help lists the commands"),
                (["check", "--see", "02", "--see"], "check: --see is given twice"),
                (["xyz"], "run: unknown command 'xyz'; ./run help lists the commands"),
                (["live", "--steps=3"], "live: unknown option '--steps'\n"),
                (["ladder", "--bodie=3"], "ladder: unknown option '--bodie'; did you mean '--bodies'?"),
                (["grade", "--trusty"], "grade: unknown option '--trusty'; did you mean '--trust'?"),
                (["ladder", "--bodies=4096,0"], "ladder: --bodies: must be a whole number from 1 to 1073741824, not '0'"),
                (["ladder", "--bodies", "9999999999"], "ladder: --bodies: must be a whole number from 1 to 1073741824, not '9999999999'"),
                (["ladder", "--softening", "1e300"], "ladder: --softening: must be from 1e-37 to 1e+38, not '1e300'"),
                (["ladder", "--ranks", "99999999"], "ladder: --ranks: must be a whole number from 1 to 1024, not '99999999'"),
                (["ladder", "--ranks", ""], "ladder: --ranks has no value"),
                (["ladder", "--input", "."], "ladder: --input: no file '.'"),
                (["check", "a\tb\n"], "check: no step 'a\\tb\\n'; there are 01 "),
                (["check", "--see", "2", "--bodies=nan"], "check --see: --bodies: must be a whole number from 1 to "),
                (["check", "--counts", "2", "--json=nowhere/a"], "check --counts: cannot write 'nowhere/a': folder 'nowhere' does not exist"),
                (["cuda", "--see", "--page", ".", STANDALONE], "cuda: cannot write '.': it is a folder"),
                (["cuda", "--order=", STANDALONE], "cuda: --order has no value"),
                (["cuda", "--compile", '"', STANDALONE], "cuda: --compile: No closing quotation, in '\"'"),
                (["docs", "--output", str(ROOT / "docs")], "has a folder 'pages' of something else, which would be deleted"),
                (["docs", "--output", str(ROOT / "run")], "run: File exists"),
                (["exercises", "a", "p11"], "exercises: no exercise 'p11'; did you mean 'p1'?"),
                (["ladder", "--bodies=4096", "--bodies", "8192"], "ladder: --bodies is given twice\n"),
                (["cuda", "--plain", "--plain", STANDALONE], "cuda: --plain is given twice\n"),
                (["learn", "a" * 300], f"learn: {'a' * 300}: File name too long"),
                (["ladder", "--input", "a" * 300], f"ladder: {'a' * 300}: File name too long"),
                (["learn", "77"], "learn: no puzzle or exercise '77'; ./run exercises --list shows all"),
                (["learn", ""], "learn: an argument is empty"),
                (["learn", "p1", "1.1"], "learn: name one puzzle or exercise, not p1 and 1.1"),
                (["live", "--scene=solar", "--bodies=5"], "live: --bodies: scene solar has 9 bodies, not 5"),
                (["live", "--scene=mergr"], "live: --scene: no scene 'mergr'; did you mean 'merger'?"),
                (["live", "--host-name", ""], "live: --host-name has no value"),
                (["sweep", "trees"], "sweep: argument NAME: invalid choice: 'trees'; did you mean 'tree'?"),
                (["sweep", "nope"], "sweep: argument NAME: invalid choice: 'nope'; ./run sweep --help lists them"),
                (["sweep", "bodies", "--repeats=0"], "sweep: --repeats: must be a whole number from 1 to "),
                (["ladder", "--softening", "-1"], "ladder: --softening: must be a number above 0, not '-1'"),
                (["ladder", "--dt=inf"], "ladder: --dt: must be a number above 0, not 'inf'"),
                (["ladder", "--scene", "nope"], "ladder: --scene: no scene 'nope'; there are plummer, "),
                (["ladder", "--input", "nowhere.csv"], "ladder: --input: no file 'nowhere.csv'"),
                (["ladder", "--input", "run", "--scene=cube"], "ladder: --input and --scene: choose one"),
                (["cuda"], "cuda: the following arguments are required: FILE.cu\n"),
                (["cuda", str(ROOT / "README.md")], "README.md is no CUDA program: its name must end in .cu"),
                (["check", "2_tiled"], "check: no step '2_tiled'; did you mean '02_tiled'?"),
                (["test", "--mutant"], "test: unknown option '--mutant'; did you mean '--mutants'?"),
                (["test", "fast"], "test: unknown argument 'fast'"),
                (["check", "01", "--preset", "cpu"], "check: unknown option '--preset'"),
                (["check", "01", "nowhere"], "check: nowhere has no forces.cu"),
                (["check", "99"], "check: no step '99'; there are 01 02 "),
                (["record", "--preset", "cpu"], "record: needs a GPU and nvcc"),
                (["test", "--sanitize", "--preset=cpu"], "test --sanitize: argument --preset: invalid choice"),
                (["test", "--fuzz", "--runs", "1e6"], "test --fuzz: argument --runs: must be a whole number from 1 to 2147483647, not '1e6'"),
                (["test", "--fuzz", "--runs", "0"], "test --fuzz: argument --runs: must be a whole number from 1 to 2147483647, not '0'"),
                (["grade", "02", ".", "--seed", "-1"], f"grade: argument --seed: must be a whole number from 0 to {2**63 - 1}, not '-1'"),
                (["cuda", "--device", "h2000", "a.cu"], "cuda: argument --device: invalid choice: 'h2000'"),
                (["learn", "/proc/new"], "learn: /proc/new: No such file or directory; name a folder that you may write to"),
                (["exercises"], "exercises: say which folder"),
                (["exercises", "/dev/null/x"], "exercises: /dev/null/x/p1: Not a directory"),
                (["exercises", "9.9"], "exercises: '9.9' is an exercise's number; say first which folder: ./run exercises DIR 9.9"),
                (["ladder", "--preset", "tpu"], "ladder: argument --preset: invalid choice: 'tpu'")):
            self.expect_refusal(call(commands.main, words), complaint)

    def test_an_unexpected_error_gets_one_line(self):
        def failing(error):
            def run(options):
                raise error
            return types.SimpleNamespace(__doc__="", run=run)

        for error, said in ((OSError(errno.ENOSPC, "No space left on device", "a"), "x: the disk is full: a could not be written"),
                            (PermissionError(errno.EACCES, "Permission denied", "a"), "x: a: Permission denied"),
                            (FileNotFoundError(errno.ENOENT, "No such file or directory", "a", None, "b"), "x: a and b: No such file")):
            status, out, line = call(run_command, "x", failing(error), [])
            self.assertEqual((status, out, line.count("\n")), (1, "", 1))
            self.assertTrue(line.startswith(said), line)
        status, out, line = call(run_command, "x", failing(KeyError("two\nlines")), [])
        self.assertEqual((status, out, line.count("\n")), (1, "", 1))
        found = re.fullmatch(r"x: a mistake in this command ended it \(KeyError: .*\); report it with (\S+)\n", line)
        log = Path(found[1])
        self.addCleanup(log.unlink)
        self.assertIn("in run\n    raise error", log.read_text())
        line = call(run_command, "x", "common.nothing", [])[2]
        self.assertRegex(line, r"^x: a mistake .*No module named.*\n$")
        self.addCleanup(Path(re.search(r"report it with (\S+)\n", line)[1]).unlink)
        full = OSError(errno.ENOSPC, "No space left on device")
        with mock.patch.object(command_line.tempfile, "NamedTemporaryFile", side_effect=full):
            self.assertRegex(call(run_command, "x", failing(KeyError("a")), [])[2], r"^x: a mistake .*; its log could not be written: No space left on device\n$")

    def test_a_folder_is_written_whole_or_not_at_all(self):
        there, new = self.write("there/a").parent, self.folder / "new" / "b"
        with self.assertRaises(OSError), whole_folders([new, new.parent, there]):
            new.mkdir(parents=True)
            raise OSError(errno.ENOSPC, "No space left on device")
        self.assertEqual([path.name for path in self.folder.iterdir()], ["there"])
        with whole_folders([new]):
            new.mkdir(parents=True)
        self.assertTrue(new.exists())

    def test_the_locale_does_not_matter(self):
        named = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
        self.expect_success(subprocess.run([ROOT / "run", "exercises", "--list"], env={**os.environ, **named}, capture_output=True, text=True))

    def test_a_deleted_current_folder_is_told(self):
        (self.folder / "gone").mkdir()
        done = subprocess.run(f"cd {self.folder}/gone && rmdir {self.folder}/gone && {ROOT}/run cuda a.cu 2>&1", shell=True, capture_output=True, text=True)
        self.assertEqual(done.returncode, 2)
        own = [line for line in done.stdout.splitlines() if not re.match("sh: |shell-init: ", line)]  # not those of shells
        self.assertEqual(own, ["run: the current folder was deleted; change to another one with cd"])

    def test_without_python3_the_bootstrap_says_how_to_get_it(self):
        for program in ("bash", "env", "dirname", "readlink"):
            (self.folder / program).symlink_to(f"/usr/bin/{program}")
        done = subprocess.run([ROOT / "run", "help"], env={"PATH": self.folder}, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (2, "run: install python3, then try again\n"))


class Packages(InFolder):

    def test_headers_of_fibers_without_the_library_are_not_enough(self):
        self.write(f"include/{packages.FIBERS}")
        there = packages.Path(self.folder).glob
        with mock.patch.dict(os.environ, CMAKE_PREFIX_PATH=str(self.folder)), \
                mock.patch.object(packages.Path, "glob", lambda path, pattern: there(pattern)):
            self.assertFalse(packages.has_fibers())
            self.write("lib/x86_64-linux-gnu/libboost_context.so")
            self.assertTrue(packages.has_fibers())

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

    def test_without_a_network_one_line_has_the_packages(self):
        def failing(said):
            with mock.patch("os.getuid", return_value=0), mock.patch.object(packages, "apt", return_value=(100, [said])), \
                    mock.patch.object(packages.shutil, "which", return_value="/usr/bin/apt-get"):
                return call(run_command, "x", types.SimpleNamespace(__doc__="", run=lambda options: packages.install(["cmake"])), [])

        for said in ("W: Failed to fetch http://a  Temporary failure resolving 'a'\n", "E: Could not connect to a:80\n"):
            status, out, error = failing(said)
            self.assertEqual((status, out), (2, "Installing cmake\n"))
            self.assertEqual(error, "x: packages are missing, and there is no network to fetch them; later type: sudo apt-get update && "
                             "sudo apt-get install -y cmake\n")
        self.assertEqual(failing("E: odd\n")[2].splitlines()[0], "E: odd")

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
        with self.assertRaisesRegex(BadInput, r"^/\S+/cmake does not work \(it prints no version\); install cmake again$"):
            self.cmake("", "")

    def test_an_old_python_is_told_so(self):
        done = subprocess.run([sys.executable, "-c", "import runpy, sys; sys.version_info = (3, 6, 9)\n"
                               f"runpy.run_path({str(ROOT / 'common' / 'tools')!r})"], stderr=subprocess.PIPE, text=True)
        self.assertEqual((done.returncode, done.stderr), (2, "run: Python 3.6 is too old, 3.10 or newer is needed\n"))

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
        for said, shown, complaint in (
                ("a.cpp:1: error", "FAILED: simd\na.cpp:1: error\n", "the build of simd failed; all commands are in /"),
                ("a.cpp:1: error: a.o: No space left on device", "", "the disk is full: /")):
            self.rule(f"echo '{said}'; echo '-- Configuring done'; exit 1")

            def built():
                with self.assertRaisesRegex(CommandFailed, complaint):
                    build.build_targets(self.folder, ["simd"])

            self.assertEqual(call(built), (None, "", shown))

    def test_a_disk_that_is_too_full_to_configure_is_one_sentence(self):
        self.program("cmake", "#!/bin/sh\necho 'Configuring incomplete'\nexit 1\n")
        for free, said, complaint in ((1 << 30, "Configuring incomplete\n", "'cmake .*' failed"), (4096, "", "the disk is full: /.* configured")):
            def configured():
                with self.assertRaisesRegex(CommandFailed, complaint):
                    build.run_cmake(self.folder)

            with mock.patch.dict(os.environ, PATH=f"{self.folder}:{os.environ['PATH']}"), \
                    mock.patch.object(build.shutil, "disk_usage", return_value=types.SimpleNamespace(free=free)):
                self.assertEqual(call(configured), (None, "", said))

    def rule(self, command, *more):
        """Writes a build file with a rule for the target simd, and for more targets, which depend on it."""
        self.write("build.ninja", f"rule run\n  command = {command}\nbuild simd: run\n"
                   + "".join(f"build {name}: run simd\n" for name in more))

    def started(self, *targets):
        """Starts a build of the folder by another command."""
        code = f"from pathlib import Path; from common.tools import build; build.build_targets(Path({str(self.folder)!r}), {targets!r})"
        return subprocess.Popen([sys.executable, "-B", "-c", code], cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def test_one_build_waits_for_another(self):
        self.write("build.ninja", "rule slow\n  command = sleep 2; touch $out\nbuild slow: slow\nbuild other: slow\n")
        first = self.started("slow")
        wait_until((self.folder / "build.log").exists)
        status, _, error = call(build.build_targets, self.folder, ["other"])
        self.assertRegex(error, r"^Another command is building in \S+ This one waits for it\.\n$")
        self.assertTrue((self.folder / "slow").exists() and (self.folder / "other").exists())
        self.assertEqual(first.wait(), 0)
        first.stdout.close()

    def test_what_is_built_waits_for_no_other_build(self):
        self.write("build.ninja", "rule slow\n  command = sleep 30; touch $out\nbuild slow: slow\n"
                   "rule quick\n  command = touch $out\nbuild small: quick\n")
        build.build_targets(self.folder, ["small"])
        long = self.started("slow")
        wait_until(lambda: build.is_locked(self.folder))
        self.assertEqual(call(build.build_targets, self.folder, ["small"]), (None, "", ""))
        long.send_signal(signal.SIGINT)
        os.kill(int(subprocess.run(["pgrep", "-P", str(long.pid)], capture_output=True, text=True).stdout), signal.SIGINT)
        long.communicate()

    def test_a_name_that_ninja_does_not_read_is_told(self):
        for name in ("a's", "größe b"):
            with mock.patch.object(build, "BUILDS", self.folder / name), mock.patch.object(build, "is_configured", return_value=False), \
                    mock.patch.object(build, "check_cmake"), mock.patch.object(build, "run_cmake"):
                said = call(build.configured, "cpu")[2]
            self.assertEqual("The folder's name has a ', which Ninja 1.11 does not read" in said, name == "a's", said)

    def test_a_long_build_says_how_long_it_takes(self):
        for commands, targets, said in (
                (1, ["simd"], ""), (30, ["simd"], "First simd must be built, from 30 parts. This takes about a minute, once.\n"),
                (18, [], "First everything must be built, from 18 parts. This takes about half a minute, once.\n"),
                (144, ["a", "b"], "First 2 programs and libraries must be built, from 144 parts. This takes about 5 minutes, once.\n")):
            with mock.patch("os.sched_getaffinity", return_value={0, 1}):
                self.assertEqual(call(build.announce, commands * ["Building a"], targets)[2], said)
                self.assertEqual(call(build.announce, commands * ["Linking a"], targets)[2], "")

    def test_to_look_for_the_commit_is_no_build(self):
        self.write("build.ninja", "rule CUSTOM_COMMAND\n  command = test -e version.cpp || touch version.cpp\n  restat = 1\n"
                   "rule link\n  command = cp version.cpp $out\nbuild a: link version.cpp\n"
                   "build c/nbody_version version.cpp | x/c/nbody_version: CUSTOM_COMMAND\n")
        self.assertEqual(len(build.planned(self.folder, ["a"])), 2)
        build.build_targets(self.folder, ["a"])
        self.assertEqual(build.planned(self.folder, ["a"]), [])

    def test_setup_builds_in_one_go_and_says_how_long_it_takes(self):
        parts = {"cpu": 80, "cpu-check": 64}
        with mock.patch.object(setup, "configured", lambda preset: self.folder / preset), mock.patch.object(setup.ranks, "mpirun"), \
                mock.patch.object(setup, "planned", lambda folder, names: parts[folder.name] * ["Building"]), mock.patch.object(packages, "install"), \
                mock.patch.object(setup, "build_targets") as built, mock.patch("os.sched_getaffinity", return_value={0, 1}):
            said = self.expect_success(call(run_command, "setup", setup, ["--preset=cpu"]))
        self.assertIn("Building 144 parts on 2 cores, which takes about 5 minutes. Ctrl-C stops it, and the next call continues.\n", said)
        self.assertIn("Ready. What to do next:\n  ./run live ", said)
        self.assertEqual([(each.args[0].name, each.args[2:]) for each in built.call_args_list], [("cpu", (0, 144)), ("cpu-check", (80, 144))])
        plain, checked = (each.args[1] for each in built.call_args_list)
        self.assertLessEqual({"simd", "host_tree", "10_fast_multipole", "04_tuned", "08_many_gpus"}, set(plain))
        self.assertLessEqual({*build.EXECUTOR, "02_tiled_judge_test", "01_naive_test"}, set(checked))

    def test_a_moved_build_folder_is_built_again(self):
        for home, here, expected in ((ROOT, self.folder / "cpu", True), (ROOT / "02_tiled", self.folder / "cpu", True),
                                     ("/elsewhere", self.folder / "cpu", False), (ROOT, "/elsewhere", False)):
            self.write("cpu/build.ninja")
            self.write("cpu/CMakeCache.txt", f"CMAKE_CACHEFILE_DIR:INTERNAL={here}\nCMAKE_HOME_DIRECTORY:INTERNAL={home}\n")
            (is_configured, _, error) = call(build.is_configured, self.folder / "cpu")
            self.assertEqual((is_configured, (self.folder / "cpu").exists()), (expected, expected))
            self.assertRegex(error, "^$" if expected else rf"^/\S+/cpu was made for {home}, in {here}: it is built again\.\n$")

    def test_a_folder_that_may_not_be_written_is_built_under_the_cache(self):
        with mock.patch("os.access", lambda path, mode: Path(path) != self.folder), mock.patch.dict(os.environ, XDG_CACHE_HOME="/c"):
            self.assertRegex(str(command_line.builds_folder(self.folder)), rf"^/c/nbody-ladder/{self.folder.name}-[0-9a-f]{{8}}$")
        self.assertEqual(command_line.builds_folder(self.folder), self.folder / "build")
        self.write("build/cpu/CMakeCache.txt")
        with mock.patch("os.access", lambda path, mode: Path(path).name != "cpu"), mock.patch.dict(os.environ, XDG_CACHE_HOME="/c"):
            self.assertRegex(str(command_line.builds_folder(self.folder)), "^/c/")
        with mock.patch("os.access", return_value=False), mock.patch("os.path.expanduser", lambda path: path), \
                mock.patch.dict(os.environ, XDG_CACHE_HOME=""):
            self.assertTrue(command_line.builds_folder(self.folder).is_absolute())
        nowhere = Path("/proc/nowhere")
        with mock.patch.object(build, "BUILDS", nowhere), mock.patch.object(docs, "BUILDS", nowhere):
            for command, folder in ((["live --movie", "--preset=cpu"], "cpu"), (["docs"], "docs")):
                self.expect_refusal(call(commands.main, " ".join(command).split()), f"{command[0]}: {nowhere / folder}: No such file or directory; set XDG_CACHE_HOME to ")

    def test_a_list_of_headers_may_have_any_names(self):
        listing = "a.o: /b\\ c's/\\#1$$x:y/größe.cu /usr/a.h \\\n /usr/b.h\n"
        self.assertEqual(cuda.parts_in(listing), [Path("/b c's/#1$x:y/größe.cu"), Path("/usr/a.h"), Path("/usr/b.h")])

    def test_in_a_pipe_it_says_each_stage_once(self):
        def shown():
            for text in ("1 of 3", "2 of 3", "2 of 3 for x"):
                progress.show(building=text)
                time.sleep(0.7)
            progress.show(building="")

        with mock.patch.object(progress, "SECONDS", 0.1), mock.patch.object(progress, "_stages", set()):
            _, _, error = call(shown)
        self.assertEqual(error, "building 1 of 3\nbuilding 2 of 3 for x\n")

    def test_in_a_narrow_terminal_a_line_of_progress_does_not_wrap(self):
        class Terminal(io.StringIO):
            def isatty(self):
                return True

        with mock.patch.object(sys, "stderr", Terminal()) as terminal, mock.patch.dict(os.environ, COLUMNS="20"):
            progress.show(building="3 of 7 for 04_multithread_per_body")
            progress.show(building="")
        self.assertEqual(terminal.getvalue(), "\r\033[Kbuilding 3 of 7 for\r\033[K")

    def test_a_table_leaves_out_columns_that_a_narrow_terminal_has_no_room_for(self):
        self.assertEqual(terminal.room(), math.inf)  # a pipe
        with mock.patch.object(sys.stdout, "isatty", lambda: True), mock.patch.dict(os.environ, COLUMNS="80"):
            self.assertEqual(terminal.room(), 80)
        for widths in (table.WITH_GPU, table.WITHOUT_GPU, table.OF_ACTS):
            self.assertEqual(terminal.fitting(widths, table.LESS_NEEDED, 120), widths)
            kept = terminal.fitting(widths, table.LESS_NEEDED, 80)
            self.assertLessEqual(sum(kept.values()), 80)
            self.assertLessEqual({"step", "check"}, kept.keys())

    def test_the_table_of_counts_fits_the_terminal_too(self):
        one = {"line": "04_multithread_per_body/forces.cu:135", "memory": "shared", "access": "atomic", "bytes": 16, "requests": 1234567,
               "lanes": 32 * 1234567, "sectors": 0, "least_sectors": 0, "wavefronts": 20 * 1234567, "least_wavefronts": 4 * 1234567,
               "worst_lanes": 0, "worst_addresses": [], "stride": 0}
        other = {**one, "memory": "global", "access": "store", "sectors": 8 * 1234567, "least_sectors": 1234567, "wavefronts": 0, "least_wavefronts": 0}
        kernel = {"kernel": "forcesOfSeveralThreadsPerBody<float, 256, 8>", "launched": one["line"], "blocks": 1024, "blocks_seen": 8,
                  "is_cut": True, "barriers": 800, "warps": 64, "accesses": [one, other],
                  "branches": [{"line": one["line"], "requests": 1234567, "lanes": 1234567, "parted": 1234567}]}
        document = {"kernels": [kernel], "operations": 1234567, "operations_in_a_row": 1234567}
        for columns, left_out in ((math.inf, []), (100, []), (80, []), (60, ["lanes", "requests"])):
            with mock.patch.object(counts, "room", lambda: columns), mock.patch.object(terminal, "room", lambda: columns):
                lines = counts.table(document).splitlines()
            self.assertLessEqual(max(map(len, lines)), min(columns, 100), "\n".join(lines))
            heads = [line.split() for line in lines if " access " in line]
            self.assertEqual(heads, [[name for name in counts.WIDTHS if name not in left_out]])
            rows = [line for line in lines if "s.cu:135 " in line][-3:]
            self.assertEqual(sorted(row.split()[-2:] for row in rows), [["1,234,567", "parted"], ["24,691,340", "4,938,268"], ["9,876,536", "1,234,567"]])


class Check(InFolder):
    def test_the_tests_in_fp64_are_built_and_run_only_on_request(self):
        self.program("ctest", """import sys
from pathlib import Path
words = sys.argv[1:]
Path(words[words.index("--output-junit") + 1]).write_text('<testsuite tests="0"/>')
print("1/1 Test", "_fp64:" in words)
""")
        for words, tests, leaves_out in (([], ["07_device_tree_test", "07_tuned_test"], True),
                                         (["--fp64"], ["07_device_tree_test", "07_device_tree_fp64_test", "07_tuned_test",
                                                       "07_tuned_fp64_test"], False)):
            with mock.patch.object(check, "built", return_value=self.folder) as built, \
                    mock.patch.dict(os.environ, PATH=f"{self.folder}:{os.environ['PATH']}"):
                said = self.expect_success(call(run_command, "check", check, ["7", *words]))
            built.assert_called_once_with("cpu-check", *tests)
            self.assertEqual(said, f"1/1 Test {leaves_out}\n\n0 runs passed, 0 failed\n")


class LadderActs(InFolder):
    """The table of a GPU with two steps. The second step is five times as fast with few bodies, and no faster with many."""

    RUNS = """
bodies = int(given["bodies"])
ms = {4096: 1.0, 262144: 40.0, 1048576: 600.0}[bodies] / (5 if name == "02_tiled" and bodies == 4096 else 1)
runs = [run_of(name, bodies, force_ms={"median": ms}, steps=given.get("steps"), repeats=given.get("repeats"))]
"""

    def call(self, *words, tflops=60.0):
        for step in ("01_naive", "02_tiled"):
            self.reporter(f"{step}/{step}", self.RUNS, fma_tflops=tflops)
        with mock.patch.multiple(ladder, kernel_steps=lambda: ["01_naive", "02_tiled"], BASELINES=[], configured=lambda preset: self.folder,
                                 ROOT=self.folder, predict=mock.Mock()), mock.patch.object(ladder.Builder, "make_ready"), \
                mock.patch.object(progress, "SECONDS", math.inf):  # a busy machine would show progress
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
        self.assertRegex(document["date"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")

    def test_only_what_is_run_is_built(self):
        for programs in (["01/01"], ["common/simd", "01/01", "02/02"]):
            with mock.patch.object(ladder, "build_targets") as build_targets:
                ladder.Builder(self.folder, programs, True).make_ready(programs[-1])
            built = [targets for _, targets in (each.args for each in build_targets.call_args_list)]
            self.assertEqual(sum(built, []), [Path(each).name for each in programs])
            self.assertTrue(all(built), "no targets would mean everything")

    def test_a_small_gpu_gets_fewer_bodies(self):
        said = self.call(tflops=5.0)
        self.assertIn("With 262,144 bodies instead of 1,048,576", said)
        self.assertEqual(self.rows(said)[1][:5], ["02_tiled", "0.200", "5.0", "40.0", "1"])


class Summary(unittest.TestCase):
    def test_what_was_skipped_and_how_to_get_it(self):
        lines, missing = test.summary(ElementTree.fromstring(RECORD))
        self.assertEqual(missing, {"bubblewrap", "git"})
        self.assertEqual(lines, [
            "skipped: c: bubblewrap, git missing", "skipped: d: needs two cores",
            "To run these too: sudo apt-get update && sudo apt-get install -y bubblewrap git",
            "1 passed, 1 failed, 2 skipped"])
