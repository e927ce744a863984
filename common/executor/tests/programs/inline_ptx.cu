// Inline PTX as courses write it. nvcc compiles it too, and a GPU must print the same.
// prints: memory 1 2 3 4 | 3 5 | 7 8 | 4 9
// prints: bits 3f f0 80000001 fffffff0 12345678 efbeadde 2 ab
// prints: sums fffffffe00000001 2 0 | 5 12 -6
// prints: floats 1.5 3 0.25 -2 40490fdb
// prints: halves 4200 42004400 3f80
// prints: lanes 31 0 ffff 496 | 61 45
// prints: guards 10 20
// prints: copies 0 1 2 3 | 4 5 0 0
// prints: flags 1 64
// orders: forward reverse random:3
#include <cuda_fp16.h>

#include <cstdio>

__global__ void memory(const float* in, float* out) {
  __shared__ float4 tile[2];
  float4 v;
  asm volatile("ld.global.nc.v4.f32 {%0, %1, %2, %3}, [%4 + 16];"
               : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
               : "l"(in));
  const unsigned shared = static_cast<unsigned>(__cvta_generic_to_shared(tile));
  asm volatile("st.shared.v4.f32 [%0], {%1, %2, %3, %4};" ::"r"(shared), "f"(v.x), "f"(v.y),
               "f"(v.z), "f"(v.w));
  printf("memory %g %g %g %g", tile[0].x, tile[0].y, tile[0].z, tile[0].w);
  float a, b;
  asm volatile("ld.v2.f32.global {%0, %1}, [%2];" : "=f"(a), "=f"(b) : "l"(in + 2));
  asm volatile("st.global.v2.f32 [%0], {%1, %2};" ::"l"(out), "f"(a), "f"(b));
  printf(" | %g %g", out[0], out[1]);
  int c, d;
  asm volatile(
      "{\n\t.reg .u64 p;\n\tcvta.to.global.u64 p, %2;\n\tld.global.cg.s32 %0, [p];\n\t"
      "ld.volatile.global.u32 %1, [p+4];\n\t}"
      : "=r"(c), "=r"(d)
      : "l"(reinterpret_cast<const int*>(in) + 8));
  printf(" | %d %d", c, d);
  asm volatile("red.global.add.u32 [%0], 4;" ::"l"(out + 2) : "memory");
  unsigned before;
  asm volatile("atom.global.add.u32 %0, [%1], %2;" : "=r"(before) : "l"(out + 2), "r"(5u));
  printf(" | %d %d\n", before, *reinterpret_cast<int*>(out + 2));
}

__global__ void bits() {
  unsigned a, b, c, d, e, f, g, h;
  asm("lop3.b32 %0, %1, %2, %3, 0xfe;" : "=r"(a) : "r"(0x0fu), "r"(0x30u), "r"(0x03u));
  asm("shl.b32 %0, %1, 4;" : "=r"(b) : "r"(0xfu));
  asm("shf.l.wrap.b32 %0, %1, %1, 1;" : "=r"(c) : "r"(0xc0000000u));
  asm("shr.s32 %0, %1, 4;" : "=r"(d) : "r"(0xffffff00u));
  asm("{ .reg .b16 lo, hi; mov.b32 {lo, hi}, %1; mov.b32 %0, {hi, lo}; }"
      : "=r"(e)
      : "r"(0x56781234u));
  asm("prmt.b32 %0, %1, 0, 0x0123;" : "=r"(f) : "r"(0xdeadbeefu));
  asm("{ .reg .pred p; setp.gt.u32 p, %1, 3; selp.u32 %0, 2, 1, p; }" : "=r"(g) : "r"(4u));
  asm("bfe.u32 %0, %1, 8, 8;" : "=r"(h) : "r"(0x00cdab00u));
  printf("bits %x %x %x %x %x %x %x %x\n", a, b, c, d, e, f, g, h);
}

__global__ void sums() {
  unsigned low, high;
  asm("mul.lo.u32 %0, %2, %2; mul.hi.u32 %1, %2, %2;" : "=r"(low), "=r"(high) : "r"(~0u));
  unsigned long long wide;
  asm("mul.wide.u32 %0, %1, %1;" : "=l"(wide) : "r"(~0u));
  unsigned s0, s1;
  asm("add.cc.u32 %0, %2, %3;\n\t"
      "addc.u32 %1, %4, 0;"
      : "=r"(s0), "=r"(s1)
      : "r"(~0u), "r"(1u), "r"(1u));
  int dot, mad, quotient;
  asm("dp4a.s32.s32 %0, %1, %2, %3;" : "=r"(dot) : "r"(0x01010101), "r"(0x01ff0201), "r"(2));
  asm("mad.lo.s32 %0, %1, %2, %3;" : "=r"(mad) : "r"(5), "r"(2), "r"(2));
  asm("div.s32 %0, %1, %2;" : "=r"(quotient) : "r"(-20), "r"(3));
  printf("sums %llx %x %x | %d %d %d\n",
         wide == (static_cast<unsigned long long>(high) << 32 | low) ? wide : 0, s1, s0, dot, mad,
         quotient);
}

