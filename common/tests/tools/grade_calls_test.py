"""Tests of what a submission's object may call, and a kernel of it; of objects that the system's compiler makes."""

import shutil
import subprocess
import unittest

from common.executor.nvcc.toolchain import PLAIN_NAMES
from common.executor.translate.source import NotTranslated
from common.executor.translate.tokens import tokens_of
from common.executor.translate.tricks import refuse_tricks
from common.grader.complaints import DoesNotBuild
from common.grader.kernel_calls import host_call
from common.grader.own_calls import foreign_call
from common.grader.own_code import check_texts
from common.grader.own_definitions import said_of
from common.grader.sandbox.sandbox import Sandbox
from common.tests.tools.case import InFolder

COMPILER = shutil.which("c++")
# What the translator makes of a kernel: a function object within stub().
KERNEL = """
namespace nbody::executor {{ template <class F> void stub(F f, void (*&at)(const void*)) {{
  at = [](const void* g) {{ (*static_cast<const F*>(g))(); }}; }} }}
void (*kernel)(const void*);
{before}
void launch() {{ nbody::executor::stub([] {{ {body} }}, kernel); }}
"""


class Calls(InFolder):
    def object_of(self, text, *options):
        self.write("a.cpp", text)
        made = self.folder / "a.o"
        # As the grader compiles, on a system whose compiler fortifies by default.
        words = ["-std=c++20", "-O1", "-fPIE", "-D_FORTIFY_SOURCE=2", *PLAIN_NAMES, *options]
        subprocess.run([COMPILER, *words, "-c", self.folder / "a.cpp", "-o", made], check=True)
        return made

    def called(self, text):
        return foreign_call(said_of(self.object_of(text), Sandbox("none"), "nm"), None, COMPILER)

    def test_the_standard_library_is_anyones(self):
        self.assertIsNone(self.called("""
            #include <algorithm>
            #include <chrono>
            #include <cmath>
            #include <cstdio>
            #include <cstdlib>
            #include <cstring>
            #include <iostream>
            #include <map>
            #include <random>
            #include <sstream>
            #include <stdexcept>
            #include <string>
            #include <vector>
            float f(const char* text, double x) {
              std::map<std::string, std::vector<double>> all;
              all[text].push_back(std::frexp(std::modf(x, &x), new int) + std::atof(text) + std::strtol(text, nullptr, 8));
              std::sort(all[text].begin(), all[text].end());
              std::cout << std::chrono::steady_clock::now().time_since_epoch().count() << std::endl;
              std::printf("%s %zu", text, std::strlen(text));
              std::fprintf(stderr, "%g", std::mt19937(1)() + std::copysign(x, 2.0));
              if (std::getenv(text)) throw std::runtime_error(std::to_string(x) + (std::ostringstream() << x).str());
              return std::sqrt(x) + std::memcmp(text, "a", 1);
            }"""))

    def test_files_threads_and_the_system_are_not(self):
        for head, call in (("unistd.h", "read(0, nullptr, 0)"), ("sys/mman.h", "mprotect(nullptr, 0, 0)"),
                           ("unistd.h", "syscall(1)"), ("dlfcn.h", 'dlsym(nullptr, "a")'), ("cstdio", 'std::fopen("a", "r")'),
                           ("fstream", 'std::ifstream("a")'), ("thread", "std::thread([] {}).detach()"),
                           ("csignal", "std::signal(1, SIG_IGN)"), ("unistd.h", "fork()"), ("cstdlib", 'std::system("a")'),
                           ("filesystem", 'std::filesystem::remove("a")'), ("csetjmp", "jmp_buf b; longjmp(b, 1)")):
            with self.subTest(call):
                self.assertIsNotNone(self.called(f"#include <{head}>\nvoid f() {{ {call}; }}\n"))

    def test_what_is_too_long_to_be_listed_whole_is_refused(self):
        many = r'asm(".macro one\n.globl a_rather_long_name_\\@\na_rather_long_name_\\@:\n.endm\n.rept 150000\none\n.endr");'
        with self.assertRaisesRegex(DoesNotBuild, "too large"):
            said_of(self.object_of(f"{many}\n"), Sandbox("none"), "nm")

    def test_what_checks_and_judges_is_not(self):
        for name in ("executor::checker::allowHostToRead", "executor::runtimeSettings", "executor::options"):
            space, _, function = f"nbody::{name}".rpartition("::")
            self.assertIn(function, self.called(f"namespace {space} {{ void {function}(unsigned long); }}\n"
                                                f"void f() {{ {space}::{function}(1); }}\n"))

    def kernel_calls(self, body, before=""):
        text = KERNEL.format(body=body, before=before)
        return host_call(self.object_of(f"#include <cstdio>\n#include <cmath>\n#include <cstring>\n{text}"), Sandbox("none"), COMPILER)

    def test_a_kernel_calls_what_cuda_has(self):
        self.assertIsNone(self.kernel_calls('std::printf("%g", std::sqrt(1.0)); static char a[9]; std::memset(a, 1, 9);'))
        self.assertIsNone(self.kernel_calls("", "void host() { char a[9]; std::snprintf(a, 9, \"a\"); std::puts(a); }"))

    def test_a_kernel_calls_nothing_of_the_hosts(self):
        write = 'static char a[9]; static int n; std::snprintf(a, 9, "%d", n);'
        self.assertEqual(self.kernel_calls(write), "snprintf")
        hidden = f"__attribute__((noinline)) static void host() {{ {write} }}"
        self.assertEqual(self.kernel_calls("host();", hidden), "snprintf")
        self.assertEqual(self.kernel_calls("pointer();", f"{hidden}\nstatic void (*volatile pointer)() = host;"), "snprintf")

    def test_nor_what_copies_past_the_checker(self):
        declared = 'extern "C" void* __memcpy_chk(void*, const void*, unsigned long, unsigned long);'
        self.assertEqual(self.kernel_calls("static char a[9]; __memcpy_chk(a, a, 9, 9);", declared), "__memcpy_chk")


