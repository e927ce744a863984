#include "driver/study_program.hpp"

#include <limits>

#include "base/output_file.hpp"
#include "driver/command_line.hpp"

namespace nbody {

StudyProgram::StudyProgram(const char* name, const char* what, int repeats)
    : name(name), repeats(repeats), app_(std::make_unique<CLI::App>(what, name)) {}

StudyProgram::~StudyProgram() = default;

template <class T>
void StudyProgram::option(const std::string& name, T& value, const std::string& help,
                          const TextCheck& check) {
  CLI::Option* added = addOption(*app_, name, value, help);
  if (check) added->check(check);
}

template void StudyProgram::option(const std::string&, int&, const std::string&, const TextCheck&);
template void StudyProgram::option(const std::string&, std::string&, const std::string&,
                                   const TextCheck&);
template void StudyProgram::option(const std::string&, std::vector<int>&, const std::string&,
                                   const TextCheck&);
template void StudyProgram::option(const std::string&, std::vector<std::string>&,
                                   const std::string&, const TextCheck&);

void StudyProgram::flag(const std::string& name, bool& value, const std::string& help) {
  app_->add_flag(name, value, help);
}

bool StudyProgram::parse(int argc, char** argv, const std::string& drawn) {
  option("--seed NUMBER", seed, "seed of the random " + drawn + " (default: 1)",
         wholeNumber(0, std::numeric_limits<long long>::max()));
  option("--repeats COUNT", repeats,
         "how often each time is measured, on a GPU (default: " + std::to_string(repeats) + ")",
         wholeNumber(1, 1'000'000));
  option("--json FILE", json, "write the results to FILE, as JSON", checkFileName);
  if (!parsed(*app_, argc, argv)) return false;
  if (!json.empty()) checkWritable(json);
  return true;
}

int StudyProgram::end(const Device& device, Json runs, const std::string& failure) const {
  if (!json.empty()) writeWhole(json, jsonDocument(device, std::move(runs)));
  return failure.empty() ? 0 : reportFailure(name, "check failed: " + failure, 1);
}

}  // namespace nbody
