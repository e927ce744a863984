#include "executor/runtime/settings.hpp"

#include <cstdlib>

#include "executor/checker/checker.hpp"
#include "executor/runtime/device_models.hpp"
#include "executor/runtime/reports.hpp"
#include "executor/runtime/symbols.hpp"

// Objects of ladder-nvcc name the mode that they were compiled for (nvcc/compile.py), so the linker refuses another one.
#ifdef NBODY_CHECK_RACE
extern "C" const char nbody_executor_mode_check = 0;
#else
extern "C" const char nbody_executor_mode_plain = 0;
#endif

namespace nbody::executor {

int fromEnvironment(const char* name, int otherwise) {
  const char* text = std::getenv((std::string("NBODY_EXECUTOR_") + name).c_str());
  if (text == nullptr) return otherwise;
  char* end = nullptr;
  const long value = std::strtol(text, &end, 10);
  if (end == text || *end != '\0' || value < 0 || value > 1'000'000'000)
    runtime::refuse("NBODY_EXECUTOR_" + std::string(name) + " must be a whole number, not '" +
                    text + "'");
  return static_cast<int>(value);
}

namespace {

RuntimeSettings startSettings() {
  RuntimeSettings s;
  const bool isOwnProgram = runtime::isOwnProgram();
  s.lazy = fromEnvironment("LAZY", isOwnProgram && checker::kOn) != 0;
  s.protect = fromEnvironment("PROTECT", isOwnProgram) != 0;
  s.reportsFail = !isOwnProgram;
  s.notes = fromEnvironment("NOTES", isOwnProgram) != 0;
  s.summary = fromEnvironment("SUMMARY", false) != 0;
  s.fail = fromEnvironment("FAIL", s.fail);
  s.devices = fromEnvironment("DEVICES", s.devices);
  s.multiprocessors = fromEnvironment("MULTIPROCESSORS", isOwnProgram ? s.multiprocessors : 8);
  if (const char* name = std::getenv("NBODY_EXECUTOR_DEVICE")) s.device = name;
  if (runtime::findModel(s.device) == nullptr)
    runtime::refuse("NBODY_EXECUTOR_DEVICE must be one of " + runtime::modelNames() + ", not '" +
                    s.device + "'");
  return s;
}

}  // namespace

RuntimeSettings& runtimeSettings() {
  static RuntimeSettings settings = startSettings();
  return settings;
}

}  // namespace nbody::executor
