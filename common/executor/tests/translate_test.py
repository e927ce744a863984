"""The translator of CUDA's launches, kernels, memory spaces and qualifiers, and what it refuses: text in, text out."""

import re
import unittest

from common.executor.nvcc.sections import moved
from common.executor.translate.translate import NotTranslated, translate

X = "::nbody::executor::"
DEVICE = '__attribute__((used, section("nbody_device")))'
MARKER = re.compile(r"static __attribute__\(\(used\)\)const char nbody_constant_of_\w+=0;")
MANAGED = '__attribute__((used, section("nbody_managed")))'
SHARED = "thread_local __attribute__((used))"
OF_HOST, OF_DEVICE = "int h(int x) { return x; }", "__device__ int d(int x) { return x; }"
HEADER = '# 1 "/usr/include/cuda_runtime.h" 1 3\ncudaError_t cudaFree(void*);\ncudaError_t cudaMemcpy();\ncudaError_t cudaMemsetAsync();\ncudaError_t cudaMemcpyToSymbol();\n'


def blankless(text):
    """Without blanks where they mean nothing."""
    return re.sub(r"\s*([^\w\s])\s*", r"\1", re.sub(r"\s+", " ", text)).strip()


FLOATS = "((0u + alignof(float) - 1) / alignof(float) * alignof(float))"
ALIGNED = f"__attribute__((aligned({FLOATS} % 16 ? {FLOATS} & -{FLOATS} : 16)))"  # the first array of a kernel, of float
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


def body(code, name="k", bounds=0, pointers=()):
    named = ", {" + ", ".join(f'{{"{pointer}", {pointer}}}' for pointer in pointers) + "}" if pointers else ""
    return f'{{{X}stub([=]() mutable -> void {{{code}}}, "{name}", {bounds}{named});}}'


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
        self.assertEqual(LIMIT.sub("", translate(text)), text.replace("__shared__ int", f"static {SHARED} int"))


class Places(Translations):
    def expect_marks(self, code, marked):
        """Compares a device function, where at(n) and next(n) stand for marks, without loops around them."""
        text = translated(f"__device__ void f(int x) {{ {code} }}")
        text = re.sub(rf"{X}(?:atPlace|nextIteration)\(\d+u,(\d)u(?:,\d+u)?\)", r"at\1", text)
        text = re.sub(rf"const *{X}CallOf nbodyCall\(\d+u\);", "", text)
        self.assertEqual(text, blankless(f"void f(int x) {{ {marked} }}"))

    def test_statements_with_lanes_that_are_together_get_marks(self):
        for code, marked in (
                ("x = 1; x = __activemask();", "x = 1; at0; x = __activemask();"),
                ("if (x) f(__activemask()); else g();", "if (x) if (!at0) {} else f(__activemask()); else g();"),
                ("if (__activemask() == 1) { x = 2; }", "at0; if (__activemask() == 1) { x = 2; }"),
                ("int m[] = {1, cg::coalesced_threads().size()};", "at0; int m[] = {1, cg::coalesced_threads().size()};"),
                ("x = T{1} + (x ? __activemask() : 2);", "at0; x = T{1} + (x ? (void)at0, __activemask() : 2);"),
                ("auto&& y = x && __activemask();", "at0; auto&& y = x && at0 && __activemask();"),
                ("case 1: x = __activemask();", "case 1: at0; x = __activemask();"),
                ("while (__activemask()) ++x;", "while ((void)at1, __activemask()) if (!at0) {} else ++x;"),
                ("for (;;) { x = __activemask(); }", "for (;;) { at0; at1; x = __activemask(); }"),
                ("for (int y : g(__activemask())) x = y;", "at0; for (int y : g(__activemask())) x = y;"),
                ("do x = 1; while (__activemask());", "do if (!at0) {} else x = 1; while ((void)at1, __activemask());"),
                ("g([] { __activemask(); });", "at0; g([] { at0; __activemask(); });")):
            self.expect_marks(code, marked)

    def test_calls_of_marked_functions_get_marks_too(self):
        text = translated("__device__ int g() { return __activemask(); } __device__ void f() { g(); } void h() { other(); }")
        self.assertEqual((text.count("CallOf"), text.count("atPlace")), (2, 2))
        self.assertNotIn("atPlace", translated("__device__ int g() { return __ballot_sync(1, 1); }"))


