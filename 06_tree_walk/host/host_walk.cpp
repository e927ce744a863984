// Compiled with -O3 -march=native -fno-math-errno: setting errno keeps the square root scalar.
#include "06_tree_walk/host/host_walk.hpp"

#include "06_tree_walk/opening.cuh"
#include "06_tree_walk/quadrupole.cuh"
#include "base/parallel.hpp"
#include "physics/gravity.hpp"

namespace nbody::inline NBODY_PRECISION::walk {

namespace {

bool opens(const BodyGroup& group, const Cell& cell, double theta) {
  const double reach = openingReach(cell, theta);
  return opens(group, Double4{cell.centre.x, cell.centre.y, cell.centre.z, reach * reach});
}

/// Sources of a list as vector units read them, one array per component: x, y, z from the group's
/// centre, the mass, and for nodes the rest of a Multipole.
template <int kComponents>
struct Sources {
  std::vector<float> components[kComponents];

  void resize(int count) {
    for (auto& component : components) component.resize(count);
  }

  void set(int j, const double (&values)[kComponents]) {
    for (int k = 0; k < kComponents; ++k) components[k][j] = static_cast<float>(values[k]);
  }

  const float* operator[](int k) const { return components[k].data(); }
  int count() const { return static_cast<int>(components[0].size()); }
};

/// Returns the sum of \p pullOf(j, r) over \p sources, r from the body to source j.
template <int kComponents, class PullOf>
inline float3 sumPulls(const Sources<kComponents>& sources, float3 body, PullOf pullOf) {
  const float *sx = sources[0], *sy = sources[1], *sz = sources[2];
  const int count = sources.count();
  float x = 0, y = 0, z = 0;
#pragma omp simd reduction(+ : x, y, z)
  for (int j = 0; j < count; ++j) {
    const float3 pull = pullOf(j, float3{sx[j] - body.x, sy[j] - body.y, sz[j] - body.z});
    x += pull.x;
    y += pull.y;
    z += pull.z;
  }
  return {x, y, z};
}

/// Returns the pull of bodies, or of nodes as their masses alone.
template <int kComponents>
float3 pullOfMasses(const Sources<kComponents>& sources, float3 body, float softeningSquared) {
  const float* mass = sources[3];
  return sumPulls(sources, body, [=](int j, float3 r) {
    const float pull = pullFactor(mass[j], r.x, r.y, r.z, softeningSquared);
    return float3{pull * r.x, pull * r.y, pull * r.z};
  });
}

/// Returns the pull of nodes with their quadrupoles.
float3 pullOfNodes(const Sources<11>& nodes, float3 body, float softeningSquared) {
  const float *mass = nodes[3], *xx = nodes[4], *yy = nodes[5], *zz = nodes[6];
  const float *xy = nodes[7], *xz = nodes[8], *yz = nodes[9], *softened = nodes[10];
  return sumPulls(nodes, body, [=](int j, float3 r) {
    const Multipole node = {
        {0, 0, 0, mass[j]}, {xx[j], yy[j], zz[j], 0}, {xy[j], xz[j], yz[j], softened[j]}};
    const float inverse = inverseDistance(r.x, r.y, r.z, softeningSquared);
    return quadrupolePull(r, inverse, node);
  });
}

/// Work of one thread, which reuses its arrays from group to group.
struct GroupForces {
  const Octree& tree;
  const std::vector<Double4>& sorted;  ///< bodies in the space-filling order
  float softeningSquared;
  double theta;
  bool quadrupoles;
  HostPulls* pulls;
  InteractionList list = {};
  Sources<11> nodes = {};
  Sources<4> bodies = {};

  void gatherNodes(const double3& origin) {
    nodes.resize(static_cast<int>(list.nodes.size()));
    int j = 0;
    for (int index : list.nodes) {
      const Cell& cell = tree.cells[index];
      const double3 r = cell.centre - origin;
      const double perMass = cell.mass == 0 ? 0 : 1 / cell.mass;
      double q[6];
      for (int k = 0; k < 6; ++k) q[k] = perMass * cell.quadrupole[k];
      const double softened = -(perMass * cell.secondMoment + q[2]) * softeningSquared;
      nodes.set(j++,
                {r.x,
                 r.y,
                 r.z,
                 cell.mass,
                 q[0] - q[2],
                 q[1] - q[2],
                 1.5 * q[2],
                 q[3],
                 q[4],
                 q[5],
                 softened});
    }
  }

  void gatherBodies(const double3& origin) {
    int count = 0;
    for (int index : list.leaves) count += tree.cells[index].bodyCount;
    bodies.resize(count);
    int j = 0;
    for (int index : list.leaves) {
      const Cell& cell = tree.cells[index];
      for (int k = cell.firstBody; k < cell.firstBody + cell.bodyCount; ++k) {
        const double3 r = placeOf(sorted[k]) - origin;
        bodies.set(j++, {r.x, r.y, r.z, sorted[k].w});
      }
    }
  }

  void compute(const BodyGroup& group, std::vector<Double4>& accelerations) {
    walkTree(tree, group, theta, list);
    const double3 origin = group.middle();
    gatherNodes(origin);
    gatherBodies(origin);
    if (pulls) {
      pulls->nodes += static_cast<long long>(group.bodyCount) * nodes.count();
      pulls->bodies += static_cast<long long>(group.bodyCount) * bodies.count();
    }
    for (int k = group.firstBody; k < group.firstBody + group.bodyCount; ++k) {
      const double3 r = placeOf(sorted[k]) - origin;
      const float3 body = {
          static_cast<float>(r.x), static_cast<float>(r.y), static_cast<float>(r.z)};
      const float3 near = pullOfMasses(bodies, body, softeningSquared);
      const float3 far = quadrupoles ? pullOfNodes(nodes, body, softeningSquared)
                                     : pullOfMasses(nodes, body, softeningSquared);
      accelerations[tree.order[k]] = {near.x + far.x, near.y + far.y, near.z + far.z, 0};
    }
  }
};

}  // namespace

void walkTree(const Octree& tree, const BodyGroup& group, double theta, InteractionList& list) {
  list.nodes.clear();
  list.leaves.clear();
  std::vector<int> stack = {0};
  while (!stack.empty()) {
    const int index = stack.back();
    const Cell& cell = tree.cells[index];
    stack.pop_back();
    if (!opens(group, cell, theta)) list.nodes.push_back(index);
    else if (cell.childCount == 0) list.leaves.push_back(index);
    else
      for (int child = 0; child < cell.childCount; ++child)
        stack.push_back(cell.firstChild + child);
  }
}

std::vector<Double4> treeForces(const Octree& tree,
                                const std::vector<Double4>& positions,
                                double softening,
                                double theta,
                                bool quadrupoles,
                                int threads,
                                HostPulls* pulls) {
  std::vector<Double4> accelerations(positions.size());
  std::vector<Double4> sorted;
  sorted.reserve(positions.size());
  for (int body : tree.order) sorted.push_back(positions[body]);
  const float softeningSquared = static_cast<float>(softening * softening);
  const int count = static_cast<int>(tree.groups.size());
  std::atomic<int> next = 0;  // lists differ in length, so each thread takes the next free group
  parallelFor(std::min(count, threadCount(threads)), 1, threads, [&](int, int) {
    GroupForces forces = {tree, sorted, softeningSquared, theta, quadrupoles, pulls};
    for (int k = next++; k < count; k = next++) forces.compute(tree.groups[k], accelerations);
  });
  return accelerations;
}

}  // namespace nbody::inline NBODY_PRECISION::walk
