/// \file
/// Parts of both programs, 05_map_study and 05_triplets.
#pragma once

#include <cstdio>

#include "05_triangular_map/study/map_point.hpp"
#include "base/progress.hpp"
#include "driver/study_program.hpp"

namespace nbody::inline NBODY_PRECISION::triangular {

/// Adds the options --n and --maps, with \p sizes and \p maps as their defaults.
inline void addSizesAndMaps(StudyProgram& program,
                            std::vector<int>& sizes,
                            const TextCheck& check,
                            std::vector<std::string>& maps) {
  program.option("--n N,...",
                 sizes,
                 "numbers of bodies, with commas between them (default: " + joined(sizes) + ")",
                 check);
  program.option("--maps NAME,...",
                 maps,
                 "some of " + joined(maps) + " (default: all); box always runs",
                 nameAmong(maps));
}

/// Puts the box first, because the other maps are compared with it.
inline void putBoxFirst(std::vector<std::string>& maps) {
  std::erase(maps, "box");
  maps.insert(maps.begin(), "box");
}

inline void printTimesHeader(bool timed, const char* last) {
  if (timed) std::printf("%12s%20s%8s%s", "median ms", "min to max", "I", last);
}

inline void printTimes(const MapPoint& point) {
  const Timing& time = *point.time;
  std::printf("%12.4g%10.4g%10.4g%8.3f", time.median, time.min, time.max, point.improvement);
}

/// Returns the entries of a point that both programs write. Each program adds its own.
inline Json jsonOf(const StudyProgram& program, const MapPoint& point, const Json& parameters) {
  Json run = {{"step", program.name},
              {"map", point.map},
              {"bodies", point.n},
              {"precision", "fp32"},
              {"seed", program.seed},
              {"parameters", parameters},
              {"threads", point.threads},
              {"exact", point.exact},
              {"checked", point.exact},
              {"passed", point.failure.empty()}};
  if (!point.time) return run;
  run["kernel_ms"] = json(*point.time);
  run["improvement"] = point.improvement;
  return run;
}

/// Runs the study for each of \p sizes and returns the exit status.
/// \param study  has points(n), print(points) and json(point)
template <class Study>
int runSizes(const StudyProgram& program,
             const Device& device,
             const std::vector<int>& sizes,
             const Study& study) {
  Json runs = Json::array();
  std::string failure;
  for (int n : sizes) {
    Progress progress(std::to_string(n) + " bodies");
    const auto points = study.points(n);
    study.print(points);
    std::fflush(stdout);
    for (const auto& point : points) {
      runs.push_back(study.json(point));
      if (failure.empty() && !point.failure.empty())
        failure = (point.test.empty() ? "" : point.test + " of ") + std::to_string(n) +
                  " bodies with " + point.map + ": " + point.failure;
    }
  }
  return program.end(device, std::move(runs), failure);
}

}  // namespace nbody::inline NBODY_PRECISION::triangular
