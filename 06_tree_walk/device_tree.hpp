/// \file
/// The arrays of figure 2 in device memory.
#pragma once

#include "cuda/device_buffer.hpp"
#include "host/tree_layout.hpp"

namespace nbody {

/// What kernels see of the tree; TreeLayout says what the arrays hold.
struct TreeView {
  const int4* links;
  const real4* centres;
  const real4* moments;
  const int2* bodies;
  const GroupBox* groups;
};

/// The tree in device memory, kept from one evaluation to the next.
class DeviceTree {
 public:
  void upload(const TreeLayout& layout) {
    links_.upload(layout.links);
    centres_.upload(layout.centres);
    moments_.upload(layout.moments);
    bodies_.upload(layout.bodies);
    groups_.upload(layout.groups);
  }

  TreeView view() const {
    return {links_.data(), centres_.data(), moments_.data(), bodies_.data(), groups_.data()};
  }

 private:
  DeviceBuffer<int4> links_{"the tree's main array"};
  DeviceBuffer<real4> centres_{"the cells' centres of mass"};
  DeviceBuffer<real4> moments_{"the cells' moments"};
  DeviceBuffer<int2> bodies_{"the cells' bodies"};
  DeviceBuffer<GroupBox> groups_{"the groups"};
};

}  // namespace nbody
