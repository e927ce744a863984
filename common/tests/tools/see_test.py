"""Tests of the page that shows what threads do: its columns, costs, names, values and verdicts, and the page in a browser."""

import collections
import contextlib
import copy
import io
import json
import re
import struct
import subprocess
import unittest
from pathlib import Path
from types import SimpleNamespace

from common.base.command_line import ROOT, script
from common.executor.checker import see
from common.executor.checker.see import Event
from common.grader import seen
from common.grader.sandbox.limited_run import run_limited
from common.tests.tools.case import BrowserTest, InFolder, call, shown_in, skip_without_browser
from common.tools.cuda import cuda
from common.tools.cuda.counts import counted
from common.tools.docs import browser

PROGRAMS = ROOT / "common" / "executor" / "tests" / "programs"
SHOWN = PROGRAMS / "what_threads_do.cu"
# Programs with and without mistakes. A run that records must report the same, as programs_test.py tests of all programs.
SAME = ["what_threads_do.cu", "bounds.cu"]
ACCESS = {"r": "load", "w": "store", "a": "atomic"}


def event(number, thread, code, kind="r"):
    return Event(kind, number, thread, -1 if kind in "BCW" else 0, 4 * thread, 4, code, code, 0, "", "")


def program_of(file):
    return str(cuda.compiled(SimpleNamespace(file=str(file), compile="", counts=False), "check"))


class Columns(unittest.TestCase):
    def codes(self, events, threads):
        placed, barriers, end = see.columns_of(events, threads)
        return [(column, request[0].code, len(request)) for column, request in placed], [column for column, _ in barriers], end

    def test_lanes_at_one_instruction_make_a_request(self):
        self.assertEqual(self.codes([event(2 * code + thread, thread, code) for code in (0, 1) for thread in (0, 1)], 2),
                         ([(0, 0, 2), (1, 1, 2)], [], 2))

    def test_branches_come_one_after_the_other(self):
        events = [event(0, 0, 10), event(1, 1, 20), event(2, 0, 11), event(3, 0, 30), event(4, 1, 30)]
        self.assertEqual(self.codes(events, 2)[0], [(0, 10, 1), (1, 11, 1), (2, 20, 1), (3, 30, 2)])

    def test_warps_go_side_by_side_up_to_a_barrier(self):
        events = [event(0, 0, 1), event(1, 32, 1), event(2, 32, 2), event(3, 0, 9, "B"), event(4, 32, 9, "B"), event(5, 0, 3)]
        self.assertEqual(self.codes(events, 33), ([(0, 1, 1), (0, 1, 1), (1, 2, 1), (3, 3, 1)], [2], 4))

    def test_a_warp_that_waited_comes_after_what_has_happened_by_then(self):
        events = [event(0, 0, 5, "C"), event(1, 32, 1), event(2, 32, 2), event(3, 32, 3), event(4, 0, 4)]
        self.assertEqual([one for one in self.codes(events, 33)[0] if one[1] == 4], [(3, 4, 1)])

    def test_a_struct_has_its_members(self):
        text = "struct A { float3 p; int k[2]; void f() { int x = 1; } double m; };"
        self.assertEqual(see.type_of("A", 32, text)[0], [("p.x", 0, "f"), ("p.y", 4, "f"), ("p.z", 8, "f"), ("k[0]", 12, "i"),
                                                         ("k[1]", 16, "i"), ("m", 24, "d")])
        self.assertIsNone(see.type_of("A", 40, text))
        self.assertEqual(see.type_of("B", 48, text + " struct B { char c; float4 v; A* a; short s, t[2]; };")[0],
                         [("c", 0, "b"), ("v.x", 16, "f"), ("v.y", 20, "f"), ("v.z", 24, "f"), ("v.w", 28, "f"), ("a", 32, "Q"),
                          ("s", 40, "h"), ("t[0]", 42, "h"), ("t[1]", 44, "h")])


