"""Tests of the docs' scripts and of the pages' sources; doxygen is not needed."""

import unittest
from unittest import mock

from common.tests.tools.case import InFolder
from common.tools.docs import check, tables
from common.tools.docs.pages import BadPage, Pages, page_of
from common.tools.docs.results import Results


class TheSteps(unittest.TestCase):
    def test_parents_and_diffs(self):
        self.assertIsNone(tables.parent_of("01_naive"))
        self.assertEqual(tables.parent_of("05_triangular_map"), "02_tiled")
        self.assertIn("+  extern __shared__ real4 tile[];", tables.diff("02"))

    def test_a_mutant_has_its_change_and_its_report(self):
        text = tables.mutant("02_early_return")
        self.assertIn("divergent barrier", text)
        self.assertIn('<span class="added">+', text)


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
                        "{{quote 01_naive/forces.cu x}}", "{{quote 01_naive/x x}}"):
            with self.assertRaisesRegex(BadPage, r"docs/pages/x.md:2: "):
                self.written(f"a\n{mistake}\n")

    def test_a_file_of_its_own_becomes_a_page(self):
        page = self.write("name.md", "# A b\n[01_x](../common/x.patch)\n")
        self.assertEqual(page_of(page), "# A b {#name}\n`01_x`\n")
        page.write_text("![A b](results/h200/x.png)\n[data](results/h200) [c](pages/d.md)\n")
        self.assertEqual(page_of(page), '{{figure x.png: A b}}\n`data` \\ref d "c"\n')

    def test_the_sources_keep_the_rules(self):
        self.assertEqual(check.source_problems(), [])

    def test_no_number_is_typed_that_a_record_could_give(self):
        self.assertEqual(check.number_problems(Results()), [])

    def test_comments_say_where_a_time_is_recorded(self):
        self.assertEqual(check.comment_problems(), [])


class Checks(InFolder):
    def problems(self, text, name="page.md"):
        with mock.patch.object(check, "pages", lambda: [self.write(name, text)]):
            return check.source_problems()

    def test_pasted_code_is_found(self):
        for text in ("```cpp\nint x;\n```\n", "```\nx\n```\n", "    int x;\n", "\\code\nx\n\\endcode\n"):
            self.assertEqual(len(self.problems(text)), 1, text)
        self.assertEqual(self.problems("```{.sh}\n./run ladder\n```\n{{quote 02_tiled/forces.cu forcesKernel}}\n"), [])

    def numbers(self, text):
        with mock.patch.object(check, "texts", lambda: [self.write("page.md", text)]):
            return check.number_problems(Results())

    def test_typed_numbers_are_found(self):
        for text in ("It reaches 41,455 GFLOP/s.", "0.137 ms", "63% of it", "1.97 GHz", "1.7 times", "an error of 1.2e-4",
                     "63%<!-- measured -->"):
            self.assertEqual(len(self.numbers(text)), 1, text)
        self.assertEqual(self.numbers("{{ladder 04 262144 gflops}} GFLOP/s, {{gems 31.4.1: 163 GFLOP/s}}, `--dt 0.1 ms`"), [])

    def test_a_number_with_its_query_is_what_is_recorded(self):
        query = "ladder 04 262144 gflops |.0f"
        self.assertEqual(self.numbers(f"{Results().text(query)}<!--= {query} --> GFLOP/s"), [])
        for text in (f"1.5<!--= {query} --> GFLOP/s", "1<!--= ladder 04 3 gflops --> GFLOP/s"):
            self.assertRegex(self.numbers(text)[0], "is recorded as")

    def test_a_time_in_a_comment_needs_a_source(self):
        def problems(text):
            self.write("common/a/b.cpp", text)
            with mock.patch.object(check, "ROOT", self.folder), mock.patch.object(check, "shown_path", str):
                return check.comment_problems()

        self.assertEqual(len(problems("int x;\n// It takes\n// 3 ms here.\nint y;  // 5 us\n")), 2)
        self.assertEqual(problems("// It takes 3 ms\n// (docs/results/h200/a.log).\nint ms = 3;\n"), [])

    def test_links_have_words_of_their_own(self):
        for text in ("the row of \\ref mainpage.", "In \\ref step_06 it"):
            self.assertEqual(len(self.problems(text)), 1, text)
        self.assertEqual(self.problems('In \\ref step_06 "step 06" it'), [])

    def test_bold_code_is_found(self):
        self.assertEqual(len(self.problems("**`--movie`**: a file")), 1)
        self.assertEqual(self.problems("**Movies**, `--movie`"), [])

    def test_what_is_written_from_a_record_is_not_typed(self):
        text = "<!-- a: begin (written by us) -->\n1.97 GHz\n<!-- a: end -->\n"
        self.assertEqual(self.numbers(text), [])
        self.assertEqual(len(self.numbers(text + "1.97 GHz\n")), 1)

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
