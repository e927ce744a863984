"""The translator: calls between the host's functions and the device's, which nvcc refuses."""

import unittest

from common.executor.translate.translate import NotTranslated, translate

HOST, DEVICE = "int h(int x) { return x; }", "__device__ int d(int x) { return x; }"


class Sides(unittest.TestCase):
    def refusal(self, code):
        with self.assertRaises(NotTranslated) as caught:
            translate(f'# 1 "a.cu"\n\n{code}\n', sides=True)
        return str(caught.exception)

    def test_the_device_does_not_call_the_hosts_functions(self):
        for caller in ("__global__ void k(int* x) { x[0] = h(1); }", "__device__ int k() { return h(1); }",
                       "template <class T> __global__ void k(T x) { x = h(1); }",
                       "struct S { __device__ int k() { return h(1); } };"):
            for callee in (HOST, "static inline __host__ " + HOST, "namespace n { " + HOST + " } using namespace n;"):
                self.assertEqual(self.refusal(f"{callee}\n{caller}"), "a.cu:3: error: k() is a device function and calls "
                                 "h(), which is a host function: put __device__ before it")

    def test_the_host_does_not_call_the_devices(self):
        self.assertEqual(self.refusal(DEVICE + "\nint main() { return d(1); }"),
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
                          self.refusal(DEVICE + f"\nint main() {{ k<<<1, 1>>>({arguments}); }}"))

    def test_names_that_are_not_certain_are_left_to_the_compiler(self):
        array = "const float w[3] = {1, 2, 1}; "
        for code in ("__constant__ " + array + "__global__ void k(float* x) { x[0] = w[1]; }",
                     "constexpr float w[3] = {}; __global__ void k(float* x) { x[0] = w[1]; }",
                     array + "__global__ void k(float* x) { const float w[2] = {}; x[0] = w[1]; }",
                     array + "__global__ void k(float* w) { w[0] = w[1]; }",
                     array + "__global__ void k() { float* w[3]; w[0] = w[1]; }",
                     array + "__global__ void k(S s) { s.w[0] = sizeof(w[0]); }",
                     array + "float f() { return w[1]; } __host__ __device__ float g() { return w[1]; }",
                     DEVICE + "int main() { k<d><<<1, 1>>>(x); }", DEVICE + "int main() { int d = 1; k<<<1, 1>>>(d); }",
                     DEVICE + "__global__ void k(int* x) { c<<<1, 1>>>(x, d); }"):
            translate(f'# 1 "a.cu"\n{code}\n', sides=True)

    def test_only_a_kernel_is_launched(self):
        for code in ("__device__ void k(int* x) {} void f() { k<<<1, 1>>>(x); }", "void k(int* x) {} void f() { k<<<1, 1>>>(x); }",
                     "template <class T> void k(T* x) {} void f() { k<int><<<1, 1>>>(x); }",
                     "template <int N> __device__ void k(int* x) {} void f() { k<(2 > 1)><<<1, 1>>>(x); }"):
            with self.assertRaisesRegex(NotTranslated, r"a.cu:1: error: k\(\) is not a kernel: declare it with __global__"):
                translate(f'# 1 "a.cu"\n{code}\n', sides=True)

    def test_what_may_be_a_kernel_is_launched(self):
        kernel = "template <class T> __global__ void k(T* x) {} "
        for code in (kernel + "template <class T, class U> void k(T* x, U y) {} void f() { k<int><<<1, 1>>>(x); }",
                     kernel + "template <void (*g)(int*)> void f() { g<<<1, 1>>>(x); } void g(int*);",
                     "namespace n { template <class T> void k(T* x) {} } void f() { m::k<int><<<1, 1>>>(x); }"):
            translate(f'# 1 "a.cu"\n{code}\n', sides=True)

    def test_a_product_is_no_declaration(self):
        with self.assertRaisesRegex(NotTranslated, r"calls h\(\), which is a host function"):
            translate(f'# 1 "a.cu"\n{HOST}__global__ void k(int* x) {{ const int s = x[1]; x[0] = s * h(s); }}\n', sides=True)

    def test_what_is_not_certain_is_left_to_the_compiler(self):
        for code in (HOST + "__host__ __device__ int b() { return h(1); }",
                     HOST + "template <class F> __global__ void k(F h) { h(1); }",
                     HOST + "__global__ void k(int* x) { auto h = [](int y) { return y; }; x[0] = h(1); }",
                     HOST + "struct S { int m; }; __global__ void k(S* s) { s->h(1); n::h(2); }",
                     HOST + "__device__ int h(float x) { return 1; } __global__ void k(int* x) { x[0] = h(1.f); }",
                     "constexpr " + HOST + "__global__ void k(int* x) { x[0] = h(1); }",
                     "template <class T> T h(T x) { return x; } __global__ void k(int* x) { x[0] = h(1); }",
                     "int h(int); __device__ int h(int x) { return x; } __global__ void k(int* x) { x[0] = h(1); }",
                     "struct S { int h(int x) { return x; } }; __device__ int k() { return h(1); }",
                     DEVICE + "template <class F> void run(F); void f() { run([] __device__ (int i) { return d(i); }); }",
                     DEVICE + "void f() { using T = decltype(d(1)); }",
                     DEVICE + "__device__ int e() { return d(1); }"):
            translate(f'# 1 "a.cu"\n{code}\n', sides=True)


if __name__ == "__main__":
    unittest.main()
