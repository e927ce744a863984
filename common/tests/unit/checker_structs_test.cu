// The checker reports a call's copy of a struct like a statement's: out of bounds, uninitialised
// or the host's, in each form of struct_forms.cuh. A struct returned into memory counts as written.
#include "checker_reports.hpp"
#include "struct_forms.cuh"

using namespace nbody;

namespace {

template <class Form>
__global__ void readKernel(const typename Form::Target* packets, int index, int* sink) {
  if (threadIdx.x == 0) *sink = Form::read(packets + index);
}
template <class Form>
__global__ void writeKernel(typename Form::Target* packets, int index) {
  if (threadIdx.x == 0) Form::write(packets + index, 3);
}
template <class Form>
__global__ void writeAndReadKernel(typename Form::Target* packets, int* sink) {
  Form::write(packets + threadIdx.x, 3);
  __syncthreads();
  sink[threadIdx.x] = Form::read(packets + (threadIdx.x + 1) % blockDim.x);
}

template <class Form>
void checkForm() {
  using Target = typename Form::Target;
  constexpr int kCount = kBlock;
  auto sink = zeros<int>(kCount, "sink");
  const auto read = [&](const Target* packets, int index) {
    return reportsOf(launching(kOneBlock, readKernel<Form>, packets, index, sink.data()));
  };
  const auto write = [&](Target* packets, int index) {
    return reportsOf(launching(kOneBlock, writeKernel<Form>, packets, index));
  };
  INFO(typeid(Form).name() << ", " << sizeof(Target) << " bytes");
  auto packets = zeros<Target>(kCount, "packets");
  CHECK(read(packets.data(), kCount - 1) == "");
  CHECK(contains(read(packets.data(), kCount), "out of bounds of global memory: packets[64]"));
  CHECK(contains(read(packets.data(), -1), "out of bounds of global memory: packets[-1]"));
  CHECK(contains(write(packets.data(), kCount), "out of bounds of global memory: packets[64]"));
  CHECK(contains(write(packets.data(), -1), "out of bounds of global memory: packets[-1]"));
  DeviceArray<Target> unwritten(kCount, "unwritten");
  CHECK(contains(read(unwritten.data(), 5), "uninitialised global memory: unwritten[5]"));
  CHECK(write(unwritten.data(), 5) == "");
  CHECK(read(unwritten.data(), 5) == "");
  CHECK(contains(read(unwritten.data(), 6), "uninitialised global memory: unwritten[6]"));
  std::vector<Target> host(kCount);
  CHECK(contains(read(host.data(), 2), "out of bounds: a kernel uses "));
  CHECK(contains(write(host.data(), 2), "out of bounds: a kernel uses "));
  requireQuiet([&] {
    DeviceArray<Target> own(kCount, "own");
    launch(kOneBlock, writeAndReadKernel<Form>, own.data(), sink.data());
  });
}

template <int kBytes>
void checkForms() {
  checkForm<ByReference<kBytes>>();
  checkForm<ByValue<kBytes>>();
  checkForm<ByMember<kBytes>>();
  checkForm<ByOperator<kBytes>>();
  checkForm<ByRecursion<kBytes>>();
  checkForm<ByPointer<kBytes>>();
}

}  // namespace

TEST_CASE("a struct that a call copies is an access like others") {
  checkForms<4>();
  checkForms<8>();
  checkForms<12>();
  checkForms<16>();
  checkForms<20>();
  checkForms<32>();
  checkForms<64>();
  checkForm<Elsewhere>();
}