class Pages(InFolder):
    @classmethod
    def setUpClass(cls):
        cls.program = program_of(SHOWN)

    def page(self, file=SHOWN, **choice):
        path = self.folder / "page.html"
        with contextlib.redirect_stdout(io.StringIO()):
            see.record(path, [self.program if file == SHOWN else program_of(file)], source=file, is_quiet=True, **choice)
        return shown_in(path)

    def test_requests_and_costs_are_those_of_counts(self):
        own, theirs = collections.Counter(), collections.Counter()
        for launch in self.page()["launches"]:
            for block in launch["blocks"]:
                for request in block["requests"]:
                    if request["k"] in ACCESS:
                        line, space = f"programs/{SHOWN.name}:{request['p'][0][1]}", block["arrays"][request["a"]]["space"]
                        key = line, space, ACCESS[request["k"]]
                        own.update({(*key, what): n for what, n in zip(("requests", "cost", "least"), (1, *request["x"]))})
        _, document = counted([self.program], stdout=subprocess.DEVNULL)
        for kernel in document["kernels"]:
            for one in kernel["accesses"]:
                costs = one["requests"], one["sectors"] + one["wavefronts"], one["least_sectors"] + one["least_wavefronts"]
                key = one["line"].partition(" ")[0], one["memory"], one["access"]
                theirs.update({(*key, what): n for what, n in zip(("requests", "cost", "least"), costs)})
        self.assertGreater(len(own), 40)
        self.assertEqual(own, theirs)

    def test_names_types_shapes_and_values_are_the_kernels(self):
        weigh, turn, count, exchange, meet = (launch["blocks"][0] for launch in self.page()["launches"])
        names = [(array["name"], array["host"]) for array in turn["arrays"]]
        self.assertEqual(names, [("in", "d_in"), ("tile", "tile"), ("out", "d_out")])
        self.assertEqual([array["width"] for array in turn["arrays"]], [8, 8, 8])
        members = [name for name, *_ in weigh["arrays"][0]["members"]]
        self.assertEqual(members, ["place.x", "place.y", "place.z", "kind", "mass"])
        self.assertEqual([struct.unpack("<f", bytes.fromhex(value))[0] for value in weigh["requests"][-1]["n"]], [0, 6, 12, 18, 24, 30])
        costs = [request["x"][:2] for request in turn["requests"] if request["k"] == "r" and request["a"] == 1]
        self.assertEqual(costs, [[2, 1]] * 2)
        first = next(request for request in count["requests"] if request["k"] == "w")  # of own[4], which begins in bank 0
        self.assertEqual(first["x"][2], [1] * 4 + [0] * 28)
        self.assertEqual({request["name"] for request in exchange["requests"] if request["k"] == "S"}, {"__shfl_sync()"})
        self.assertEqual([array["name"] for array in meet["arrays"] if array["barrier"] and not array["used"]], ["barrier"])
        last = next(k for k, array in enumerate(meet["arrays"]) if array["name"] == "last")
        written, read = ({request["c"] for request in meet["requests"] if request["k"] == kind and request["a"] == last}
                         for kind in "wr")
        waited = {request["c"] for request in meet["requests"] if request["k"] == "C"}
        self.assertLess(max(written), min(waited))
        self.assertLess(min(waited), min(read))

    def test_a_matrix_has_its_rows_also_if_a_row_of_threads_is_a_warp(self):
        block = self.page(ROOT / "02_tiled" / "exercises" / "transpose.cu", block=0)["launches"][0]["blocks"][0]
        self.assertEqual({array["name"]: array["width"] for array in block["arrays"]}, {"in": 128, "tile": 33, "out": 128})

    def test_a_barrier_at_which_all_threads_meet_is_no_mistake(self):
        wrong = [barrier for launch in self.page(PROGRAMS / "divergence.cu")["launches"] for block in launch["blocks"]
                 for barrier in block["barriers"] if barrier["bad"]]
        self.assertTrue(wrong)
        self.assertTrue(all(barrier["missing"] or len(barrier["at"]) > 1 for barrier in wrong), wrong)

    def test_bank_conflicts_have_a_remedy_that_the_banks_allow(self):
        turn, = self.page(launch=1, block=0)["launches"]
        self.assertIn("In blocks with 32 threads in a row instead of 8", turn["blocks"][0]["slow"][0]["remedy"])
        square = self.write("square.cu", "__global__ void turn(int* out) {\n  __shared__ int tile[32][32];\n  extern __shared__ int more[];\n"
                            "  tile[threadIdx.y][threadIdx.x] = 1;\n  more[32 * threadIdx.x] = 2;\n  __syncthreads();\n"
                            "  *out = tile[threadIdx.x][threadIdx.y];\n}\nint main() {\n  int* out;\n  cudaStream_t stream;\n"
                            "  cudaStreamCreate(&stream);\n  cudaMalloc(&out, 4);\n"
                            "  turn<<<1, dim3(32, 32), 4096, stream>>>(out);\n  cudaStreamSynchronize(stream);\n  cudaFree(out);\n"
                            "  cudaStreamDestroy(stream);\n}\n")
        launch, = self.page(square)["launches"]
        self.assertEqual(launch["shared"], 4096)
        self.assertNotEqual(launch["stream"], 0)
        remedies = {launch["blocks"][0]["arrays"][line["a"]]["name"]: line["remedy"] for line in launch["blocks"][0]["slow"]}
        self.assertIn("Give tile rows of 33 elements instead of 32", remedies["tile"])
        self.assertIn("elements that are 32 apart", remedies["more"])

    def test_arrays_without_a_name_have_numbers_and_the_missed_one_is_shown(self):
        unnamed = self.write("unnamed.cu", "void* grab() {\n  void* q = nullptr;\n"
                             "  return (cudaMalloc)(&q, 32) == cudaSuccess ? q : nullptr;\n}\n"
                             "struct Two { float* of[2]; };\n__global__ void copy(Two two, int n) {\n  int i = threadIdx.x;\n"
                             "  two.of[1][i] = two.of[0][i] + 1;\n  if (i == 7) two.of[1][i + n] = 0;\n}\nint main() {\n"
                             "  Two two = {{(float*)grab(), (float*)grab()}};\n  cudaMemset(two.of[0], 0, 32);\n"
                             "  copy<<<1, 8>>>(two, 1);\n  cudaDeviceSynchronize();\n  cudaFree(two.of[0]);\n  cudaFree(two.of[1]);\n}\n")
        launch, = self.page(unnamed)["launches"]
        block, = launch["blocks"]
        self.assertEqual([array["name"] for array in block["arrays"]], ["array 1", "array 2"])
        self.assertEqual((block["stop"]["a"], block["stop"]["i"], block["stop"]["what"]), (1, 8, "array 2[8]"))

    def test_each_file_has_one_name(self):
        page = self.page(PROGRAMS / "bounds.cu")
        self.assertEqual(len({Path(name).name for name in page["files"]}), len(page["files"]))
        stops = [block["stop"]["p"][0][0] for launch in page["launches"] for block in launch["blocks"] if block["stop"]]
        self.assertTrue(stops)
        self.assertLessEqual(set(stops), set(page["files"]))

    def test_two_races_of_one_step_have_their_own_arrays(self):
        matmul = self.write("matmul.cu", "__global__ void matmul(const float* A, float* C) {\n"
                            "  __shared__ float as[8][8], bs[8][8];\n"
                            "  int x = threadIdx.x, y = threadIdx.y;\n  float sum = 0;\n  for (int m = 0; m < 2; ++m) {\n"
                            "    as[y][x] = A[8 * y + x];\n    bs[y][x] = A[8 * x + y];\n    __syncthreads();\n"
                            "    for (int k = 0; k < 8; ++k) sum += as[y][k] * bs[k][x];\n  }\n"
                            "  C[8 * y + x] = sum;\n}\nint main() {\n  float *a, *c;\n  cudaMalloc(&a, 256);\n  cudaMalloc(&c, 256);\n  cudaMemset(a, 0, 256);\n"
                            "  matmul<<<1, dim3(8, 8)>>>(a, c);\n  cudaDeviceSynchronize();\n  cudaFree(a);\n  cudaFree(c);\n}\n")
        self.assertEqual(sorted(text for _, text in self.page(matmul)["found"]),
                         ["race on shared memory: as[0][0]", "race on shared memory: bs[0][0]"])

    def test_a_struct_is_read_before_its_copy_is_written(self):
        program = self.write("copies.cu", "struct Two { float4 a, b; };\n__global__ void copy(const Two* in, Two* out) {\n"
                             "  __shared__ Two tile[1];\n  tile[0] = in[0];\n  Two own = tile[0];\n  own.a.y += 1;\n  out[0] = own;\n}\n"
                             "int main() {\n  Two *in, *out;\n  cudaMallocManaged(&in, 32);\n  cudaMallocManaged(&out, 32);\n"
                             "  *in = {{1, 2, 3, 4}, {5, 6, 7, 8}};\n  copy<<<1, 1>>>(in, out);\n  cudaDeviceSynchronize();\n"
                             "  cudaFree(in);\n  cudaFree(out);\n}\n")
        block, = self.page(program)["launches"][0]["blocks"]
        held = collections.defaultdict(str)
        for request in block["requests"]:
            held[request["k"] + block["arrays"][request["a"]]["name"]] += (request["n"] if request["k"] == "w" else request["v"])[0]
        self.assertEqual(list(held), ["rin", "wtile", "rtile", "wout"])
        given, changed = (struct.pack("<8f", 1, second, *range(3, 9)).hex() for second in (2, 3))
        self.assertEqual([*held.values()], [given, given, given, changed])

    def test_lanes_that_wait_for_a_lock_come_one_after_the_other(self):
        lock = self.write("lock.cu", "__device__ int lock;\n__global__ void append(int* list, int* length) {\n"
                          "  for (bool done = false; !done;) {\n    if (atomicCAS(&lock, 0, 1) != 0) continue;\n    __threadfence();\n"
                          "    list[(*length)++] = threadIdx.x;\n    __threadfence();\n    atomicExch(&lock, 0);\n    done = true;\n  }\n"
                          "}\nint main() {\n  int *list, *length;\n  cudaMalloc(&list, 32);\n  cudaMalloc(&length, 4);\n"
                          "  cudaMemset(length, 0, 4);\n  append<<<1, 8>>>(list, length);\n  cudaDeviceSynchronize();\n"
                          "  cudaFree(list);\n  cudaFree(length);\n}\n")
        block, = self.page(lock)["launches"][0]["blocks"]
        lengths = [(request["t"], request["v"]) for request in block["requests"]
                   if request["k"] == "r" and block["arrays"][request["a"]]["name"] == "length"]
        self.assertEqual(lengths, [([thread], [f"{thread:02x}000000"]) for thread in range(8)])

    def test_an_update_in_a_loop_shows_the_attempts_that_fail_and_the_one_that_counts(self):
        most = self.write("most.cu", "__device__ int most;\n__global__ void find() {\n  int old = most, expected;\n  do {\n"
                          "    expected = old;\n    old = atomicCAS(&most, expected, max(expected, threadIdx.x + 1));\n"
                          "  } while (old != expected);\n}\nint main() {\n  find<<<1, 2>>>();\n  cudaDeviceSynchronize();\n}\n")
        block, = self.page(most)["launches"][0]["blocks"]
        attempts = [(t, v, n) for request in block["requests"] if request["k"] == "a"
                    for t, v, n in zip(request["t"], request["v"], request["n"])]
        zero, one, two = (f"0{value}000000" for value in range(3))
        self.assertEqual(attempts, [(0, zero, one), (1, one, one), (1, one, two)])

    def test_a_launch_and_a_block_can_be_chosen(self):
        self.assertEqual([launch["kernel"] for launch in self.page(launch=1, block=0)["launches"]], ["turn"])

    def test_a_block_with_too_many_events_keeps_whole_warps(self):
        many = self.write("many.cu", "__global__ void many(float* x) {\n  for (int i = 0; i < 100; ++i) x[threadIdx.x] += 1;\n}\n"
                                   "int main() {\n  float* x;\n  cudaMalloc(&x, 1024);\n  cudaMemset(x, 0, 1024);\n"
                                   "  many<<<1, 256>>>(x);\n  cudaDeviceSynchronize();\n  cudaFree(x);\n}\n")
        block, = self.page(many)["launches"][0]["blocks"]
        counts = collections.Counter(request["k"] for request in block["requests"])
        kept = (256 - len(block["left"])) // 32
        self.assertEqual((counts["r"], counts["w"], block["cut"]), (100 * kept, 100 * kept, False))
        self.assertGreater(kept, 0)
        self.assertEqual(block["left"], list(range(32 * kept, 256)))
        self.assertTrue(block["changes"])

    def test_a_run_that_records_reports_the_same(self):
        page = self.folder / "page.html"
        for name in SAME:
            with self.subTest(program=name):
                program_of(PROGRAMS / name)  # whose progress would be on stderr
                plain, seen = (subprocess.run([*script("tools.cuda.cuda"), *words, PROGRAMS / name], capture_output=True,
                                              text=True) for words in ([], ["--see", "--page", page]))
                said = re.sub("^executor: no report in .*\n", "", plain.stderr, flags=re.MULTILINE)  # where there is no page
                self.assertEqual((seen.returncode, seen.stderr, seen.stdout.replace(f"See it: {page.as_uri()}\n", "")),
                                 (plain.returncode, said, plain.stdout))
                shown = shown_in(page)
                self.assertEqual(len(shown["found"]), len(see.REPORT.findall(said)))
                red = any(block["races"] or block["stop"] for launch in shown["launches"] for block in launch["blocks"])
                self.assertEqual(red, bool(re.search("^executor: (race|out of bounds)", plain.stderr, re.MULTILINE)))

    def test_it_has_the_reports_without_scripts(self):
        self.page(PROGRAMS / "races.cu")
        self.assertIn("<pre>race on ", (self.folder / "page.html").read_text().partition("<script>")[0])

    def test_a_report_and_its_picture_are_of_one_access(self):
        page = self.page(PROGRAMS / "races.cu")
        for place, text in page["found"]:
            with self.subTest(report=text):
                number, k, column, thread = map(int, place.split("."))
                block = page["launches"][number]["blocks"][k]
                race = next(race for race in block["races"] if (race["c"], race["t"]) == (column, thread))
                self.assertTrue(text.endswith(f": {see.element_name(block['arrays'][race['a']], race['o'])}"), race)
                _, told = next(one for one in zip(page["found"], see.REPORT.findall(page["report"])) if one[0] == [place, text])
                self.assertEqual(race["hint"], told.splitlines()[-2].strip())

    def test_a_race_says_what_is_missing(self):
        hints = {race["hint"] for launch in self.page(PROGRAMS / "races.cu")["launches"] for block in launch["blocks"]
                 for race in block["races"] if not race["place"]}
        self.assertTrue(any(hint.startswith("A __syncthreads() is missing") for hint in hints), hints)

    def test_a_program_that_aborts_has_a_page_too(self):
        aborts = self.write("aborts.cu", "#include <cassert>\n__global__ void set(int* x) { *x = 1; }\nint main() {\n  int *x, y;\n"
                            "  cudaMalloc(&x, 4);\n  set<<<1, 1>>>(x);\n  cudaMemcpy(&y, x, 4, cudaMemcpyDefault);\n"
                            "  cudaFree(x);\n  assert(y == 2);\n}\n")
        self.assertEqual([launch["kernel"] for launch in self.page(aborts)["launches"]], ["set"])

    def test_each_mistake_has_its_step(self):
        for name in ("races.cu", "bounds.cu"):
            for place, text in self.page(PROGRAMS / name)["found"]:
                with self.subTest(program=name, report=text):
                    # The page shows no kernel that uses no array.
                    self.assertEqual(place is None, text.startswith(("texture: ", "trap: ")))


