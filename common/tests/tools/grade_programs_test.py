"""Whole programs as students make them, built and graded: tools.grade_programs_test BUILD."""

import functools
import itertools
import sys
from pathlib import Path

from common.base.command_line import ROOT
from common.grader import runs
from common.grader.grade import task_of
from common.grader.grading import grade_texts
from common.tests.tools.case import InFolder, sandbox, shown_in

BUILD = Path(sys.argv.pop()).resolve()
SANDBOX = sandbox()
WHOLE = (ROOT / "01_naive" / "standalone.cu").read_text()
LAUNCH = "  forcesKernel<<<blocks, block>>>(deviceBodies, count, deviceAccelerations);\n"
COPY = "  CUDA_CHECK(cudaMemcpy(deviceBodies, bodies.data(), bytes, cudaMemcpyHostToDevice));\n"
runs.RUN_SECONDS = 8


def changed(before, after):
    assert WHOLE.count(before) == 1, before
    return WHOLE.replace(before, after)


LOOP = "  for (int i = blockIdx.x * kThreads + threadIdx.x; i < count; i += kBlocks * kThreads)\n"
# Exercises that are graded by their counts: what a student changes in the solution, and what the grader says.
COUNTED = [
    ("2.5", "(blockIdx.x * kPerThread + k) * kThreads + threadIdx.x", "(blockIdx.x * kThreads + threadIdx.x) * kPerThread + k",
     "copy.cu:21: 32 sectors per request where 4 would do"),
    ("2.5", "k < kPerThread", "k < kPerThread - 1", "partly written: 512 of 4096 elements"),
    ("2.6", "[kTile + 1]", "[kTile]", "32 wavefronts per request where 1 would do: lanes meet in a bank"),
    ("2.6", "  __syncthreads();", "  //", "race on shared memory: tile["),
    ("2.6", "blockIdx.y * kTile + threadIdx.x, newY = blockIdx.x", "blockIdx.x * kTile + threadIdx.x, newY = blockIdx.y", "row 0, column 32 is"),
    ("2.7", f"{LOOP}    ++counters[octants[i]][threadIdx.x]", f"  __syncthreads();\n{LOOP}    atomicAdd(&counters[octants[i]][0], 1)",
     "give each thread or each warp its own counters"),
    ("2.7", "counters[b][threadIdx.x] = 0", "counters[b][threadIdx.x] = 1", "bodies in octant"),
    ("2.7", "    if (threadIdx.x % 32 == 0) atomicAdd(&histogram[b], sum)",
     "    atomicAdd(&histogram[b], threadIdx.x % 32 == 0 ? sum : 0)", "several lanes update one address and take turns"),
]


class CountedPrograms(InFolder):
    def test_wrong_solutions(self):
        exercises = {number: task_of(number) for number in ("2.5", "2.6", "2.7")}
        for case, (number, before, after, words) in enumerate(COUNTED):
            step, exercise = exercises[number]
            (name, text), = exercise.solution().items()
            self.assertEqual(text.count(before), 1, before)
            page = self.folder / f"{case}.html"
            result = grade_texts({name: text.replace(before, after)}, self.folder / str(case), BUILD, step, exercise, sandbox=SANDBOX,
                                 page=page)
            said = [" ".join([test["diagnosis"]["text"], *test["diagnosis"].get("details", ())])
                    for test in result["tests"] if "diagnosis" in test]
            self.assertIn(words, " ".join(said), after)
            self.assertLess(result["score"], 100)
            shown = shown_in(page)
            self.assertIn(after, "\n".join(line for text in shown["files"].values() for line in text))
            self.assertEqual([Path(file).name for file in shown["files"]], [name])


    def test_each_mend_raises_the_points(self):
        race = ("  __syncwarp();  // the part is sorted", "  // the part is sorted")
        past_the_end = ("const int size = min(kPart, count - static_cast<int>(blockIdx.x) * kPart);", "const int size = kPart;")
        does_not_compile = ("  int next = 0;", "  int next = 0")
        step, exercise = task_of("7.5")
        (name, text), = exercise.solution().items()
        scores = []
        for mistakes in ((does_not_compile,), (race, past_the_end), (race,), (past_the_end,), ()):
            for before, after in mistakes:
                self.assertEqual(text.count(before), 1, before)
            wrong = functools.reduce(lambda text, mistake: text.replace(*mistake), mistakes, text)
            folder = self.folder / str(len(scores))
            scores.append(grade_texts({name: wrong}, folder, BUILD, step, exercise, sandbox=SANDBOX)["score"])
        self.assertEqual((scores[0], scores[-1]), (0, 100))
        self.assertTrue(all(before < after for before, after in itertools.pairwise(scores)), scores)

    def test_too_many_sectors_are_told_with_the_line_that_has_most(self):
        step, exercise = task_of("7.5")
        result = grade_texts(exercise.starter(), self.folder, BUILD, step, exercise, sandbox=SANDBOX)
        found = next(test["diagnosis"] for test in result["tests"] if test["name"] == "at most 10500 global sectors")
        line = next(number for number, text in enumerate(exercise.starter()["sort.cu"].splitlines(), 1) if "] = from[i];" in text)
        self.assertEqual((found["file"], found["line"], found["details"]), ("sort.cu", line, [f"32,768 of them are at sort.cu:{line}"]))


