// What reports call an array: by the name in its allocation, with the index of an element.
#include <cstdio>

struct Point {
  float x, y;
};
struct Opaque;  // of no size that is known

__global__ void readAll(const int* a, const Point* b, const double* c, const float* d, float* out) {
  float sum = a[3];  // @a
  sum += b[2].y;  // @b
  sum += d[5];  // @d
  out[0] = sum + c[1];
}

int main() {
  int* a;
  Point* b;
  double* c;
  float *d, *out;
  // clang-format off
  cudaMalloc((void**)&a, 40); cudaMalloc((void **)(&b), 10 * sizeof(Point));
  // clang-format on
  cudaMallocManaged(reinterpret_cast<void**>(&c), 16);
  cudaMalloc(&d, 10 * sizeof(float));
  cudaMalloc(&out, sizeof *out);
  readAll<<<1, 1>>>(a, b, c, d, out);
  cudaDeviceSynchronize();
  Opaque* opaque;
  void* bytes;
  float* many[2];
  cudaMalloc((void**)&opaque, 8);
  cudaMalloc(&bytes, 8);
  cudaMalloc((void**)many, 8);
  printf("%d\n", cudaGetLastError());
  for (void* p :
       {(void*)a, (void*)b, (void*)c, (void*)d, (void*)out, (void*)opaque, bytes, (void*)many[0]})
    cudaFree(p);
}
// prints: 0
// check reports: uninitialised global memory: a\[3\]\n  read by .*:@a
// check reports: uninitialised global memory: b\[2\]\n  read by .*:@b
// check reports: uninitialised global memory: d\[5\]\n  read by .*:@d
// check status: 1
