"""ladder-nvcc: nvcc's command line, makefiles, the launcher for CMake, and ./run cuda.

The arguments are a build folder and the mode of the programs, plain or check.
"""

import contextlib
import os
import select
import shutil
import signal
import string
import subprocess
import sys
import time
import types
import unittest
from pathlib import Path
from unittest import mock

from common.base.command_line import ROOT
from common.executor.nvcc import headers
from common.executor.nvcc.arguments import parse
from common.tests.tools.case import HANG, InFolder, call, needs
from common.tools.cuda import cuda

BUILD, MODE = Path(sys.argv.pop(1)).resolve(), f"--{sys.argv.pop(1)}"
OF_THE_MODE = {**os.environ, "LADDER_NVCC_MODE": MODE.lstrip("-")}
PROGRAM = """#include "part.cuh"
int main() {
  int* d; int h = 0;
  cudaMalloc(&d, sizeof(int));
  set<<<1, 1>>>(d, VALUE);
  cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d\\n", h + other());
  cudaFree(d);
}
"""
PART = "#include <cstdio>\nint other();\n__global__ void set(int* x, int value) { *x = value; }\n"


def read_until_end(pipe, seconds):
    """The text of a pipe until its end, or until a time has passed without any."""
    text = b""
    while select.select([pipe], [], [], seconds)[0] and (more := os.read(pipe.fileno(), 1 << 16)):
        text += more
    return text.replace(b"\0", b"").decode()


class CommandLine(unittest.TestCase):
    def test_values_may_be_joined_or_apart(self):
        for words in (["-Iinc", "-DN=2", "-Lfolder", "-lm", "-O3", "-std=c++17", "-arch=sm_80", "-o", "file"],
                      ["-I", "inc", "-D", "N=2", "-L", "folder", "-l", "m", "-O", "3", "-std", "c++17", "-arch",
                       "sm_80", "-o", "file"],
                      ["--include-path=inc", "--define-macro=N=2", "--library-path=folder", "--library=m",
                       "--optimize=3", "--std=c++17", "--gpu-architecture=sm_80", "--output-file=file"]):
            self.assertEqual(parse(words).values, {
                "include": ["inc"], "define": ["N=2"], "folder": ["folder"], "library": ["m"], "optimise": ["3"],
                "standard": ["c++17"], "architecture": ["sm_80"], "output": ["file"]})

    def test_what_goes_to_the_compiler(self):
        for words in (["-Xcompiler", "-Wall,-Wextra"], ["-Xcompiler=-Wall", "-Xcompiler", "-Wextra"],
                      ["--compiler-options", "-Wall -Wextra"],
                      ["-forward-unknown-to-host-compiler", "-Wall", "-Wextra"]):
            self.assertEqual(parse(words).host, ["-Wall", "-Wextra"])

    def test_values_for_the_linker_are_lists(self):
        self.assertEqual(parse(["-Xlinker", "-rpath,/x", "-Xlinker=--as-needed"]).values,
                         {"linker": ["-rpath", "/x", "--as-needed"]})

    def test_what_means_nothing_here_is_taken(self):
        words = ["-m64", "-lineinfo", "--use_fast_math", "-ftz=true", "-maxrregcount=32", "--expt-extended-lambda",
                 "-Xptxas", "-v", "--threads", "4", "-gencode", "arch=compute_80,code=sm_80", "-rdc=true",
                 "a.cu", "b.o"]
        self.assertEqual(parse(words).inputs, ["a.cu", "b.o"])


