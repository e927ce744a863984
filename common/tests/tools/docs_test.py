"""Tests of the docs' scripts and of the pages' sources: the rules that pages keep, what they take from elsewhere, and that none shows
what an exercise asks for before it asks, nor outside of a fold. Doxygen is not needed.
"""

import json
import re
import shutil
import subprocess
import unittest
from unittest import mock

from common.base.command_line import ROOT
from common.grader.exercises.files import exercises
from common.grader.exercises.mutant_corpus import mutant
from common.tests.tools.case import InFolder
from common.tools.docs import check, quotes, seen, solutions, tables
from common.tools.docs.frame import groups
from common.tools.docs.pages import CHARTS, TITLE, BadPage, Pages, page_of, text_of
from common.tools.docs.results import BadQuery, Results

DOCUMENT = {
    "suite": {"commit": "abc1234"},
    "device": {"name": "Made-up GPU", "cuda": "13.0", "fma_tflops": 60.0},
    "runs": [
        {"step": "02_tiled", "bodies": 1024, "gflops": 12345.6, "parameters": {"block": 64}},
        {"step": "02_tiled", "bodies": 1024, "gflops": 1000.0, "parameters": {"block": 128}},
        {"step": "03_unrolled", "bodies": 4096, "error": {"median": 1.5e-7}, "passed": False},
    ],
}
NCU = "  Metric Name   Metric Unit   Value\n  Eligible Warps Per Scheduler   warp   5.36\n  Cycles   cycle 1,024\n"
CODE = """int other(int);
/// A kernel; not kernel() {
template <int k>
__global__
void kernel(int i = call(")"), int k = {}) const {
  int n = other(i);
#pragma unroll k
  for (int j = 0; j < (n); ++j) {
    n = 1;  // }
  }
  if (n) n = 1;
  else n = 2;
}
#if A
int twice(int i) { if (other(i)) { kernel(1); } return 2; }
#else
int twice(int i) {
  return 1;
}
#endif
"""
PAPERS = re.split(r"^## ", (ROOT / "docs" / "pages" / "papers.md").read_text(), flags=re.MULTILINE)[1:]
ANSWERS = re.compile(r"(yes|no|partly|not tried)\b")
FILES = re.compile(r"`([\w.]+(?:/[\w.]+)+)`")


