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
                self.assertEqual(self.refusal(f"{callee}\n{caller}"), "a.cu:3: error: k() is a function of the device and "
                                 "calls h(), which is one of the host: say __device__ before it")

    def test_the_host_does_not_call_the_devices(self):
        self.assertEqual(self.refusal(DEVICE + "\nint main() { return d(1); }"),
                         "a.cu:3: error: main() is a function of the host and calls d(), which is one of the device")

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
