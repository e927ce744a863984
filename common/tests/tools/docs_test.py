"""Tests of the docs' scripts and of the pages' sources; doxygen is not needed."""

import json
import unittest
from unittest import mock

from common.tests.tools.case import InFolder
from common.tools.docs import check, quotes, tables
from common.tools.docs.pages import BadPage, Pages, page_of
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
            ("warps_made <32, 2>", "32"),  # 64 registers a thread
            ("warps_made <32, 4>", "24"),  # 80, not the 25 that 79 would leave room for
            ("warps_made <4, 4>", "48"),  # 51 by registers, but each scheduler holds whole warps
        ):
            self.assertEqual(self.results.text(query), text)
        self.assertEqual(self.results.stamp("made"), "Made-up GPU, CUDA 13.0, N = 1,024 to 4,096, commit abc1234")

    def test_what_was_not_recorded_is_refused(self):
        for query in ("made 02 1024 gflops", "made 05 gflops", "made 03 gflops", "other gflops", "made",
                      "ncu_made Cycl", "ncu_other Cycles", "made 03 error.p99", "paper 02 ms"):
            with self.assertRaises(BadQuery, msg=query):
                self.results.text(query)


class TheSteps(unittest.TestCase):
    def test_parents_and_diffs(self):
        self.assertIsNone(tables.parent_of("01_naive"))
        self.assertEqual(tables.parent_of("05_triangular_map"), "02_tiled")
        self.assertIn("+  extern __shared__ real4 tile[];", tables.diff("02"))

    def test_a_mutant_has_its_change_and_its_report(self):
        text = tables.mutant("02_early_return")
        self.assertIn("divergent barrier", text)
        self.assertIn('<span class="added">+', text)


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
        # Of several functions of that name, the one that has the first words.
        self.assertEqual(self.quoted("twice", '"return 1"'), "  return 1;\n")

    def test_what_is_not_there_just_once_is_refused(self):
        for arguments, problem in ((("kernels",), "function kernels in x.cu: 0 times"), (("other",), "0 times"), (("i",), "0 times"),
                                   (("twice",), "2 times"), (("twice", '"return"'), "2 times"),
                                   (("kernel", '"n = 1"'), "2 times"), (("kernel", '"n = 3"'), "0 times"),
                                   (("kernel", '"for (" to "int n"'), "before"), (("kernel", "for"), "nor"),
                                   (("kernel", '"for (" to "gone"'), "0 times")):
            with self.assertRaisesRegex(ValueError, problem, msg=arguments):
                self.quoted(*arguments)


class ThePages(InFolder):
    def written(self, text):
        pages = Pages(Results(), self.folder)
        pages.write("x.md", text)
        return (pages.pages / "x.md").read_text(), {p.name for p in pages.generated.iterdir()}

    def test_a_line_stays_a_line(self):
        text, made = self.written("a\n{{table 02}}\n{{gems 31.4.1: 163 GFLOP/s}}\n")
        self.assertEqual(text.splitlines()[:2], ["a", "\\htmlinclude[block] table_02.html"])
        self.assertIn("section 31.4.1", text)
        self.assertEqual(made, {"table_02.html"})

    def test_what_is_not_recorded_is_left_out_and_lines_stay_where_they_are(self):
        parts = "{{if %s}}\n{{gems 1: yes}}\n{{else}}\n{{gems 2: no}} {{nonsense}}\n{{end}}\nafter\n"
        text, _ = self.written(parts.replace("{{nonsense}}", "") % "ladder 04 262144 gflops")
        self.assertEqual([bool(line) for line in text.splitlines()], [False, True, False, False, False, True])
        text, _ = self.written(parts.replace("{{gems 1: yes}}", "{{nonsense 04 gflops}}") .replace(" {{nonsense}}", "")
                               % "nonsense 04 gflops")
        self.assertEqual([bool(line) for line in text.splitlines()], [False, False, False, True, False, True])
        self.assertIn("no</span>", text)
        with self.assertRaises(BadPage):
            self.written(parts % "nonsense 04 gflops")

    def test_code_is_included_from_a_file_of_its_own(self):
        text, made = self.written("a\n{{quote 01_naive/forces.cu interaction}}\n")
        self.assertEqual(text, "a\n\\include 01_naive_forces_cu_interaction.cu\n")
        self.assertEqual(made, {"01_naive_forces_cu_interaction.cu"})

    def test_a_mistake_names_its_line(self):
        for mistake in ("{{ladder 04 3 gflops}}", "{{diagram none: x}}", "{{mutant none}}", "{{table 09}}",
                        "{{quote 01_naive/forces.cu}}", "{{quote 01_naive/forces.cu x}}", "{{quote 01_naive/x x}}"):
            with self.assertRaisesRegex(BadPage, r"docs/pages/x.md:2: "):
                self.written(f"a\n{mistake}\n")

    def test_a_file_of_its_own_becomes_a_page(self):
        page = self.write("name.md", "# A b\n[01_x](../common/x.patch)\n")
        self.assertEqual(page_of(page), "# A b {#name}\n`01_x`\n")
        page.write_text("![A b](results/h200/x.png)\n[data](results/h200) [c](pages/d.md)\n")
        self.assertEqual(page_of(page), '{{figure x.png: A b}}\n`data` \\ref d "c"\n')

    def test_the_sources_keep_the_rules(self):
        self.assertEqual(check.source_problems(), [])


