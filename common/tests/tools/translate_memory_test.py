"""The translator: shared memory, variables of the device, qualifiers, inline PTX, and what it refuses."""

import re
import unittest

from common.executor.nvcc.sections import moved
from common.executor.translate.translate import NotTranslated, translate
from common.tests.tools.translate_test import Translations, X, blankless, body, translated

DEVICE = '__attribute__((used, section("nbody_device")))'
MARKER = re.compile(r"static __attribute__\(\(used\)\)const char nbody_constant_of_\w+=0;")
MANAGED = '__attribute__((used, section("nbody_managed")))'


def unplaced(code, **options):
    found = set()
    translate(code, unplaced=found, **options)
    return found


class SharedMemory(Translations):
    def expect_in_kernel(self, code, translation, **options):
        self.expect(f"__global__ void k() {{{code}}}", "void k() " + body(translation), **options)

    def test_static_shared_memory_is_of_the_os_thread(self):
        for code in ("{} float a[2][3], b;", "static {} T x;", "float {} x;", "{} struct {{ int a; }} s;"):
            self.expect_in_kernel(code.format("__shared__"), code.format("thread_local"))
            once = code.format("static").replace("static static", "static")
            self.expect_in_kernel(code.format("__shared__"), once, asan=True)
        self.expect("__shared__ int x;", "static thread_local int x;")
        self.expect("__shared__ int x;", "static int x;", asan=True)

    def test_under_asan_it_is_put_in_its_section_later(self):
        code = "__global__ void k() { __shared__ float a[2][3], b; static __shared__ S s; }"
        self.assertEqual(unplaced(code, asan=True), {("nbody_shared", name) for name in ("a", "b", "s")})
        self.assertEqual(unplaced("__global__ void k() { __shared__ float a; extern __shared__ int d[]; }"), set())

    def test_what_no_gpu_has_room_for_is_left_to_the_compiler(self):
        for code, found in (("__global__ void k() { __shared__ float a[2], b; extern __shared__ int s[]; }", {"a": 49152}),
                            ("__constant__ float table[20000];", {"table": 65536}), ("__device__ float x[20000];", {})):
            limits = {name: int(most) for name, most in re.findall(r"static_assert\(sizeof\((\w+)\) <= (\d+)", translate(code))}
            self.assertEqual(limits, found, code)

    def test_it_has_no_initialiser(self):
        for code in ("__shared__ int x = 0;", "__shared__ int x{1};", "__shared__ T x = {};"):
            with self.assertRaisesRegex(NotTranslated, "a __shared__ variable has no initialiser"):
                translate(f'# 1 "a.cu"\n__global__ void k() {{ {code} }}\n')

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
        for code in ("{} int x = 1, y;", "{} int x, *y;", "{} float t[3];", "{} float (*f)(float) = g;", "{} S s{{1}};", "int {} x;"):
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
                                      ("nbody_device", "x", "data._ZN2my1xE"), ("nbody_managed", "count", "bss.count"),
                                      ("nbody_shared", "tile", "bss._ZZZ1kIiEvPT_ENUlvE_clEvE4tile_0")):
            for kind in ("no", "prog"):
                self.assertEqual(moved(f"{begin}.{symbol}{end.format(kind)}", {(section, name)}),
                                 f"{begin}{section}{end.format('prog')}")
        self.assertEqual(moved('\t.section\t".bss._ZZZ1kvENK3$_0clEvE4tile","aw",@nobits', {("nbody_shared", "tile")}),
                         '\t.section\tnbody_shared,"aw",@progbits')
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
                    "void f() { thread_local __attribute__((aligned(16))) float s[4]; }")
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
                    f"void f() {{ {X}ignored(cudaFree(x)); if (a) {X}ignored(::cudaFree(y)); e = cudaFree(z); "
                    "g(cudaFree(w)); }")
        self.expect("void cudaMine(int); void f() { cudaMine(1); }", "void cudaMine(int); void f() { cudaMine(1); }")

    def test_known_ptx_becomes_plain_code(self):
        for code, plain in (('asm("mov.u32 %0, %%laneid;" : "=r"(x))', f"x = {X}laneId()"),
                            ('asm volatile ("mov.u32 %0, %smid;" : "=r"(x[1]))', f"x[1] = {X}smId()"),
                            ('asm volatile("membar.gl;")', "::__threadfence()"),
                            ('asm("add.s32 %0, %1, %2;" : "=r"(a) : "r"(b), "r"(c + 1))', "(a) = ((b)) + ((c + 1))")):
            self.expect(f"void f() {{ {code}; }}", f"void f() {{ {plain}; }}")
        for code in ('asm("rep; nop")', 'asm volatile("" ::: "memory")', 'asm("pause" ::: "memory")'):
            self.expect(f"void f() {{ {code}; }}", f"void f() {{ {code}; }}")
        self.assertIn("the CPU executor does not run this inline PTX:cp.async.ca%0;",
                      translated('void f() { asm("cp.async.ca %0;" :: "r"(x)); }'))


class Refusals(Translations):
    def test_what_has_no_translation_is_refused_with_its_line(self):
        for code, reason in (
                ("void f() { k<<<1, 1; }", "this <<< has no matching >>>(...)"),
                ("void f() { k<<<1, 1>>>; }", "this <<< has no matching >>>(...)"),
                ("void f() { k<<<>>>(x); }", "this <<< has no matching >>>(...)"),
                ("__global__ int x;", "this __global__ is not in front of a function"),
                ("extern __shared__ int* p;", "this extern __shared__ does not declare an array"),
                ("surface<void, 2> s;", "does not support surfaces"),
                ("texture<float, 2> t;", "does not support texture references"),
                ("void f() { surf2Dwrite(1, s, 0, 0); }", "does not support surfaces (surf2Dwrite)"),
                ("void f() { cuInit(0); }", "does not support CUDA's driver API (cuInit)"),
                ("void f() { cudaIpcGetMemHandle(0, 0); }", "does not support memory of other processes"),
                ("void f() { tex3D<float>(t, 0, 0, 0); }", "does not support textures and copies of three dimensions"),
                ("int i = __vadd4(1, 2);", "does not support integers packed in a word (__vadd4)"),
                ("using namespace nvcuda;", "does not support tensor cores"),
                ("void f() { cublasCreate(&h); }", "does not support this library (cublasCreate)"),
                ("void f() { cub::DeviceSelect::If(1); }", "does not have cub::DeviceSelect"),
                ("float f() { return normcdf(1.0f); }", "does not support this mathematical function (normcdf)"),
                ("void f() { cudaNoSuchCall(1); }", "does not have cudaNoSuchCall()")):
            with self.assertRaises(NotTranslated) as caught:
                translate(f'# 1 "a.cu"\n\n# 7 "b.cuh" 1\n\n{code}\n')
            self.assertTrue(str(caught.exception).startswith("b.cuh:8: error: "), caught.exception)
            self.assertIn(reason, str(caught.exception))

    def test_names_that_the_program_declares_are_its_own(self):
        for code in ("void cudaCheck(int); void f() { cudaCheck(1); }", "int cuMemoryUse() { return 1; }",
                     "auto cudaSafe = [](int e) {}; void f() { cudaSafe(1); }",
                     "void f() { a.cuInit(1); s->cudaThing(2); }",
                     "namespace cub { struct Mine {}; } cub::Mine mine;", "double sinpi(double x) { return x; } double f() { return sinpi(1); }", "int texture; int f() { return texture < 3; }"):
            self.expect(code, code)


if __name__ == "__main__":
    unittest.main()
