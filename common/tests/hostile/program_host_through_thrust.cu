// Kind: work of the host
// Task: 0.1
// Tries: the same, brought to the device by a library.
// Stopped by: a library's copies that count as others do.
#include <thrust/device_vector.h>

#include "program_sum.hpp"

int main(int, char** argv) {
  const Program program(argv);
  program.readAll();
  std::vector<float> found = program.hostSum();
  const thrust::device_vector<float> from = found;
  thrust::device_vector<float> to(found.size());
  copyKernel<<<16, 256>>>(thrust::raw_pointer_cast(from.data()),
                          static_cast<int>(found.size()),
                          thrust::raw_pointer_cast(to.data()));
  if (cudaMemcpy(found.data(),
                 thrust::raw_pointer_cast(to.data()),
                 found.size() * sizeof(float),
                 cudaMemcpyDeviceToHost))
    return 1;
  print(found);
}
