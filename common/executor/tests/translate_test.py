"""The translator of CUDA's additions to C++, text in, text out: what it leaves alone, lines, and what it refuses. What translated
programs do is tested with the programs.
"""

import re
import unittest

from common.executor.translate.translate import NotTranslated, translate

X = "::nbody::executor::"
DEVICE = '__attribute__((used, section("nbody_device")))'
MANAGED = '__attribute__((used, section("nbody_managed")))'
SHARED = "thread_local __attribute__((used))"
OF_HOST, OF_DEVICE = "int h(int x) { return x; }", "__device__ int d(int x) { return x; }"
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


def body(code, name="k", bounds=0, pointers=()):
    named = ", {" + ", ".join(f'{{"{pointer}", {pointer}}}' for pointer in pointers) + "}" if pointers else ""
    return f'{{{X}stub([=]() mutable -> void {{{code}}}, "{name}", {bounds}{named});}}'


class Untouched(unittest.TestCase):
    def test_what_has_nothing_of_cuda_passes_byte_by_byte(self):
        for code in ("int main() { return 1 << 2 < 3; }\n", "a<b<c>>>1;\n", 'const char* s = "k<<<1, 1>>>(x)";\n',
                     "#pragma once\n  template <class T> void f() {}\n\n", 'auto s = R"x(k<<<1>>>(); __shared__)x";\n',
                     "char c = '\"'; auto n = 1'000'000 + 0x1.8p-3 + 1e+5f; // k<<<1, 1>>>()\n",
                     "std::vector<std::vector<std::vector<int>>> v; bool b = x < y >> 2 > z;\n",
                     "operator<<<int>(a, b);\n", "void f() { my::printf(s); log.printf(s); log->printf(s); g(printf); }\n",
                     "extern int printf(const char*, ...) __attribute__((format(printf, 1, 2)));\n", "int x = t.clock();\n",
                     'void f() { asm("rep; nop"); asm volatile("" ::: "memory"); asm("pause" ::: "memory"); }\n'):
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


class Lines(unittest.TestCase):
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
    def test_pointers_among_the_parameters_have_names(self):
        for parameters, pointers in (("const A* __restrict__ a, B<C, 2>* const b, int** c = nullptr, float d[]", "abcd"),
                                     ("int, float*, A a, int* const&, T*... rest, int (*f)(int), D<2 * n, 3> g", "")):
            self.expect(f"__global__ void k({parameters}) {{}}", f"void k({parameters}) {body('', pointers=pointers)}")

    def test_declarations_stay_declarations(self):
        for code in ('extern "C" {} void k(int);', "template {} void k<float>(float*);", "friend {} void k(int);"):
            self.expect(code.format("__global__"), code.format(""))


class Variables(Translations):
    def test_what_no_gpu_has_room_for_is_left_to_the_compiler(self):
        for code, found in (("__global__ void k() { __shared__ float a[2], b; extern __shared__ int s[]; }", {"a": 49152}),
                            ("__constant__ float table[20000];", {"table": 65536}), ("__device__ float x[20000];", {})):
            limits = {name: int(most) for name, most in re.findall(r"static_assert\(sizeof\((\w+)\) <= (\d+)", translate(code))}
            self.assertEqual(limits, found, code)

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


class Assembly(unittest.TestCase):
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
                ("surface<void, 2> s;", "does not support surface references: use surface objects (surface<...>)"),
                ("texture<float, 2> t;", "does not support texture references"),
                ("void f() { surf3Dwrite(1, s, 0, 0, 0); }", "layers or levels (surf3Dwrite)"),
                ("void f() { cuInit(0); }", "does not support CUDA's driver API (cuInit)"),
                ("void f() { cudaIpcGetMemHandle(0, 0); }", "does not support memory of other processes"),
                ("void f() { tex3D<float>(t, 0, 0, 0); }", "does not support textures, surfaces and arrays of three dimensions"),
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