__global__ void floats() {
  float a, b, c;
  int d;
  unsigned e;
  asm("fma.rn.f32 %0, %1, %2, 0f3F000000;" : "=f"(a) : "f"(0.5f), "f"(2.0f));
  asm("sqrt.rn.f32 %0, %1;" : "=f"(b) : "f"(9.0f));
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(c) : "f"(4.0f));
  asm("cvt.rzi.s32.f32 %0, %1;" : "=r"(d) : "f"(-2.7f));
  asm("mov.b32 %0, %1;" : "=r"(e) : "f"(3.14159274f));
  printf("floats %g %g %g %d %x\n", a, b, c, d, e);
}

__global__ void halves() {
  unsigned short a, c;
  unsigned b;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(a) : "f"(3.0f));
  asm("{ .reg .b32 t; cvt.rn.f16x2.f32 t, %1, %2; add.f16x2 %0, t, t; }"
      : "=r"(b)
      : "f"(1.5f), "f"(2.0f));
  asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(c) : "f"(1.0f));
  printf("halves %x %x %x\n", a, b, c);
}

__global__ void lanes() {
  int me, other, sum;
  unsigned lower, low;
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(me));
  asm volatile("shfl.sync.bfly.b32 %0, %1, 31, 0x1f, 0xffffffff;" : "=r"(other) : "r"(me));
  asm volatile("{ .reg .pred p; setp.lt.s32 p, %1, 16; vote.sync.ballot.b32 %0, p, -1; }"
               : "=r"(lower)
               : "r"(me));
  asm volatile("mov.u32 %0, %lanemask_lt;" : "=r"(low));
  asm volatile("redux.sync.add.s32 %0, %1, 0xffffffff;" : "=r"(sum) : "r"(me));
  if (me == 0) printf("lanes %d %x %x %d", other, low, lower, sum);
  int pairs = me, quarter = me;
  asm volatile(
      "{ .reg .s32 r; .reg .pred p; shfl.sync.up.b32 r|p, %0, 1, 0, -1; @p add.s32 %0, r, %0; }"
      : "+r"(pairs));
  asm volatile(
      "{ .reg .s32 r; .reg .pred p; shfl.sync.down.b32 r|p, %0, 1, 0x181f, -1;\n"
      "  @p add.s32 %0, r, %0; }"
      : "+r"(quarter));
  __syncwarp();
  if (me == 31) printf(" | %d", pairs);
  __syncwarp();
  if (me == 22) printf(" %d\n", quarter);
}

__global__ void guards(int* out) {
  const int me = threadIdx.x;
  asm volatile(
      "{\n"
      " .reg .pred p;\n"
      " setp.eq.s32 p, %0, 0;\n"
      " @p st.global.u32 [%1], 10;\n"
      " @!p st.global.u32 [%1], 20;  // the other lane\n"
      "}\n" ::"r"(me),
      "l"(out + me));
  __syncwarp(3);
  if (me == 0) printf("guards %d %d\n", out[0], out[1]);
}

/// Two stages of a copy; the second reads only half of its bytes.
__global__ void copies(const int* in) {
  __shared__ int4 tile[2];
  const unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(tile));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n" ::"r"(to), "l"(in));
  asm volatile("cp.async.commit_group;\n" ::);
  asm volatile("cp.async.ca.shared.global.L2::128B [%0], [%1], %2, %3;\n" ::"r"(to + 16),
               "l"(in + 4), "n"(16), "r"(8));
  asm volatile("cp.async.commit_group;\n" ::);
  asm volatile("cp.async.wait_group %0;\n" ::"n"(1));
  printf("copies %d %d %d %d", tile[0].x, tile[0].y, tile[0].z, tile[0].w);
  asm volatile("cp.async.wait_all;\n" ::);
  printf(" | %d %d %d %d\n", tile[1].x, tile[1].y, tile[1].z, tile[1].w);
}

/// The first two warps give each other a word; the third has nothing to do with it.
__global__ void flags() {
  __shared__ int word[2];
  const int warp = threadIdx.x / 32;
  if (warp == 2) return;
  if (threadIdx.x % 32 == 0) word[warp] = 64 - 63 * warp;
  asm volatile("bar.sync 1, 64;" ::: "memory");
  if (threadIdx.x == 0) printf("flags %d", word[1]);
  if (warp == 0) asm volatile("bar.arrive 2, 64;" ::: "memory");
  else asm volatile("barrier.sync 2, 64;" ::: "memory");
  if (threadIdx.x == 32) printf(" %d\n", word[0]);
}

int main() {
  float numbers[12] = {0, 0, 3, 5, 1, 2, 3, 4};
  const int integers[2] = {7, 8};
  memcpy(numbers + 8, integers, sizeof integers);
  float *in, *out;
  cudaMalloc(&in, sizeof numbers);
  cudaMalloc(&out, sizeof numbers);
  cudaMemset(out, 0, sizeof numbers);
  cudaMemcpy(in, numbers, sizeof numbers, cudaMemcpyHostToDevice);
  memory<<<1, 1>>>(in, out);
  bits<<<1, 1>>>();
  sums<<<1, 1>>>();
  floats<<<1, 1>>>();
  halves<<<1, 1>>>();
  lanes<<<1, 32>>>();
  guards<<<1, 2>>>(reinterpret_cast<int*>(out));
  const int counts[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  cudaMemcpy(in, counts, sizeof counts, cudaMemcpyHostToDevice);
  copies<<<1, 1>>>(reinterpret_cast<int*>(in));
  flags<<<1, 96>>>();
  cudaFree(in);
  cudaFree(out);
}
