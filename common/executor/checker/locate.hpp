/// \file
/// Finds the memory of an access.
#pragma once

#include <cstddef>
#include <cstdint>

#include "executor/checker/arrays.hpp"
#include "executor/checker/running.hpp"

namespace nbody::executor::checker {

/// Place of the launch's arguments.
inline Range launchArguments;
inline bool areArgumentsDefined =
    false;  ///< none of them has the bits of a variable that was never written

/// Returns the array of an access; null if no check is needed, which then holds for all of \p
/// ordinary. Does not return if the access is out of bounds.
Array* locate(const char* address, std::size_t bytes, bool writes, std::uint32_t code,
              Range& ordinary);

/// Gives the calling OS thread an Array per static shared array of the program.
void addStaticShared();
/// Makes an array of each __device__, __constant__ and __managed__ variable of the program, once.
void addDeviceVariables();
/// Notes that the calling OS thread launches.
void noteLauncher();

/// Reports the read of an address of host code by a kernel, if there is one.
void checkHostCode(const void* place, const void* code);
/// Notes that a constructor writes the address of its class's virtual table. In a kernel, that is
/// the device's.
void setVirtualTable(const void* place, const void* table);

// Descriptions of memory that no kernel may use.
inline constexpr const char* kHostVariable = "the host's variable ";  ///< its name follows
inline constexpr const char* kLocalOfOther = "the local memory of another thread";
inline constexpr const char* kUnknownOrigin = "the checker does not know where it was allocated";

/// Describes such memory: "a variable on the host's stack"; empty if unknown.
std::string strayName(const char* address);

}  // namespace nbody::executor::checker
