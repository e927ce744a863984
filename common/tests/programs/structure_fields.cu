// One mistake at several fields of a structure is one report.
// only: check
// reports: (?s)uninitialised global memory: points\[0\]\n.*:@x\n  and at lines @y, @z and @w\n
// reports: (?s)race on shared memory: tile.*:@write.*  and at lines @writeY and @writeZ\n
// status: 1
struct Point {
  float x, y, z, w;
};
__global__ void reads(const Point* points, float* out) {
  float sum = points[threadIdx.x].x;  // @x
  sum += points[threadIdx.x].y;  // @y
  sum += points[threadIdx.x].z;  // @z
  sum += points[threadIdx.x].w;  // @w
  out[threadIdx.x] = sum;
}
__global__ void races(const Point* points, float* out) {
  __shared__ Point tile[64];
  tile[threadIdx.x].x = points[threadIdx.x].x;  // @write
  tile[threadIdx.x].y = points[threadIdx.x].y;  // @writeY
  tile[threadIdx.x].z = points[threadIdx.x].z;  // @writeZ
  const Point& other = tile[63 - threadIdx.x];
  out[threadIdx.x] = other.x + other.y + other.z;
}

int main() {
  Point* points;
  float* out;
  cudaMalloc(&points, 64 * sizeof(Point));
  cudaMalloc(&out, 64 * sizeof(float));
  reads<<<1, 64>>>(points, out);
  cudaDeviceSynchronize();
  cudaMemset(points, 0, 64 * sizeof(Point));
  races<<<1, 64>>>(points, out);
  cudaDeviceSynchronize();
  cudaFree(points);
  cudaFree(out);
}
