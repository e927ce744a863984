"""The copy of the suite for students: no answer is in it, and it grades. To grade, it builds the suite again."""

import json
import re
import subprocess
import tarfile
from pathlib import Path

from common.base.command_line import ROOT
from common.grader.exercises.files import exercise, exercises
from common.grader.exercises.mutant_corpus import corpus
from common.grader.loops import without_comments
from common.grader.same_text import rows
from common.grader.step_build import write_files
from common.tests.tools.case import InFolder, called
from common.tests.tools.export_test import in_checkout
from common.tools.docs.solutions import Asked, code_lines


def suite_lines():
    """Lines of the suite's sources, without those of exercises and of wrong kernels."""
    files = [path for folder in ("[0-9][0-9]_*", "common") for path in ROOT.glob(f"{folder}/**/*")
             if path.is_file() and not {"exercises", "mutants"} & {*path.parts}]
    return {line for path in files if path.suffix in (".cu", ".cuh", ".cpp", ".hpp") for line in code_lines(path.read_text())}


@in_checkout
class Exported(InFolder):
    def setUp(self):
        super().setUp()
        self.place = self.folder / "course"
        self.expect_success(called("grader.export.export", "course", self.place))


class Course(Exported):
    def unpacked(self):
        """Text by name of all that is in the packed file."""
        with tarfile.open(self.place / "suite.tar.gz") as pack:
            return {entry.name: pack.extractfile(entry).read().decode() for entry in pack}

    def test_a_search_of_the_folder_finds_no_line_of_a_solution(self):
        told = "".join(path.read_bytes().decode(errors="replace") for path in self.place.iterdir())
        for one in exercises():
            for line in Asked(one).lines:
                self.assertNotIn(line, told, one.number)

    def test_what_is_packed_has_the_steps_and_no_other_answer(self):
        files = self.unpacked()
        told = "\n".join(files.values())
        lines = {line for text in files.values() for line in code_lines(text)}
        answered = set()
        given = suite_lines().union(*(code_lines(text) for one in exercises() for text in one.starter().values()))
        for one in exercises():
            wanted = Asked(one).lines - given
            answered |= {one.number} if wanted else set()
            self.assertEqual(wanted & lines, set(), one.number)
            for name, text in one.solution().items() if one.questions else ():
                for line in text.splitlines():
                    self.assertNotIn(line, told, name)
            for _, value, why in one.wrong_answers:
                self.assertNotIn(why, told)
        self.assertLessEqual({"1.4", "2.5", "2.6", "2.7", "6.3", "7.4"}, answered)
        for mutant in corpus():
            self.assertNotIn(mutant.name, told)
            self.assertNotIn(mutant.mistake, told)
        for notes in (ROOT / "docs" / "course").glob("*_*.md"):
            text = notes.read_text().partition("## Quiz")[2].partition("\n## Project")[0]
            for key in re.findall(r"^(?:   Key:|-) (.+)", text, re.MULTILINE):
                self.assertNotIn(key, told)
        self.assertFalse([name for name in files if name.endswith(".patch") or "docs/pages" in name or "docs/course" in name])
        self.assertFalse([name for name in files if "tests/hostile" in name])

    def test_no_kernel_of_a_test_is_nearly_a_solution(self):
        """Finds a solution with other names of constants too, which has no line in common with ours."""
        def of(texts):
            return set().union(*(rows(without_comments(text)) for text in texts.values()))

        packed = {name: of({name: text}) for name, text in self.unpacked().items()
                  if name.endswith((".cu", ".cuh")) and not re.match(r"\d\d_", name)}
        for one in exercises():
            wanted = of(one.solution()) - of(one.starter())
            near = [name for name, known in packed.items() if len(wanted) > 60 and len(wanted & known) > len(wanted) / 4]
            self.assertEqual(near, [], one.number)

    def test_no_answer_to_a_question_is_packed(self):
        files = self.unpacked()
        asked = [exercise for exercise in exercises() if exercise.questions]
        told = " ".join((ROOT / "docs" / "pages" / "instructors_guide.md").read_text().split())
        self.assertIn(f"recorded answers of {', '.join(one.number for one in asked[:-1])} and {asked[-1].number}", told)
        for one in asked:
            self.assertNotIn("\nAnswer: ", files[f"{one.step}/exercises/{one.number}.md"])
            for question in one.questions:
                record = files.get(f"docs/results/{question.file}")
                runs = json.loads(record)["runs"] if record else []
                self.assertFalse([run for run in runs if question.is_of(run) and question.key in run])

    def test_a_folder_that_is_there_is_left_alone(self):
        self.expect_refusal(called("grader.export.export", "course", self.place), "already exists")


class Graded(Exported):
    def test_a_starter_and_a_solution_are_graded_there(self):
        def run(*words, typed=None):
            return subprocess.run([self.place / "run", *words], cwd=self.place, capture_output=True, text=True, input=typed)

        self.assertEqual(run("exercises", "my", "1.2", "0.3").returncode, 0)
        self.assertEqual({path.name for path in (self.place / "my" / "1.2").iterdir()}, {"README.md", "forces.cu"})
        write_files(self.place / "done", exercise("1.2").solution())
        starter, solution = (run("grade", "1.2", folder, "--preset", "cpu", "--trust") for folder in ("my/1.2", "done"))
        self.assertEqual((starter.returncode, solution.returncode), (0, 0), starter.stderr + solution.stderr)
        self.assertNotIn("100 of 100", starter.stdout)
        self.assertIn("100 of 100", solution.stdout)
        learned = run("learn", "learned", typed="solution\nquit\n")
        self.assertIn("Exercise 1.1", learned.stdout)
        self.assertTrue((Path(self.place) / "learned" / "1.1" / "forces.cu").exists(), learned.stderr)
