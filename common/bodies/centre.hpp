/// \file
/// The frame in which a system as a whole rests.
#pragma once

#include "bodies/bodies.hpp"

namespace nbody {

/// Moves the centre of mass to the origin and brings it to rest.
void centre(Bodies& bodies);

}  // namespace nbody
