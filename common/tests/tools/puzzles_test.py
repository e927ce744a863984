"""The recorded pages of the site, and the puzzles of ./run learn: starters fail, solutions pass, and a student who writes one of the
likely wrong lines is told what teaches."""

import json
import re
from unittest import mock

from common.base.command_line import ROOT
from common.tests.tools.case import InFolder
from common.tools.cuda import cuda
from common.tools.docs import seen
from common.tools.exercises import puzzles

# Not part of a copy for students. For each puzzle: its solution, and (wrong line, words that the student must be told).
LINES = json.loads((ROOT / "common" / "grader" / "mutants" / "puzzles.json").read_text())


class Puzzles(InFolder):
    @classmethod
    def setUpClass(cls):
        cuda.built_executor("check")  # a build does not count as time of a run

    def tried(self, puzzle, line):
        """Returns (whether it is solved, what is said) of the starter with this line, or as it is if there is none."""
        text = puzzle.starter()[puzzle.file] if line is None else puzzle.with_line(line)
        self.page = self.folder / puzzles.PAGE
        is_solved, said = puzzles.run(puzzle, self.write(puzzle.file, text), self.page)
        return is_solved, " ".join(said.split())

    def test_each_file_has_a_task_and_one_line_to_write(self):
        self.assertEqual([puzzle.name for puzzle in puzzles.puzzles()], [*LINES])
        self.assertEqual({path.stem for path in puzzles.FOLDER.glob("*.cu")}, {*LINES})
        for puzzle in puzzles.puzzles():
            with self.subTest(puzzle.name):
                text = puzzle.starter()[puzzle.file]
                self.assertEqual(text.count(puzzles.MARK), 1)
                self.assertNotIn(LINES[puzzle.name]["solution"], text)
                self.assertTrue(text.startswith(f"// Puzzle {puzzle.number[1:]}: {puzzle.title}\n"))

    def test_a_starter_fails_and_a_solution_passes(self):
        for puzzle in puzzles.puzzles():
            with self.subTest(puzzle.name):
                is_solved, said = self.tried(puzzle, None)
                self.assertFalse(is_solved)
                self.assertTrue(any(words in said for words in self.sentences(puzzle)), said)
                self.assertEqual(self.tried(puzzle, LINES[puzzle.name]["solution"]), (True, "Correct."))
                self.assertIn(f"{puzzle.file}", self.page.read_text())

    def test_a_wrong_line_is_explained_and_shown(self):
        for puzzle in puzzles.puzzles():
            for line, words in LINES[puzzle.name]["wrong"]:
                with self.subTest(f"{puzzle.name}: {line}"):
                    is_solved, said = self.tried(puzzle, line)
                    self.assertFalse(is_solved)
                    self.assertIn(words, said)
                    self.assertRegex(self.page.read_text(),
                                     "does not compile" if ": error: " in said else "<script|read and written nothing")

    def sentences(self, puzzle):
        """Returns the beginnings of what it can say, up to what depends on the run."""
        return [" ".join(re.split(r"\\\d", words)[0].split()) for _, words in puzzle.says]

    def test_what_nobody_foresaw_still_gets_the_report(self):
        puzzle = puzzles.puzzles()[0]
        is_solved, said = self.tried(puzzle, "out[threadIdx.x + 1] = in[threadIdx.x];")
        self.assertEqual((is_solved, "out of bounds of global memory: out[8] of 8 elements" in said), (False, True))

    def test_a_program_that_does_not_end_is_stopped(self):
        program = ["sh", "-c", "echo begun; sleep 60 & wait"]
        with mock.patch.object(puzzles, "SECONDS", 1), mock.patch.object(puzzles, "script", lambda _: program):
            is_solved, said = self.tried(puzzles.puzzles()[0], "")
        self.assertEqual((is_solved, said), (False, "The program was stopped, because it had not ended after 1 seconds."))


class Seen(InFolder):
    """Pages of kernels at work on the site, from seen.py."""

    def test_they_show_the_kernel_its_mistake_and_no_answer(self):
        with mock.patch.object(seen, "FOLDER", self.folder):
            seen.make(["tile", "02_missing_first_barrier"])
            tile, wrong = ((self.folder / f"{name}.html").read_text() for name in ("tile", "02_missing_first_barrier"))
            self.assertIn("forcesKernel", tile)
            self.assertIn('"found":[]', tile)
            self.assertIn("race on shared memory: tile[", wrong)
            for text in (tile, wrong):
                self.assertNotIn("tile[threadIdx.x] =", text)
            self.assertRegex(seen.embedded("tile", "A <b>"), r'(?s)<iframe loading="lazy" src="see/tile.html#0\.1\.5" style="height: 50rem" title="A &lt;b&gt;">')
            self.assertEqual(seen.linked("02_missing_first_barrier"), '<a href="see/02_missing_first_barrier.html">see it</a>')
            self.assertEqual(seen.linked("reduction"), "")
            written = (self.folder / "tile.html").stat().st_mtime_ns
            seen.make(["tile"])
            self.assertEqual((self.folder / "tile.html").stat().st_mtime_ns, written)
            source = self.folder / "sources" / "02_missing_first_barrier" / "02_tiled" / "forces.cu"
            source.write_text(source.read_text() + "// another text\n")
            written = (self.folder / "02_missing_first_barrier.html").stat().st_mtime_ns
            seen.make(["02_missing_first_barrier"])
            self.assertGreater((self.folder / "02_missing_first_barrier.html").stat().st_mtime_ns, written)
            self.assertNotIn("another text", source.read_text())
