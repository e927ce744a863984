#include "base/parallel.hpp"
#include "driver/host_simulation.hpp"
#include "driver/validation.hpp"
#include "made_bodies.hpp"
#include "physics/baselines.hpp"
#include "physics/conserved.hpp"
#include "physics/device_sums.hpp"
#include "physics/reference.hpp"

using namespace nbody;

TEST_CASE("the reference is Newton's law, softened") {
  const auto a = referenceAccelerations(bodiesAt({{0, 0, 0, 2}, {3, 4, 0, 5}}), 12,
                                        {0, 1});  // 5^2 + 12^2 = 13^2
  const double cube = 13.0 * 13 * 13;
  CHECK(std::abs(a[0].x - 5 * 3 / cube) <= 1e-16);
  CHECK(std::abs(a[0].y - 5 * 4 / cube) <= 1e-16);
  CHECK(std::abs(a[1].x + 2 * 3 / cube) <= 1e-16);
  CHECK(std::abs(a[1].w - 2 * 5 / cube) <= 1e-16);
}

TEST_CASE("a sample has all bodies or an even choice with both ends") {
  CHECK(sampleOf(3, 10) == std::vector<int>{0, 1, 2});
  const std::vector<int> sample = sampleOf(1'000'000'000, 1000);
  CHECK(sample.size() == 1000);
  CHECK(sample.front() == 0);
  CHECK(sample.back() == 999'999'999);
}

TEST_CASE("energy and momentum of two bodies") {
  Bodies bodies;
  bodies.add({3, 0, 0, 2}, {0, 1, 0, 0});
  bodies.add({0, 4, 0, 1}, {0, 0, 3, 0});
  const Conserved c = conservedQuantities(bodies, 12);
  CHECK(c.kinetic == 1 + 4.5);
  CHECK(std::abs(c.potential + 2.0 / 13) <= 1e-16);
  CHECK(c.momentum.y == 2);
  CHECK(c.momentum.z == 3);
  CHECK(c.speedScale == 5);
}

TEST_CASE("the potential counts every pair once") {
  const Bodies bodies = makeCube(101, 1);
  double potential = 0;
  for (int i = 0; i < 101; ++i)
    for (int j = 0; j < i; ++j) {
      const Double4 &p = bodies.positions[i], &q = bodies.positions[j];
      potential -= p.w * q.w / std::hypot(distance(p, q), 0.1);
    }
  CHECK(std::abs(conservedQuantities(bodies, 0.1).potential / potential - 1) <= 1e-13);
}

TEST_CASE("the sums of the device equal those of the host, in each scene") {
  for (const Scene& scene : scenes()) {
    for (int count : {1, 255, 256, 700}) {
      const Bodies bodies = scene.make(count, 3);
      const std::vector<int> sample = sampleOf(bodies.count(), 300);
      const auto host = referenceAccelerations(bodies, scene.softening, sample);
      const auto device = deviceAccelerations(bodies, scene.softening, sample);
      REQUIRE(device.size() == sample.size());
      INFO(scene.name << ", " << bodies.count() << " bodies");
      for (std::size_t k = 0; k < sample.size(); ++k) {
        CHECK(distance(device[k], host[k]) <= 1e-13 * host[k].w);
        CHECK(std::abs(device[k].w - host[k].w) <= 1e-13 * host[k].w);
      }
      const double potential = conservedQuantities(bodies, scene.softening).potential;
      CHECK(std::abs(devicePotentialEnergy(bodies, scene.softening) - potential) <=
            1e-13 * std::abs(potential));
    }
  }
}

TEST_CASE("parallelFor covers every index once") {
  const int count = GENERATE(0, 1, 2, 63, 64, 65, 1000);
  std::vector<int> visits(count, 0);
  parallelForEach(count, 1, [&](int i) { ++visits[i]; });
  CHECK(visits == std::vector<int>(count, 1));
}

TEST_CASE("parallelAllOf finds a single exception, and zeros are zeros") {
  for (int count : {0, 1, 65536, 300000}) {
    CHECK(parallelAllOf(count, [](int) { return true; }));
    for (int odd : {0, count / 2, count - 1})
      CHECK(parallelAllOf(count, [=](int i) { return i != odd; }) == (count == 0));
  }
  for (std::size_t count : {0, 1, (2 << 20) - 1, (7 << 20) + 5})
    CHECK(zeros<char>(count) == std::vector<char>(count));
}

TEST_CASE("bodies in one place count once in the median error") {
  const std::vector<int> sample = {0, 1, 2, 3, 4, 5};
  std::vector<Double4> reference(6, {1, 0, 0, 1});  // four bodies in one place, with one force
  reference[4] = {0, 1, 0, 1};
  reference[5] = {0, 0, 1, 1};
  std::vector<Double4> forces = reference;
  for (int i : {0, 1, 2, 3}) forces[i].x += 1e-3;
  CHECK(compareForces(forces, sample, reference, 1e-6, {1e-2, 1e-4}).passed);
  forces[4].x += 1e-3;
  CHECK_FALSE(compareForces(forces, sample, reference, 1e-6, {1e-2, 1e-4}).passed);
}

TEST_CASE("host baselines equal the FP64 direct sum") {
  const HostForces forces = GENERATE(as<HostForces>{}, serialForces, simdForces);
  const int count = GENERATE(1, 2, 31, 32, 33, 255, 256, 257, 1000);
  auto simulation = makeHostSimulation(count, 0.01, forces);
  simulation->upload(makeCube(count, 7));
  simulation->poisonAccelerations();
  simulation->computeForces();
  const ForceError error =
      compareForces(simulation->download(), simulation->accelerations(), 0.01, 0x1p-24);
  INFO(count << " bodies: " << error.failure);
  CHECK(error.passed);
}
