/// \file
/// Who may see a run, and who may change it: 128 random bits in a link. Loopback alone protects
/// nothing where others have accounts on the machine.
#pragma once

#include <string>
#include <string_view>

namespace nbody {

/// 32 hexadecimal digits from the system's random numbers.
std::string makeToken();

/// Compares in a time that does not depend on where they differ.
bool sameToken(std::string_view given, std::string_view token);

struct LiveTokens {
  std::string control;
  std::string watch;
};

enum class Right { none, watch, control };

Right rightOf(std::string_view token, const LiveTokens& tokens);

}  // namespace nbody
