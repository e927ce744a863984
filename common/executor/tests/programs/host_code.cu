// Functions of the host that kernels would call, and calls of CUDA in code that a stream runs. The device's own functions
// and objects are no mistake, also if the host has got their addresses from the device.
// only: check
#include <cstdio>

/// A launch that is stopped. CUDA begins again after it.
#define STOPS(...) __VA_ARGS__, cudaDeviceReset()

struct Shape {
  __host__ __device__ virtual int area() const { return 0; }
};
struct Square : Shape {
  int side;
  __host__ __device__ Square(int s) : side(s) {}
  __host__ __device__ int area() const override { return side * side; }
};
using Function = int (*)(int);
struct Operator {
  int factor;
  Function function;
};

__host__ __device__ int twice(int x) { return 2 * x; }
__host__ __device__ int thrice(int x) { return 3 * x; }
__device__ Function ofDevice = thrice;
__constant__ Function table[2];
__managed__ int out;

__global__ void make(Shape** shape, void* place) {
  *shape = new Square(3);
  new (place) Square(4);
}
__global__ void area(const Shape* shape) {
  out = shape->area();  // @area
}
__global__ void areaOf(Shape** shape) { out = (*shape)->area(); }
__global__ void side(const Square* square) { out = square->side; }
__global__ void apply(Operator f) { out = f.function(f.factor); }
__global__ void applyOfTable(int i) {
  out = table[i](7);  // @table
}

static void show() {
  cudaDeviceSynchronize();
  printf("%d ", out);
}
static void calls(void* data) {
  cudaMemset(data, 0, 4);  // @calls
}

int main() {
  Shape** shape;
  Square *managed, *device;
  cudaMalloc(&shape, sizeof(Shape*));
  cudaMallocManaged(&managed, sizeof(Square));
  cudaMalloc(&device, sizeof(Square));
  new (managed) Square(2);
  make<<<1, 1>>>(shape, managed);
  areaOf<<<1, 1>>>(shape);
  show();
  area<<<1, 1>>>(managed);
  show();
  Function functions[2];
  cudaMemcpyFromSymbol(&functions[0], ofDevice, sizeof(Function));
  apply<<<1, 1>>>({5, functions[0]});
  show();
  functions[1] = functions[0];
  cudaMemcpyToSymbol(table, functions, sizeof functions);
  applyOfTable<<<1, 1>>>(1);
  show();
  const Square square(6);
  cudaMemcpy((void*)device, &square, sizeof square, cudaMemcpyHostToDevice);
  side<<<1, 1>>>(device);
  show();
  printf("%d\n", square.area());
  fflush(stdout);

  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaLaunchHostFunc(stream, calls, device);  // @stream
  cudaStreamSynchronize(stream);
  apply<<<1, 1>>>({5, twice});  // @apply
  cudaDeviceSynchronize();
  cudaMemcpy((void*)device, &square, sizeof square, cudaMemcpyHostToDevice);
  STOPS(area<<<1, 1>>>(device));
  cudaMallocManaged(&managed, sizeof(Square));
  new (managed) Square(2);
  STOPS(area<<<1, 1>>>(managed));  // @managed
  functions[0] = twice;
  cudaMemcpyToSymbol(table, functions, sizeof functions);
  STOPS(applyOfTable<<<1, 1>>>(0));
}
// prints: 9 16 15 21 6 36
// reports: CUDA call in a host function: the code at .*:@calls calls CUDA, .* call at programs/host_code.cu:@stream
// reports: host code: the launch of apply at .*:@apply passes the host's address of the function twice\(int\)
// reports: (?s)host code: a kernel reads the address of the virtual functions of Square.*:@area\n
// reports: (?s)host code: a kernel reads the address of the virtual functions of Square.*launched at .*:@managed,
// reports: (?s)host code: a kernel reads the address of the function twice\(int\).*:@table\n
// status: 1
