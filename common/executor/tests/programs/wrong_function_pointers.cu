// Calls of addresses where no function is. Each ends a process.
// only: check
#include <sys/wait.h>
#include <unistd.h>
#include <cstdint>
#include <cstdio>

using Function = float (*)(float);
__device__ Function table[2];

__device__ float twice(float x) { return 2 * x; }
__global__ void fill() { table[0] = twice; }

__global__ void apply(Function f, float* x) {
  const float before = x[threadIdx.x];
  x[threadIdx.x] =
      f(before);  // @apply
}
__global__ void applyOfTable(float* x, int i) {
  x[threadIdx.x] = table[i](1);  // @table
}
struct Operator {
  Function f;
  __device__ float operator()(float x) const { return f(x); }  // @operator
};
__global__ void applyOperator(Operator f, float* x) { x[0] = f(x[0]); }

/// Runs the kernels of one process, which \p call launches.
template <class Call>
void run(const Call& call) {
  if (fork() == 0) {
    float* values;
    cudaMalloc(&values, 32 * sizeof(float));
    cudaMemset(values, 0, 32 * sizeof(float));
    call(values);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    fflush(stdout);
    _exit(0);
  }
  int status = 0;
  wait(&status);
  printf("status %d\n", WEXITSTATUS(status));
  fflush(stdout);
}
template <class T>
Function at(T address) {
  return reinterpret_cast<Function>(address);
}

int main() {
  run([](float* values) { fill<<<1, 1>>>(), applyOfTable<<<1, 32>>>(values, 0); });
  run([](float* values) { fill<<<1, 1>>>(), applyOfTable<<<1, 32>>>(values, 1); });  // @none
  run([](float* values) { apply<<<1, 32>>>(nullptr, values); });
  run([](float* values) { apply<<<1, 32>>>(at(0x12345678), values); });
  run([](float* values) { apply<<<1, 32>>>(at(~std::uintptr_t{0}), values); });
  run([](float* values) { apply<<<1, 32>>>(at(0xdeadbeefdeadbeef), values); });
  run([](float* values) { apply<<<1, 32>>>(at(values), values); });
  run([](float* values) { applyOperator<<<1, 1>>>({at(&values)}, values); });
}
// prints: cudaSuccess
// prints: status 0
// reports: wrong function pointer: kernel 'applyOfTable' calls a null pointer, in thread \(0,0,0\) of block \(0,0,0\) at programs/wrong_function_pointers.cu:@table\.\n  No function is there.*\n  \(kernel launched at .*:@none\)
// prints: status 1
// reports: kernel 'apply' calls a null pointer, in .*:@apply\.\n
// prints: status 1
// reports: kernel 'apply' calls address 0x12345678, in .*:@apply\.\n
// prints: status 1
// reports: kernel 'apply' calls address 0xffffffffffffffff, in .*:@apply\.\n
// prints: status 1
// reports: kernel 'apply' calls (address 0xdeadbeefdeadbeef|an address that no memory can have), in .*:@apply\.\n
// prints: status 1
// reports: kernel 'apply' calls an address in device memory 'values' .*, in .*:@apply\.\n
// prints: status 1
// reports: kernel 'applyOperator' calls address 0x\w+, in .*:@operator\.\n
// prints: status 1
