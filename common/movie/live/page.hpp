/// \file
/// The page of the live view.
#pragma once

#include <string>

namespace nbody {

/// One HTML file that loads nothing else. It holds the movies' player, too, for what it records.
std::string livePage();

}  // namespace nbody
