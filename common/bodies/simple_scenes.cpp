// Scenes that start at rest and collapse, those of two bodies, and those of Plummer spheres.
#include <cmath>
#include <numbers>

#include "base/parallel.hpp"
#include "bodies/centre.hpp"
#include "bodies/random.hpp"
#include "bodies/scenes.hpp"
#include "bodies/vectors.hpp"

namespace nbody {

static constexpr int kManyBodies = 16384;  // are worth another thread

void centre(Bodies& bodies) {
  Double4 position = {0, 0, 0, 0};
  Double4 velocity = {0, 0, 0, 0};
  for (int i = 0; i < bodies.count(); ++i) {
    const Double4& p = bodies.positions[i];
    const Double4& v = bodies.velocities[i];
    position = plus(position, {p.w * p.x, p.w * p.y, p.w * p.z, p.w});
    velocity = plus(velocity, times(p.w, v));
  }
  const double mass = position.w;
  parallelForEach(bodies.count(), kManyBodies, [&](int i) {
    Double4 &p = bodies.positions[i], &v = bodies.velocities[i];
    p = {p.x - position.x / mass, p.y - position.y / mass, p.z - position.z / mass, p.w};
    v = {v.x - velocity.x / mass, v.y - velocity.y / mass, v.z - velocity.z / mass, 0};
  });
}

Double4 turned(const Double4& p, double aboutX, double aboutZ) {
  const double y = p.y * std::cos(aboutX) - p.z * std::sin(aboutX);
  const double z = p.y * std::sin(aboutX) + p.z * std::cos(aboutX);
  return {p.x * std::cos(aboutZ) - y * std::sin(aboutZ),
          p.x * std::sin(aboutZ) + y * std::cos(aboutZ), z, p.w};
}

void addScaled(Bodies& bodies, const Bodies& system, double mass, double size, double speed,
               Double4 at, Double4 moving) {
  for (int i = 0; i < system.count(); ++i) {
    const Double4& p = system.positions[i];
    const Double4& v = system.velocities[i];
    bodies.add({at.x + size * p.x, at.y + size * p.y, at.z + size * p.z, mass},
               {moving.x + speed * v.x, moving.y + speed * v.y, moving.z + speed * v.z, 0});
  }
}

Bodies makeCube(int count, std::uint64_t seed) {
  Random random(seed);
  Bodies bodies;
  bodies.reserve(count);
  double mass = 0;
  for (int i = 0; i < count; ++i) {
    Double4 p = {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1),
                 random.uniform(0.5, 1.5)};
    bodies.add(p);
    mass += p.w;
  }
  for (Double4& p : bodies.positions) p.w /= mass;
  return bodies;
}

Bodies makeShell(int count, std::uint64_t seed) {
  Random random(seed);
  Bodies bodies;
  bodies.reserve(count);
  for (int i = 0; i < count; ++i) {
    const Double4 p = random.direction(1);
    bodies.add({p.x, p.y, p.z, 1.0 / count});
  }
  return bodies;
}

Bodies makeCollapse(int count, std::uint64_t seed) {
  Random random(seed);
  Bodies bodies;
  bodies.reserve(count);
  while (bodies.count() < count) {
    const Double4 p = {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1),
                       1.0 / count};
    if (p.x * p.x + p.y * p.y + p.z * p.z <= 1) bodies.add(p);
  }
  return bodies;
}

/// Two bodies \p separation apart on the x axis with relative speed \p speed along y.
static Bodies makePair(double separation, double speed) {
  constexpr double kHeavy = 0.75;
  constexpr double kLight = 0.25;
  Bodies bodies;
  bodies.add({-kLight * separation, 0, 0, kHeavy}, {0, -kLight * speed, 0, 0});
  bodies.add({kHeavy * separation, 0, 0, kLight}, {0, kHeavy * speed, 0, 0});
  return bodies;
}

Bodies makeTwoBodyCircular(int, std::uint64_t) { return makePair(1, 1); }

Bodies makeTwoBodyEccentric(int, std::uint64_t) {
  constexpr double kEccentricity = 0.5;
  // vis-viva at apocentre: v^2 = (1 - e) / (1 + e)
  return makePair(1 + kEccentricity, std::sqrt((1 - kEccentricity) / (1 + kEccentricity)));
}

/// Returns the point of the cube whose coordinates are the numbers at \p u; w is 0.
static Double4 pointAt(const double* u) { return {-1 + 2 * u[0], -1 + 2 * u[1], -1 + 2 * u[2], 0}; }

/// Returns whether \p q is taken as a speed over escape speed, whose density is q^2 (1 - q^2)^(7/2):
/// the maximum is 0.092.
/// \param level  uniform in [0, 1)
static bool isSpeedRatio(double q, double level) {
  const double f = 1 - q * q;
  return 0.1 * level < q * q * f * f * f * std::sqrt(f);
}

/// Uses of the random numbers that begin at one place.
enum Use : unsigned char { kEnclosed = 1, kPoint = 2, kSpeed = 4 };
constexpr int kNumbersOfUse = 3;  // at most
constexpr int kNumbersOfBody = 18;  // on average, because many are rejected
constexpr int kBodiesOfThread = 4096, kBodiesOfBlock = 65536;