HOSTILE = {"launch": 0, "kernel": "</script><img src=x onerror=HACK>", "file": "/etc/passwd", "line": 1, "grid": [1, 1, 1],
           "threads": [1, 1, 1], "shared": 0, "stream": 0}
BLOCK = {"of": 0, "block": [0, 0, 0], "cut": False, "left_out": 0, "contents": [[0, 0, "00000000"]], "races": [], "stop": None,
         "waits": [], "costs": [[1, 1]], "events": [["r", 0, 0, 0, 0, 4, 0, 0, 0, "00000000", ""]],
         "arrays": [{"name": "<script>HACK</script>", "host": "<b onclick=HACK>", "space": "global", "bytes": 4, "element": 4,
                     "row": 0, "from": 0, "skew": 0, "type": None, "order": 0}]}
CODE = {"code": {"0": [["/etc/passwd", 1]]}}


class Recordings(InFolder):
    """Recordings that a sandbox has written: they may say anything."""

    def made(self, text):
        """Returns (how it ended, the page's text or None) of the process that reads this recording."""
        recording, report, page = self.write("see.jsonl", text), self.write("report.txt", "executor: race"), self.folder / "page.html"
        page.unlink(missing_ok=True)
        ended = run_limited(see.command(recording, report, page, self.write("own.cu", "own text"), [self.folder / "own.cu"]),
                            seen.PAGE_SECONDS, memory=seen.PAGE_MEMORY)
        return ended, page.read_text() if page.exists() else None

    def lines(self, launch={}, block={}, code=CODE):
        return "\n".join(map(json.dumps, [{**HOSTILE, **launch}, {**BLOCK, **block}, code]))

    def test_names_are_text_and_only_files_that_were_handed_in_are_shown(self):
        ended, text = self.made(self.lines())
        self.assertIsNotNone(text, ended)
        self.assertEqual((text.count("<script"), "<img" in text, "<b onclick" in text), (2, False, False))
        self.assertNotIn(Path("/etc/passwd").read_text().splitlines()[0], text)
        self.assertIn("own text", self.made(self.lines(code={"code": {"0": [["own.cu", 1]]}}))[1])

    def test_nonsense_has_no_page_and_an_end(self):
        deep = "[" * 100_000
        for text in ("", "{", "null", deep, self.lines({"threads": [1 << 60, 1, 1]}), self.lines({"threads": "many"}),
                     self.lines(block={"of": 7}), self.lines(block={"costs": []}), self.lines(block={"events": [["r"]]})):
            ended, page = self.made(text)
            self.assertIsNone(page, text[:80])
            self.assertIsNotNone(ended.status, text[:80])

    def test_a_program_may_print_zero_bytes(self):
        program = self.program("prints", "import sys; sys.exit('executor: race \\0')")
        status, out, _ = call(see.record, self.folder / "page.html", [str(program)])
        self.assertEqual(status, 1)
        self.assertIn("There is nothing to see", out)


