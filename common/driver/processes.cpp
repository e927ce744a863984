#include "driver/processes.hpp"

#include "base/bad_input.hpp"

namespace nbody {

void Processes::agree(const std::function<void()>& work) const {
  if (size() == 1) return work();
  std::string failure;
  int status = 0;
  try {
    work();
  } catch (const BadInput& error) {
    failure = error.what(), status = 2;
  } catch (const std::exception& error) {
    failure = error.what(), status = 1;
  }
  if (!failure.empty()) failure = std::to_string(status) + failure;
  failure = firstNonEmpty(failure);
  if (!failure.empty()) throw AgreedFailure(failure.substr(1), failure[0] - '0');
}

}  // namespace nbody
