/// \file
/// Bodies for the tests of step 10.
#pragma once

#include "step_run.hpp"

namespace nbody {

inline Bodies sceneOf(const char* name, int count = 1500) {
  return sceneNamed(name).make(count, 3);
}

inline Bodies scaled(Bodies bodies, double length) {
  for (Double4& p : bodies.positions) p = {length * p.x, length * p.y, length * p.z, p.w};
  return bodies;
}

}  // namespace nbody
