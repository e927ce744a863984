// Made-up wrong forces of every kind, and what the hint says of them.
#include "wrong_forces.hpp"

using namespace nbody;

namespace {

/// Forces whose sum for body i becomes added(sum, i, j) for one body j after the other.
template <class Added>
Forces summed(Added added) {
  Forces forces;
  for (int i = 0; i < cube.count(); ++i) {
    Double4 sum = {0, 0, 0, 0};
    for (int j = 0; j < cube.count(); ++j) sum = added(sum, i, j);
    forces.push_back(sum);
  }
  return rounded(forces);
}

/// Forces of sources with the mass massOf(i, j) where body i looks at body j.
template <class MassOf>
Forces withMasses(MassOf massOf) {
  return summed([=](const Double4& sum, int i, int j) {
    const Double4& p = cube.positions[j];
    return plus(sum, pullBy(kLaw, cube.positions[i], {p.x, p.y, p.z, double(massOf(i, j))}));
  });
}

double mass(int j) { return cube.positions[j].w; }

/// Forces by \p law if the last tile of 256 is filled with sources of mass 1 at the origin.
Forces withPadding(const ForceLaw& law) {
  Bodies padded = cube;
  for (int k = 0; k < 24; ++k) padded.positions.push_back({0, 0, 0, 1});
  Forces forces = byLaw(padded, law);
  forces.resize(1000);
  return forces;
}

double withBits(int bits, double x) {
  int exponent = 0;
  const double fraction = std::frexp(x, &exponent);
  return std::ldexp(std::nearbyint(std::ldexp(fraction, bits)), exponent - bits);
}

Double4 withBits(int bits, const Double4& v) {
  return {withBits(bits, v.x), withBits(bits, v.y), withBits(bits, v.z), withBits(bits, v.w)};
}

}  // namespace

TEST_CASE("correct forces have no symptom") { CHECK(hint(cube, right(cube), right(cube)).empty()); }

TEST_CASE("a factor is named with its number") {
  Forces forces = right(cube);
  CHECK(hint(cube, scaled(2, forces)) == "all forces are 2 times the correct value");
  forces = scaled(-1, forces);
  CHECK(hint(cube, forces) == "all forces are in the opposite direction (is a sign wrong?)");
  for (Double4& a : forces) a.x = -a.x;
  CHECK(hint(cube, forces) ==
        "the y components of the forces are in the opposite direction (is a sign wrong?), and the "
        "z components of the forces are in the opposite direction (is a sign wrong?)");
  CHECK(hint(cube, Forces(1000, {0, 0, 0, 0})) == "all forces are zero");
}

TEST_CASE("each wrong law is named") {
  for (const ForceLaw& law : mistakenLaws(kSoftening)) {
    const std::string text = hint(cube, byLaw(cube, law));
    INFO(law.symptom << "\n" << text);
    CHECK(text.starts_with("the forces are those that you get if "));
    CHECK(contains(text, law.symptom));
  }
}

TEST_CASE("all bodies as one, in the place of each or besides, are named") {
  const Double4 centre = centreOf(cube, 0, cube.count()).at;
  Forces alone, besides = right(cube);
  for (int i = 0; i < cube.count(); ++i) {
    const Double4 pull = pullBy(kLaw, cube.positions[i], centre);
    alone.push_back(pull);
    besides[i] = plus(besides[i], pull);
  }
  CHECK(contains(hint(cube, rounded(alone)),
                 "pulled as if all bodies were one, at their centre of mass"));
  CHECK(contains(hint(cube, rounded(besides)),
                 "pulled once more by all bodies as one, at their centre of mass"));
}

TEST_CASE("a tolerance that would let anything fit gets numbers alone") {
  const Forces forces = scaled(2, right(cube));
  const std::string text = symptomOf(cube, forces, forces, kSoftening, 0.01).text;
  CHECK(contains(text, "bodies are wrong (median relative error"));
  CHECK_FALSE(contains(text, "factor"));
}

TEST_CASE("padding that pulls, because its mass is not looked at, is named") {
  const ForceLaw law = {.softeningSquared = kLaw.softeningSquared, .mass = Mass::target};
  CHECK(contains(hint(cube, withPadding(law)),
                 "instead of the mass of j, and 24 sources at the origin pull too"));
}

