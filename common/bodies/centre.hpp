/// \file
/// The centre-of-mass frame.
#pragma once

#include "bodies/bodies.hpp"

namespace nbody {

/// Moves the centre of mass to the origin and brings it to rest.
void centre(Bodies& bodies);

}  // namespace nbody