class Launches(Translations):
    def expect_launch(self, code, configuration, call):
        self.expect(f"void f() {{ {code}; }}", f"void f() {{ {launch(configuration, call)}; }}")

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
        self.expect("__global__ void k(int* x) { *x = 1; }", "void k(int* x) " + body("*x = 1;", pointers="x"))
        self.expect("template <class T> __global__ void __launch_bounds__(N * 2, 4) k(T x) { }",
                    "template <class T> void k(T x) " + body("", bounds="N * 2"))
        self.expect("template <> __global__ void k<int>(int x) noexcept { }",
                    "template <> void k<int>(int x) noexcept " + body(""))
        self.expect("__launch_bounds__(64) __global__ static void k(int (*f)(int), int n = g(1)) { }",
                    "static void k(int (*f)(int), int n = g(1)) " + body("", bounds="64"))

    def test_what_a_parameter_refers_to_is_not_copied(self):
        for parameters, captures in (("int& x", ", &x"), ("const T &x, int& = y, int&& z", ", &x, &z"),
                                     ("A&... rest", ", &rest..."), ("int (&x)[4], int k = a & b", ", &x"),
                                     ("int x, F f", "")):
            self.expect(f"__global__ void k({parameters}) {{}}",
                        f"void k({parameters}) {body('')}".replace("[=]", f"[={captures}]"))

    def test_pointers_among_the_parameters_have_names(self):
        for parameters, pointers in (("const A* __restrict__ a, B<C, 2>* const b, int** c = nullptr, float d[]", "abcd"),
                                     ("int, float*, A a, int* const&, T*... rest, int (*f)(int), D<2 * n, 3> g", "")):
            self.expect(f"__global__ void k({parameters}) {{}}", f"void k({parameters}) {body('', pointers=pointers)}")

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


def unplaced(code, **options):
    found = set()
    translate(code, unplaced=found, **options)
    return found


class SharedMemory(Translations):
    def expect_in_kernel(self, code, translation, **options):
        self.expect(f"__global__ void k() {{{code}}}", "void k() " + body(translation), **options)

    def test_static_shared_memory_is_of_the_os_thread(self):
        for code in ("{} float a[2][3], b;", "static {} T x;", "float {} x;", "{} struct {{ int a; }} s;"):
            aligned = f"{SHARED} {ALIGNED}" if "[" in code else SHARED
            self.expect_in_kernel(code.format("__shared__"), code.format(aligned))
        self.expect("__shared__ int x;", f"static {SHARED} int x;")

    def test_what_no_gpu_has_room_for_is_left_to_the_compiler(self):
        for code, found in (("__global__ void k() { __shared__ float a[2], b; extern __shared__ int s[]; }", {"a": 49152}),
                            ("__constant__ float table[20000];", {"table": 65536}), ("__device__ float x[20000];", {})):
            limits = {name: int(most) for name, most in re.findall(r"static_assert\(sizeof\((\w+)\) <= (\d+)", translate(code))}
            self.assertEqual(limits, found, code)

    def reference(self, kind, name):
        return f'[[maybe_unused]] auto& {name} = {X}dynamicShared<{kind}>("{name}");'

    def test_dynamic_shared_memory_is_a_reference(self):
        for code, kind, name in (("extern __shared__ float s[];", "float[]", "s"),
                                 ("extern volatile __shared__ T tile[][N + 1];", "volatile T[][N + 1]", "tile"),
                                 ("extern __align__(16) __shared__ unsigned char raw[];", "unsigned char[]", "raw"),
                                 ("__shared__ extern std::pair<int, int> p[];", "std::pair<int, int>[]", "p")):
            self.expect_in_kernel(code, self.reference(kind, name))
        self.expect_in_kernel("extern __shared__ int a[], b[];",
                              self.reference("int[]", "a") + self.reference("int[]", "b"))

    def test_that_of_a_file_is_seen_in_each_function_that_says_its_name(self):
        inner = self.reference("int[]", "s") + "{"
        self.expect("extern __shared__ int s[]; __global__ void k() { s[0] = 1; } "
                    "__device__ int f(int s) { return s; } __device__ int g() { return s[0]; } "
                    "int host() { int s = 1; return s; }",
                    "; void k() " + body(inner + "s[0] = 1; }") + " int f(int s) { return s; } int g() {" + inner
                    + "return s[0]; }} int host() { int s = 1; return s; }")


