"""Common parts of the tests: a folder for each test, calls of commands, packages that may be missing."""

import contextlib
import inspect
import io
import json
import re
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

from common.base.command_line import script
from common.grader.sandbox.sandbox import NoSandbox, Sandbox
from common.tools import packages


def enter_context(case, manager):
    """Does what unittest does from Python 3.11 on: enters a context, leaves it after the test, and returns its value."""
    value = manager.__enter__()
    case.addCleanup(manager.__exit__, None, None, None)
    return value


if not hasattr(unittest.TestCase, "enterContext"):
    unittest.TestCase.enterContext = enter_context

# Seconds after which a test says what it waits for in vain. No machine is so busy that what works takes that long, and a test that
# passes never waits for it.
HANG = 600


def run_of(step, bodies, **more):
    """Returns a made-up run of a program that passed its check. more: further or different fields"""
    return {"step": step, "scene": "plummer", "bodies": int(bodies), "precision": "fp32", "softening": 0.05, "parameters": {},
            "force_ms": {"median": 2.0}, "flop_per_interaction": 20, "interactions_per_s": 1e9, "gflops": 1000.0,
            "fma_share": 0.5, "error": {"sampled": 1000, "median": 1e-7, "p99": 2e-7, "max": 3e-7}, "checked": True, "passed": True, **more}


def timed_run(step, ms, bodies=1000, **more):
    """Returns a made-up run of this time. Like a run of a tree it has no FLOP per interaction, unless they are given."""
    run = run_of(step, bodies, force_ms={"median": ms})
    del run["flop_per_interaction"]
    return {**run, **more}


# A made-up program. It reports `runs`, which LINES make from its options `given`; `document` is the rest of the report.
REPORTER = f"""import json, os, sys
from pathlib import Path
{inspect.getsource(run_of)}
name = Path(sys.argv[0]).name
given = dict(word.lstrip("-").split("=") for word in sys.argv[1:] if "=" in word)
document = DOCUMENT
LINES
Path(given["json"]).write_text(json.dumps({{**document, "runs": runs}}))
"""


def made_up(runs=(), sweep=None, kind="gpu", **device):
    """Returns a report on a device that does not exist, or the JSON of a sweep on it."""
    return {"suite": {"commit": "made-up", "preset": "gpu"}, "runs": [*runs],
            "device": {"name": "Made-up GPU", "kind": kind, "cuda": "13.0", "fma_tflops": 60.0, **device},
            **({"sweep": {"name": sweep, "left_out": []}} if sweep else {})}


def shown_in(page):
    """Returns what a page of a kernel at work shows (see.py)."""
    return json.loads(re.search(r"<script>const data = (.*);</script>", page.read_text())[1])


def parts_of(ended):
    return ended if isinstance(ended, tuple) else (ended.returncode, ended.stdout, ended.stderr)


class CommandTest(unittest.TestCase):
    def expect_success(self, ended):
        """Checks that a command has ended well and without a complaint, and returns its output. ended: from call() or called()"""
        status, out, error = parts_of(ended)
        self.assertEqual((status or 0, error), (0, ""), out)
        return out

    def expect_refusal(self, ended, words=""):
        """Checks that a command has refused its input, in one line with these words. ended: from call() or called()"""
        status, out, error = parts_of(ended)
        self.assertEqual((status, out, error.count("\n")), (2, "", 1), error)
        self.assertRegex(error, r"^[\w-]+( --\w+)?: ")
        self.assertIn(words, error)


class InFolder(CommandTest):
    """Has an empty folder for each test."""

    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def write(self, name, text=""):
        """Writes a file of the folder, and returns its path."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def program(self, name, text):
        """Writes a script that can be run, in Python unless its first line says otherwise."""
        path = self.write(name, text if text.startswith("#!") else f"#!{sys.executable}\n{text}")
        path.chmod(0o755)
        return path

    def output_of(self, *command, status=0, **options):
        """Runs a command in the folder, which must end with this status, and returns all that it prints."""
        ran = subprocess.run(command, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
        self.assertEqual(ran.returncode, status, ran.stdout)
        return ran.stdout

    def reporter(self, path, lines, **device):
        """Writes a program that reports the runs that these lines of Python make."""
        return self.program(path, REPORTER.replace("DOCUMENT", repr(made_up(**device))).replace("LINES", lines))


def call(function, *arguments):
    """Returns (status, standard output, standard error) of a command that runs in this process."""
    with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()) as error:
        try:
            status = function(*arguments)
        except SystemExit as ended:
            status = ended.code
    return status, out.getvalue(), error.getvalue()


def wait_until(condition, seconds=HANG):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, f"waited {seconds} s"
        time.sleep(0.02)


def called(module, *words, **options):
    """Runs a script of the suite, for example "grader.grade", and returns the ended process."""
    return subprocess.run([*script(module), *words], capture_output=True, text=True, **options)


def sandbox():
    """Returns a sandbox with bubblewrap if that works, as in CI; otherwise one without isolation."""
    try:
        return Sandbox.chosen(trust=False, user=None)
    except NoSandbox as error:
        print(f"without isolation: {error}")
        return Sandbox("none")


def needs(*programs):
    missing = packages.without_program(*programs)
    return unittest.skipIf(missing, f"{', '.join(missing)} missing")


def needs_matplotlib():
    """Returns a decorator for a test class. Call it before the program's first class."""
    packages.use_python_with("matplotlib")
    return unittest.skipUnless(packages.has_module("matplotlib"), "python3-matplotlib missing")


def skip_without_browser():
    """Skips a module that opens pages, from setUpModule()."""
    from common.tools.docs import browser  # may continue in another Python
    if missing := browser.what_is_missing():
        raise unittest.SkipTest(f"{', '.join(missing)} missing")


def skip_without_websockets():
    """Skips a module that serves a live run, from setUpModule()."""
    packages.use_python_with("websockets")
    if not packages.has_module("websockets"):
        raise unittest.SkipTest("python3-websockets missing")


class BrowserTest(unittest.TestCase):
    """Has a browser that the tests of a class share."""

    WINDOW = {}  # width and height, if they matter

    @classmethod
    def setUpClass(cls):
        from common.tools.docs import browser  # may continue in another Python
        # Without compositing by a GPU, pages without WebGL take a quarter less of the processor's time.
        cls.browser = browser.start("--disable-gpu-compositing", **cls.WINDOW)
        cls.addClassCleanup(cls.browser.quit)


class PictureTest(unittest.TestCase):
    """Looks at `page`, a browser that shows the picture of a movie or of a live run."""

    LOOK = Path(__file__).with_name("movie_look.js").read_text()

    def element(self, name):
        return self.page.find_element("id", name)

    def text(self, name):
        return self.element(name).get_property("textContent")

    def next_picture(self):
        self.page.execute_async_script("requestAnimationFrame(() => requestAnimationFrame(arguments[0]))")

    def touch(self, kind, *xs):
        """Moves fingers to these places."""
        fingers = [{"x": x, "y": 150, "id": i} for i, x in enumerate(xs)]
        self.page.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": fingers})
