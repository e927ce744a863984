/// \file
/// Bytes as text.
#pragma once

#include <cstddef>
#include <string>

namespace nbody {

/// \p count bytes in base64 (RFC 4648), four characters for every three, padded with '='.
std::string base64(const void* bytes, std::size_t count);

}  // namespace nbody
