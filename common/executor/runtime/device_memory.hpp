/// \file
/// Memory for what the program allocates, and when host code may touch it.
#pragma once

#include <cstddef>

namespace nbody::executor::runtime {

enum class Kind { device, managed, pinned, registered };

/// Null where there is none.
char* obtain(std::size_t bytes, Kind kind);
void giveBack(char* begin, std::size_t bytes, Kind kind);
/// Whether the heap has given it, whose memory is any owner's once it is free.
bool isHeaps(const char* begin, Kind kind);

/// Bytes at either end of an array that no kernel may touch.
std::size_t redZone(std::size_t bytes);

/// Address at which the runtime may always read and write what is at \p pointer.
char* aliasOf(const void* pointer);
bool isDeviceAddress(const void* pointer);

/// Opens device memory for a kernel, or closes it for host code; managed memory is open to host
/// code where \p managed says so. Nothing where settings do not protect it.
void openMemory();
void closeMemory(bool managed);
/// Managed memory is open to host code from now on, whatever kernels are under way.
void shareManaged();

}  // namespace nbody::executor::runtime
