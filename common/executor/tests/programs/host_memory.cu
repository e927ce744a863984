// Kernels that use memory of the host: variables of functions that run or have returned, and others. bounds.cu has the heap.
// Kernels that use the memory of another thread or block.
// only: check
#include <cstdio>
#include <thread>

/// A launch that is stopped. CUDA begins again after it.
#define STOPS(...) __VA_ARGS__, cudaDeviceReset()

struct View {
  const int* data;
};
__managed__ int out;
int hostCount = 3, s = 4;  // to the demangler of C++ names, s is the type short

__global__ void pointer(const int* from) {
  out = from[0];  // @pointer
}
__global__ void readsVariable() {
  out = s;  // @variable
}
__global__ void view(const View* v) {
  out = v->data[0];  // @view
}
__global__ void reference(const int& from) {
  out = from;  // @reference
}
__global__ void ofOther() {
  __shared__ int* all[64];
  int mine[4] = {static_cast<int>(threadIdx.x)};
  all[threadIdx.x] = mine;
  __syncthreads();
  if (threadIdx.x == 0) out = *all[63];  // @other
  __syncthreads();
}
__global__ void passes() {
  __shared__ int tile[4];
  tile[threadIdx.x] = 1;
  pointer<<<1, 1>>>(tile);  // @child
}
__global__ void allocates() {
  int* const own = static_cast<int*>(malloc(40));
  for (int i = 0; i <= 10; ++i) own[i] = i;  // @beyond
  out = own[9];
  free(own);
}
/// printf() reads as many characters of a text as the format says, or until its end.
__global__ void prints(const char* text, int most) {
  printf("%3d %.2f %-*lld|%.3s%.*s|\n", 1, 2.0, 4, 3ll, text, most, text);  // @first
  if (most == 0) printf("%c %% %s\n", 'c', text);  // @text
}
template <class F>
__global__ void function(F f) {
  out = f();
}

/// The address of what is no more: the compiler is not to see that.
__attribute__((noinline)) static const int* ofReturned() {
  const int local = 5;
  const int* volatile address = &local;
  return address;
}
__attribute__((noinline)) static void launchWithOwn() {
  const int local[4] = {};
  STOPS(pointer<<<1, 1>>>(local));  // @own
}

int main() {
  reference<<<1, 1>>>(out);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));

  int live = 3;
  const View ofOut = {&out};
  const int* ofThread = nullptr;
  std::thread([&] { ofThread = ofReturned(); }).join();
  STOPS(pointer<<<1, 1>>>(&live));  // @live
  STOPS(pointer<<<1, 1>>>(ofReturned()));  // @returned
  launchWithOwn();
  STOPS(view<<<1, 1>>>(&ofOut));
  const auto closure = [&live] __device__ {
    return live;  // @closure
  };
  STOPS(function<<<1, 1>>>(closure));
  STOPS(reference<<<1, 1>>>(live));
  STOPS(pointer<<<1, 1>>>(ofThread));  // @thread
  STOPS(pointer<<<1, 1>>>(&hostCount));
  STOPS(readsVariable<<<1, 1>>>());
  STOPS(ofOther<<<1, 64>>>());
  STOPS(passes<<<1, 4>>>());
  STOPS(allocates<<<1, 1>>>());
  char letters[4] = {'a', 'b', 'c', 'd'}, *text = new char[2]{'x', '\0'}, *ofDevice;
  cudaMalloc(&ofDevice, sizeof letters);
  cudaMemcpy(ofDevice, letters, sizeof letters, cudaMemcpyHostToDevice);
  prints<<<1, 1>>>(ofDevice, 2);
  STOPS(prints<<<1, 1>>>(ofDevice, 0));
  STOPS(prints<<<1, 1>>>(text, 0));
  delete[] text;
}
// prints: cudaSuccess
// prints:   1 2.00 3   |abcab|
// prints:   1 2.00 3   |abc|
// reports: (?s)out of bounds: a kernel uses host memory: a variable on the host's stack\n  read of 4 bytes by thread \(0,0,0\).*:@pointer\n.*for example from cudaMalloc\(\).*:@live,
// reports: (?s)out of bounds: a kernel uses host memory: a variable on the host's stack\n.*:@pointer\n.*:@returned,
// reports: (?s)out of bounds: a kernel uses host memory: a variable on the host's stack\n.*:@pointer\n.*:@own,
// reports: (?s)out of bounds: a kernel uses host memory: a variable on the host's stack\n.*:@view\n
// reports: (?s)out of bounds: a kernel uses host memory: a variable on the host's stack\n.*:@closure
// reports: (?s)out of bounds: a kernel uses host memory: a variable on the host's stack\n.*:@reference\n
// reports: (?s)out of bounds: a kernel uses host memory: the checker does not know where it was allocated\n.*:@pointer\n.*:@thread,
// reports: (?s)out of bounds: a kernel uses host memory: the host's variable hostCount\n
// reports: out of bounds: a kernel uses host memory: the host's variable s\n.*:@variable\n  Declare the variable __device__ or __managed__, or copy it
// reports: (?s)out of bounds: a kernel uses the local memory of another thread\n.*:@other\n.*each thread has its own local memory
// reports: wrong pointer: the launch of pointer at .*:@child passes a pointer to shared memory \(tile\)
// reports: (?s)out of bounds of global memory: byte 40 of memory of a kernel's malloc\(\) or new, which has 40 bytes\n.*:@beyond\n
// reports: out of bounds of global memory: ofDevice\[4\] of 4 elements .*\n  read of 1 bytes by .*:@text\n
// reports: out of bounds: a kernel uses host memory: a host array of 2 bytes.*\n.*:@first\n
// status: 1
