"""Tests of `./run live`, and of what its server lets in."""

import subprocess
import types
import unittest
from unittest import mock

from common.base.command_line import run_command
from common.live import live
from common.tests.tools.case import InFolder, call, skip_without_websockets, wait_until
from common.tools import desktop, packages

packages.use_python_with("websockets")
if packages.has_module("websockets"):
    from common.live import serve, server
setUpModule = skip_without_websockets


class Live(InFolder):
    def run_live(self, *words, preset="cpu"):
        with mock.patch.object(live, "built_programs", lambda preset, first: (self.folder, None)), \
                mock.patch.object(serve, "serve", mock.Mock(return_value=3)) as served:
            result = call(run_command, "live", live, [f"--preset={preset}", *words])
        return result, [arguments[0][1:] for arguments in served.call_args_list]

    def test_starts_the_fastest(self):
        result, started = self.run_live("--port=0", preset="gpu")
        self.assertEqual(result, (3, "", ""))
        self.assertEqual(started, [(self.folder / live.GPU["program"], ["--scene=merger", "--bodies=65536", "--dt=0.025"], None, None)])
        _, started = self.run_live("--port=0", "--address=127.0.0.2", "--scene=plummer", "--bodies=12")
        self.assertEqual(started, [(self.folder / live.CPU["program"], ["--scene=plummer", "--bodies=12"], None, None)])
        _, started = self.run_live("--port=0", "--host-name=Lab.example.org", "--scene=solar", "--bodies=9")
        self.assertEqual(started[0][2], "lab.example.org")

    def test_the_first_time_the_galaxies_move_while_the_steps_are_built(self):
        for there, targets in ((["01_naive"], ["simd"]), (["01_naive", "02_tiled"], ["simd", "01_naive", "02_tiled"])):
            for step in there:
                self.write(f"{step}/{step}")
            with mock.patch.multiple(live, configured=lambda preset: self.folder, kernel_steps=lambda: ["01_naive", "02_tiled"],
                                     build_targets=mock.DEFAULT) as mocks, \
                    mock.patch.object(live.ranks, "mpirun", lambda build: None), mock.patch.object(live.subprocess, "Popen") as started:
                _, builder = live.built_programs("cpu", "simd")
            mocks["build_targets"].assert_called_once_with(self.folder, targets)
            self.assertEqual(builder is not None, started.called)
        started.assert_not_called()

    def test_its_builder_ends_with_it(self):
        with live.ended(subprocess.Popen(["sh", "-c", "sleep 60 & wait"], start_new_session=True)) as builder:
            pass
        self.assertNotEqual(builder.returncode, None)
        wait_until(lambda: not subprocess.run(["pgrep", "-g", str(builder.pid)], capture_output=True).stdout)

    def test_bad_input_is_refused_before_anything_is_built(self):
        for word, complaint in (("--port=65536", "--port: must be a whole number from 0 to 65535, not '65536'"),
                                ("--port=x", "--port: must be a whole number"), ("--port=", "--port has no value"),
                                ("--address=0.0.0.0", "--address: name one address"), ("--address=::", "--address: name one address"),
                                ("--host-name=http://x", "--host-name: must be a name such as lab.example.org, without http://"),
                                ("--address=localhost", "--address: must be an")):
            (status, out, error), started = self.run_live(word)
            self.assertEqual((status, out, started, error.count("\n")), (2, "", [], 1))
            self.assertIn(f"live: {complaint}", error)


class Requests(unittest.TestCase):
    def test_hosts(self):
        for host in ("127.0.0.1", "127.0.0.1:8750", "localhost:1", "LocalHost", "[::1]", "[::1]:80", "10.0.0.7:8750"):
            self.assertTrue(server.is_served(host, "10.0.0.7"), host)
        self.assertTrue(server.is_served("[fe80::7]:8750", "fe80::7"))
        for host in ("", ":", ":80", "example.org", "127.0.0.1.example.org", "127.0.0.1:", "127.0.0.1:a", "127.0.0.1:123456",
                     "user@127.0.0.1", "::1", "[::1", "10.0.0.8", "localhost\n", "localhost:\u0661"):
            self.assertFalse(server.is_served(host, "10.0.0.7"), host)


    def test_a_proxy(self):
        def answer(host, origin, name=None):
            """Returns the status of the page, and of its socket."""
            served = types.SimpleNamespace(address="127.0.0.1", token="a" * 32, host_name=name, page=b"", viewers={})
            headers = mock.Mock(get_all=lambda field: {"Host": [host], "Origin": [origin]}[field])
            said = [server.Server.decide(served, f"{path}?token={served.token}", headers) for path in ("/", "/socket")]
            for status, text in said:
                self.assertEqual(status == 403, "--host-name NAME" in str(text))
            return [status for status, _ in said]

        far = "name-8750.example.dev"
        self.assertEqual(answer(far, f"https://{far}"), [403, 403])
        self.assertEqual(answer(far, f"https://{far}", far), [200, None])
        self.assertEqual(answer("127.0.0.1:8750", "https://lab.example.org"), [200, 403])  # a proxy that sends its own Host
        self.assertEqual(answer("127.0.0.1:8750", "https://lab.example.org", "lab.example.org"), [200, None])
        self.assertEqual(answer("localhost:9000", "http://localhost:9000", far), [200, None])
        for origin in ("https://other.example.org", "ftp://lab.example.org", "null"):
            self.assertEqual(answer("lab.example.org", origin, "lab.example.org"), [200, 403])


class Desktop(InFolder):
    def test_without_one_no_browser_is_opened(self):
        with mock.patch.dict("os.environ", {}, clear=True), mock.patch("webbrowser.open") as browser:
            self.assertFalse(desktop.opened("http://x"))
        browser.assert_not_called()

    def test_the_link_with_the_settings_is_opened(self):
        with server.listening("127.0.0.1", "0") as listener, mock.patch.object(desktop, "opened", return_value=True) as opened:
            served = server.Server(listener, b"", None, None)
            _, out, _ = call(serve.begin, served)
        opened.assert_called_once_with(served.link())
        self.assertEqual(out.splitlines()[-1], "Opened in the browser.")
