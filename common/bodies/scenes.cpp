#include "bodies/scenes.hpp"

#include "base/bad_input.hpp"
#include "bodies/galaxy.hpp"

namespace nbody {

const std::vector<Scene>& scenes() {
  static const std::vector<Scene> all = {
      {"plummer", "Plummer sphere in equilibrium, N-body units", makePlummer},
      {"cube", "uniform cube of side 2 at rest, unequal masses, total mass 1", makeCube},
      {"shell", "thin sphere of radius 1 at rest, total mass 1: it collapses at time 1.57",
       makeShell},
      {"collapse", "cold uniform sphere of radius 1, total mass 1: it collapses at time 1.11",
       makeCollapse},
      {"collision", "two Plummer spheres of mass 1/2 on a parabola: they meet at time 4.4",
       makeCollision, collisionComponents},
      {"galaxy",
       "bulge, disk and halo near equilibrium; the disk has scale length 1; the total mass is 1",
       makeGalaxy, galaxyComponents, GalaxyModel::kSoftening, 1.0 / 16},
      {"merger", "two such galaxies of mass 1/2 on a parabola: they pass at time 51", makeMerger,
       mergerComponents, GalaxyModel::kSoftening, 1.0 / 16},
      {.name = "two-body",
       .description = "circular orbit of separation 1, period 2 pi",
       .make = makeTwoBodyCircular,
       .softening = 1e-5,
       .fixedCount = 2},
      {.name = "two-body-eccentric",
       .description = "orbit of eccentricity 0.5, semi-major axis 1, period 2 pi",
       .make = makeTwoBodyEccentric,
       .softening = 1e-5,
       .fixedCount = 2},
      {.name = "solar",
       .description = "Sun and eight planets at J2000; AU, solar masses, time unit 58.1324 days",
       .make = makeSolar,
       .components = solarComponents,
       .softening = 1e-5,
       .fixedCount = 9},
  };
  return all;
}

const Scene& sceneNamed(std::string_view name) {
  std::string known;
  for (const Scene& scene : scenes()) {
    if (scene.name == name) return scene;
    known += (known.empty() ? "" : ", ") + scene.name;
  }
  throw BadInput("unknown scene '" + std::string(name) + "'; there are " + known);
}

}  // namespace nbody