class Driver(InFolder):
    def setUp(self):
        super().setUp()
        self.write("part.cuh", PART)
        self.write("main.cu", PROGRAM)
        self.write("other.cpp", '#include <cuda_runtime.h>\n__host__ __device__ int one() { return 1; }\n'
                   "int other() { int n = 0; cudaGetDeviceCount(&n); return 100 * n * one(); }\n")

    def nvcc(self, *words, status=0, program="ladder-nvcc", **environment):
        return self.output_of(BUILD / program, *words, status=status, env={**os.environ, **environment})

    def test_several_files_at_once_and_one_by_one(self):
        self.nvcc(MODE, "-DVALUE=7", "-o", "program", "main.cu", "other.cpp")
        self.assertEqual(self.output_of("./program"), "107\n")
        self.nvcc(MODE, "-c", "-DVALUE=8", "-O2", "-arch=sm_80", "-lineinfo", "-MD", "main.cu")
        self.nvcc(MODE, "-c", "-o", "other.o", "other.cpp")
        self.nvcc(MODE, "-o", "program", "main.o", "other.o", "-lm", "-lcudart")
        self.assertEqual(self.output_of("./program"), "108\n")
        self.assertRegex((self.folder / "main.d").read_text(), r"^main\.o: main\.cu (.*\n)* part\.cuh|part\.cuh")

    def test_objects_of_two_modes_do_not_link(self):
        other = "plain" if MODE == "--check" else "check"
        for linker in ([], ["-fuse-ld=lld"] if shutil.which("ld.lld") else []):
            self.nvcc("-c", "-DVALUE=7", "main.cu", LADDER_NVCC_MODE=other)
            self.nvcc("-lib", "-o", "main.a", "main.o")
            for file in ("main.o", "main.a"):
                said = self.nvcc(MODE, "-o", "program", file, "other.cpp", *linker, status=1)
                one, two = ("with --check", "without --check") if MODE == "--plain" else ("without --check", "with --check")
                self.assertRegex(said, rf"^ladder-nvcc: main\.\S+ was compiled {one}, but the program is linked {two}: .*\n$")

    def test_a_toolkits_headers_are_not_read(self):
        self.write("toolkit/cuda_runtime_api.h", "#error a toolkit\n")
        self.write("toolkit/cuda_runtime.h", "#error a toolkit\n")
        self.nvcc(MODE, "-Itoolkit", "-isystem", "toolkit", "-DVALUE=5", "-o", "program", "main.cu", "other.cpp")
        self.assertEqual(self.output_of("./program"), "105\n")

    def test_what_is_missing_has_a_line_each(self):
        for code, lines in (
                ('#include "cuda_fp8.h"\n', ["k.cu:1: error: the CPU executor does not support floating-point numbers of 8 bits or "
                                            "fewer (cuda_fp8.h)"]),
                ("\n#include <cub/block/nosuch.cuh>\n", ["k.cu:2: error: the CPU executor does not have the header "
                                                       "cub/block/nosuch.cuh"]),
                ('__global__ void k() {\n  asm("wgmma.fence.sync.aligned;");\n  asm("exit;");\n}\n'
                 "int main() { k<<<1, 1>>>(); }\n",
                 [f"k.cu:{line}: error: the CPU executor does not run this inline PTX: {name}"
                  for line, name in ((2, "wgmma.fence.sync.aligned"), (3, "exit"))])):
            self.write("k.cu", code)
            self.assertEqual(self.nvcc(MODE, "-c", "k.cu", status=1).splitlines(), lines)
        self.write("k.cu", 'template <class T> __device__ void f() { asm("wgmma.fence.sync.aligned;"); }\nint main() {}\n')
        self.nvcc(MODE, "-c", "k.cu")

    def test_a_device_has_the_instructions_of_its_time(self):
        for code, call, needed in (('"cp.async.ca.shared.global [%0], [%0], 4;" :: "l"(0)', "cp.async.ca", "cp.async needs compute "
                                    "capability 8.0"),
                                   ('"{ .reg .pred p; elect.sync _|p, -1; }"', "elect.sync", "elect.sync needs compute capability 9.0")):
            self.write("k.cu", f"__global__ void k() {{\n  asm volatile({code});\n}}\n"
                       "int main() { k<<<1, 1>>>(); return cudaDeviceSynchronize() != cudaSuccess; }\n")
            self.nvcc(MODE, "-o", "program", "k.cu")
            told = self.output_of("./program", status=1, env={**os.environ, "NBODY_EXECUTOR_DEVICE": "t4"})
            self.assertRegex(told, rf"not on this device: thread .* calls {call} at .*k.cu:2, and {needed}. The device has 7.5")

    def test_macros_may_have_any_capital_letter_as_their_name(self):
        self.write("letters.cu", "#include <cstdio>\n#ifndef Z\n#error Z\n#endif\n"
                   "__global__ void k(T* x) { *x += N; }\n"
                   "int main() { T* x; cudaMallocManaged(&x, sizeof(T)); k<<<1, 1>>>(x); cudaFree(x); }\n")
        values = {"T": "double", "N": "512"}
        self.nvcc(MODE, *(f"-D{letter}={values.get(letter, 1)}" for letter in string.ascii_uppercase), "-c", "letters.cu")

    def test_a_run_without_a_report_says_what_was_checked(self):
        if MODE != "--check":
            return  # a plain run checks nothing
        self.nvcc(MODE, "-DVALUE=7", "-o", "program", "main.cu", "other.cpp")
        told = {**os.environ, "NBODY_EXECUTOR_SUMMARY": "1"}
        self.assertRegex(self.output_of("./program", env=told), r"^107\nexecutor: no report in 1 launch of 1 kernel: no race, no access out "
                         r"of bounds, .*\n$")
        self.write("none.cu", "int main() {}\n")
        self.nvcc(MODE, "-o", "program", "none.cu")
        self.assertEqual(self.output_of("./program", env=told), "executor: no report, but the program launched no kernel\n")

    @needs("make")
    def test_a_makefile_as_it_is(self):
        self.write("Makefile", "NVCC = nvcc\n"
                   "FLAGS = -O2 -std=c++14 -gencode arch=compute_75,code=sm_75 -Xcompiler -Wall\n"
                   "program: main.o other.o\n\t$(NVCC) $(FLAGS) -o $@ $^\n"
                   "%.o: %.cu\n\t$(NVCC) $(FLAGS) -DVALUE=3 -dc $< -o $@\n%.o: %.cpp\n\t$(NVCC) $(FLAGS) -c $< -o $@\n")
        self.output_of("make", f"NVCC={BUILD / 'ladder-nvcc'}", env=OF_THE_MODE)
        self.assertEqual(self.output_of("./program"), "103\n")

    @unittest.skipUnless(Path("/usr/local/cuda").exists(), "no CUDA toolkit, which CMake looks for too")
    def test_it_is_cmakes_cuda_compiler(self):
        self.write("CMakeLists.txt", "cmake_minimum_required(VERSION 3.18)\nproject(p LANGUAGES CXX CUDA)\n"
                   "add_executable(program main.cu other.cu)\ntarget_compile_definitions(program PRIVATE VALUE=4)\n"
                   'set_target_properties(program PROPERTIES CUDA_SEPARABLE_COMPILATION ON CUDA_ARCHITECTURES "75;86")\n')
        self.write("other.cu", (self.folder / "other.cpp").read_text())
        for words in (["-G", "Ninja", "-S", ".", "-B", "b", f"-DCMAKE_CUDA_COMPILER={BUILD / 'ladder-nvcc'}"], ["--build", "b"]):
            self.output_of("cmake", *words, env=OF_THE_MODE)
        self.assertEqual(self.output_of("b/program"), "104\n")

    def test_other_compilers_may_link(self):
        if MODE != "--plain":
            self.skipTest("programs for checking are linked by ladder-nvcc")
        self.nvcc("-c", "-DVALUE=2", "main.cu")
        self.nvcc("-c", "other.cpp")
        self.output_of("g++", "main.o", "other.o", f"-L{BUILD}", "-lcudart", "-o", "program")
        self.assertEqual(self.output_of("./program"), "102\n")

    def test_errors_have_the_programs_own_lines(self):
        self.write("wrong.cu", '#include "part.cuh"\nint main() {\n  set<<<1,\n      missing>>>(nullptr,\n   1);\n}\n')
        self.assertRegex(self.nvcc(MODE, "wrong.cu", status=1), r"^wrong\.cu:4: error: .*missing.*\n  .*missing")
        self.write("wrong.cu", "__global__ void k(int* x) {\n  *x = __shfl(*x, 0);\n}\n")
        self.assertRegex(self.nvcc(MODE, "wrong.cu", status=1), r"wrong.cu:2: error: __shfl\(\) is gone .* __shfl_sync\(")
        self.write("wrong.cu", "#include <helper_cuda.h>\n")
        self.assertIn("helper_cuda.h belongs to NVIDIA's samples", self.nvcc(MODE, "wrong.cu", status=1))
        self.write("wrong.cu", "__global__ void k(int* x) { *x = 1; }\n")
        self.assertRegex(self.nvcc(MODE, "wrong.cu", status=1), r"^ladder-nvcc: wrong.cu: there is no main\(\) function, .*\n$")

    def test_bad_input_gets_one_line(self):
        for words, line in ((["-nosuch", "main.cu"], "unknown option '-nosuch'"), ([], "no input files"),
                            (["gone.cu"], "no such file: gone.cu"), (["a.cu", "-o"], "-o needs a value"),
                            (["@/nowhere"], "cannot read /nowhere: No such file or directory"),
                            (["-ptx", "a.cu"], "-ptx: the executor generates no GPU code"),
                            (["part.cuh"], "part.cuh ends in .cuh, which is a header: CUDA C++ sources end in .cu. If it is "
                             "one, say -x cu before its name"),
                            (["-shared", "main.cu"], "-shared: the executor runs programs, not libraries that are loaded"),
                            (["-std=c++99", "main.cu"], "unknown standard 'c++99'"),
                            (["-c", "-o", "x.o", "main.cu", "other.cpp"], "-o with -c takes one file")):
            self.assertEqual(self.nvcc(*words, status=2), f"ladder-nvcc: {line}\n")
        self.assertIn("LADDER_NVCC_MODE is check", self.nvcc("main.cu", status=2, LADDER_NVCC_MODE="x"))
        self.assertIn("release 12.4", self.nvcc("--version"))

    def test_ctrl_c_reports_the_kernel_even_in_the_middle_of_a_report(self):
        self.write("stop.cu", '#include <cstdio>\n__global__ void k() { assert(threadIdx.x > 0); }\n'
                   'int main() { puts("ready"); fflush(stdout); k<<<1, 1>>>(); cudaDeviceSynchronize(); }\n')
        self.nvcc(MODE, "stop.cu", "-o", "stop")
        reads, writes = os.pipe()
        os.set_blocking(writes, False)
        with contextlib.suppress(BlockingIOError):  # the report waits in a full pipe, and holds the lock of reports
            while True:
                os.write(writes, bytes(1 << 12))
        os.set_blocking(writes, True)
        with subprocess.Popen([self.folder / "stop"], stdout=subprocess.PIPE, stderr=writes) as process:
            os.close(writes)
            process.stdout.readline()
            while Path(f"/proc/{process.pid}/stat").read_text().rsplit(")")[-1].split()[0] != "S":
                time.sleep(0.01)
            process.send_signal(signal.SIGINT)
            with open(reads, "rb") as pipe:
                told = read_until_end(pipe, seconds=HANG)
            process.kill()
        self.assertEqual(process.returncode, 128 + signal.SIGINT)
        self.assertRegex(told, r"assertion failed: (.*\n)*.*stopped by Ctrl-C \(SIGINT\) in kernel 'k', launched at ")

    def test_ctrl_c_reports_the_line_of_host_code(self):
        self.write("stop.cu", "#include <csignal>\n__global__ void k() {}\nvoid turn(volatile int* n) {\n  raise(SIGINT);\n"
                   "  while (*n > 0)\n    *n = *n % 7 + 1;\n}\n"
                   "int main() {\n  int n = 1;\n  k<<<1, 1>>>();\n  cudaDeviceSynchronize();\n  turn(&n);\n}\n")
        self.nvcc(MODE, "stop.cu", "-o", "stop")
        told = self.output_of("./stop", status=128 + signal.SIGINT)
        self.assertRegex(told, r"executor: stopped by Ctrl-C \(SIGINT\) in host code at \S*stop\.cu:4, called at \S*stop\.cu:12\.\n")

    def test_the_launcher_translates_files_with_kernels_only(self):
        made = f"-isystem{BUILD / 'include'}"
        flags = ["-std=c++20", made, f"-I{ROOT / 'common'}", "-MD", "-MF", "x.d", "-MT", "x.o", "-DVALUE=1"]
        self.nvcc("g++", *flags, "-o", "x.o", "-x", "c++", "-c", "main.cu", program="kernel-launcher")
        self.assertRegex((self.folder / "x.d").read_text(), r"^x\.o: main\.cu")
        self.nvcc("g++", "-std=c++20", made, f"-I{ROOT / 'common' / 'executor' / 'include'}", f"-I{ROOT / 'common'}", "-c",
                  "other.cpp", "-o", "y.o", program="kernel-launcher")
        self.assertTrue((self.folder / "y.o").exists())

    def test_names_may_have_any_letters(self):
        self.write("größe 日.cu", '#include <cstdio>\nint main() { std::puts("ü 日 " __FILE__); }\n')
        self.write("wrong.cu", '#include "größe.h"\n')
        folder = self.folder / "headers' größe 日"
        launcher = [sys.executable, ROOT / "common" / "executor" / "ladder_nvcc.py", "--launcher"]
        flags = ["-std=c++20", f"-isystem{BUILD / 'include'}", f"-I{ROOT / 'common'}"]
        self.output_of(*launcher, "g++", *flags, "-c", "größe 日.cu", "-o", "z.o", env={**os.environ, headers.FOLDER: str(folder)})
        self.assertTrue(any(folder.iterdir()))
        self.assertIn('puts("ü 日 " "größe 日.cu")', self.nvcc(MODE, "-E", "größe 日.cu"))
        self.assertIn("wrong.cu:1:10: fatal error: größe.h: No such file", self.nvcc(MODE, "-c", "wrong.cu", status=1))


