/// \file
/// Which memory an access is of.
#pragma once

#include <cstddef>
#include <cstdint>

#include "executor/checker/arrays.hpp"
#include "executor/checker/running.hpp"

namespace nbody::executor::checker {

/// Where the arguments of the launch lie.
inline Range launchArguments;

/// The array of an access; null where the access needs no check, which then goes for all of \p
/// ordinary. Does not return where it is out of bounds.
Array* locate(const char* address, std::size_t bytes, bool writes, std::uint32_t code,
              Range& ordinary);

/// Makes an array of each static shared array of the program, for the calling OS thread.
void addStaticShared();
/// Makes an array of each __device__ variable of the program.
void addDeviceVariables();
/// The calling OS thread launches.
void noteLauncher();

/// What a kernel may read or write around \p address though it is no array, nor on its stack, nor an
/// argument: its indices, the program's constants. No bytes: nothing.
Range ordinaryAround(const char* address, bool writes);

/// Words for host memory that the checker does not know.
inline constexpr const char* kUnknownOrigin = "the checker does not know where it was allocated";

/// What \p address is, which no kernel may use: "the host's stack"; empty where that is not known.
std::string strayName(const char* address);

}  // namespace nbody::executor::checker