TEST_CASE("a vector that is added to every force is named") {
  Forces forces = right(cube);
  for (Double4& a : forces) a = plus(a, {1, 1, -2, 0});
  CHECK(contains(hint(cube, forces), "every force is off by the same vector, (1, 1, -2)"));
}

TEST_CASE("laws that the bodies cannot tell apart are both named") {
  // With a softening of 0.001 its square squared is 1e-12: nothing compared with distances of 0.01.
  const Forces forces = byLaw(cube, {.softeningSquared = 0});
  const double tolerance = forceTolerance(1000, kUnitRoundoff);
  CHECK(symptomOf(cube, forces, forces, 1e-3, tolerance).text ==
        "the forces are those that you get if the softening is left out, or if the softening is "
        "squared twice");
  CHECK(symptomOf(cube, forces, forces, 0.07, tolerance)
            .text.starts_with("the forces are those that you get if the softening is left out"));
}

TEST_CASE("pulls that are missing, repeated or of a wrong mass are named") {
  const auto block = [](int i, int j) { return j / 128 * 128 + i % 128; };
  // Each body i as it would be if source j had the mass on the left.
  const std::pair<std::function<double(int i, int j)>, const char*> cases[] = {
      {[](int, int j) { return j < 768 ? mass(j) : 0; },
       "sources 768 and up are missing in the sums: is the last tile left out, or does a loop end "
       "too early?"},
      {[](int, int j) { return j / 256 % 2 == 0 ? mass(j) : 0; },
       "sources 256 to 511, 768 and up are missing in the sums"},
      {[](int, int j) { return j < 256 ? 4 * mass(j) : 0; },
       "sources 256 and up are missing; sources 0 to 255 are counted 4 times in the sums"},
      {[](int, int j) { return j > 0 ? mass(j) : 0; }, "source 0 is missing in the sums"},
      {[](int, int j) { return j < 999 ? mass(j) : 0; }, "source 999 is missing in the sums"},
      {[](int, int j) { return j % 2 * mass(j); },
       "sources 0, 2, 4, ... (500 of 1000) are missing in the sums"},
      {[](int i, int j) { return mass(j) * (j == i + 1 ? 2 : 1); },
       "the pull of the next body on each body is counted 2 times"},
      {[](int i, int j) { return mass(j) * (j != (i + 999) % 1000); },
       "the pull of the previous body on each body is missing"},
      {[](int i, int j) { return j > i ? mass(j) : 0; },
       "each body is pulled only by the bodies after it, and not by the bodies before it"},
      {[](int i, int j) { return j < i ? mass(j) : 0; },
       "each body is pulled only by the bodies before it, and not by the bodies after it"},
      {[](int i, int j) {
         return i / 128 != j / 128 ? 0 : mass(j) * (1000 / 128 + (j % 128 < 1000 % 128));
       },
       "every tile of 128 contains the bodies of the block itself: does the kernel fill it with "
       "index i instead of j?"},
      // A kernel that sums each pair of tiles once, and one side of the diagonal lacks or has twice.
      {[](int i, int j) { return (i / 64 == j / 64 ? 2 : 1) * mass(j); },
       "each body gets twice the pull of the bodies in its own tile (64 bodies): is the diagonal "
       "wrong?"},
      {[](int i, int j) { return (i / 64 < j / 64 ? -1 : 1) * mass(j); },
       "each body gets the pull of the bodies in later tiles (64 bodies each) in the opposite "
       "direction: is the opposite force (the reaction) correct?"},
      {[](int i, int j) { return (i / 64 > j / 64 ? 0 : 1) * mass(j); },
       "each body gets no pull from the bodies in earlier tiles (64 bodies each): is the opposite "
       "force (the reaction) added?"},
      {[](int, int j) { return mass(std::min(j + 1, 999)); },
       "each source has the mass of the next source"},
      {[](int, int) { return mass(0); }, "each source has the mass of the first source"},
      {[&](int i, int j) { return block(i, j) < 1000 ? mass(block(i, j)) : 0; },
       "the k-th body of a block uses the mass of the k-th source of each tile of 128 for all "
       "sources of the tile"},
      {[](int i, int j) { return j % 256 == i % 256 ? 0 : mass(j); },
       "the k-th body of a block leaves out the k-th source of each tile of 256: does the loop "
       "skip k == threadIdx.x instead of i == j?"}};
  for (const auto& [massOf, text] : cases) CHECK(hint(cube, withMasses(massOf)) == text);
}

