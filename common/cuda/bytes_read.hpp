/// \file
/// What kernels read of device arrays, which a run does not show.
#pragma once

#include <cstdint>
#include <optional>

namespace nbody {

/// How many bytes so far, atomic updates left out; nothing but where the executor's checker counts them.
std::optional<std::uint64_t> deviceBytesRead();

}  // namespace nbody