class ThePages(InFolder):
    def written(self, text):
        pages = Pages(Results(), self.folder)
        pages.write("x.md", text)
        return (pages.pages / "x.md").read_text().splitlines(), pages.generated

    def test_a_line_stays_a_line(self):
        lines, folder = self.written("a\n{{table 02}}\n{{gems 31.4.1: 163 GFLOP/s}}\n{{quote 01_naive/forces.cu interaction}}\n{{diff 02}}\n"
                                     "{{mutant 02_early_return}}\n")
        self.assertEqual([*lines[:2], *lines[3:]], ["a", "\\htmlinclude[block] x_0.html", "\\include x_1.cu",
                                                    "\\htmlinclude[block] x_2.html", "\\htmlinclude[block] x_3.html"])
        self.assertIn("section 31.4.1", lines[2])
        for name, part in (("x_0.html", "<table"), ("x_1.cu", "interaction("), ("x_2.html", "+  extern __shared__ real4 tile[];"),
                           ("x_3.html", '<span class="added">+'), ("x_3.html", "divergent barrier")):
            self.assertIn(part, (folder / name).read_text())
        self.assertIsNone(tables.parent_of("01_naive"))
        self.assertEqual(tables.parent_of("05_triangular_map"), "02_tiled")

    def test_a_mistake_names_its_line(self):
        for mistake in ("{{ladder 04 3 gflops}}", "{{diagram none: x}}", "{{mutant none}}", "{{table 19}}",
                        "{{quote 01_naive/forces.cu x}}", "{{quote 01_naive/x x}}"):
            with self.assertRaisesRegex(BadPage, r"docs/pages/x.md:2: "):
                self.written(f"a\n{mistake}\n")

    def test_a_file_of_its_own_becomes_a_page(self):
        page = self.write("name.md", "# A b\n[01_x](../common/x.patch)\n")
        self.assertEqual(page_of(page), "# A b {#name}\n`01_x`\n")
        page.write_text("![A b](results/h200/x.svg)\n[data](results/h200) [c](pages/d.md)\n")
        self.assertEqual(page_of(page), '{{figure x.svg: A b}}\n`data` \\ref d "c"\n')

    def test_the_sources_keep_the_rules(self):
        self.assertEqual(check.source_problems(), [])

    def test_no_number_is_typed_that_a_record_could_give(self):
        self.assertEqual(check.number_problems(Results()), [])

    def test_what_a_chart_shows_has_the_numbers_of_its_record(self):
        _, folder = self.written("{{figure unroll.svg: A caption}}\n")
        shown = re.search('alt="(.+?)"', (folder / "x_0.html").read_text())[1]
        self.assertRegex(shown, r"^Lines show GFLOP/s .* \d\.\d times as fast")
        with mock.patch.dict(CHARTS, clear=True), self.assertRaisesRegex(BadPage, "page.*x.md:1: .* does not say what unroll shows"):
            self.written("{{figure unroll.svg: A caption}}\n")

    def test_every_chart_of_the_table_is_on_a_page(self):
        text = "".join(map(text_of, check.pages())) + page_of(ROOT / "docs" / "results.md")
        self.assertEqual({*re.findall(r"\{\{figure ([\w-]+)\.", text)}, {*CHARTS} - {"chart", "---"})

    def test_every_recorded_page_is_on_a_page(self):
        text = "".join(text_of(page) for page in check.pages())
        self.assertEqual({*re.findall(r"\{\{see (\w+):", text)}, {*seen.PICTURES})
        self.assertEqual({*re.findall(r"\{\{seen (\w+)\}\}", text)}, {*seen.mistaken()})


class Site(InFolder):
    def test_broken_links_are_found(self):
        self.write("a.html", '<a href="b.html#x">1</a><a href="c.html">2</a><img src="d.png"/>')
        self.write("b.html", '<p id="y">')
        self.assertEqual(check.broken_links(self.folder), [
            f"a.html: {what}" for what in ("b.html#x: no such place on that page", "c.html is not there",
                                           "d.png is not there")])


class Order(unittest.TestCase):
    def test_every_page_has_a_place_in_the_sidebar_and_every_place_a_page(self):
        listed = [address for _, group in groups()[:-1] for _, address in group]  # the last one is of Doxygen's lists
        there = {TITLE.match(page.read_text())[1].replace("mainpage", "index") for page in check.pages()} | {"results"}
        self.assertEqual(sorted(listed), sorted(f"{name}.html" for name in there))


PLACE = re.compile(r"^\| `(.*?)` \| `(.*?)` \|", re.MULTILINE)


def missing_places(root):
    """Returns what the files that know every step lack, a line for each."""
    places = PLACE.findall((root / "docs" / "pages" / "how_a_step_is_made.md").read_text())
    found = []
    for step in sorted(path.parent.name for path in root.glob("[0-9][0-9]_*/CMakeLists.txt")):
        for file, text in places:
            file, text = (words.replace("NN_name", step).replace("NN", step[:2]) for words in (file, text))
            file = re.sub(r"\bN\.", f"{int(step[:2])}.", file)
            there = (root / file).read_text() if (root / file).exists() else ""
            if text not in there:
                found.append(f"{file} must contain {text}")
    return found