TEST_CASE("of wrong bodies in one range, the range is named with what is wrong") {
  Forces forces = right(cube);
  const Forces less = counted(cube, [](int j) { return j < 512; });
  for (int i = 768; i < 1000; ++i) forces[i] = less[i];
  CHECK(hint(cube, forces) ==
        "bodies 768 and up are wrong: sources 512 and up are missing in the sums: is the last tile "
        "left out, or does a loop end too early?");
  for (int i = 768; i < 1000; ++i) forces[i].x += 1 + std::sin(i);
  CHECK(hint(cube, forces) == "bodies 768 and up are wrong, the others are correct");
}

TEST_CASE("forces of other bodies are named") {
  const Forces all = right(cube);
  Forces forces = all;
  for (int i = 0; i < 1000; ++i) forces[i] = all[i % 256];
  CHECK(hint(cube, forces) ==
        "bodies 256 and up are wrong: body 256 has the force of body 0, and the bodies after it "
        "have the forces of other bodies: does the kernel read or write with a wrong index?");
  for (int i = 1; i < 1000; ++i) forces[i] = all[i - 1];
  forces[0] = all[0];
  CHECK(hint(cube, forces) ==
        "bodies 1 and up are wrong: body 1 has the force of body 0, and the bodies after it are "
        "shifted in the same way: does the kernel read or write with a wrong index?");
  for (int i = 0; i < 1000; ++i) forces[i] = all[999 - i];
  CHECK(contains(hint(cube, forces), "body 0 has the force of body 999"));
}

TEST_CASE("bodies without a number are named, and whether they were written") {
  const double nan = std::nan("");
  Forces forces = right(cube);
  for (int i = 256; i < 1000; ++i) forces[i] = {nan, nan, nan, nan};
  CHECK(contains(hint(cube, forces),
                 "the accelerations of bodies 256 and up are still NaN, as before the launch: the "
                 "kernel never wrote them, or"));
  for (int i = 256; i < 1000; ++i) forces[i].x = 1;
  CHECK(contains(
      hint(cube, forces),
      "in the accelerations of bodies 256 and up, some of the components are still NaN, as before "
      "the launch: the kernel did not write all components"));
  forces = right(cube);
  forces[7].y = nan;
  CHECK(contains(hint(cube, forces),
                 "the acceleration of body 7 is NaN, and the kernel itself wrote it"));
  forces[7].y = INFINITY;
  CHECK(contains(hint(cube, forces), "the acceleration of body 7 is infinite"));
}

TEST_CASE("forces that change from one evaluation to the next are named") {
  const Forces forces = counted(cube, [](int j) { return j < 768; });
  Forces again = forces;
  again[500].x *= 1.01;
  CHECK(contains(hint(cube, forces, again), "the forces differ when they are computed again"));
  again = forces;
  again[500].x *= 1 + 1e-7;
  CHECK(contains(hint(cube, forces, again), "sources 768 and up"));
}

TEST_CASE("where no mistake fits, the hint has only numbers") {
  Forces forces = right(cube);
  for (int i = 0; i < 1000; ++i) forces[i].z *= 1 + std::cos(i);
  CHECK(contains(hint(cube, forces), "1000 of 1000 bodies are wrong (median relative error"));
  CHECK(contains(hint(cube, forces), "), in z only"));
  for (int i = 0; i < 1000; ++i) forces[i].x *= i % 2, forces[i].y *= i % 3;
  CHECK_FALSE(contains(hint(cube, forces), "only"));
  const Bodies two = makeCube(2, 1);
  forces = byLaw(two, {.softeningSquared = kLaw.softeningSquared, .power = 2});
  CHECK(contains(hint(two, forces), "2 of 2 bodies are wrong"));
}