class Texts(unittest.TestCase):
    def refused(self, text):
        with self.assertRaises(NotTranslated) as caught:
            refuse_tricks(f'# 1 "02/forces.cu"\n{text}\n', "/suite/executor/")
        return str(caught.exception)

    def test_tricks_are_refused_at_their_line(self):
        self.assertTrue(self.refused('int a;\nint f() { asm volatile("syscall" : : ); }').startswith("02/forces.cu:2: error: "))
        for text in ('asm("f: ret");', "__attribute__((noinline, no_sanitize(\"thread\"))) void f();", "[[gnu::naked]] void f();",
                     "__attribute__((__section__(\".init_array\"))) int a;", "void f() { _mm_stream_si32(0, 1); }",
                     "namespace nbody { namespace executor { } }", "auto x = nbody::executor::options();",
                     "void f() { __builtin_ia32_movnti(0, 1); }"):
            self.refused(text)

    def test_what_looks_alike_is_not(self):
        for text in ('asm volatile("mov.u32 %0, %laneid;" : "=r"(a));', 'asm("" : : : "memory");', "int section = f(naked);",
                     'const char* a = "asm no_sanitize";', "__attribute__((noinline)) int alias;", "int a[executor];"):
            refuse_tricks(f'# 1 "02/forces.cu"\n{text}\n# 1 "/usr/include/a.h" 3\n__asm__("nop");\n', "/suite/executor/")

    def test_lines_of_others_are_refused(self):
        for text in ('#line 1 "a"', '  # 7 "/usr/include/stdio.h" 3', "%:line 1", "#\\\nline 2", "/* a */ # /* b\n */ line 3",
                     "#pragma GCC system_header", "_Pragma(TEXT)", 'auto a = "/*"; int b\n#line 1\n"*/";', 'auto a = R"(" /*)"; int b;\n# /* */ line 1\n'):
            with self.subTest(text), self.assertRaises(DoesNotBuild) as caught:
                check_texts({"forces.cu": f"int a;\n{text}\n"})
            self.assertEqual(caught.exception.complaint.file, "forces.cu")
            self.assertIn(caught.exception.complaint.line, (2, 3))
        check_texts({"forces.cu": '#include "line.h"\n// #line 1\n#pragma unroll 4\n_Pragma("unroll 4")\nint line = 1; // 3 # line\n'})

    def test_a_raw_string_of_markers_takes_no_time(self):
        text = '# 1 "a.cu"\nconst char* a = R"x(\n' + '# 1 "b" 3\n' * 50000 + ')x";\n# 2 "a.cu"\nint b;\n'
        self.assertEqual("".join(token.text for token in tokens_of(text)), text)


if __name__ == "__main__":
    unittest.main()
