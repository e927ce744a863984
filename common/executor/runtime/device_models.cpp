#include "executor/runtime/device_models.hpp"

#include <cstdio>

#include "executor/runtime/settings.hpp"

namespace nbody::executor::runtime {

namespace {

constexpr std::size_t kKiB = 1024;
constexpr std::size_t kGiB = kKiB * kKiB * kKiB;
constexpr int kMiB = 1024 * 1024;

constexpr DeviceModel kModels[] = {
    {"t4", "Tesla T4", 7, 5, 1024, 16, 64 * kKiB, 64 * kKiB, 0, 4 * kMiB, 256, 16 * kGiB},
    {"a100",
     "NVIDIA A100",
     8,
     0,
     2048,
     32,
     164 * kKiB,
     163 * kKiB,
     kKiB,
     40 * kMiB,
     5120,
     40 * kGiB},
    {"h100",
     "NVIDIA H100",
     9,
     0,
     2048,
     32,
     228 * kKiB,
     227 * kKiB,
     kKiB,
     50 * kMiB,
     5120,
     80 * kGiB},
};

}  // namespace

const DeviceModel* findModel(const std::string& name) {
  for (const DeviceModel& model : kModels)
    if (name == model.name) return &model;
  return nullptr;
}

const DeviceModel& model() {
  const DeviceModel* found = findModel(runtimeSettings().device);
  return found != nullptr ? *found : *findModel("h100");
}

std::string modelNames() {
  std::string names;
  for (const DeviceModel& model : kModels)
    names += (names.empty() ? "" : ", ") + std::string(model.name);
  return names;
}

}  // namespace nbody::executor::runtime
