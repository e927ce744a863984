// Streams and events in order: nothing is reported.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

__global__ void fill(int* x, int value) { x[threadIdx.x] = value; }
__global__ void add(int* x, const int* y) { x[threadIdx.x] += y[threadIdx.x]; }
static void note(cudaStream_t, cudaError_t status, void* data) {
  *static_cast<int*>(data) += 10 + status;
}

/// An event that two streams record has the time of the second. The first stream's operation, which
/// runs later, changes neither that time nor memory that had the event.
static void recordTwice() {
  cudaStream_t a, b;
  cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
  cudaEvent_t begin, end;
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  cudaEventRecord(begin, b);
  cudaEventRecord(end, a);
  cudaEventRecord(end, b);
  cudaEventSynchronize(end);
  float before, after;
  cudaEventElapsedTime(&before, begin, end);
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  cudaStreamSynchronize(a);
  cudaEventElapsedTime(&after, begin, end);
  cudaEventRecord(end, a);
  cudaEventRecord(end, b);
  cudaEventDestroy(end);
  char* blocks[32];  // one of them gets the event's memory
  for (int i = 0; i < 32; ++i) memset(blocks[i] = static_cast<char*>(malloc(8 * i + 8)), 7, 8 * i + 8);
  cudaDeviceSynchronize();
  bool isSame = before == after;
  for (int i = 0; i < 32; ++i)
    for (int k = 0; k < 8 * i + 8; ++k) isSame &= blocks[i][k] == 7;
  for (char* block : blocks) free(block);
  printf("recorded twice %d\n", isSame);
}

/// Asks instead of waiting: the work ends while the program asks again.
static void ask() {
  cudaStream_t s;
  cudaStreamCreateWithPriority(&s, cudaStreamNonBlocking, -3);
  unsigned flags;
  int priority, *x, *pinned, questions = 0;
  cudaStreamGetFlags(s, &flags);
  cudaStreamGetPriority(s, &priority);
  cudaMalloc(&x, 32 * sizeof(int));
  cudaMallocHost(&pinned, 32 * sizeof(int));
  fill<<<1, 32, 0, s>>>(x, 4);
  cudaMemcpyAsync(pinned, x, 32 * sizeof(int), cudaMemcpyDeviceToHost, s);
  while (cudaStreamQuery(s) == cudaErrorNotReady) ++questions;
  cudaStreamQuery(s);  // nobody needs the answer
  printf("asked %d, flags %u, priority %d\n", pinned[31], flags, priority);
  cudaFree(x);
  cudaFreeHost(pinned);
}

int main() {
  recordTwice();
  ask();
  cudaStream_t a, b, aside;
  cudaStreamCreate(&a);
  cudaStreamCreateWithPriority(&b, cudaStreamDefault, -1);
  cudaStreamCreateWithFlags(&aside, cudaStreamNonBlocking);
  cudaEvent_t filled, begin, end;
  cudaEventCreateWithFlags(&filled, cudaEventDisableTiming);
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  int *x, *y, *pinned, calls = 0;
  cudaMalloc(&x, 32 * sizeof(int));
  cudaMalloc(&y, 32 * sizeof(int));
  cudaMallocHost(&pinned, 32 * sizeof(int));

  fill<<<1, 32, 0, a>>>(x, 1);
  cudaEventRecord(filled, a);
  fill<<<1, 32, 0, b>>>(y, 2);
  cudaStreamWaitEvent(b, filled, 0);
  add<<<1, 32, 0, b>>>(x, y);
  cudaMemcpyAsync(pinned, x, 32 * sizeof(int), cudaMemcpyDeviceToHost, b);
  cudaStreamSynchronize(b);
  printf("event %d\n", pinned[5]);

  cudaEventRecord(begin);
  fill<<<1, 32>>>(x, 5);  // the legacy stream waits for a and b, and they for it
  cudaEventRecord(end);
  add<<<1, 32, 0, a>>>(x, y);
  cudaStreamAddCallback(a, note, &calls, 0);
  cudaStreamSynchronize(a);
  float ms = -1;
  cudaEventElapsedTime(&ms, begin, end);
  cudaMemcpy(pinned, x, sizeof(int), cudaMemcpyDeviceToHost);
  printf("legacy %d, callback %d, %s\n", pinned[0], calls, ms >= 0 ? "timed" : "not timed");

  cudaDeviceSynchronize();
  fill<<<1, 32, 0, aside>>>(x, 9);
  cudaEventRecord(filled, aside);
  cudaEventSynchronize(filled);
  cudaMemcpy(pinned, x, sizeof(int), cudaMemcpyDeviceToHost);
  printf("non-blocking %d\n", pinned[0]);

  cudaStreamSynchronize(b);
  printf("done %d\n", cudaEventQuery(end));
  fill<<<1, 32, 0, a>>>(x, 3);
  cudaStreamDestroy(a);  // its work goes on
  std::thread other([&] { cudaMemcpy(pinned, x, sizeof(int), cudaMemcpyDeviceToHost); });
  other.join();
  printf("destroyed %d\n", pinned[0]);
  cudaDeviceReset();
}
// prints: recorded twice 1
// prints: asked 4, flags 1, priority -3
// prints: event 3
// prints: legacy 7, callback 10, timed
// prints: non-blocking 9
// prints: done 0
// prints: destroyed 3
