"""Tests of `./run live`, with a program that only says what it was asked for."""

import os
import subprocess
import sys
from unittest import mock

from common.base.command_line import ROOT, run_command
from common.tests.tools.case import InFolder, call
from common.tools import desktop, live

SAYS = """import sys
print(*sys.argv[1:])
print("http://127.0.0.1:1/?token=a")
print("http://127.0.0.1:1/?token=b", flush=True)
"""
LASTS = "import os, time\nprint(os.getpid(), flush=True)\ntime.sleep(60)\n"


class Live(InFolder):
    def run_live(self, *words, preset="cpu", status=0):
        for chosen in (live.CPU, live.GPU):
            self.program(chosen["program"], SAYS + f"sys.exit({status})\n")
        with mock.patch.object(live, "built_programs", lambda preset: self.folder), \
                mock.patch.object(desktop, "opened", mock.Mock(return_value=True)) as opened:
            result = call(run_command, "live", live, [f"--preset={preset}", *words])
        return result, [arguments[0][0] for arguments in opened.call_args_list]

    def test_starts_the_fastest_and_opens_the_first_link_once(self):
        (status, out, error), opened = self.run_live(preset="gpu")
        self.assertEqual((status, error, opened), (0, "", ["http://127.0.0.1:1/?token=a"]))
        self.assertEqual(out.splitlines()[0], "--live=8750 --scene=merger --bodies=65536 --dt=0.025")
        (_, out, _), _ = self.run_live("--port=0", "--address=0.0.0.0", "--scene=plummer", "--bodies=12")
        self.assertEqual(out.splitlines()[0], "--live=0 --live-address=0.0.0.0 --scene=plummer --bodies=12")

    def test_a_port_that_cannot_be_is_refused_by_its_own_name(self):
        for port in ("65536", "x", "-1", ""):
            (status, out, error), opened = self.run_live(f"--port={port}")
            self.assertEqual((status, out, opened), (2, "", []))
            self.assertIn(f"--port: must be a whole number from 0 to 65535, not '{port}'", error)

    def test_has_the_programs_exit_status(self):
        self.assertEqual(self.run_live(status=2)[0][0], 2)

    def test_ends_the_program_when_it_is_ended(self):
        program = self.program("lasts", LASTS)
        code = f"from common.tools import live; live.serve(['{program}'])"
        running = subprocess.Popen([sys.executable, "-B", "-c", code], cwd=ROOT, stdout=subprocess.PIPE, text=True)
        self.addCleanup(running.kill)
        self.addCleanup(running.stdout.close)
        program = int(running.stdout.readline())
        running.terminate()
        running.communicate()
        self.assertRaises(ProcessLookupError, os.kill, program, 0)


class Desktop(InFolder):
    def test_without_one_no_browser_is_opened(self):
        with mock.patch.dict("os.environ", {}, clear=True), mock.patch("webbrowser.open") as browser:
            self.assertFalse(desktop.opened("http://x"))
        browser.assert_not_called()
