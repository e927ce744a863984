#include "diagnose/symptoms.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "base/text.hpp"
#include "diagnose/targets.hpp"
#include "physics/force_error.hpp"
#include "physics/reference.hpp"

namespace nbody {

namespace {

constexpr double kLoosest = 3e-3;  // with a larger tolerance, mistakes fit that were not made

std::vector<int> indices(std::size_t count) {
  const int all = static_cast<int>(count);
  return sampleOf(all, all);
}

/// Describes the bodies whose acceleration is not finite. A poisoned output has NaN in w too, which
/// a kernel replaces by 0.
std::string notFinite(const std::vector<Double4>& accelerations) {
  const std::vector<int> all = indices(accelerations.size());
  std::vector<int> unwritten, partly, nan, infinite;
  for (int i : all) {
    const Double4& a = accelerations[i];
    if (isFinite(a)) continue;
    const bool isNan[] = {std::isnan(a.x), std::isnan(a.y), std::isnan(a.z), std::isnan(a.w)};
    if (std::all_of(isNan, isNan + 4, std::identity())) unwritten.push_back(i);
    else if (isNan[3]) partly.push_back(i);
    else if (isNan[0] || isNan[1] || isNan[2]) nan.push_back(i);
    else infinite.push_back(i);
  }
  if (unwritten.size() == all.size())
    return "nothing was written to the accelerations: all are still NaN, as before the launch";
  std::string text;
  auto add = [&](const std::vector<int>& bodies, const char* before, const std::string& after) {
    if (bodies.empty()) return;
    const bool isOne = bodies.size() == 1;
    text += std::string(text.empty() ? "" : "; ") + before +
            (isOne ? "the acceleration of " : "the accelerations of ") +
            rangesOf(bodies, all, isOne ? "body" : "bodies") + after;
  };
  auto be = [](const auto& bodies) { return std::string(bodies.size() == 1 ? " is " : " are "); };
  auto them = [](const auto& bodies) { return bodies.size() == 1 ? "it" : "them"; };
  add(unwritten, "",
      be(unwritten) + "still NaN, as before the launch: the kernel never wrote " + them(unwritten) +
          ", or added to memory that was not cleared");
  add(partly, "in ",
      ", some of the components are still NaN, as before the launch: the kernel did not write all "
      "components");
  add(nan, "",
      be(nan) + "NaN, and the kernel itself wrote " + them(nan) +
          ": did it compute 0/0, for example without softening, or use an uninitialised value?");
  add(infinite, "",
      be(infinite) + "infinite: did the kernel divide by a number that is 0 or almost 0?");
  return text;
}

/// Returns whether two evaluations differ by more than another order of the same sums explains.
bool differ(const Bodies& bodies, const std::vector<Double4>& accelerations,
            const std::vector<Double4>& again, double softening, double tolerance) {
  std::vector<int> changed;
  for (int i = 0; i < bodies.count(); ++i) {
    const Double4 &a = accelerations[i], &b = again[i];
    if (isFinite(a) != isFinite(b)) return true;
    if (isFinite(a) && (a.x != b.x || a.y != b.y || a.z != b.z)) changed.push_back(i);
  }
  const std::vector<Double4> reference = referenceAccelerations(bodies, softening, changed);
  for (std::size_t k = 0; k < changed.size(); ++k) {
    const double change = distance(accelerations[changed[k]], again[changed[k]]);
    if (change > 4 * tolerance * reference[k].w) return true;
  }
  return false;
}

/// Returns "the forces on 232 of 1000 bodies are wrong (median relative error 0.031), in z only".
std::string numbersOf(const WrongForces& forces, const std::vector<int>& wrong) {
  std::vector<double> errors;
  bool wrongAxis[3] = {};
  for (int k : wrong) {
    const Double4 &a = forces.computed[k], &r = forces.reference[k];
    const double difference[3] = {a.x - r.x, a.y - r.y, a.z - r.z};
    errors.push_back(distance(a, r) / r.w);
    for (int axis = 0; axis < 3; ++axis)
      wrongAxis[axis] |= std::abs(difference[axis]) > forces.tolerance * r.w;
  }
  std::nth_element(errors.begin(), errors.begin() + errors.size() / 2, errors.end());
  const std::string text =
      formatted("the forces on %zu of %zu bodies are wrong (median relative error %.2g)",
                wrong.size(), forces.sample.size(), errors[errors.size() / 2]);
  std::string axes;
  for (int axis = 0; axis < 3; ++axis)
    if (wrongAxis[axis]) axes += std::string(axes.empty() ? ", in " : " and ") + "xyz"[axis];
  // A few bodies may have one correct component by chance.
  const bool some = axes.size() < std::string(", in x and y and z").size() && wrong.size() >= 8;
  return text + (some ? axes + " only" : "");
}

/// Returns "bodies 768 and up are wrong" if the wrong bodies are one range.
std::string rangeOf(const WrongForces& forces, const std::vector<int>& wrong) {
  if (wrong.back() - wrong.front() + 1 != static_cast<int>(wrong.size())) return "";
  std::string text = rangesOf(wrong, forces.sample, wrong.size() > 1 ? "bodies" : "body");
  text += wrong.size() > 1 ? " are wrong" : " is wrong";
  if (forces.sample.size() < forces.bodies.positions.size())
    text = "among the bodies compared, " + text;
  return text;
}

}  // namespace

Symptom symptomOf(const Bodies& bodies, const std::vector<Double4>& accelerations,
                  const std::vector<Double4>& again, double softening, double tolerance,
                  const std::vector<Double4>& withoutRace) {
  WrongForces forces = {bodies, softening, tolerance, checkedBodies(bodies.count()), {}, {}};
  forces.reference = referenceAccelerations(bodies, softening, forces.sample);
  std::vector<int> wrong;
  for (std::size_t k = 0; k < forces.sample.size(); ++k) {
    const Double4 &a = accelerations[forces.sample[k]], &r = forces.reference[k];
    forces.computed.push_back(a);
    if (!(distance(a, r) <= tolerance * r.w)) wrong.push_back(static_cast<int>(k));
  }
  if (wrong.empty()) return {"", 1};  // only the median is too large
  const std::size_t all = forces.sample.size();
  double share = static_cast<double>(all - wrong.size()) / static_cast<double>(all);
  if (!withoutRace.empty()) {
    const Symptom other = symptomOf(bodies, withoutRace, withoutRace, softening, tolerance);
    share = other.text.empty() ? 1 : kShareOfTwo * other.share;
  }
  if (differ(bodies, accelerations, again, softening, tolerance))
    return {
        "the forces differ when they are computed again: is there a race, or does a thread "
        "read uninitialised memory?",
        share};
  const std::string nan = notFinite(accelerations);
  if (!nan.empty()) return {nan, share};

  if (tolerance > kLoosest || !withoutRace.empty()) return {numbersOf(forces, wrong), share};
  // A wrong law may leave far bodies within rounding, so all bodies are tried first.
  Mistake mistake = mistakeIn(forces, indices(all));
  if (!mistake.text.empty()) return {mistake.text, std::max(share, mistake.share)};
  const std::string range = rangeOf(forces, wrong);
  const std::string numbers = numbersOf(forces, wrong);
  if (wrong.size() == all) return {numbers, share};
  mistake = mistakeIn(forces, wrong);
  if (!mistake.text.empty())
    return {(range.empty() ? numbers : range) + ": " + mistake.text,
            share + (1 - share) * mistake.share};
  if (range.empty() || wrong.front() == 0) return {numbers, share};
  return {range + ", the others are correct", share};
}

}  // namespace nbody
