"""The translator of CUDA's launches, kernels, memory spaces and qualifiers: text in, text out."""

import re
import unittest

from common.executor.translate.tokens import tokens_of
from common.executor.translate.translate import translate

X = "::nbody::executor::"


HEADER = '# 1 "/usr/include/cuda_runtime.h" 1 3\ncudaError_t cudaFree(void*);\ncudaError_t cudaMemcpy();\ncudaError_t cudaMemsetAsync();\ncudaError_t cudaMemcpyToSymbol();\n'


def blankless(text):
    """Without blanks where they mean nothing."""
    return re.sub(r"\s*([^\w\s])\s*", r"\1", re.sub(r"\s+", " ", text)).strip()


LIMIT = re.compile(r' static_assert\(sizeof\(\w+\) <= \d+, "[^"]*"\);')


def translated(code, **options):
    """The translation of lines of a file t.cu, without what limits the size of variables."""
    begin = f'{HEADER}# 1 "t.cu"\n'
    text = LIMIT.sub("", translate(begin + code, **options))
    assert text.startswith(begin)
    return blankless(text[len(begin):])


class Translations(unittest.TestCase):
    def expect(self, code, translation, **options):
        self.assertEqual(translated(code, **options), blankless(translation), code)


def launch(configuration, call):
    return f"({X}Configure({configuration}).at(), {call})"


def body(code, name="k", bounds=0):
    return f'{{{X}stub([=]() mutable -> void {{{code}}}, "{name}", {bounds});}}'


class Untouched(unittest.TestCase):
    def test_what_has_nothing_of_cuda_passes_byte_by_byte(self):
        for code in ("int main() { return 1 << 2 < 3; }\n", "a<b<c>>>1;\n", 'const char* s = "k<<<1, 1>>>(x)";\n',
                     "#pragma once\n  template <class T> void f() {}\n\n", 'auto s = R"x(k<<<1>>>(); __shared__)x";\n',
                     "char c = '\"'; auto n = 1'000'000 + 0x1.8p-3 + 1e+5f; // k<<<1, 1>>>()\n",
                     "std::vector<std::vector<std::vector<int>>> v; bool b = x < y >> 2 > z;\n",
                     "operator<<<int>(a, b);\n"):
            text = f'# 1 "t.cu"\n{code}int device(); // __host is no qualifier\n'
            self.assertEqual(translate(text), text)

    def test_system_headers_and_the_executors_own_are_left_alone(self):
        text = '# 1 "/usr/include/x.h" 1 3 4\n__shared__ int clock();\n# 1 "/ex/y.hpp" 1\n__shared__ int y;\n'
        self.assertEqual(translate(text, own="/ex/"), text)
        self.assertNotEqual(translate(text), text)
        thrusts = '# 1 "/usr/include/thrust/x.h" 1 3 4\n{}void f(int);\n'
        self.assertEqual(translate(thrusts.format("__host__ __device__ ")), thrusts.format("  "))

    def test_a_kernel_may_end_where_nothing_else_is_of_cuda(self):
        code = ('__global__ void k(int n) {\n# 1 "/usr/include/assert.h" 3\n(n ? 0 : fail())\n# 2 "t.cu"\n;\n}\n'
                "int main() { k<<<1, 2>>>(3); }\n")
        self.assertIn('"k",0);}int main(){(::nbody', translated(code))

    def test_a_line_of_a_raw_string_is_no_marker(self):
        text = '# 1 "t.cu"\nauto s = R"(\n# 1 "/usr/x.h" 3\n__shared__ )";\n__shared__ int x;\n'
        self.assertEqual(LIMIT.sub("", translate(text)), text.replace("__shared__ int", "static thread_local int"))


