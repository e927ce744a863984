"""Tests of which files of a submission are used, and of the folders that graders work in."""

import concurrent.futures
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from common.base.command_line import ROOT
from common.grader.build import source_texts
from common.grader.work_folder import remove_abandoned, work_folder


class Sources(unittest.TestCase):
    def test_of_a_folder_that_the_step_has_plain_files_alone(self):
        with tempfile.TemporaryDirectory() as outside:
            folder = Path(outside, "submission")
            taken = ("forces.cu", "lists/walk.cuh", "lists/mine.cuh", "lists/-o.cuh")
            for name in (*taken, "lists/unit.cu", "lists/a b.cuh", "lists/two\nlines.cuh", "lists/deep/er.cuh",
                         "other/walk.cuh", "exercises/6.1.cuh"):
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                (folder / name).write_text(name)
            (folder / "lists" / "pull.cuh").symlink_to("/etc/passwd")
            os.mkfifo(folder / "lists" / "pipe.cuh")
            Path(outside, "elsewhere").mkdir()
            Path(outside, "elsewhere", "flush.cuh").touch()
            (folder / "fused").symlink_to(Path(outside, "elsewhere"))
            (folder / "host").touch()
            texts, ignored = source_texts(folder, "06_tree_walk")
            self.assertEqual(texts, {name: name for name in taken})
            self.assertEqual(set(ignored), {
                "exercises", "fused", "host", "lists/a b.cuh", "lists/deep", "lists/pipe.cuh", "lists/pull.cuh",
                "lists/two\nlines.cuh", "lists/unit.cu", "other"})


class WorkFolders(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        place = mock.patch.object(tempfile, "tempdir", folder.name)
        place.start()
        self.addCleanup(place.stop)

    def begun(self):
        """A process that is in its folder."""
        code = "from common.grader.work_folder import work_folder\nwith work_folder(): print(flush=True); input()"
        process = subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, env={**os.environ, "TMPDIR": str(self.folder)})
        process.stdout.readline()
        return process

    def end(self, process):
        process.communicate(b"\n")
        self.assertEqual(process.returncode, 0)

    def test_a_killed_graders_is_removed_and_no_other(self):
        first, second = self.begun(), self.begun()
        before = set(self.folder.iterdir())
        first.kill()
        first.communicate()
        (self.folder / "submission-link").symlink_to(ROOT)
        (self.folder / "submission-file").touch()
        (self.folder / "mine").mkdir()
        with mock.patch("os.geteuid", lambda: os.getuid() + 1):  # another user's grader
            remove_abandoned()
        self.assertLessEqual(before, set(self.folder.iterdir()))
        self.end(self.begun())
        left = before & set(self.folder.iterdir())
        self.assertEqual((len(before), len(left)), (2, 1))
        self.end(second)
        self.assertEqual({path.name for path in self.folder.iterdir()}, {"submission-link", "submission-file", "mine"})
        self.assertTrue((ROOT / "README.md").exists())

    def test_graders_that_begin_at_once_leave_each_others(self):
        def use(_):
            with work_folder() as folder:
                (folder / "file").touch()
                return (folder / "file").exists()

        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            self.assertTrue(all(pool.map(use, range(400))))
        self.assertEqual(list(self.folder.iterdir()), [])


if __name__ == "__main__":
    unittest.main()