class Allocations(Translations):
    def test_the_cast_to_void_keeps_the_type_of_the_elements(self):
        typed = X + "addressOfPointer"
        for code, translation in (("cudaMalloc((void**)&x, n(1, 2));", f"cudaMalloc({typed}(&x), n(1, 2));"),
                                  ("cudaMallocManaged((void * *) &p->a[f(1, 2)], 4);",
                                   f"cudaMallocManaged({typed}(&p->a[f(1, 2)]), 4);"),
                                  ("cudaMallocHost(reinterpret_cast<void**>(&x), 4);", f"cudaMallocHost({typed}(&x), 4);"),
                                  ("cudaMalloc(&x, 4);", "cudaMalloc(&x, 4);"),
                                  ("mine((void**)&x, 4);", "mine((void**)&x, 4);")):
            function = "int cudaMalloc(); int cudaMallocManaged(); int cudaMallocHost(); void f() {{ int y = {} }}"
            self.expect(function.format(code), function.format(translation))


class Variables(Translations):
    def test_variables_of_the_device_have_a_section(self):
        for code in ("{} int x = 1, y;", "{} int x, *y;", "{} float t[3];", "{} float (*f)(float) = g;", "{} S s{{1}};", "{} S s(-1), t(2);", "int {} x;"):
            self.expect(code.format("__device__"), code.format("static " + DEVICE))
            marked = translated(code.format("__constant__"), whole_program=True)
            self.assertIn("nbody_constant_of_", marked)
            self.assertEqual(MARKER.sub("", marked), blankless(code.format(DEVICE)))
        self.expect("static __device__ int x;", f"static {DEVICE} int x;")
        self.expect("__device__ __managed__ int x;", f"static {MANAGED} int x;")
        self.expect("extern __device__ int x;", "extern int x;")

    def test_constants_and_what_several_objects_define_have_none(self):
        for code in ("{} const int x = 1;", "inline {} int x;", "template <class T> {} T x;",
                     "struct S {{ static {} int x; }};"):
            self.expect(code.format("__device__"), code.format(""))

    def test_what_several_objects_define_is_put_there_later(self):
        for code, names in (("template <class T, int N = 4> __device__ T x[N] = {1};", {"x"}),
                            ("template <class T> static __constant__ T x = T(2);", {"x"}),
                            ("inline __device__ int x = 1, y;", {"x", "y"}),
                            ("template <class T> __device__ const T x = 1;", set()), ("__device__ int x;", set())):
            self.assertEqual(unplaced(code), {("nbody_device", name) for name in names}, code)
        self.assertEqual(unplaced("template <class T> __managed__ T x;"), {("nbody_managed", "x")})
        self.expect("template <> __device__ int x<int> = 3;", f"template <> {DEVICE} int x<int> = 3;")

    def test_the_assemblers_text_gets_their_sections(self):
        begin, end = "\t.section\t", ',"awG",@{}bits,f,comdat\n'
        for section, name, symbol in (("nbody_device", "x", "bss._Z1xIiE"), ("nbody_device", "x", "data._ZL1xIfE"),
                                      ("nbody_device", "x", "data.rel.local._ZN2my12_GLOBAL__N_11xIPiE"),
                                      ("nbody_device", "x", "data._ZN2my1xE"), ("nbody_managed", "count", "bss.count")):
            for kind in ("no", "prog"):
                self.assertEqual(moved(f"{begin}.{symbol}{end.format(kind)}", {(section, name)}),
                                 f"{begin}{section}{end.format('prog')}")
        for other in ("bss._Z2xxIiE", "bss._ZZ1fvE1x", "rodata._Z1xIiE", "bss._ZN2my1yE", "text._Z1xIiE"):
            line = f"{begin}.{other}{end.format('no')}"
            self.assertEqual(moved(line, {("nbody_device", "x")}), line)

    def test_their_addresses_in_copies_are_the_hosts(self):
        head = "__device__ float x, a[4]; __managed__ float m; "
        shown = f"static {DEVICE} float x, a[4]; static {MANAGED} float m; "
        for code, translation in (
                ("cudaMemcpy(&h, &x, 4, k)", f"cudaMemcpy(&h, {X}hostAddress(&x), 4, k)"),
                ("cudaMemsetAsync((void*)&x, 0, 4, s)", f"cudaMemsetAsync((void*){X}hostAddress(&x), 0, 4, s)"),
                ("cudaMemcpyToSymbol(x, &x, 4)", "cudaMemcpyToSymbol(x, &x, 4)"),
                ("cudaMemcpy(&m, x, f(&x), k)", "cudaMemcpy(&m, x, f(&x), k)")):
            self.expect(head + f"int f() {{ return {code}; }}", shown + f"int f() {{ return {translation}; }}")
        self.expect("__constant__ int t[4]; int f(int* h) { return cudaMemcpy(t, h, 16, k); }",
                    f"static {DEVICE} int t[4]; static __attribute__((used)) const char nbody_constant_of_t = 0; int f(int* h) {{ return cudaMemcpy({X}hostAddress(t), h, 16, k); }}")

    def test_functions_are_no_variables(self):
        for code in ("int f(int x) { return x; }", "T operator+(T a, T b);", "S& operator=(const S&) = default;",
                     "static inline float f();", "auto f() -> int { return 1; }", "typedef int (*F)(int);"):
            self.expect(f"__device__ {code}", code)
            self.expect(f"__host__ __device__ {code}", code)
        self.expect("struct S { __device__ S() : x(1) {} __device__ ~S(); int x; };",
                    "struct S { S() : x(1) {} ~S(); int x; };")
        self.expect("auto f = [=] __device__ (int i) { return i; };", "auto f = [=] (int i) { return i; };")


