/// \file
/// CUB's device-wide selections and partitions.
#pragma once

#include "cub/device/device_call.cuh"

namespace cub {

struct DeviceSelect {
  /// The items whose flags are set.
  template <class In, class Flags, class Out, class CountOut>
  static cudaError_t Flagged(void* storage,
                             std::size_t& bytes,
                             In in,
                             Flags flags,
                             Out out,
                             CountOut selected,
                             std::ptrdiff_t count,
                             cudaStream_t stream = nullptr,
                             detail::Caller caller = {}) {
    return select(storage, bytes, in, out, selected, count, stream, caller, [=](std::ptrdiff_t i) {
      return static_cast<bool>(flags[i]);
    });
  }
  /// The items for which \p predicate holds.
  template <class In, class Out, class CountOut, class Predicate>
  static cudaError_t If(void* storage,
                        std::size_t& bytes,
                        In in,
                        Out out,
                        CountOut selected,
                        std::ptrdiff_t count,
                        Predicate predicate,
                        cudaStream_t stream = nullptr,
                        detail::Caller caller = {}) {
    return select(
        storage, bytes, in, out, selected, count, stream, caller, [=](std::ptrdiff_t i) mutable {
          return static_cast<bool>(predicate(in[i]));
        });
  }
  /// The first of each run of equal items.
  template <class In, class Out, class CountOut>
  static cudaError_t Unique(void* storage,
                            std::size_t& bytes,
                            In in,
                            Out out,
                            CountOut selected,
                            std::ptrdiff_t count,
                            cudaStream_t stream = nullptr,
                            detail::Caller caller = {}) {
    return select(storage, bytes, in, out, selected, count, stream, caller, [=](std::ptrdiff_t i) {
      return i == 0 || !(in[i] == in[i - 1]);
    });
  }

 private:
  template <class In, class Out, class CountOut, class Chosen>
  static cudaError_t select(void* storage,
                            std::size_t& bytes,
                            In in,
                            Out out,
                            CountOut selected,
                            std::ptrdiff_t count,
                            cudaStream_t stream,
                            const detail::Caller& caller,
                            Chosen isChosen) {
    return detail::call(storage, bytes, count, stream, "cub::DeviceSelect", caller, [=]() mutable {
      // Chosen before anything is written: the output may be the input.
      std::vector<bool> chosen(static_cast<std::size_t>(count));
      for (std::ptrdiff_t i = 0; i < count; ++i) chosen[i] = isChosen(i);
      std::ptrdiff_t written = 0;
      for (std::ptrdiff_t i = 0; i < count; ++i)
        if (chosen[i]) out[written++] = in[i];
      nbody::executor::noteWritten(out, written);
      detail::give(selected, written);
    });
  }
};

}  // namespace cub
