// Tests what a program can count on, with a GPU or the executor: indices, memory, errors.
#include "cuda/device_buffer.hpp"
#include "cuda/graph.hpp"
#include "cuda/trouble.hpp"
#include "launch.hpp"
#include "orders.hpp"

using namespace nbody;

namespace {

__global__ void indexKernel(int* out) {
  const int block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  const int thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  const int threads = blockDim.x * blockDim.y * blockDim.z;
  out[block * threads + thread] = 1000 * block + thread;
}

}  // namespace

TEST_CASE("a buffer keeps its memory and grows where it must") {
  DeviceBuffer<int> buffer("kept");
  buffer.upload({1, 2, 3});
  const int* first = buffer.data();
  buffer.upload({4, 5});
  CHECK(buffer.data() == first);
  CHECK(buffer.download(0, 3) == std::vector<int>{4, 5, 3});
  buffer.upload(std::vector<int>(1000, 6));
  CHECK(buffer.download(999, 1) == std::vector<int>{6});
  CHECK(buffer.reserve(1000) == buffer.data());
}

TEST_CASE("indices cover a three-dimensional grid") {
  inEveryOrder([] {
    const auto got = leftBy(indexKernel, 12 * 24, {dim3(3, 2, 2), dim3(4, 3, 2)});
    for (int i = 0; i < 12 * 24; ++i) REQUIRE(got[i] == 1000 * (i / 24) + i % 24);
  });
}

TEST_CASE("a launch that no GPU takes is refused with its place") {
  DeviceArray<int> out(1, "out");
  const std::string tooLarge = messageOf([&] {
    indexKernel<<<1, 2048, 0, stream()>>>(out.data());
    CUDA_CHECK(cudaGetLastError());
  });
  CHECK(contains(tooLarge, "cuda_test.cu:"));
  CHECK_FALSE(messageOf([&] { launch({0, 32}, indexKernel, out.data()); }).empty());
  launch({1, 1}, indexKernel, out.data());  // and the next launch works
  CHECK(out.download()[0] == 0);
}

TEST_CASE("a device array keeps, poisons and clears its elements") {
  DeviceArray<float> array(100, "array");
  std::vector<float> host(100);
  for (int i = 0; i < 100; ++i) host[i] = static_cast<float>(i);
  array.upload(host);
  CHECK(array.download() == host);
  array.poison();
  for (float x : array.download()) CHECK(std::isnan(x));
  array.clear();
  CHECK(array.download() == std::vector<float>(100, 0.0f));

  DeviceArray<float> moved = std::move(array);
  CHECK(moved.size() == 100);
  CHECK(moved.name() == "array");
  CHECK(contains(messageOf([&] { moved.upload({1.0f}); }), "array"));
  CHECK(DeviceArray<float>(0, "empty").download().empty());
}

TEST_CASE("an array beyond the memory is refused with its name and both sizes") {
  const std::size_t huge = std::numeric_limits<std::size_t>::max() / 64;
  checkParts(messageOf([&] { DeviceArray<double>(huge, "huge"); }),
             {"huge", "bytes needed", "free"});
}

TEST_CASE("work that throws while a graph captures it leaves the stream to others") {
  DeviceArray<int> out(1, "out");
  const std::string message =
      messageOf([&] { Graph([&] { out.clear(), throw CudaError("half-way"); }, 1); });
  CHECK(message == "half-way");
  out.upload({7});
  Graph graph([&] { out.clear(); }, 3);
  CHECK(out.download()[0] == 7);  // captured, not run
  graph.launch();
  CHECK(out.download()[0] == 0);
}

TEST_CASE("what is the machine's fault is told with what to do, in one line") {
  const Machine colab = {12040, 12050, 75};
  checkParts(troubleOf(cudaErrorUnsupportedPtxVersion, colab),
             {"of CUDA 12.5", "up to 12.4", "-DCMAKE_CUDA_ARCHITECTURES=75", "update the driver"});
  checkParts(troubleOf(cudaErrorInsufficientDriver, colab),
             {"up to 12.4", "was built with CUDA 12.5"});
  checkParts(troubleOf(cudaErrorInsufficientDriver, {}), {"no NVIDIA driver", "--preset cpu"});
  checkParts(troubleOf(cudaErrorNoKernelImageForDevice, colab), {"capability 7.5", "=75"});
  checkParts(troubleOf(cudaErrorNoKernelImageForDevice, {}), {"for this GPU: build it again"});
  checkParts(troubleOf(cudaErrorDevicesUnavailable, colab), {"compute mode", "nvidia-smi -c"});
  checkParts(troubleOf(cudaErrorNoDevice, {}), {"CUDA_VISIBLE_DEVICES", "--gpus all", "--nv"});
  checkParts(troubleOf(cudaErrorOperatingSystem, {}), {"may read and write /dev/nvidia0"});
  checkParts(troubleOf(cudaErrorMemoryAllocation, colab), {"no memory left", "fewer bodies"});
  CHECK(troubleOf(cudaErrorInvalidValue, colab).empty());
  CHECK(troubleOf(cudaErrorIllegalAddress, colab).empty());

  const std::string told = messageOf([] { CUDA_CHECK(cudaErrorDevicesUnavailable); });
  checkParts(told, {"only one process", "[cudaErrorDevicesUnavailable failed: ", "cuda_test.cu:"});
  CHECK(told.find('\n') == std::string::npos);
}