class Places(InFolder):
    """The page about adding a step: its table, and its first commands as they are written."""

    def test_each_step_is_where_the_page_says(self):
        missing = missing_places(ROOT)
        self.assertFalse(missing, "\n" + "\n".join(missing))

    def test_a_copied_step_is_configured_and_its_places_are_listed(self):
        suite = self.folder / "suite"
        shutil.copytree(ROOT, suite, symlinks=True, ignore=shutil.ignore_patterns(".git", "build", "results", "images"))
        page = (suite / "docs" / "pages" / "how_a_step_is_made.md").read_text()
        *typed, check = page.split("```{.sh}\n")[1].split("```")[0].splitlines()
        self.assertTrue(check.startswith("./run check 12_my_idea "))
        subprocess.run(["bash", "-e", "-c", "\n".join(typed)], cwd=suite, check=True)
        said = missing_places(suite)
        self.assertIn("docs/pages/12_my_idea.md must contain {#step_12}", said)
        self.assertEqual([line for line in said if line.startswith(("CMakeLists.txt", "12_my_idea/CMakeLists.txt"))], [])
        self.assertTrue(all("12" in line for line in said), said)
        folder = suite / "build" / "cpu-check"
        subprocess.run(["cmake", "--preset", "cpu-check", "-DNBODY_TESTS=ON"], cwd=suite, check=True, capture_output=True)
        told = subprocess.run(["ninja", "-t", "commands", "12_my_idea_test"], cwd=folder, text=True, capture_output=True)
        self.assertIn(f"-c {suite}/12_my_idea/forces.cu", told.stdout)


class Recorded(InFolder):
    """Over results that nobody measured."""

    def setUp(self):
        super().setUp()
        self.results = Results()
        self.results.folder = self.folder
        self.write("made.json", json.dumps(DOCUMENT))
        self.write("ncu_made.txt", NCU)
        self.write("paper.json", json.dumps({"near": [{"bodies": 8, "ms": 2.0}], "far": [{"bodies": 9, "ms": 3.0}]}))
        self.write("registers_made.txt", "<32, 2>\tREG:61\tSTACK:0\n<32, 4>\tREG:79\tSTACK:0\n<4, 4>\tREG:40\tSTACK:0\n")

    def test_numbers(self):
        for query, text in (
            ("made block=64 gflops", "12,346"),
            ("made block=64 gflops |.3g", "1.23e+04"),
            ("made block=64 gflops / made 02 block=128 gflops", "12.35"),
            ("made block=64 gflops * 2 / 1e3 |.2f", "24.69"),
            ("made 03 4096 error.median", "1.5e-07"),
            ("made device.fma_tflops", "60"),
            ("made suite.commit", "abc1234"),
            ("ncu_made Eligible Warps Per Scheduler", "5.36"),
            ("ncu_made Cycles", "1,024"),
            ("paper 9 ms", "3"),
            ("registers_made <32, 4>", "79"),
        ):
            self.assertEqual(self.results.text(query), text)
        self.assertEqual(self.results.stamp("made"), "Made-up GPU, CUDA 13.0, N = 1,024 to 4,096, commit abc1234")

    def test_what_was_not_recorded_is_refused(self):
        for query in ("made 02 1024 gflops", "made 05 gflops", "made 03 gflops", "other gflops", "made",
                      "ncu_made Cycl", "ncu_other Cycles", "made 03 error.p99", "paper 02 ms"):
            with self.assertRaises(BadQuery, msg=query):
                self.results.text(query)