TEST_CASE("a sample of many bodies is enough") {
  const Bodies many = makeCube(5000, 1);
  Forces forces = byLaw(many, {.softeningSquared = kLaw.softeningSquared, .power = 2});
  CHECK(hint(many, forces) ==
        "the forces are those that you get if each pull is m r / d^2 instead of m r / d^3");
  forces = counted(many, [](int j) { return j < 2560; });
  CHECK(hint(many, forces) == "sources 2560 and up are missing in the sums");
  forces = counted(many, [](int j) { return j < 4864; });
  CHECK(hint(many, forces) ==
        "sources 4864 and up are missing in the sums: is the last tile left out, or does a loop "
        "end too early?");
}

TEST_CASE("forces of a group of neighbours in the place of each one's are named") {
  const Forces each = right(cube);
  Forces forces;
  for (std::size_t i = 0; i < each.size(); ++i) {
    Double4 sum = {0, 0, 0, 0};
    for (std::size_t k = 0; k < 8; ++k) sum = plus(sum, each[i / 8 * 8 + k]);
    forces.push_back(sum);
  }
  CHECK(hint(cube, rounded(forces)) ==
        "each body has the sum of the forces on its 8 neighbours: does the reduction also add the "
        "lanes of other bodies?");
}

TEST_CASE("forces that are right in the sum over a warp only are named") {
  const Forces all = right(cube);
  Forces forces = all;
  for (int i = 0; i < 992; ++i) forces[i].z = all[i / 32 * 32 + (i + 7 * (i % 2)) % 32].z;
  CHECK_FALSE(contains(hint(cube, forces), "lanes"));
  for (int i = 0; i < 992; ++i) forces[i].z = all[i / 32 * 32 + (i * 5 + 7) % 32].z;
  CHECK(contains(
      hint(cube, forces),
      "in each group of 32 bodies the sum of the forces is correct, but single forces are wrong"));
}

TEST_CASE("padding with a mass is named") {
  CHECK(hint(cube, withPadding(kLaw)) ==
        "a mass of 24 at the origin pulls too: does the padding of the last tile have a mass?");
}

TEST_CASE("components in another order are named") {
  Forces forces = right(cube);
  for (Double4& a : forces) std::swap(a.x, a.y);
  CHECK(hint(cube, forces) == "the x and y components of the forces are swapped");
  forces = right(cube);
  for (Double4& a : forces) a.z = a.y;
  CHECK(hint(cube, forces) == "the z component of each force has the value of the y component");
  forces = summed([](const Double4& sum, int i, int j) {
    const Double4& p = cube.positions[j];
    return plus(sum, pullBy(kLaw, cube.positions[i], {p.x, p.z, p.y, p.w}));
  });
  CHECK(hint(cube, forces) == "the y and z components of the sources are swapped");
}

TEST_CASE("numbers of few bits are named") {
  Forces forces = summed([](const Double4& sum, int i, int j) {
    return withBits(11, plus(sum, pullBy(kLaw, cube.positions[i], cube.positions[j])));
  });
  CHECK(hint(cube, forces) ==
        "the forces have half precision (11 bits): check the type of the sum and of its array");
  for (int i = 0; i < 1000; ++i) forces[i] = {i / 1024.0, 0.5, 1 - i / 1024.0, 0};
  CHECK(contains(hint(cube, forces), "1000 of 1000 bodies are wrong (median relative error"));
  Bodies coarse = cube;
  for (Double4& p : coarse.positions) p = withBits(8, p);
  CHECK(hint(cube, byLaw(coarse, kLaw)) ==
        "the forces are those that you get if the bodies have bfloat16 precision (8 bits)");
}

TEST_CASE("after a race, the share is that of the forces without the race, or half of it if they are wrong") {
  const Forces half = counted(cube, [](int j) { return j < 512; });
  Forces spoilt = half;
  for (Double4& a : spoilt) a = times(1.7, a);
  const double tolerance = forceTolerance(cube.count(), kUnitRoundoff);
  const auto share = [&](const Forces& withoutRace) {
    return symptomOf(cube, spoilt, spoilt, kSoftening, tolerance, withoutRace).share;
  };
  CHECK(share(right(cube)) == 1);
  // Half of what the forces earn without a race, so that mending either mistake raises the points.
  CHECK(share(half) == 0.5 * symptomOf(cube, half, half, kSoftening, tolerance).share);
  CHECK(share(half) < 0.3);
  CHECK(share(rounded(scaled(-1, right(cube)))) == 0.5);
}

