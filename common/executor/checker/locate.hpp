/// \file
/// Finds the memory of an access.
#pragma once

#include <cstddef>
#include <cstdint>

#include "executor/checker/arrays.hpp"
#include "executor/checker/running.hpp"

namespace nbody::executor::checker {

/// Range of the arguments of the launch.
inline Range launchArguments;

/// The array of an access; null where the access needs no check, which then goes for all of \p
/// ordinary. Does not return where it is out of bounds.
Array* locate(const char* address, std::size_t bytes, bool writes, std::uint32_t code,
              Range& ordinary);

/// Gives the calling OS thread an Array for each static shared array of the program.
void addStaticShared();
/// Makes an array of each __device__ variable of the program.
void addDeviceVariables();
/// The calling OS thread launches.
void noteLauncher();

/// Range around \p address that a kernel may read or write though it is no array, nor on its stack,
/// nor an argument: its indices, the program's constants. No bytes if there is none.
Range ordinaryAround(const char* address, bool writes);

/// Words for host memory that the checker does not know.
inline constexpr const char* kUnknownOrigin = "the checker does not know where it was allocated";

/// Names memory that no kernel may use: "a variable on the host's stack"; empty if not known.
std::string strayName(const char* address);

}  // namespace nbody::executor::checker
