// Launches that a stream, an event or a third stream orders do not race. The others do, copies and fills too: each pair
// of lines is named once.
// only: check
#include <cstdio>

__global__ void fill(int* to, int value) {
  to[threadIdx.x] = value;  // @fill
}
__global__ void copy(const int* from, int* to) {
  to[threadIdx.x] = from[threadIdx.x];  // @copy
}
__constant__ int constant[4];
__global__ void readsConstant(int* to) {
  to[threadIdx.x] = constant[threadIdx.x % 4];  // @constant
}
__global__ void add(int* sum) { atomicAdd(sum, 1); }

__managed__ int ordered[64], unordered[64], early[64], read[64], one[64], two[64], out[128], sum;
static cudaStream_t streams[3];

static void fillIn(int stream, int* to, int value = 1) {
  fill<<<1, 64, 0, streams[stream]>>>(to, value);
}
static void copyIn(int stream, const int* from) {
  copy<<<1, 64, 0, streams[stream]>>>(from, out + 64 * (stream == 2));
}
/// Lets the next work of stream \p second follow all that stream \p first has started.
static void order(int first, int second) {
  cudaEvent_t event;
  cudaEventCreate(&event);
  cudaEventRecord(event, streams[first]);
  cudaStreamWaitEvent(streams[second], event, 0);
  cudaEventDestroy(event);
}
static void fillOften() {
  for (int i = 0; i < 3000; ++i) {
    fillIn(0, one);
    fillIn(1, two);
  }
}

int main() {
  for (cudaStream_t& stream : streams) cudaStreamCreate(&stream);
  fillIn(0, ordered);
  copyIn(0, ordered);
  order(0, 1);
  copyIn(1, ordered);
  order(1, 2);
  fillIn(2, ordered, 2);
  order(2, 0);
  copyIn(0, ordered);
  copyIn(2, ordered);  // at the same time as the last: both read
  for (int stream : {0, 1}) add<<<1, 64, 0, streams[stream]>>>(&sum);
  fillOften();
  cudaDeviceSynchronize();
  printf("%d %d %d\n", out[0], out[64], sum);
  fflush(stdout);

  fillIn(0, unordered);
  copyIn(1, unordered);
  cudaDeviceSynchronize();
  fillIn(0, two);
  order(0, 1);  // too early
  fillIn(0, early);
  copyIn(1, early);
  cudaDeviceSynchronize();
  copyIn(0, read);
  fillIn(1, read);
  cudaDeviceSynchronize();
  fillOften();
  fillIn(1, one, 2);
  cudaDeviceSynchronize();

  cudaMemcpyAsync(early, ordered, sizeof early, cudaMemcpyDefault, streams[0]);  // @copied
  copyIn(1, early);
  cudaDeviceSynchronize();
  cudaStream_t aside;
  cudaStreamCreateWithFlags(&aside, cudaStreamNonBlocking);
  fill<<<1, 64, 0, aside>>>(read, 1);
  cudaMemset(read, 0, sizeof read);  // @memset
  cudaDeviceSynchronize();
  int values[4] = {1, 2, 3, 4};
  for (int i = 0; i < 2; ++i) {  // the host has waited for the first copies, and streams wait for each other
    cudaMemcpyToSymbol(constant, values, sizeof values);
    readsConstant<<<1, 64, 0, streams[0]>>>(one);
  }
  cudaDeviceSynchronize();
  readsConstant<<<1, 64, 0, aside>>>(one);
  cudaMemcpyToSymbol(constant, values, sizeof values);  // @written
  cudaDeviceSynchronize();
  for (cudaStream_t stream : streams) cudaStreamDestroy(stream);
  cudaStreamDestroy(aside);
}
// prints: 2 2 128
// reports: (?s)race on global memory: unordered\[0\]\n(?=.*  write by thread .*:@fill, in the kernel launched at).*  read by thread .*:@copy, in the kernel launched at .*Nothing fixes the order of these two.*\(64 pairs of accesses\)
// reports: (?s)race on global memory: early\[0\]\n(?=.*:@fill,).*:@copy,
// reports: (?s)race on global memory: read\[0\]\n(?=.*:@fill,).*:@copy,
// reports: (?s)race on global memory: one\[0\]\n  write .*:@fill,.*  write .*:@fill,
// reports: race on global memory: early\[0\]\n(.*\n)*.*cudaMemcpyAsync at programs/stream_orders.cu:@copied
// reports: race on global memory: read\[0\]\n(.*\n)*.*cudaMemset at programs/stream_orders.cu:@memset
// reports: (?s)race on constant memory: constant\[0\]\n(?=.*:@constant,).*cudaMemcpyToSymbol at programs/stream_orders.cu:@written
// status: 1
