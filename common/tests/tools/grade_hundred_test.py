"""A class of a hundred, twenty of them hostile, graded at once and again killed twice on the way. Argument: the build tree."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from common.base.command_line import script
from common.grader.class_results import cell
from common.tests.hostile.hostile_submissions import hostile_submissions, written
from common.tests.hostile.place import Place
from common.tests.tools import make_class
from common.tests.tools.grade_class_case import ClassTest

BUILD = Path(sys.argv.pop()).resolve()
HOSTILE = """asks_for_solutions crash early_code endless_include exit_after_pass fills_disk flood_of_output fork_bomb
    forged_report indented_lines kills link_to_reference loop_in_kernel memory_in_many_processes pipe reads_environment
    report_of_escapes report_of_formulas reads_reference writes_results""".split()


class Hundred(ClassTest):
    def setUp(self):
        super().setUp()
        self.folder.chmod(0o711)  # submissions run as another user
        self.temporary = self.folder / "tmp"
        for name in ("tmp", "target"):
            (self.folder / name).mkdir()
        self.expected = make_class.write(self.folder, 100 - len(HOSTILE))
        place = Place(self.folder / "target", BUILD)
        self.addCleanup(place.close)
        self.hostile = {h.name: h for h in hostile_submissions() if h.name in HOSTILE}
        for name, hostile in self.hostile.items():
            written(hostile, self.folder / "submissions" / name, place.target)

    def begun(self, name):
        command = [*script("grader.grade_all"), "02", self.folder / "submissions", "--csv",
                   self.folder / f"{name}.csv", "--seed", "1", "--build", BUILD]
        return subprocess.Popen(command, stdout=subprocess.DEVNULL, start_new_session=True,
                                env={**os.environ, "TMPDIR": str(self.temporary)})

    def graded(self, name, kills=()):
        """Marks by student, of a class that is killed when so many are graded."""
        started, kept = time.monotonic(), self.folder / name
        for number in kills:
            process = self.begun(name)
            self.wait_for(lambda: len([*kept.glob("[!.]*.json")]) >= number or process.poll() is not None, seconds=3000)
            os.killpg(process.pid, signal.SIGKILL)
            self.assertEqual(process.wait(), -signal.SIGKILL)
        self.assertEqual(self.begun(name).wait(), 0)
        self.assertEqual([*self.temporary.iterdir()], [])
        self.assertEqual(len([*kept.glob("[!.]*.json")]), 100)
        self.table = self.folder / f"{name}.csv"
        print(f"{name}: {time.monotonic() - started:.0f} s", flush=True)
        self.assertEqual(len(self.table.read_bytes().split(b"\r\n")), 102)  # the head, and what is behind the last
        return {student: (row["status"], row["score"]) for student, row in self.rows().items()}

    def test_killed_twice_it_has_the_marks_of_one_that_was_not(self):
        marks = self.graded("at once")
        self.assertEqual(marks.keys(), {cell(name) for name in [*self.expected, *self.hostile]})
        for name, outcome in self.expected.items():
            status, score = marks[cell(name)]
            self.assertEqual(status, outcome["status"], name)
            self.assertAlmostEqual(float(score), outcome["score"], delta=1, msg=name)
        for name, hostile in self.hostile.items():
            self.assertLessEqual(float(marks[name][1]), hostile.most, name)
        self.assertEqual(self.graded("killed twice", kills=(20, 60)), marks)