class Launches(Translations):
    def expect_launch(self, code, configuration, call):
        self.expect(f"void f() {{ {code}; }}", f"void f() {{ {launch(configuration, call)}; }}")

    def test_what_may_stand_before_a_configuration(self):
        for kernel in ("k", "ns::k", "::ns::k", "k<T>", "k<T, (a > b)>", "W<float>::k<7>", "W<T>::template k<7>",
                       "fp", "(*fp)", "table[i]", "pick(3)", "object.f", "pointer->f", "k<std::pair<int, W<T>>>",
                       "this->table[f(1)]"):
            self.expect_launch(f"{kernel}<<<g, b>>>(x)", "g, b", f"{kernel}(x)")

    def test_what_a_configuration_may_hold(self):
        for configuration in ("1, 32", "dim3(2), dim3(8, 8, 1), n * sizeof(T), s", "(n + 31) / 32, 32",
                              "g, a < b ? a : b", "g, a > b ? a : b", "g, sizeof(P<int, P<int, P<int, int>>>)",
                              "n >> 2, 1 << 5", "std::max<int>(a, b), size<A<B<int>>>()", "f([] { return 1; }), 32"):
            self.expect_launch(f"k<<<{configuration}>>>(x, y)", configuration, "k(x, y)")

    def test_arguments_may_look_like_the_end_of_a_launch(self):
        self.expect_launch("k<<<1, n < 2 ? n : 2>>>(f<g<h<int>>>(1))", "1, n < 2 ? n : 2", "k(f<g<h<int>>>(1))")

    def test_where_a_launch_may_stand(self):
        for code in ("if (x) {}; else {};", "for (;;) {};", "x ? {} : {};", "auto f = [=] {{ {}; }};", "return {};",
                     "a = 1, {};", "while (x) {};", "do {}; while (x);", "case 1: {};"):
            count = code.count("{}")
            self.expect("void f() { " + code.format(*["k<<<1, 1>>>()"] * count) + " }",
                        "void f() { " + code.format(*[launch("1, 1", "k()")] * count) + " }")
        self.expect("void f() { if (x) ::k<<<1, 1>>>(); if (x) (*p)<<<1, 1>>>(); }",
                    f"void f() {{ if (x) {launch('1, 1', '::k()')}; if (x) {launch('1, 1', '(*p)()')}; }}")

    def test_launches_within_launches(self):
        inner = launch("2, 2", "c(x)")
        self.expect_launch("k<<<1, 1>>>([=] { c<<<2, 2>>>(x); })", "1, 1", f"k([=] {{ {inner}; }})")

    def test_blanks_and_macros_may_split_the_brackets(self):
        self.expect_launch("k << <1, 1> > >(x)", "1, 1", "k(x)")

    def test_each_part_of_a_long_launch_keeps_its_line(self):
        text = translate('# 1 "t.cu"\nvoid f() {\n  k<<<1,\n      two>>>(x,\n   three);\n  four();\n}\n')
        lines = {}
        number = 0
        for line in text.splitlines():
            marker = re.match(r"# (\d+)", line)
            number = int(marker[1]) if marker else number + 1
            if marker:
                number -= 1
            else:
                lines.update({word: number for word in re.findall(r"\w+", line)})
        self.assertEqual([lines[word] for word in ("two", "x", "three", "four")], [3, 3, 4, 5])


class Kernels(Translations):
    def test_a_body_becomes_a_stub(self):
        self.expect("__global__ void k(int* x) { *x = 1; }", "void k(int* x) " + body("*x = 1;"))
        self.expect("template <class T> __global__ void __launch_bounds__(N * 2, 4) k(T x) { }",
                    "template <class T> void k(T x) " + body("", bounds="N * 2"))
        self.expect("template <> __global__ void k<int>(int x) noexcept { }",
                    "template <> void k<int>(int x) noexcept " + body(""))
        self.expect("__launch_bounds__(64) __global__ static void k(int (*f)(int), int n = g(1)) { }",
                    "static void k(int (*f)(int), int n = g(1)) " + body("", bounds="64"))

    def test_what_a_parameter_refers_to_is_not_copied(self):
        for parameters, captures in (("int& x", ", &x"), ("const T &x, int& = y, int&& z", ", &x, &z"),
                                     ("A&... rest", ", &rest..."), ("int (&x)[4], int k = a & b", ", &x"),
                                     ("int* x, F f", "")):
            self.expect(f"__global__ void k({parameters}) {{}}",
                        f"void k({parameters}) {body('')}".replace("[=]", f"[={captures}]"))

    def test_declarations_stay_declarations(self):
        for code in ('extern "C" {} void k(int);', "template {} void k<float>(float*);", "friend {} void k(int);"):
            self.expect(code.format("__global__"), code.format(""))

    def test_addresses_of_kernels_remember_how_to_call_them(self):
        for cast, name in (("(void*)k", "k"), ("(const void*)&k", "k"), ("(void *)(k)", "k"),
                           ("reinterpret_cast<void*>(&k)", "k"), ("(void const*)ns::k", "ns::k"),
                           ("reinterpret_cast<const void*>(W<int>::k<2>)", "W<int>::k<2>")):
            self.expect(f"__global__ void k(int); void f() {{ g({cast}); }}",
                        f"void k(int); void f() {{ g({X}kernelAddress({name})); }}")
        self.expect("void f() { auto e = cudaLaunchKernel((void*)p, 1, 1, a); int cudaLaunchKernel(); }",
                    f"void f() {{ auto e = cudaLaunchKernel({X}kernelAddress(p), 1, 1, a); int cudaLaunchKernel(); }}")
        self.expect("__global__ void k(int); void f() { g((int*)k, (void*)x, k); }",
                    "void k(int); void f() { g((int*)k, (void*)x, k); }")

    def test_a_raw_string_of_markers_takes_no_time(self):
        text = '# 1 "a.cu"\nconst char* a = R"x(\n' + '# 1 "b" 3\n' * 50000 + ')x";\n# 2 "a.cu"\nint b;\n'
        self.assertEqual("".join(token.text for token in tokens_of(text)), text)


if __name__ == "__main__":
    unittest.main()