class Checks(InFolder):
    def problems(self, text, name="page.md"):
        with mock.patch.object(check, "pages", lambda: [self.write(name, text)]):
            return check.source_problems()

    def test_pasted_code_is_found(self):
        for text in ("```cpp\nint x;\n```\n", "```\nx\n```\n", "    int x;\n", "\\code\nx\n\\endcode\n"):
            self.assertEqual(len(self.problems(text)), 1, text)
        self.assertEqual(self.problems("```{.sh}\n./run ladder\n```\n{{quote 02_tiled/forces.cu forcesKernel}}\n"), [])

    def test_typed_numbers_are_found(self):
        for text in ("It reaches 41,455 GFLOP/s.", "0.137 ms", "63% of it", "1.97 GHz"):
            self.assertEqual(len(self.problems(text)), 1, text)
        self.assertEqual(self.problems("{{ladder 04 262144 gflops}} GFLOP/s, {{gems 31.4.1: 163 GFLOP/s}}"), [])

    def test_links_have_words_of_their_own(self):
        for text in ("the row of \\ref mainpage.", "In \\ref step_06 it"):
            self.assertEqual(len(self.problems(text)), 1, text)
        self.assertEqual(self.problems('In \\ref step_06 "step 06" it'), [])

    def test_bold_code_is_found(self):
        self.assertEqual(len(self.problems("**`--movie`**: a file")), 1)
        self.assertEqual(self.problems("**Movies**, `--movie`"), [])

    def test_what_is_written_from_a_record_is_not_typed(self):
        text = "<!-- a: begin (written by us) -->\n1.97 GHz\n<!-- a: end -->\n"
        self.assertEqual(self.problems(text), [])
        self.assertEqual(len(self.problems(text + "1.97 GHz\n")), 1)

    def test_words_are_those_of_a_reader(self):
        text = "# One two\n\nThree \\f$ a + b \\f$ five.\n\n\\f[ x \\f]\n{{table 01}}\n{{diagram a: six seven}}\n"
        self.assertEqual(check.words(text), 7)
        self.assertEqual(len(self.problems("short", "01_short.md")), 1)

    def test_columns_of_a_recorded_table_come_closer(self):
        self.assertEqual(tables.narrowed(["    barrier      inst     0.28", "    ---------- ------ --------", "    wait            %    74.44"]),
                         ["barrier  inst   0.28", "------------- ------", "wait        %  74.44"])

    def test_broken_links_are_found(self):
        self.write("a.html", '<a href="b.html#x">1</a><a href="c.html">2</a><img src="d.png"/>')
        self.write("b.html", '<p id="y">')
        self.assertEqual(check.broken_links(self.folder), [
            f"a.html: {what}" for what in ("b.html#x: no such place on that page", "c.html is not there",
                                           "d.png is not there")])