class Quotes(InFolder):
    def quoted(self, *arguments):
        self.write("x.cu", CODE)
        with mock.patch.object(quotes, "ROOT", self.folder):
            return quotes.quoted("x.cu", *arguments)

    def test_a_function_comes_with_its_comment(self):
        self.assertEqual(self.quoted("kernel"), CODE[CODE.index("/// A kernel") : CODE.index("#if")])

    def test_a_stretch_ends_with_a_statement(self):
        loop = CODE[CODE.index("#pragma") : CODE.index("  if (n)")]
        self.assertEqual(self.quoted("kernel", '"#pragma"'), loop)
        self.assertEqual(self.quoted("kernel", '"int n" to "for ("'), "  int n = other(i);\n" + loop)
        self.assertEqual(self.quoted("kernel", '"if (n)"'), CODE[CODE.index("  if (n)") : CODE.index("}\n#if")])
        # If several functions have that name, it is the one that has the first words.
        self.assertEqual(self.quoted("twice", '"return 1"'), "  return 1;\n")

    def test_what_is_not_there_just_once_is_refused(self):
        for arguments, problem in ((("kernels",), "function kernels in x.cu: 0 times"), (("other",), "0 times"), (("i",), "0 times"),
                                   (("twice",), "2 times"), (("twice", '"return"'), "2 times"),
                                   (("kernel", '"n = 1"'), "2 times"), (("kernel", '"n = 3"'), "0 times"),
                                   (("kernel", '"for (" to "int n"'), "before"), (("kernel", "for"), "nor"),
                                   (("kernel", '"for (" to "gone"'), "0 times")):
            with self.assertRaisesRegex(ValueError, problem, msg=arguments):
                self.quoted(*arguments)


class Notebook(InFolder):
    def test_its_kernel_is_the_step_s_except_for_the_mistake_and_no_output_is_kept(self):
        cells = [cell for cell in json.loads((ROOT / "docs/notebooks/ladder.ipynb").read_text())["cells"] if cell["cell_type"] == "code"]
        written = self.write("02/forces.cu", "")
        exec(next("".join(cell["source"]) for cell in cells if cell["id"] == "write"),
             {"mine": self.folder, "source": (ROOT / "02_tiled" / "forces.cu").read_text(), "print": str})
        self.assertEqual(written.read_text(), mutant("02_missing_first_barrier").sources()["forces.cu"])
        self.assertEqual([cell["id"] for cell in cells if cell["outputs"]], [])


class Solutions(unittest.TestCase):
    def test_no_solution_is_shown(self):
        self.assertEqual(solutions.problems(), [])

    def test_no_answer_is_in_the_table_of_instructions(self):
        results = Results()
        table = tables.instructions(results)
        for exercise in exercises():
            for question in exercise.questions:
                if not question.fastest:
                    self.assertNotIn(f">{question.best():.2f}<", table, question.name)


def rows(section, kind=""):
    """The cells of the tables of what a paper describes and of what it claims; kind "says": of the claims alone."""
    lines = [line for table in section.split(f"| the paper {kind}")[1:] for line in table.split("\n\n")[0].splitlines()[2:]]
    return [[cell.strip() for cell in re.sub(r"\{\{.*?\}\}", "1", line).strip("|").split("|")] for line in lines]


class ThePapers(unittest.TestCase):
    """docs/pages/papers.md: whether each row leads somewhere and answers, and whether its files are there."""

    def test_each_row_has_a_link_and_an_answer(self):
        for section in PAPERS:
            for row in rows(section):
                self.assertEqual(len(row), 3, row)
                self.assertIn("\\ref ", row[1], row)
                self.assertRegex(row[2], ANSWERS, row)

    def test_the_answers_are_counted(self):
        answers = [row[2] for section in PAPERS for row in rows(section, "says")]
        kind, yes, partly, no, untried = (sum(answer.startswith(word) for answer in answers)
                                          for word in ("yes, in kind", "yes", "partly", "no", "not tried"))
        said = (f"Of the {len(answers)} claims below, {yes} hold ({kind} of them in kind only), {partly} hold in part, {no - untried} do not, "
                f"and {untried} were not tried.")
        self.assertIn(said, " ".join((ROOT / "docs" / "pages" / "papers.md").read_text().split()))

    def test_files_are_there(self):
        self.assertEqual([file for file in FILES.findall("".join(PAPERS)) if not (ROOT / file).exists()], [])

    def test_records_that_a_text_names_are_there(self):
        for text in check.texts():
            for file in re.findall(r"docs/results/[\w./-]+\.(?:json|log|txt|csv|svg)", text.read_text()):
                self.assertTrue((ROOT / file).exists(), f"{text.relative_to(ROOT)}: {file}")