class Programs(InFolder):
    def graded(self, text):
        return grade_texts({"standalone.cu": text}, self.folder, BUILD, *task_of("0.1"), sandbox=SANDBOX)

    def first(self, result):
        return result["tests"][0]["diagnosis"]

    def test_the_suites_own_scores_full(self):
        result = self.graded(WHOLE)
        self.assertEqual(result["score"], 100, result)

    def test_a_compile_error_is_at_the_students_line(self):
        text = changed(LAUNCH, "  forcesKernel<<<blocks, block>>>(deviceBodies, count);\n")
        result = self.graded(text)
        self.assertEqual(result["score"], 0)
        found = result["build"]["diagnosis"]
        self.assertEqual((found["file"], found["line"]), ("standalone.cu", text[:text.index("(deviceBodies, count);")].count("\n") + 1))
        self.assertIn("too few arguments", found["text"])

    def test_a_copy_that_the_kernel_does_not_wait_for_is_told_as_such(self):
        result = self.graded(changed(COPY, """  cudaStream_t stream;
  CUDA_CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  CUDA_CHECK(cudaMemcpyAsync(deviceBodies, bodies.data(), bytes, cudaMemcpyHostToDevice, stream));
"""))
        self.assertIn("let the second stream wait for it", " ".join(self.first(result)["details"]))

    def test_wrong_forces_are_told_by_what_they_look_like(self):
        for before, after, words in (
                ("j < count; ++j", "j < count / 8; ++j", "sources 125 and up are missing"),
                ("(bodies[j].w * inverse)", "(body.w * inverse)", "mass of i"),
                ("argc > 3", "argc > 4", "called with `print`, printed 0 accelerations, not 1000"),
                ("std::atoi(argv[2]) : 1", "7 : 1", "bodies are wrong")):
            found = self.first(self.graded(changed(before, after)))
            self.assertIn(words, found["text"])
            self.assertEqual(found["file"], "standalone.cu")

    def test_a_leak_costs_a_part(self):
        result = self.graded(changed("  CUDA_CHECK(cudaFree(deviceBodies));\n", ""))
        self.assertEqual([t["status"] for t in result["tests"]], ["passed"] * 4 + ["failed"] + ["passed"] * 3)
        self.assertIn("never freed", result["tests"][4]["diagnosis"]["text"])

    def test_a_call_whose_error_nobody_looks_at_costs_a_part(self):
        copy = "cudaMemcpy(deviceBodies, bodies.data(), bytes, cudaMemcpyHostToDevice)"
        for text, call in ((changed(f"CUDA_CHECK({copy})", copy), copy),
                           (changed("CUDA_CHECK(cudaFree(deviceBodies))", "(void)cudaFree(deviceBodies)"), "(void)cudaFree"),
                           (changed("  CUDA_CHECK(cudaFree(deviceBodies));\n", "  (void)cudaDeviceSynchronize();\n"
                                    "  CUDA_CHECK(cudaFree(deviceBodies));\n"), "(void)cudaDeviceSynchronize"),
                           (changed("  CUDA_CHECK(cudaGetLastError());  // of the launch, which returns nothing\n", ""), LAUNCH),
                           (changed("std::exit(1)", "return"), "CUDA_CHECK(cudaMalloc(&deviceBodies")):
            result = self.graded(text)
            self.assertEqual([t["status"] for t in result["tests"]], ["passed"] * 5 + ["failed"] + ["passed"] * 2, call)
            found = result["tests"][5]["diagnosis"]
            self.assertIn("did not notice", found["text"])
            self.assertEqual((found["file"], found["line"]), ("standalone.cu", text[:text.index(call)].count("\n") + 1))

    def test_a_mistake_of_host_code_is_at_its_line(self):
        text = changed(LAUNCH, LAUNCH + "  accelerations[0] = deviceAccelerations[0];\n")
        result = self.graded(text)
        found = self.first(result)
        self.assertEqual((found["file"], found["line"]), ("standalone.cu", text[:text.index("accelerations[0] =")].count("\n") + 1))
        self.assertIn("device memory", found["text"])

    def test_one_that_never_ends(self):
        result = self.graded(changed(LAUNCH, "  for (timespec second = {1, 0};;) nanosleep(&second, nullptr);\n"))
        self.assertIn("the program did not end within", self.first(result)["text"])
        *others, compiles, ends = result["tests"][1:]
        self.assertEqual({t["status"] for t in others}, {"not run"})
        self.assertEqual((compiles["status"], ends["status"]), ("passed", "failed"))