class Words(Translations):
    def test_alignment_inlining_and_clocks(self):
        self.expect("void f() { __shared__ alignas(16) float s[4]; }",
                    f"void f() {{ {SHARED} __attribute__((aligned(16))) float s[4]; }}")
        self.expect("void f() { __shared__ alignas(T) float s[4]; }", f"void f() {{ alignas(T) {SHARED} float s[4]; }}")
        self.expect("__device__ int x; struct alignas(8) S { alignas(4) char c; };",
                    'static __attribute__((used, section("nbody_device"))) int x; '
                    "struct alignas(8) S { alignas(4) char c; };")
        self.expect("typedef struct __align__(8) { int a; } S;",
                    "typedef struct __attribute__((aligned(8))) { int a; } S;")
        self.expect("__forceinline__ __device__ int f();", "__attribute__((always_inline)) inline int f();")
        self.expect("static inline __forceinline__ int f();", "static inline __attribute__((always_inline)) int f();")
        self.expect("__noinline__ int f() { return clock() + t.clock() + std::clock(); }",
                    f"__attribute__((noinline)) int f() {{ return {X}deviceOrHostClock() + t.clock() "
                    "+ std::clock(); }")

    def test_printf_is_the_devices_in_a_kernel(self):
        for code in ("printf", "::printf", "std::printf"):
            self.expect(f"int f() {{ return {code}(s, 1); }}", f"int f() {{ return {X}deviceOrHostPrintf(s, 1); }}")
        for code in ('extern int printf(const char*, ...) __attribute__((format(printf, 1, 2)));',
                     "void f() { my::printf(s); log.printf(s); log->printf(s); g(printf); }"):
            self.expect(code, code)

    def test_a_result_that_nobody_takes_is_marked(self):
        self.expect("void f() { cudaFree(x); if (a) ::cudaFree(y); e = cudaFree(z); g(cudaFree(w)); }",
                    f'void f() {{ {X}ignored(cudaFree(x), "cudaFree"); if (a) {X}ignored(::cudaFree(y), "cudaFree"); '
                    "e = cudaFree(z); "
                    "g(cudaFree(w)); }")
        self.expect("void cudaMine(int); void f() { cudaMine(1); }", "void cudaMine(int); void f() { cudaMine(1); }")

    def test_ptx_becomes_plain_code(self):
        put, word = f"{X}ptx::put(nbody0, ", f"{X}ptx::as<unsigned>"
        for code, plain in (
                ('asm("mov.u32 %0, %%laneid;" : "=r"(x))', f"auto& nbody0 = x; {put}{word}({X}laneId()));"),
                ('asm volatile ("mov.u32 %0, %smid;" : "=r"(x[1]))', f"auto& nbody0 = x[1]; {put}{word}({X}smId()));"),
                ('asm volatile("membar.gl;")', "::__threadfence();"),
                ('asm("add.s32 %0, %1, 2;" : "=r"(a) : "r"(c + 1))',
                 f"auto& nbody0 = a; const auto nbody1 = c + 1; {put}static_cast<int>({word}(nbody1) + static_cast<unsigned>(2ll)));"),
                # A register has no type, so an operand that is not used has no variable.
                ('asm("st.global.f32 [%1], %0;" :: "f"(x), "l"(p), "r"(unused))',
                 f"const auto nbody0 = x; const auto nbody1 = p; *{X}ptx::pointer<float, false>(nbody1, 0) = "
                 f"{X}ptx::as<float>(nbody0);")):
            self.expect(f"void f() {{ {code}; }}", f"void f() {{ ({{ {plain} }}); }}")
        for code in ('asm("rep; nop")', 'asm volatile("" ::: "memory")', 'asm("pause" ::: "memory")'):
            self.expect(f"void f() {{ {code}; }}", f"void f() {{ {code}; }}")

    def test_modifiers_of_ptx_are_in_any_order(self):
        def of(code):
            return translated(f'void f() {{ asm("{code}" : "=r"(x) : "r"(p)); }}')

        for one, other in (("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];", "ldmatrix.sync.aligned.x1.m8n8.shared::cta.b16 {%0}, [%1];"),
                           ("ld.global.volatile.u32 %0, [%1];", "ld.volatile.global.u32 %0, [%1];")):
            self.assertEqual(of(one), of(other))

    def test_ptx_without_a_translation_is_an_error_if_it_is_needed(self):
        for code in ("cp.async.bulk.commit_group;", "wgmma.fence.sync.aligned;", "mov.u32 %0, %nosuch;", "add.u32 %0;",
                     "addc.u32 %0, %0, %0;", "frobnicate.u32 %0, %0;", "setp.ltu.f32 p, %0, %0;", "exit;"):
            message = f"the CPU executor does not run this inline PTX: {code.rstrip(';')}"
            self.assertIn(blankless(message), translated(f'void f() {{ asm("{code}" : "+r"(x)); }}'), code)


