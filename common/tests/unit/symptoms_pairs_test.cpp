// Made-up wrong forces of pulls that depend on where the bodies stand in their arrays, and of numbers
// in another order or of few bits: what the hint says of them.
#include "wrong_forces.hpp"

using namespace nbody;

namespace {

/// Forces of sources with the mass massOf(i, j) where body i looks at body j.
template <class MassOf>
Forces withMasses(MassOf massOf) {
  Forces forces;
  for (int i = 0; i < cube.count(); ++i) {
    Double4 sum = {0, 0, 0, 0};
    for (int j = 0; j < cube.count(); ++j) {
      Double4 source = cube.positions[j];
      source.w = massOf(i, j);
      const ForceLaw law = {.softeningSquared = kSoftening * kSoftening};
      sum = plus(sum, pullBy(law, cube.positions[i], source));
    }
    forces.push_back(sum);
  }
  return rounded(forces);
}

double mass(int j) { return cube.positions[j].w; }

double withBits(int bits, double x) {
  int exponent = 0;
  const double fraction = std::frexp(x, &exponent);
  return std::ldexp(std::nearbyint(std::ldexp(fraction, bits)), exponent - bits);
}

Double4 withBits(int bits, const Double4& v) {
  return {withBits(bits, v.x), withBits(bits, v.y), withBits(bits, v.z), withBits(bits, v.w)};
}

}  // namespace

TEST_CASE("a neighbour that comes twice or never is named") {
  CHECK(hint(cube, withMasses([](int i, int j) { return mass(j) * (j == i + 1 ? 2 : 1); })) ==
        "the pull of the next body on each body is counted 2 times");
  CHECK(hint(cube, withMasses([](int i, int j) { return mass(j) * (j != (i + 999) % 1000); })) ==
        "the pull of the previous body on each body is missing");
}

TEST_CASE("half of each pair is named") {
  CHECK(hint(cube, withMasses([](int i, int j) { return j > i ? mass(j) : 0; })) ==
        "each body is pulled only by the bodies after it, and not by the bodies before it");
  CHECK(hint(cube, withMasses([](int i, int j) { return j < i ? mass(j) : 0; })) ==
        "each body is pulled only by the bodies before it, and not by the bodies after it");
}

TEST_CASE("a tile that is filled with the block's own bodies is named") {
  const auto massOf = [](int i, int j) {
    return i / 128 != j / 128 ? 0 : mass(j) * (1000 / 128 + (j % 128 < 1000 % 128));
  };
  CHECK(hint(cube, withMasses(massOf)) ==
        "every tile of 128 contains the bodies of the block itself: does the kernel fill it "
        "with index i instead of j?");
}

// Pulls of a kernel that sums each pair of tiles once.
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
        "each body gets twice the pull of the bodies in its own tile (64 bodies): is the diagonal "
        "wrong?");
  CHECK(hint(cube, weighted([](int i, int j) { return i < j ? -1 : 1; })) ==
        "each body gets the pull of the bodies in later tiles (64 bodies each) in the opposite "
        "direction: is the opposite force (the reaction) correct?");
  CHECK(hint(cube, weighted([](int i, int j) { return i > j ? 0 : 1; })) ==
        "each body gets no pull from the bodies in earlier tiles (64 bodies each): is the opposite "
        "force (the reaction) added?");
}

TEST_CASE("the mass of another body is named") {
  CHECK(hint(cube, withMasses([](int, int j) { return mass(std::min(j + 1, 999)); })) ==
        "each source has the mass of the next source");
  CHECK(hint(cube, withMasses([](int, int) { return mass(0); })) ==
        "each source has the mass of the first source");
  const auto own = [](int i, int j) { return j / 128 * 128 + i % 128; };
  const auto ownMass = [&](int i, int j) { return own(i, j) < 1000 ? mass(own(i, j)) : 0; };
  CHECK(hint(cube, withMasses(ownMass)) ==
        "the k-th body of a block uses the mass of the k-th source of each tile of 128 for all "
        "sources "
        "of the tile");
}

TEST_CASE("a source that is left out at the body's own place in each tile is named") {
  const auto massOf = [](int i, int j) { return j % 256 == i % 256 ? 0 : mass(j); };
  CHECK(hint(cube, withMasses(massOf)) ==
        "the k-th body of a block leaves out the k-th source of each tile of 256: does the loop "
        "skip k == "
        "threadIdx.x instead of i == j?");
}

TEST_CASE("padding with a mass is named") {
  Bodies padded = cube;
  for (int k = 0; k < 24; ++k) padded.positions.push_back({0, 0, 0, 1});
  Forces forces = byLaw(padded, {.softeningSquared = kSoftening * kSoftening});
  forces.resize(1000);
  CHECK(hint(cube, forces) ==
        "a mass of 24 at the origin pulls too: does the padding of the last tile have a mass?");
}

