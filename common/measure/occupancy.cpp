#include "measure/occupancy.hpp"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

#ifdef NBODY_GPU
#include "cuda/graph.hpp"
#endif

namespace nbody {

std::string shortName(const std::string& symbol) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> whole(
      abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), std::free);
  if (status != 0) return symbol;
  std::string name(whole.get());  // void nbody::forcesKernel<64, 2>(float4 const*, int, ...)
  int depth = 0;
  std::size_t end = 0;
  for (; end < name.size() && (depth > 0 || name[end] != '('); ++end)
    depth += (name[end] == '<') - (name[end] == '>');
  name.resize(end);
  const std::size_t last = name.find_last_of(": ", name.find('<'));
  return last == std::string::npos ? name : name.substr(last + 1);
}

#ifdef NBODY_GPU
namespace {

constexpr int kWarp = 32;

std::string symbolOf([[maybe_unused]] const void* kernel) {
#if CUDART_VERSION >= 12030
  const char* name = nullptr;
  CUDA_CHECK(cudaFuncGetName(&name, kernel));
  return name;
#else
  return "";
#endif
}

KernelLaunch launchOf(cudaGraphNode_t node) {
  cudaKernelNodeParams launch;
  CUDA_CHECK(cudaGraphKernelNodeGetParams(node, &launch));
  cudaFuncAttributes attributes;
  CUDA_CHECK(cudaFuncGetAttributes(&attributes, launch.func));
  const dim3 grid = launch.gridDim, block = launch.blockDim;
  const int threads = static_cast<int>(block.x * block.y * block.z);
  int blocks = 0;
  CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, launch.func, threads,
                                                           launch.sharedMemBytes));
  return {.symbol = symbolOf(launch.func),
          .grid = {grid.x, grid.y, grid.z},
          .block = {block.x, block.y, block.z},
          .registers = attributes.numRegs,
          .staticSharedBytes = static_cast<int>(attributes.sharedSizeBytes),
          .dynamicSharedBytes = static_cast<int>(launch.sharedMemBytes),
          .localBytes = static_cast<int>(attributes.localSizeBytes),
          .blocks = blocks,
          .warps = blocks * ((threads + kWarp - 1) / kWarp)};
}

}  // namespace

std::vector<KernelLaunch> launchesOf(const std::function<void()>& work) {
  Capture capture;
  work();
  cudaGraph_t graph = capture.end();
  std::size_t count = 0;
  CUDA_CHECK(cudaGraphGetNodes(graph, nullptr, &count));
  std::vector<cudaGraphNode_t> nodes(count);
  CUDA_CHECK(cudaGraphGetNodes(graph, nodes.data(), &count));
  std::vector<KernelLaunch> launches;
  for (cudaGraphNode_t node : nodes) {
    cudaGraphNodeType type;
    CUDA_CHECK(cudaGraphNodeGetType(node, &type));
    if (type == cudaGraphNodeTypeKernel) launches.push_back(launchOf(node));
  }
  return launches;
}
#endif

}  // namespace nbody
