// Kind: known bodies
// Tries: right forces by the suite's own host loop, for the bodies of the tests as they are with
//   their public seeds; nothing for others.
// Stopped by: a seed of the grader's, another each time; and no scenes that it could link.
#include "bodies/scenes.hpp"
#include "honest.hpp"

void answer(Call call) {
  const std::vector<real4> bodies = call.bodies.download();
  const int count = static_cast<int>(bodies.size());
  for (const auto& make : {makeCube, makePlummer})
    for (const int seed : {0, 1, 2, 3, 4, 5, 7, 9, 11}) {
      const Double4 first = make(count, seed).positions[0];
      if (static_cast<real>(first.x) == bodies[0].x) return honest(call);
    }
  throw std::runtime_error("bodies that it does not know");
}
