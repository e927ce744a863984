"""Tests of which files of a submission are used, and of the folders that graders work in."""

import concurrent.futures
import os
import subprocess
import sys
import tempfile
from unittest import mock

from common.base.command_line import ROOT
from common.grader.build import source_texts
from common.grader.work_folder import remove_abandoned, work_folder
from common.tests.tools.case import InFolder


class Sources(InFolder):
    def test_of_a_folder_that_the_step_has_plain_files_alone(self):
        folder = self.folder / "submission"
        taken = ("forces.cu", "lists/walk.cuh", "lists/mine.cuh", "lists/-o.cuh")
        for name in (*taken, "lists/unit.cu", "lists/a b.cuh", "lists/two\nlines.cuh", "lists/deep/er.cuh",
                     "other/walk.cuh", "exercises/6.1.cuh"):
            self.write(folder / name, name)
        (folder / "lists" / "pull.cuh").symlink_to("/etc/passwd")
        os.mkfifo(folder / "lists" / "pipe.cuh")
        (folder / "fused").symlink_to(self.write("elsewhere/flush.cuh").parent)
        (folder / "host").touch()
        texts, ignored = source_texts(folder, "06_tree_walk")
        self.assertEqual(texts, {name: name for name in taken})
        self.assertEqual(set(ignored), {
            "exercises", "fused", "host", "lists/a b.cuh", "lists/deep", "lists/pipe.cuh", "lists/pull.cuh",
            "lists/two\nlines.cuh", "lists/unit.cu", "other"})


class WorkFolders(InFolder):
    def setUp(self):
        super().setUp()
        self.enterContext(mock.patch.object(tempfile, "tempdir", str(self.folder)))

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