TEST_CASE("forces within the tolerance of an approximation have the whole share: only their median is too large") {
  const Forces near = scaled(1.02, right(cube));
  const Symptom symptom = symptomOf(cube, near, near, kSoftening, 0.1);
  CHECK(symptom.text == "");
  CHECK(symptom.share == 1);
}

TEST_CASE("two mistakes that explain the forces are both named") {
  Bodies equal = cube;
  for (Double4& p : equal.positions) p.w = 0.125;
  const std::string text =
      hint(equal, byLaw(equal, {.softeningSquared = kLaw.softeningSquared, .mass = Mass::none}));
  CHECK(text ==
        "all forces are 8 times the correct value, or the forces are those that you get if the "
        "mass of j is left out");
}

TEST_CASE("pulls between ranks that are missing, repeated or added elsewhere are named") {
  // 1000 bodies on 3 ranks: 333, 333, 334.
  const auto rankOf = [](int i) { return i < 333 ? 0 : i < 666 ? 1 : 2; };
  /// Each pull as often as \p times says of the ranks of i and of j.
  const auto forcesOf = [&](auto times) {
    return withMasses([=](int i, int j) { return times(rankOf(i), rankOf(j)) * mass(j); });
  };
  CHECK(hint(cube, forcesOf([](int i, int j) { return (i + 1) % 3 != j; })) ==
        "with 3 ranks, some pulls are missing: those of the bodies of rank 1 on the bodies of rank "
        "0, of rank 2 on rank 1, of rank 0 on rank 2");
  CHECK(hint(cube, forcesOf([](int i, int j) { return i == 2 && j == 0 ? 2 : 1; })) ==
        "with 3 ranks, some pulls are counted 2 times: those of the bodies of rank 0 on the bodies "
        "of rank 2");
  // Rank 0 adds the pulls of rank 2 on rank 1 to its own sums.
  Forces wrongRank = forcesOf([](int i, int j) { return i != 1 || j != 2; });
  const Forces lost = forcesOf([](int i, int j) { return i == 1 && j == 2; });
  for (int i = 0; i < 333; ++i) wrongRank[i] = plus(wrongRank[i], lost[i + 333]);
  CHECK(hint(cube, rounded(wrongRank)) ==
        "with 3 ranks, some pulls are added to the sums of the wrong rank: those of the bodies of "
        "rank 2 on the bodies of rank 1 (added to rank 0); some pulls are missing: those of the "
        "bodies of rank 2 on the bodies of rank 1");
}

