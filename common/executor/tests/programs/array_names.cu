// Reports name an element as its declaration has it: by as many indices as the array has, whatever its
// type, and if an extent is a constant, an expression or a template's. One mistake at several fields of a
// structure is one report.
// check reports: race on shared memory: tile\[2\]\[0\]\n
// check reports: race on shared memory: cube\[1\]\[2\]\[0\]\n
// check reports: race on shared memory: second\[3\]\n
// check reports: race on shared memory: bodies\[2\]\n
// check reports: race on global memory: counts\[2\]\[1\]\n
// check reports: race on shared memory: whole\[0\]\n
// check reports: (?s)uninitialised global memory: points\[0\]\n.*:@x\n  and at lines @y, @z and @w\n
// check reports: (?s)race on shared memory: fields.*:@write.*  and at lines @writeY and @writeZ\n
// check status: 1
// only: check
#define ROWS 4
constexpr int kColumns = 2 * ROWS;  // 8
struct Body {
  float x, y, z;
  double mass;
};
__device__ int counts[3][ROWS];
__device__ float out[1024];

/// Each thread reads what another has written, without a barrier.
template <int N>
__global__ void transpose() {
  __shared__ float tile[N][N + 1];
  tile[threadIdx.y][threadIdx.x] = 1;
  out[threadIdx.y * N + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
__global__ void threeIndices() {
  __shared__ float cube[2][ROWS][kColumns];
  if (threadIdx.x == 0) cube[1][2][0] = 1;
  if (threadIdx.x == 32) out[0] = cube[1][2][0];
}
__global__ void severalOfOneType() {
  __shared__ float first[16], second[ROWS + 4];
  if (threadIdx.x == 0) first[3] = second[3] = 1;
  if (threadIdx.x == 32) out[0] = second[3];
}
__global__ void structs() {
  __shared__ Body bodies[kColumns];
  if (threadIdx.x == 0) bodies[2].y = 1;
  if (threadIdx.x == 32) out[0] = bodies[2].y;
}
__global__ void count() { counts[2][1] = threadIdx.x; }
__global__ void unsignedNumbers() {
  __shared__ unsigned int whole[ROWS];
  if (threadIdx.x == 0) whole[0] = 1;
  if (threadIdx.x == 32) out[0] = whole[0];
}

struct Point {
  float x, y, z, w;
};
__global__ void readsFields(const Point* points) {
  float sum = points[threadIdx.x].x;  // @x
  sum += points[threadIdx.x].y;  // @y
  sum += points[threadIdx.x].z;  // @z
  sum += points[threadIdx.x].w;  // @w
  out[threadIdx.x] = sum;
}
__global__ void racesOfFields(const Point* points) {
  __shared__ Point fields[64];
  fields[threadIdx.x].x = points[threadIdx.x].x;  // @write
  fields[threadIdx.x].y = points[threadIdx.x].y;  // @writeY
  fields[threadIdx.x].z = points[threadIdx.x].z;  // @writeZ
  const Point& other = fields[63 - threadIdx.x];
  out[threadIdx.x] = other.x + other.y + other.z;
}

int main() {
  transpose<16><<<1, dim3(16, 16)>>>();
  threeIndices<<<1, 64>>>();
  severalOfOneType<<<1, 64>>>();
  structs<<<1, 64>>>();
  count<<<1, 64>>>();
  unsignedNumbers<<<1, 64>>>();
  cudaDeviceSynchronize();

  Point* points;
  cudaMalloc(reinterpret_cast<void**>(&points), 64 * sizeof(Point));
  readsFields<<<1, 64>>>(points);
  cudaDeviceSynchronize();
  cudaMemset(points, 0, 64 * sizeof(Point));
  racesOfFields<<<1, 64>>>(points);
  cudaDeviceSynchronize();
  cudaFree(points);
}