class Refusals(Translations):
    def test_what_has_no_translation_is_refused_with_its_line(self):
        for code, reason in (
                ("void f() { k<<<1, 1; }", "this <<< has no matching >>>(...)"),
                ("void f() { k<<<1, 1>>>; }", "this <<< has no matching >>>(...)"),
                ("void f() { k<<<>>>(x); }", "this <<< has no matching >>>(...)"),
                ("__global__ int x;", "this __global__ is not in front of a function"),
                ("__global__ void k() { __shared__ int x = 0; }", "a __shared__ variable has no initialiser"),
                ("__global__ void k() { __shared__ int x{1}; }", "a __shared__ variable has no initialiser"),
                ("__global__ void k() { __shared__ T x = {}; }", "a __shared__ variable has no initialiser"),
                ("extern __shared__ int* p;", "this extern __shared__ does not declare an array"),
                ("surface<void, 2> s;", "does not support surfaces"),
                ("texture<float, 2> t;", "does not support texture references"),
                ("void f() { surf2Dwrite(1, s, 0, 0); }", "does not support surfaces (surf2Dwrite)"),
                ("void f() { cuInit(0); }", "does not support CUDA's driver API (cuInit)"),
                ("void f() { cudaIpcGetMemHandle(0, 0); }", "does not support memory of other processes"),
                ("void f() { tex3D<float>(t, 0, 0, 0); }", "does not support textures and arrays of three dimensions"),
                ("curandStateSobol32_t* s;", "does not support this generator of cuRAND"),
                ("void f() { cublasCreate(&h); }", "does not support this library (cublasCreate)"),
                ("void f() { cub::DeviceSelect::If(1); }", "does not have cub::DeviceSelect"),
                ("void f() { cudaNoSuchCall(1); }", "does not have cudaNoSuchCall()")):
            with self.assertRaisesRegex(NotTranslated, rf"^b\.cuh:8: error: .*{re.escape(reason)}"):
                translate(f'# 1 "a.cu"\n\n# 7 "b.cuh" 1\n\n{code}\n')

    def test_all_that_is_not_supported_is_named_at_once(self):
        with self.assertRaises(NotTranslated) as caught:
            translate('# 1 "a.cu"\nvoid f() { cudaNoSuch(1); }\nvoid g() { cuInit(0); cudaNoSuch(2); }\n')
        self.assertEqual(str(caught.exception), "a.cu:1: error: the CPU executor does not have cudaNoSuch()\n"
                         "a.cu:2: error: the CPU executor does not support CUDA's driver API (cuInit)")

    def test_names_that_the_program_declares_are_its_own(self):
        for code in ("void cudaCheck(int); void f() { cudaCheck(1); }", "int cuMemoryUse() { return 1; }",
                     "auto cudaSafe = [](int e) {}; void f() { cudaSafe(1); }",
                     "void f() { a.cuInit(1); s->cudaThing(2); }",
                     "namespace cub { struct Mine {}; } cub::Mine mine;", "int texture; int f() { return texture < 3; }"):
            self.expect(code, code)