/// Returns the uses of \p numbers from each place on, on all cores; of the last two places none.
static std::vector<unsigned char> usesOf(const std::vector<double>& numbers) {
  std::vector<unsigned char> uses(numbers.size());
  parallelForEach(static_cast<int>(numbers.size()) - kNumbersOfUse + 1,
                  kNumbersOfBody * kBodiesOfThread, [&](int k) {
                    const double* u = &numbers[k];
                    uses[k] = (u[0] != 0 ? kEnclosed : 0) | (isInBall(pointAt(u)) ? kPoint : 0) |
                              (isSpeedRatio(u[0], u[1]) ? kSpeed : 0);
                  });
  return uses;
}

/// The places of a body's numbers: the mass inside its radius, its direction, its speed and the
/// direction of that.
struct BodyNumbers {
  int enclosed, direction, speed, way;
};

/// Returns the places of the numbers of at most \p most bodies. One body's numbers follow
/// another's, and those that are rejected stand between: so a single thread looks.
/// \param used  set to how many numbers these bodies have used
static std::vector<BodyNumbers> bodiesAmong(const std::vector<unsigned char>& uses, int most,
                                            int& used) {
  const int end = static_cast<int>(uses.size());
  int next = 0;
  const auto take = [&](Use use, int numbers) {
    while (next < end && !(uses[next] & use)) next += numbers;
    const int taken = next;
    next += numbers;
    return taken;
  };
  std::vector<BodyNumbers> found;
  for (used = 0; static_cast<int>(found.size()) < most; used = next) {
    BodyNumbers body;
    body.enclosed = take(kEnclosed, 1);
    body.direction = take(kPoint, 3);
    body.speed = take(kSpeed, 2);
    body.way = take(kPoint, 3);
    if (next > end) break;
    found.push_back(body);
  }
  return found;
}

/// Returns random numbers for Plummer spheres of \p count bodies in all.
static UniformBlocks plummerNumbers(int count, std::uint64_t seed) {
  return {seed, kNumbersOfBody * std::clamp(count, 16, kBodiesOfBlock)};
}

/// A Plummer sphere of \p count bodies and total mass 1 in N-body units, its centre of mass at
/// rest.
static Bodies plummerSphere(int count, UniformBlocks& random) {
  constexpr double kLength = 3 * std::numbers::pi / 16;  // makes the total energy -1/4
  const double kSpeed = 1 / std::sqrt(kLength);
  constexpr double kMassFraction = 0.999;
  Bodies bodies = {std::vector<Double4>(count), std::vector<Double4>(count)};
  for (int first = 0, more = 0; first < count; first += more) {
    const std::vector<double>& u = random.next();
    int used = 0;
    const std::vector<BodyNumbers> found = bodiesAmong(usesOf(u), count - first, used);
    random.use(used);
    more = static_cast<int>(found.size());
    parallelForEach(more, kBodiesOfThread, [&](int i) {
      Double4 &p = bodies.positions[first + i], &v = bodies.velocities[first + i];
      const double root = std::cbrt(kMassFraction * u[found[i].enclosed]);
      const double r = root / std::sqrt(1 - root * root);  // (m^(-2/3) - 1)^(-1/2)
      const double escape = std::sqrt(2 / std::sqrt(1 + r * r));
      p = Random::lengthened(pointAt(&u[found[i].direction]), kLength * r);
      p.w = 1.0 / count;
      v = Random::lengthened(pointAt(&u[found[i].way]), kSpeed * u[found[i].speed] * escape);
    });
  }
  centre(bodies);
  return bodies;
}

Bodies makePlummer(int count, std::uint64_t seed) {
  UniformBlocks random = plummerNumbers(count, seed);
  return plummerSphere(count, random);
}

Bodies makeCollision(int count, std::uint64_t seed) {
  constexpr double kSeparation = 4;
  constexpr double kPericentre = 0.5;
  // Parabolic: v^2 = 2 / r, and the angular momentum is that of the pericentre, sqrt(2
  // kPericentre).
  const double across = std::sqrt(2 * kPericentre) / kSeparation;
  const double inwards = std::sqrt(2 / kSeparation - across * across);
  UniformBlocks random = plummerNumbers(count, seed);
  const Bodies left = plummerSphere((count + 1) / 2, random);
  const Bodies right = plummerSphere(count / 2, random);
  Bodies bodies;
  bodies.reserve(count);
  const double mass = 1.0 / count;
  const Double4 at = {kSeparation / 2, 0, 0, 0};
  const Double4 moving = {inwards / 2, across / 2, 0, 0};
  // At half its mass and half its size a sphere keeps its speeds.
  addScaled(bodies, left, mass, 0.5, 1, {-at.x, 0, 0, 0}, {moving.x, -moving.y, 0, 0});
  addScaled(bodies, right, mass, 0.5, 1, at, {-moving.x, moving.y, 0, 0});
  centre(bodies);
  return bodies;
}

std::vector<BodyRange> collisionComponents(int count) {
  const int first = (count + 1) / 2;
  return {{"sphere 1", 0, first}, {"sphere 2", first, count - first}};
}

}  // namespace nbody
