// What the kernel below has of N-Body Ladder, on PyTorch's tensors.
#define NBODY_TUNED 0
#include <torch/types.h>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

inline void check(cudaError_t status) {
  if (status != cudaSuccess) throw std::runtime_error(cudaGetErrorString(status));
}
#define CUDA_CHECK(call) check(call)

@HEADERS@
namespace nbody {

inline unsigned blocksFor(int count, int block) {
  return (static_cast<unsigned>(count) + block - 1) / block;
}

/// The memory of a tensor.
template <class T>
class DeviceArray {
 public:
  explicit DeviceArray(const torch::Tensor& tensor) : tensor_(tensor) {}
  T* data() { return reinterpret_cast<T*>(tensor_.data_ptr<float>()); }
  const T* data() const { return reinterpret_cast<const T*>(tensor_.data_ptr<float>()); }
  std::size_t size() const { return static_cast<std::size_t>(tensor_.size(0)); }
  void clear() { tensor_.zero_(); }

 private:
  torch::Tensor tensor_;
};

/// The options have their defaults here: nobody lists or reads them.
struct Option {};
inline Option listOption(const char*, int&, const char*, std::vector<int>) { return {}; }
template <class... Arguments>
Option rangeOption(Arguments...) { return {}; }
template <class... Arguments>
std::string formatted(const char* text, Arguments...) { return text; }
using BadInput = std::runtime_error;

struct Workload {
  int bodies;
  bool equalMasses;
  int multiprocessors;
};

struct StepOptions {
  virtual ~StepOptions() = default;
  virtual std::vector<Option> list() { return {}; }
  virtual void resolve(const Workload&) {}
};
template <class Options, class Base = StepOptions>
struct OptionsOf : Base {};

}  // namespace nbody