class Sides(unittest.TestCase):
    def refusal(self, code):
        with self.assertRaises(NotTranslated) as caught:
            translate(f'# 1 "a.cu"\n\n{code}\n', sides=True)
        return str(caught.exception)

    def test_the_device_does_not_call_the_hosts_functions(self):
        for caller in ("__global__ void k(int* x) { x[0] = h(1); }", "__device__ int k() { return h(1); }",
                       "template <class T> __global__ void k(T x) { x = h(1); }",
                       "struct S { __device__ int k() { return h(1); } };"):
            for callee in (OF_HOST, "static inline __host__ " + OF_HOST, "namespace n { " + OF_HOST + " } using namespace n;"):
                self.assertEqual(self.refusal(f"{callee}\n{caller}"), "a.cu:3: error: k() is a device function and calls "
                                 "h(), which is a host function: put __device__ before it")

    def test_the_host_does_not_call_the_devices(self):
        self.assertEqual(self.refusal(OF_DEVICE + "\nint main() { return d(1); }"),
                         "a.cu:3: error: main() is a host function and calls d(), which is a device function")

    def test_the_device_does_not_use_the_hosts_constant_arrays(self):
        for array in ("const float w[3] = {1, 2, 1};", "static const float w[2][2] = {};",
                      "namespace n { float const w[] = {1}; }"):
            for caller in ("__global__ void k(float* x) { x[0] = w[1]; }", "__device__ float k(int i) { return 2 * w[i]; }",
                           "__global__ void k(float* x) { float s = 0; s += x[1] * w[0] + s * w[1]; }"):
                self.assertEqual(self.refusal(f"{array}\n{caller}"), "a.cu:3: error: k() is a device function and uses the "
                                 "array w, which is a host array: put __constant__ before its declaration")

    def test_the_address_of_a_device_function_is_no_argument_of_the_hosts(self):
        for arguments in ("d", "x, d", "d, x"):
            self.assertIn("a.cu:3: error: host code cannot take an address of d() that a kernel can call",
                          self.refusal(OF_DEVICE + f"\nint main() {{ k<<<1, 1>>>({arguments}); }}"))

    def test_names_that_are_not_certain_are_left_to_the_compiler(self):
        array = "const float w[3] = {1, 2, 1}; "
        for code in ("__constant__ " + array + "__global__ void k(float* x) { x[0] = w[1]; }",
                     "constexpr float w[3] = {}; __global__ void k(float* x) { x[0] = w[1]; }",
                     array + "__global__ void k(float* x) { const float w[2] = {}; x[0] = w[1]; }",
                     array + "__global__ void k(float* w) { w[0] = w[1]; }",
                     array + "__global__ void k() { float* w[3]; w[0] = w[1]; }",
                     array + "__global__ void k(S s) { s.w[0] = sizeof(w[0]); }",
                     array + "float f() { return w[1]; } __host__ __device__ float g() { return w[1]; }",
                     OF_DEVICE + "int main() { k<d><<<1, 1>>>(x); }", OF_DEVICE + "int main() { int d = 1; k<<<1, 1>>>(d); }",
                     OF_DEVICE + "__global__ void k(int* x) { c<<<1, 1>>>(x, d); }"):
            translate(f'# 1 "a.cu"\n{code}\n', sides=True)

    def test_only_a_kernel_is_launched(self):
        for code in ("__device__ void k(int* x) {} void f() { k<<<1, 1>>>(x); }", "void k(int* x) {} void f() { k<<<1, 1>>>(x); }",
                     "template <class T> void k(T* x) {} void f() { k<int><<<1, 1>>>(x); }",
                     "template <int N> __device__ void k(int* x) {} void f() { k<(2 > 1)><<<1, 1>>>(x); }"):
            self.assertIn("a.cu:2: error: k() is not a kernel: declare it with __global__", self.refusal(code))

    def test_what_may_be_a_kernel_is_launched(self):
        kernel = "template <class T> __global__ void k(T* x) {} "
        for code in (kernel + "template <class T, class U> void k(T* x, U y) {} void f() { k<int><<<1, 1>>>(x); }",
                     kernel + "template <void (*g)(int*)> void f() { g<<<1, 1>>>(x); } void g(int*);",
                     "template <int N> __global__ void __launch_bounds__(N) k(int* x) {} void k() { k<2><<<1, 1>>>(x); }",
                     "namespace n { template <class T> void k(T* x) {} } void f() { m::k<int><<<1, 1>>>(x); }"):
            translate(f'# 1 "a.cu"\n{code}\n', sides=True)

    def test_a_product_is_no_declaration(self):
        self.assertIn("calls h(), which is a host function",
                      self.refusal(OF_HOST + "__global__ void k(int* x) { const int s = x[1]; x[0] = s * h(s); }"))

    def test_what_is_not_certain_is_left_to_the_compiler(self):
        for code in (OF_HOST + "__host__ __device__ int b() { return h(1); }",
                     OF_HOST + "template <class F> __global__ void k(F h) { h(1); }",
                     OF_HOST + "__global__ void k(int* x) { auto h = [](int y) { return y; }; x[0] = h(1); }",
                     OF_HOST + "struct S { int m; }; __global__ void k(S* s) { s->h(1); n::h(2); }",
                     OF_HOST + "__device__ int h(float x) { return 1; } __global__ void k(int* x) { x[0] = h(1.f); }",
                     "constexpr " + OF_HOST + "__global__ void k(int* x) { x[0] = h(1); }",
                     "template <class T> T h(T x) { return x; } __global__ void k(int* x) { x[0] = h(1); }",
                     "int h(int); __device__ int h(int x) { return x; } __global__ void k(int* x) { x[0] = h(1); }",
                     "struct S { int h(int x) { return x; } }; __device__ int k() { return h(1); }",
                     OF_DEVICE + "template <class F> void run(F); void f() { run([] __device__ (int i) { return d(i); }); }",
                     OF_DEVICE + "void f() { using T = decltype(d(1)); }",
                     OF_DEVICE + "__device__ int e() { return d(1); }"):
            translate(f'# 1 "a.cu"\n{code}\n', sides=True)