class RunCuda(InFolder):
    def test_options_end_at_the_file(self):
        self.assertEqual(cuda.arranged(["--order", "reverse", "a.cu", "--plain", "x"]),
                         ["--order", "reverse", "--", "a.cu", "--plain", "x"])
        self.assertEqual(cuda.arranged(["--see", "--", "a.cu"]), ["--see", "--", "a.cu"])

    def test_after_ladder_no_other_build_is_configured(self):
        for there, mode, expected in (((), "check", "cpu-check"), (("cpu",), "check", "cpu"),
                                      (("cpu", "cpu-check"), "check", "cpu-check"), (("cpu-check",), "plain", "cpu")):
            with mock.patch.object(cuda, "is_configured", lambda folder: folder.name in there), \
                    mock.patch.object(cuda, "configured", lambda preset: preset):
                self.assertEqual(cuda.folder_for(mode), expected, (there, mode))

    def test_the_executor_reads_what_the_options_set(self):
        options = types.SimpleNamespace(order="reverse", device="t4", eager=True, check_launches="2", check_blocks="32",
                                        see=False, counts=False)
        names = set(cuda.environment(options)) - set(os.environ)
        self.assertEqual(len(names), 6)
        folder = ROOT / "common" / "executor"
        text = "".join((folder / file).read_text() for file in ("grid.cpp", "runtime/settings.cpp"))
        for name in names:  # settings.cpp puts the first words before
            self.assertTrue(f'"{name}"' in text or f'fromEnvironment("{name[len("NBODY_EXECUTOR_"):]}"' in text, name)

    def test_bad_input_gets_one_line(self):
        from common.tools.commands import main
        there = str(self.write("a.cu"))
        for words, line in ((["gone.cu"], "no file 'gone.cu'"), (["--order", "sideways", there], "--order must be forward,"),
                            (["--check-launches", "0", there], "--check-launches: must be a whole number from 1 to 999999999, not '0'"),
                            (["--plain", "--see", there], "argument --see: not allowed with argument --plain")):
            self.expect_refusal(call(main, ["cuda", *words]), f"cuda: {line}")
