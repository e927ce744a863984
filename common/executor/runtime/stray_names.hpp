/// \file
/// What an address is that no kernel may use.
#pragma once

#include <string>

namespace nbody::executor::runtime {

/// "freed device memory 'd_x' ...", "a null pointer", "host memory of 400 bytes, ..."; empty where
/// that is not known.
std::string nameOfStray(const void* address);

}  // namespace nbody::executor::runtime