class InABrowser(BrowserTest, InFolder):
    @classmethod
    def setUpClass(cls):
        skip_without_browser()
        super().setUpClass()

    def setUp(self):
        super().setUp()
        self.page = self.folder / "page.html"

    def show(self, source):
        """Opens the page of a program, and returns what runs a script in it."""
        see.record(self.page, [program_of(source)], source=source, is_quiet=True)
        self.browser.get("about:blank")  # so that the next page does not keep the place of the one before
        self.browser.get(self.page.as_uri())
        return self.browser.execute_script

    def test_a_hostile_recording_is_only_shown(self):
        lines = [{**HOSTILE, "kernel": HOSTILE["kernel"].replace("HACK", "document.title='hacked'")}, BLOCK, CODE]
        self.page.write_text(see.page_text(see.document(copy.deepcopy(lines), "executor: race <img src=x onerror=document.title='hacked'>", self.page)))
        self.browser.get(self.page.as_uri())
        self.assertIn("onerror", self.browser.execute_script("return document.getElementById('title').textContent"))
        self.assertEqual(self.browser.execute_script("return document.querySelectorAll('img, #title script, #stage script').length"), 0)
        self.assertNotIn("hacked", self.browser.title.replace("'hacked'", ""))

    def test_a_misaligned_address_is_inside_its_array(self):
        source = self.write("misaligned.cu", "__global__ void load(const float* in, float4* out) {\n  *out = *(const float4*)(in + 1);\n}\n"
                            "int main() {\n  float* in;\n  cudaMalloc(&in, 256);\n  cudaMemset(in, 0, 256);\n"
                            "  load<<<1, 1>>>(in, (float4*)in);\n  cudaDeviceSynchronize();\n  cudaFree(in);\n}\n")
        text = self.show(source)("return document.getElementById('now').textContent")
        self.assertRegex(text, r"Misaligned address in line 2: thread 0 reads in/out\[1\]\.")

    def test_the_first_sentence_names_the_mistake(self):
        for name in ("races.cu", "bounds.cu", "divergence.cu"):
            run = self.show(PROGRAMS / name)
            for _ in range(run("return mistakes.length")):
                text, is_red = run("nextMistake(); const one = document.querySelector('#now > :not(pre)');"
                                   "return [one.textContent, one.matches('.bad, :has(> .bad:first-child)')];")
                self.assertTrue(is_red, f"{name}: {text}")

    def test_an_element_before_those_that_are_shown_is_no_problem(self):
        source = self.write("far.cu", "__global__ void copy(int* x) {\n  x[9000] = 5;\n  x[0] = x[9000];\n}\nint main() {\n  int* x;\n"
                            "  cudaMalloc(&x, 40000);\n  copy<<<1, 1>>>(x);\n  cudaDeviceSynchronize();\n  cudaFree(x);\n}\n")
        self.assertIn("writes x[0] = 5", self.show(source)("go(2); return document.getElementById('now').textContent"))

    def test_it_opens_at_a_mistake_and_obeys_the_keys(self):
        run = self.show(PROGRAMS / "races.cu")
        at = lambda: run("return location.hash").lstrip("#").split(".")
        first = at()
        self.assertIn("Race", run("return document.getElementById('now').textContent"))
        self.assertEqual(first[:3], shown_in(self.page)["found"][0][0].split(".")[:3])
        for key, check in (("ArrowRight", lambda: int(at()[2]) >= int(first[2])), ("Home", lambda: at()[2] == "0"),
                           ("Escape", lambda: at()[3:] == []), ("ArrowDown", lambda: at()[3:] == ["0"]), ("Escape", lambda: at()[3:] == [])):
            run("document.body.dispatchEvent(new KeyboardEvent('keydown', { key: arguments[0], bubbles: true }))", key)
            self.assertTrue(check(), (key, at()))
        self.browser.find_element("css selector", "#time").send_keys("\t")  # to the chart, whose focus shows
        self.assertEqual(run("return [document.activeElement.id, getComputedStyle(document.activeElement).outlineStyle]"),
                         ["strip", "solid"])
        value = run("return document.querySelector('.cell').title")
        self.assertRegex(value, r"^\w+(\[\d+\])+(\.\w+)? = \S+")
        self.browser.find_element("css selector", "#values summary").send_keys("\n")
        name = re.match(r"\w+(\[\d+\])+", value)[0]
        browser.wait_until(lambda: f"{name} = " in run("return document.getElementById('values').textContent"), "the element in the list")
        run("document.getElementById('text').open = true")
        run("document.getElementById('text').dispatchEvent(new Event('toggle'))")
        steps = run("return document.querySelectorAll('#text li').length")
        self.assertEqual(steps, int(run("return document.getElementById('time').max")) + 1)
        for width in (390, 1100):
            self.browser.set_window_size(width, 900)
            self.assertLessEqual(run("return document.documentElement.scrollWidth - document.documentElement.clientWidth"), 0)
        self.assertEqual([entry for entry in self.browser.get_log("browser") if entry["level"] == "SEVERE"], [])
