"""The command `learn`: its steps from exercise to exercise, and that it grades what is saved. The grader is made up."""

import json
import queue
import re
from pathlib import Path
from unittest import mock

from common.base.command_line import ROOT, run_command
from common.tests.tools.case import InFolder, call
from common.tools.exercises import course, learn


def still():
    """Saves nothing."""


class Typed:
    """Lines as a learner types them; what is callable is done in between, as a learner saves a file."""

    def __init__(self, words):
        self.words = list(words)

    def get(self, timeout):
        if not self.words:
            return None  # the end of the input
        word = self.words.pop(0)
        if not callable(word):
            return word
        word()
        if word is not still:
            self.words.insert(0, still)  # a saved file is graded once it has stayed the same for a while
        raise queue.Empty


class Learn(InFolder):
    def learn(self, *words, score=100, options=()):
        """(status, what is printed, the error) of a session with these words."""
        def saved(*_, page):
            if score < 100:
                page.parent.mkdir(exist_ok=True)
                page.touch()
            return {"score": score, "max_score": 100}

        with mock.patch.object(learn, "typed_lines", lambda: Typed(words)), mock.patch.object(learn, "build_for_grading") as steps, \
                mock.patch.object(learn, "build_for_puzzles") as checker, mock.patch.object(learn, "opened", lambda _: False), \
                mock.patch.object(learn.puzzles, "run", lambda *_: (score == 100, f"{score} of 100")), \
                mock.patch.object(learn, "printed", lambda found: f"{found['score']} points"), \
                mock.patch.object(learn, "grade_folder", saved):
            ended = call(run_command, "learn", learn, [str(self.folder / "mine"), *options])
        self.built = steps.call_count, checker.call_count
        return ended

    def save(self, number="1.1", name="forces.cu"):
        return lambda: (self.folder / "mine" / number / name).write_text("// saved")

    def state(self):
        return json.loads((self.folder / "mine" / learn.STATE).read_text())

    def test_a_lesson_begins_with_the_same_exercise(self):
        order = learn.in_order([exercise.number for exercise in learn.exercises()])
        self.assertEqual(order[:3], ["1.1", "1.2", "0.1"])
        for page in (page for step in ("0[1-9]", "10") for page in (ROOT / "docs" / "pages").glob(f"{step}_*.md")):
            first = next(number for number in order if number.startswith(f"{int(page.name[:2])}."))
            self.assertIn(f'Begin with \\ref exercise_{first.replace(".", "_")} ', page.read_text(), page.name)

    def test_no_starter_shows_a_later_answer_unless_each_shows_the_others(self):
        order = learn.in_order([exercise.number for exercise in learn.exercises()])
        shown = course.given_away([{"exercises": order}])
        self.assertEqual([pair for pair in shown if pair[::-1] not in course.given_away([{"exercises": pair[::-1]}])], [])

    def test_it_begins_with_the_puzzles_and_builds_no_step_for_them(self):
        said = self.expect_success(self.learn(self.save("p1", "map.cu"), "next", "hint"))
        self.assertIn("Puzzle 1: one thread for each element", said)
        self.assertIn(str(self.folder / "mine" / "p1" / "map.cu"), said)
        self.assertIn("Puzzle 2", said)
        self.assertIn("Hint 1 of 2: Thread i uses `in[i]`", said)
        self.assertEqual(said.count("100 of 100"), 1)
        self.assertEqual(self.state(), {"at": "p2", "passed": ["p1"]})
        self.assertEqual(self.built, (0, 2))

    def test_a_wrong_line_is_not_passed_and_has_a_page(self):
        said = self.expect_success(self.learn(self.save("p1", "map.cu"), score=0))
        self.assertIn("0 of 100", said)
        page = re.search(r"See it: (file://\S+)", said)[1]
        self.assertIn("iframe", Path(page[len("file://"):]).read_text())
        self.assertEqual(self.state()["passed"], [])

    def test_after_the_puzzles_come_the_exercises(self):
        said = self.expect_success(self.learn("p10", "next"))
        self.assertIn("Exercise 1.1", said)
        self.assertEqual(self.built, (1, 2))

    def test_it_names_the_file_of_an_exercise(self):
        said = self.expect_success(self.learn("1.1"))
        self.assertIn("Exercise 1.1", said)
        self.assertIn(str(self.folder / "mine" / "1.1" / "forces.cu"), said)
        self.assertTrue((self.folder / "mine" / "1.1" / "forces.cu").exists())

    def test_a_saved_file_is_graded_and_what_is_passed_is_kept(self):
        _, said, _ = self.learn("1.1", "solution", self.save(), "solution", "next", "back")
        self.assertIn("The solution is shown once you have passed.", said)
        self.assertEqual(said.count("100 points"), 1)
        self.assertIn("--- forces.cu", said)
        self.assertEqual(self.state(), {"at": "1.1", "passed": ["1.1"]})

    def test_what_has_mistakes_is_not_passed(self):
        _, said, _ = self.learn("1.1", self.save(), "solution", score=99)
        self.assertIn(f"See it: {(self.folder / 'mine' / 'see' / '1.1.html').as_uri()}\n", said)
        self.assertEqual((said.count("99 points"), said.count("--- forces.cu")), (1, 0))
        self.assertEqual(self.state()["passed"], [])

    def test_it_continues_where_it_was_left_and_leaves_files_alone(self):
        self.learn("1.2", self.save("1.2"), "quit", score=0)
        _, said, _ = self.learn("list")
        self.assertIn("Exercise 1.2", said)
        self.assertNotIn("Exercise 1.1", said)
        self.assertEqual((self.folder / "mine" / "1.2" / "forces.cu").read_text(), "// saved")
        self.assertIn("> 1.2  open", said)

    def test_a_file_that_is_still_being_written_is_not_graded(self):
        half = self.save()
        _, said, _ = self.learn("1.1", half, lambda: (self.folder / "mine" / "1.1" / "forces.cu").write_text("// saved, and whole"))
        self.assertEqual(said.count("100 points"), 2)  # each stayed the same for a while
        with mock.patch(__name__ + ".still", half):
            _, said, _ = self.learn("1.1", lambda: (self.folder / "mine" / "1.1" / "forces.cu").write_text("// other"))
        self.assertNotIn("100 points", said)

    def test_a_number_on_the_command_line_jumps_there(self):
        for word, number in (("2.1", "2.1"), ("p3", "p3"), ("02", "2.1"), ("02_tiled", "2.1")):
            self.learn(options=[word])
            self.assertEqual(self.state()["at"], number)
        for word, complaint in (("77", "no puzzle or exercise '77'; ./run exercises --list shows all"), ("2.17", "no puzzle or exercise '2.17'; did you mean '2.7'?"),
                                ("other", "name one folder, not ")):
            self.expect_refusal(self.learn(options=[word]), complaint)

    def test_hints_come_one_by_one_and_end(self):
        _, said, _ = self.learn("1.1", *["hint"] * 9, "dance")
        self.assertIn("Hint 1 of ", said)
        self.assertIn("There are no more hints.", said)
        self.assertIn("'dance' is none of: hint, next", said)

    def test_there_is_none_before_the_first(self):
        self.assertIn("There is no other exercise that way.", self.learn("back")[1])

    def test_progress_that_it_did_not_write_is_left_alone(self):
        for text in ("[1, 2]", "{", '{"passed": 3}'):
            self.write(f"mine/{learn.STATE}", text)
            self.expect_refusal(self.learn(), "is not what this command wrote")
            self.assertEqual((self.folder / "mine" / learn.STATE).read_text(), text)
