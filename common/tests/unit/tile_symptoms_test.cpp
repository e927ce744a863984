// Wrong forces as a kernel gives them that sums each pair of tiles once, and what the hint says.
#include <algorithm>

#include "wrong_forces.hpp"

using namespace nbody;

TEST_CASE("pulls that one side of the diagonal of tiles lacks or has twice are named") {
  auto weighted = [](auto weight) {
    Forces forces;
    for (int tile = 0; tile < 16; ++tile) {
      const Forces ofTile = counted(cube, [&](int j) { return weight(tile, j / 64); });
      for (int i = 64 * tile; i < std::min(64 * tile + 64, 1000); ++i) forces.push_back(ofTile[i]);
    }
    return forces;
  };
  CHECK(hint(cube, weighted([](int i, int j) { return i == j ? 2 : 1; })) ==
        "pulls within each tile of 64 bodies are counted 2 times: diagonal?");
  CHECK(hint(cube, weighted([](int i, int j) { return i < j ? -1 : 1; })) ==
        "pulls of later tiles of 64 bodies are mirrored: reaction?");
  CHECK(hint(cube, weighted([](int i, int j) { return i > j ? 0 : 1; })) ==
        "pulls of earlier tiles of 64 bodies are missing: reaction?");
}

TEST_CASE("forces that are right in the sum over a warp only are named") {
  const Forces all = right(cube);
  Forces forces = all;
  for (int i = 0; i < 992; ++i) forces[i].z = all[i / 32 * 32 + (i + 7 * (i % 2)) % 32].z;
  CHECK_FALSE(contains(hint(cube, forces), "lanes"));
  for (int i = 0; i < 992; ++i) forces[i].z = all[i / 32 * 32 + (i * 5 + 7) % 32].z;
  CHECK(contains(hint(cube, forces), "summed over each 32 bodies the forces are right"));
}
