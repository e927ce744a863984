#include "executor/runtime/device_models.hpp"

#include <cstdio>

#include "executor/runtime/settings.hpp"

namespace nbody::executor::runtime {

namespace {

constexpr std::size_t kKiB = 1024;
constexpr std::size_t kGiB = kKiB * kKiB * kKiB;
constexpr int kMiB = 1024 * 1024;

constexpr DeviceModel kModels[] = {
    {"gtx1080",
     "NVIDIA GeForce GTX 1080",
     6,
     1,
     2048,
     32,
     96 * kKiB,
     48 * kKiB,
     0,
     2 * kMiB,
     256,
     8 * kGiB},
    {"p100", "Tesla P100", 6, 0, 2048, 32, 64 * kKiB, 48 * kKiB, 0, 4 * kMiB, 4096, 16 * kGiB},
    {"v100", "Tesla V100", 7, 0, 2048, 32, 96 * kKiB, 96 * kKiB, 0, 6 * kMiB, 4096, 16 * kGiB},
    {"t4", "Tesla T4", 7, 5, 1024, 16, 64 * kKiB, 64 * kKiB, 0, 4 * kMiB, 256, 16 * kGiB},
    {"rtx2080",
     "NVIDIA GeForce RTX 2080",
     7,
     5,
     1024,
     16,
     64 * kKiB,
     64 * kKiB,
     0,
     4 * kMiB,
     256,
     8 * kGiB},
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
    {"rtx3090",
     "NVIDIA GeForce RTX 3090",
     8,
     6,
     1536,
     16,
     100 * kKiB,
     99 * kKiB,
     kKiB,
     6 * kMiB,
     384,
     24 * kGiB},
    {"l4", "NVIDIA L4", 8, 9, 1536, 24, 100 * kKiB, 99 * kKiB, kKiB, 48 * kMiB, 192, 24 * kGiB},
    {"rtx4090",
     "NVIDIA GeForce RTX 4090",
     8,
     9,
     1536,
     24,
     100 * kKiB,
     99 * kKiB,
     kKiB,
     72 * kMiB,
     384,
     24 * kGiB},
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
    {"h200",
     "NVIDIA H200",
     9,
     0,
     2048,
     32,
     228 * kKiB,
     227 * kKiB,
     kKiB,
     60 * kMiB,
     6144,
     141 * kGiB},
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
