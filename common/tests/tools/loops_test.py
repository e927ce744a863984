"""Tests which loop of a submission is unrolled, which is inside which, and which are around a line, according to its text."""

import unittest

from common.base.command_line import ROOT
from common.grader.loops import functions_with, line_of_function, lines_of_loops_around, loops_of, nest_problem, without_comments

WHOLE = (ROOT / "03_unrolled" / "forces.cu").read_text()
SOURCES = "    for (int k = 0; k < static_cast<int>(blockDim.x); ++k) {\n"
BODIES = "      for (int b = 0; b < kBodies; ++b)\n"
PRAGMA = "#pragma unroll kUnroll\n"
SUM = "        acceleration[b] = interaction(body[b], tile[k], acceleration[b], softeningSquared);\n"
NEST = PRAGMA + SOURCES + BODIES + SUM + "    }\n"


def changed(after):
    assert WHOLE.count(NEST) == 1
    return WHOLE.replace(NEST, after)


class Texts(unittest.TestCase):
    def test_long_texts_are_read_once(self):
        """Tests a text that would take minutes if each opening were followed to the end."""
        for opening in ('R"(', 'R"a(', "/*", '"\\', "'\\", '"', "//\n", "#"):
            without_comments(opening * ((256 << 10) // len(opening)))

    def test_loops_around_a_line(self):
        first, sources, bodies = (WHOLE[:WHOLE.index(part)].count("\n") + 1 for part in ("  for (int first", SOURCES, BODIES))
        # Also around a parameter and a statement of a function that has no loop itself, which is where a run may be stopped.
        for part in ("real4 bodyJ,", "const real inverse", SUM.strip()):
            line = WHOLE[:WHOLE.index(part)].count("\n") + 1
            self.assertEqual(lines_of_loops_around(WHOLE, line), [first, sources, bodies], part)
        self.assertEqual(lines_of_loops_around(WHOLE, 1), [])
        text = "void f(int a) {\n  do {\n    a++;\n  } while (a);\n  while (a)\n    a++;\n}\nvoid g() { f(1); }\n"
        self.assertEqual([lines_of_loops_around(text, line) for line in (1, 3, 6, 8, 99)], [[], [2], [5], [], []])
        text = "void f(int a) {\n  const auto inside = [&](int i) {\n    return i < a;\n  };\n  while (inside(a))\n    a++;\n}\n"
        self.assertEqual(lines_of_loops_around(text, 3), [5])

    def test_functions_with_a_mark(self):
        text = "/* f() {} */ void f() {\n  for (int a : all(1)) {\n    // TODO\n  }\n}\nvoid g() {}\nvoid h() { /* TODO */ }\n"
        self.assertEqual(functions_with(text, "TODO"), ["f", "h"])
        self.assertEqual([line_of_function(text, name) for name in ("f", "g", "h", "i")], [1, 6, 7, None])

    def test_loops_around_a_line_are_found_in_hostile_texts(self):
        for opening in ("f(", "f(x) {", "do {", "while (", "for (", "f(x) { f(x); ", "f = [", "f = [](x) {"):
            lines_of_loops_around(opening * (65000 // len(opening)), 1)

    def test_comments_and_strings(self):
        text = 'a /* "x" */ b "/* no */" R"d(")" /*)d" // c\n\'"\' d "e\n/* open\n'
        self.assertEqual(without_comments(text), 'a   b "/* no */" R"d(")" /*)d"  \n\'"\' d "e\n\n')


class Loops(unittest.TestCase):
    def problem(self, text):
        return nest_problem(text, "kUnroll", "kBodies")

    def test_what_is_right(self):
        for after in (NEST, NEST.replace("{\n", "\n").replace("    }\n", ""),
                      NEST.replace(PRAGMA, '_Pragma("unroll kUnroll")\n'),
                      NEST.replace("tile[k]", "source").replace(SOURCES, SOURCES + "      const real4 source = tile[k];\n"),
                      NEST.replace("#pragma", "# pragma").replace(BODIES, "#pragma unroll\n" + BODIES),
                      "for (int k = 0; k < blockDim.x; k += kUnroll)\n#pragma unroll\nfor (int u = 0; u < kUnroll; ++u)\n" + BODIES + SUM):
            self.assertIsNone(self.problem(changed(after)), after)

    def test_no_loop_is_unrolled(self):
        for after in (NEST.replace(PRAGMA, ""), NEST.replace(PRAGMA, "#pragma unroll\n"), NEST.replace(PRAGMA, f"// {PRAGMA}"),
                      NEST.replace(PRAGMA, "#pragma unroll 4\n"), (SOURCES + PRAGMA + BODIES + SUM + "    }\n")):
            text, line = self.problem(changed(after))
            self.assertIn("no loop over the sources is unrolled: put '#pragma unroll kUnroll'", text)
            self.assertIsNone(line)

    def test_the_wrong_one_is_outside(self):
        helper = "__device__ real3 sumOf(real4 body, const real4* tile, real3 sum) {\n" + PRAGMA + SOURCES + "}\nreturn sum;\n}\n"
        for text in (changed(BODIES + "{\n" + PRAGMA + SOURCES + SUM + "}\n}\n"), changed(BODIES + PRAGMA + SOURCES + SUM + "}\n"),
                     changed(BODIES + "acceleration[b] = sumOf(body[b], tile, acceleration[b]);").replace(
                         "template <int kUnroll, int kBodies>", helper + "template <int kUnroll, int kBodies>")):
            problem, line = self.problem(text)
            self.assertIn("the loop over the kBodies bodies is the outer loop", problem)
            self.assertIn("kBodies; ++b", text.splitlines()[line - 1])

    def test_broken_text_ends(self):
        for text in ("", "for (", "for (;;) {", "for (;;) for (;;)", "#pragma unroll kUnroll\nfor (", "/* for (", '"for ('):
            self.problem(text)
        long = "for (;;) " * 7000
        self.problem(f"{long[:60000]};")
        self.assertIn("longer than", self.problem(2 * long)[0])
        self.assertEqual([loop.line for loop in loops_of(without_comments("/*\n*/ for (;;) ;\nfor (;;) {}"))], [2, 3])
