"""Tests of what pages take from elsewhere: numbers from recorded results, and code from its file."""

import json
from unittest import mock

from common.tests.tools.case import InFolder
from common.tools.docs import quotes
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