namespace {

constexpr int kGroup = 300;
const Bodies group = makeCube(kGroup, 2);

/// A mistake of a made-up kernel: how it changes the forces, and the words that may say so.
struct Planted {
  std::function<void(ForceLaw& law)> law = {};
  std::function<double(int i, int j)> count = {};  ///< how often i gets the pull of j
  std::function<void(Forces& forces)> forces = {};
  std::vector<std::string> words = {};
};

/// Returns a mistake by chance.
Planted planted(Random& random) {
  const auto any = [&](int count) { return static_cast<int>(random.uniform(0, count)); };
  const auto axisOf = [](Double4& a, int axis) -> double& {
    return axis == 0 ? a.x : axis == 1 ? a.y : a.z;
  };
  const int tile = 32 << any(3), axis = any(3), last = 1 + any(100);
  switch (any(13)) {
    case 0:
    case 1: {
      const std::vector<ForceLaw> laws = mistakenLaws(kSoftening);
      const ForceLaw law = laws[any(static_cast<int>(laws.size()))];
      return {.law = [=](ForceLaw& now) { now = law; }, .words = {law.symptom}};
    }
    case 2: {
      const double factors[] = {2,      0.5,      -1,      1.001,
                                0.9997, 6.67e-11, 3.14159, 1 + random.uniform(0, 1)};
      const double factor = factors[any(8)];
      return {.forces = [=](Forces& f) { f = scaled(factor, f); },
              .words = {factor == -1 ? "opposite direction" : "times", "multiplied", "counted -"}};
    }
    case 3: {
      const double other = kSoftening * std::exp2(random.uniform(-3, 3));
      return {.law = [=](ForceLaw& law) { law.softeningSquared = other * other; },
              .words = {"the softening is"}};
    }
    case 4:
      return {.count = [=](int, int j) { return j < kGroup - last; }, .words = {"missing"}};
    case 5:
      return {.count = [=](int, int j) { return j % tile != tile - 1; },
              .words = {"missing", "own tile"}};
    case 6:
      return {.count = [=](int, int j) { return j < tile ? 3 : 1; }, .words = {"counted 3 times"}};
    case 7:
      return {.forces =
                  [=](Forces& f) {
                    for (int i = kGroup - last; i < kGroup; ++i) f[i] = {NAN, NAN, NAN, NAN};
                  },
              .words = {"still NaN"}};
    case 8:
      return {.forces =
                  [=](Forces& f) {
                    for (Double4& a : f) axisOf(a, axis) *= -1;
                  },
              .words = {"in the opposite direction"}};
    case 9:
      return {.forces = [=](Forces& f) { std::rotate(f.begin(), f.begin() + tile, f.end()); },
              .words = {"has the force of body"}};
    case 10:
      return {.count = [](int i, int j) { return j != i + 1; }, .words = {"pull of the next body"}};
    case 11:
      return {.forces =
                  [=](Forces& f) {
                    for (Double4& a : f) a.x += 0.3 * last;
                  },
              .words = {"same vector"}};
    default:  // nothing that has a name
      return {.forces = [=](Forces& f) {
        for (int i = 0; i < kGroup; ++i) f[i].y *= 1 + 0.3 * std::sin(1.7 * i);
      }};
  }
}

Forces forcesWith(const std::vector<Planted>& mistakes) {
  ForceLaw law = kLaw;
  for (const Planted& one : mistakes)
    if (one.law) one.law(law);
  Forces forces;
  for (int i = 0; i < group.count(); ++i) {
    Double4 sum = {0, 0, 0, 0};
    for (int j = 0; j < group.count(); ++j) {
      double count = 1;
      for (const Planted& one : mistakes)
        if (one.count) count *= one.count(i, j);
      sum = plus(sum, times(count, pullBy(law, group.positions[i], group.positions[j])));
    }
    forces.push_back(sum);
  }
  for (const Planted& one : mistakes)
    if (one.forces) one.forces(forces);
  forces = rounded(forces);
  for (Double4& a : forces)
    if (std::isnan(a.x)) a.w = NAN;  // not written
  return forces;
}

/// Returns whether a hint says only how many bodies are wrong.
bool saysLittle(const std::string& text) {
  return text.ends_with(" only") || text.ends_with(")") || text.ends_with("the others are correct");
}

}  // namespace

TEST_CASE("of 100 kernels with one or two mistakes, no hint says anything false") {
  Random random(70);
  int named[2] = {}, useless[2] = {};  // of one mistake, of two
  for (int number = 0; number < 100; ++number) {
    std::vector<Planted> mistakes = {planted(random)};
    if (number % 2 == 1) mistakes.push_back(planted(random));
    const Forces forces = forcesWith(mistakes);
    const std::string text =
        symptomOf(group, forces, forces, kSoftening, forceTolerance(kGroup, kUnitRoundoff)).text;
    const bool isNamed = std::any_of(mistakes.begin(), mistakes.end(), [&](const Planted& one) {
      return std::any_of(one.words.begin(), one.words.end(),
                         [&](const std::string& words) { return contains(text, words); });
    });
    std::string planted;
    for (const Planted& one : mistakes)
      planted += one.words.empty() ? "; nothing that has a name" : "; " + one.words[0];
    INFO(number << ": " << text << planted);
    CHECK((isNamed || saysLittle(text)));
    ++(isNamed ? named : useless)[number % 2];
  }
  INFO(useless[0] << " hints about one mistake and " << useless[1] << " about two say little");
  CHECK(useless[0] <= 5);  // a twelfth of the mistakes has no name
  CHECK(useless[1] <= 20);  // a third of them have a part without a name
}
