/// \file
/// What a request to the live view asks for, and whether it comes from the view's own page.
#pragma once

#include <string>
#include <string_view>

namespace nbody {

enum class Path { page, socket, other };

struct Target {
  Path path;
  std::string_view token;  ///< of `?token=`, and nothing beside it; else empty
};

Target targetOf(std::string_view target);

/// Whether \p host, with or without a port, is this machine's loopback or \p address, which the
/// server is bound to; where that is all of the machine's, its own name or any address in digits. A
/// name that somebody else's DNS leads here is not.
bool hostServed(std::string_view host, std::string_view address);

/// Whether \p origin is the page that \p host served.
bool originServed(std::string_view origin, std::string_view host);

/// As in a link: [::1] for ::1, and this machine's name for all of its addresses.
std::string hostOf(const std::string& address);

/// Whether \p address, 0.0.0.0 or ::, stands for all that this machine has.
bool isAll(std::string_view address);

std::string machineName();

}  // namespace nbody
