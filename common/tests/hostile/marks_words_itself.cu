// Kind: checker of its own
// Tries: to change the checker's own notes of who has written the accelerations, by its headers.
// Stopped by: names of the executor's that a submission may not have.
// Calls: checked
// Trusted: 0
#include "executor/checker/arrays.hpp"
#include "host_sum.hpp"

void answer(Call call) {
  const int count = static_cast<int>(call.bodies.size());
  readAll(call);
  call.accelerations.upload(hostSum(call.bodies.download().data(), count, call.softeningSquared));
  namespace checker = nbody::executor::checker;
  checker::Array* array = checker::arrayAround(reinterpret_cast<char*>(call.accelerations.data()));
  for (std::size_t word = 0; word < array->wordCount(); ++word)
    array->written[word] |= checker::kByKernel;
}
