/// \file
/// The stable order of many keys, by a radix sort that is compiled once, without a checker.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace nbody::executor {

/// Ranks of \p keys, the least key first; of equal ones the first stays first.
std::vector<std::ptrdiff_t> orderOfKeys(std::vector<std::uint64_t> keys);

}  // namespace nbody::executor
