#include "bodies/file_bodies.hpp"

#include <cstdio>
#include <new>

namespace nbody {

FileBodies::FileBodies(const InputFile& file, std::int64_t count) : file_(file) {
  try {
    bodies_.positions.reserve(count);
    bodies_.velocities.reserve(count);
  } catch (const std::bad_alloc&) {
    file_.refuse("there is no memory for its " + std::to_string(count) + " bodies");
  }
}

Bodies FileBodies::take() {
  if (bodies_.count() == 0) file_.refuse("it holds no bodies");
  if (bodies_.count() == 1)
    file_.refuse("it holds one body, on which there is no force to compute");
  if (!someMass_) file_.refuse("the masses of all its bodies are 0");
  return std::move(bodies_);
}

void FileBodies::refuse(const FileBody& body, std::int64_t line) const {
  std::string which = "body " + std::to_string(bodies_.count());
  if (line > 0) which += " (line " + std::to_string(line) + ")";
  for (int k = 0; k < FileBody::kNumbers; ++k) {
    const double number = body.numbers[k];
    if (std::isfinite(number)) continue;
    const char* what = std::isnan(number) ? "not a number" : "infinite";
    file_.refuse(which + ": its " + FileBody::name(k) + " is " + what);
  }
  char mass[32];
  std::snprintf(mass, sizeof mass, "%g", body.numbers[FileBody::kNumbers - 1]);
  file_.refuse(which + ": its mass is negative, " + mass);
}

}  // namespace nbody