TEST_CASE("components in another order are named") {
  Forces forces = right(cube);
  for (Double4& a : forces) std::swap(a.x, a.y);
  CHECK(hint(cube, forces) == "the x and y components of the forces are swapped");
  forces = right(cube);
  for (Double4& a : forces) a.z = a.y;
  CHECK(hint(cube, forces) == "the z component of each force has the value of the y component");
  forces.clear();
  for (const Double4& at : cube.positions) {
    Double4 sum = {0, 0, 0, 0};
    for (const Double4& p : cube.positions)
      sum = plus(sum, pullBy({.softeningSquared = 0.01}, at, {p.x, p.z, p.y, p.w}));
    forces.push_back(sum);
  }
  CHECK(hint(cube, rounded(forces)) == "the y and z components of the sources are swapped");
}

TEST_CASE("numbers of few bits are named") {
  const ForceLaw law = {.softeningSquared = kSoftening * kSoftening};
  Forces forces;
  for (const Double4& at : cube.positions) {
    Double4 sum = {0, 0, 0, 0};
    for (const Double4& p : cube.positions) sum = withBits(11, plus(sum, pullBy(law, at, p)));
    forces.push_back(sum);
  }
  CHECK(hint(cube, rounded(forces)) ==
        "the forces have half precision (11 bits): check the type of the sum and of its array");
  for (int i = 0; i < 1000; ++i) forces[i] = {i / 1024.0, 0.5, 1 - i / 1024.0, 0};
  CHECK(contains(hint(cube, forces), "1000 of 1000 bodies are wrong (median relative error"));
  Bodies coarse = cube;
  for (Double4& p : coarse.positions) p = withBits(8, p);
  CHECK(hint(cube, byLaw(coarse, law)) ==
        "the forces are those that you get if the bodies have bfloat16 precision (8 bits)");
}

TEST_CASE("two mistakes that explain the forces are both named") {
  Bodies equal = cube;
  for (Double4& p : equal.positions) p.w = 0.125;
  const std::string text =
      hint(equal, byLaw(equal, {.softeningSquared = kSoftening * kSoftening, .mass = Mass::none}));
  CHECK(text ==
        "all forces are 8 times the correct value, or the forces are those that you get if the "
        "mass of j is left out");
}

TEST_CASE("pulls between ranks that are missing, repeated or added elsewhere are named") {
  // 1000 bodies on 3 ranks: 333, 333, 334.
  const auto rankOf = [](int i) { return i < 333 ? 0 : i < 666 ? 1 : 2; };
  const ForceLaw law = {.softeningSquared = kSoftening * kSoftening};
  /// Each pull as often as \p times says of the ranks of i and of j, and the pulls of rank 2 on the
  /// body with i's place in rank 1 \p elsewhere times on those of rank 0.
  const auto forcesOf = [&](const auto& times, int elsewhere) {
    Forces forces;
    for (int i = 0; i < 1000; ++i) {
      Double4 sum = {0, 0, 0, 0};
      for (int j = 0; j < 1000; ++j) {
        const Double4 pull = pullBy(law, cube.positions[i], cube.positions[j]);
        sum = plus(sum, nbody::times(times(rankOf(i), rankOf(j)), pull));
        if (rankOf(i) == 0 && rankOf(j) == 2 && elsewhere > 0)
          sum = plus(sum, pullBy(law, cube.positions[i + 333], cube.positions[j]));
      }
      forces.push_back(sum);
    }
    return rounded(forces);
  };
  CHECK(hint(cube, forcesOf([](int i, int j) { return (i + 1) % 3 == j ? 0 : 1; }, 0)) ==
        "with 3 ranks, some pulls are missing: those of the bodies of rank 1 on the bodies of rank "
        "0, "
        "of rank 2 on rank 1, of rank 0 on rank 2");
  CHECK(hint(cube, forcesOf([](int i, int j) { return i == 2 && j == 0 ? 2 : 1; }, 0)) ==
        "with 3 ranks, some pulls are counted 2 times: those of the bodies of rank 0 on the bodies "
        "of "
        "rank 2");
  CHECK(hint(cube, forcesOf([](int i, int j) { return i == 1 && j == 2 ? 0 : 1; }, 1)) ==
        "with 3 ranks, some pulls are added to the sums of the wrong rank: those of the bodies of "
        "rank 2 on the bodies of rank 1 (added to rank 0); some pulls are missing: those of the "
        "bodies "
        "of rank 2 on the bodies of rank 1");
}
