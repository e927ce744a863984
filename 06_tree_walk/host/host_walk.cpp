// Compiled with -O3 -march=native -fno-math-errno: errno would keep the square root scalar.
#include "host/host_walk.hpp"

#include <atomic>

#include "base/parallel.hpp"
#include "host/host_pull.hpp"
#include "host/moments.hpp"
#include "opening.cuh"

namespace nbody {

namespace {

bool opens(const BodyGroup& group, const Cell& cell, double theta) {
  const double reach = openingReach(cell, theta);
  return opens(group, Double4{cell.centre.x, cell.centre.y, cell.centre.z, reach * reach});
}

/// What the threads share.
struct Work {
  const Octree& tree;
  std::vector<Double4> bodies;  ///< in the space-filling order
  std::vector<double> second;  ///< moments, of each cell
  float softeningSquared;
  double theta;
  bool quadrupoles;
  HostPulls* pulls;
};

/// The work of one thread: group by group, in the same arrays.
struct GroupForces {
  const Work& work;
  InteractionList list = {};
  Sources<11> nodes = {};
  Sources<4> bodies = {};

  void gatherNodes(const double3& origin) {
    nodes.resize(static_cast<int>(list.nodes.size()));
    int j = 0;
    for (int index : list.nodes) {
      const Cell& cell = work.tree.cells[index];
      const double* q = cell.quadrupole;
      const double x = cell.centre.x - origin.x;
      const double y = cell.centre.y - origin.y;
      const double z = cell.centre.z - origin.z;
      nodes.set(j++, {x, y, z, cell.mass, q[0], q[1], q[2], q[3], q[4], q[5], work.second[index]});
    }
  }

  void gatherBodies(const double3& origin) {
    int count = 0;
    for (int index : list.leaves) count += work.tree.cells[index].bodyCount;
    bodies.resize(count);
    int j = 0;
    for (int index : list.leaves) {
      const Cell& cell = work.tree.cells[index];
      for (int k = cell.firstBody; k < cell.firstBody + cell.bodyCount; ++k) {
        const Double4& body = work.bodies[k];
        bodies.set(j++, {body.x - origin.x, body.y - origin.y, body.z - origin.z, body.w});
      }
    }
  }

  void compute(const BodyGroup& group, std::vector<Double4>& accelerations) {
    walkTree(work.tree, group, work.theta, list);
    const double3 origin = {0.5 * (group.lower.x + group.upper.x),
                            0.5 * (group.lower.y + group.upper.y),
                            0.5 * (group.lower.z + group.upper.z)};
    gatherNodes(origin);
    gatherBodies(origin);
    if (work.pulls) {
      work.pulls->nodes += static_cast<long long>(group.bodyCount) * nodes.count();
      work.pulls->bodies += static_cast<long long>(group.bodyCount) * bodies.count();
    }
    for (int k = group.firstBody; k < group.firstBody + group.bodyCount; ++k) {
      const Double4& position = work.bodies[k];
      const float3 body = {static_cast<float>(position.x - origin.x),
                           static_cast<float>(position.y - origin.y),
                           static_cast<float>(position.z - origin.z)};
      const float3 near = pullOfMasses(bodies, body, work.softeningSquared);
      const float3 far = work.quadrupoles ? pullOfNodes(nodes, body, work.softeningSquared)
                                          : pullOfMasses(nodes, body, work.softeningSquared);
      accelerations[work.tree.order[k]] = {near.x + far.x, near.y + far.y, near.z + far.z, 0};
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
  Work work = {tree,
               {},
               secondMoments(tree, positions),
               static_cast<float>(softening * softening),
               theta,
               quadrupoles,
               pulls};
  work.bodies.reserve(positions.size());
  for (int body : tree.order) work.bodies.push_back(positions[body]);
  const int count = static_cast<int>(tree.groups.size());
  std::atomic<int> next = 0;  // lists differ in length: a thread takes the next group that is left
  parallelFor(std::min(count, threadCount(threads)), 1, threads, [&](int, int) {
    GroupForces forces = {work};
    for (int k = next++; k < count; k = next++) forces.compute(tree.groups[k], accelerations);
  });
  return accelerations;
}

}  // namespace nbody
