/// \file
/// The options of a step: its own struct, with each field declared once for the command line, the
/// report, JSON, sweeps and the judge.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "bodies/bodies.hpp"
#include "cuda/real.hpp"
#include "physics/force_error.hpp"

namespace nbody {

using OptionValue = std::variant<int, double, std::string>;

/// A field of a step's options, offered as `--name VALUE`.
struct Option {
  std::string name;  ///< name on the command line, such as "bodies-per-thread"
  std::string help;  ///< text with the unit; further lines explain the words that it can take
  std::string range;  ///< the values allowed, in words
  std::vector<std::string> values;  ///< all of them, or some of a long range
  std::function<bool(const std::string& text)> read;  ///< false: \p text is not allowed
  std::function<std::optional<OptionValue>()> value;  ///< nothing: resolve() will choose it
  bool flag = false;  ///< offered as `--name`, which reads "on"
};

/// Returns the value as the user would write it; empty if resolve() will choose it.
std::string textOf(const Option& option);

/// Facts that the defaults of options depend on.
struct Workload {
  int bodies;
  bool equalMasses;
  int multiprocessors;
};

Workload workloadOf(const Bodies& bodies, int multiprocessors);

struct StepOptions;

/// A setting that leaves a part of the method out.
struct Ablation {
  std::string setting;  ///< in words that follow "correct" or "wrong": "if every cell is opened"
  std::shared_ptr<const StepOptions> options;
  int bodies = 1000;  ///< at most this many are tried; they fit into one leaf of a tree
};

/// The base of a step's options. resolve() chooses each field that is "automatic", 0 for numbers. A run calls it
/// once, as soon as it has its bodies.
struct StepOptions {
  virtual ~StepOptions() = default;
  virtual std::unique_ptr<StepOptions> clone() const = 0;

  /// The fields, bound to this object.
  virtual std::vector<Option> list() { return {}; }
  virtual void resolve(const Workload&) {}

  /// Returns the error that the method allows beyond rounding; 0 if it is no approximation.
  virtual ErrorBound errorBound() const { return {}; }

  /// Returns settings that leave parts of the method out, the simplest first. If forces are wrong, they show which
  /// part is at fault.
  virtual std::vector<Ablation> ablations() const { return {}; }
};

/// Needs of a step's forces, in addition to their arguments. A step that needs something has kNeeds in
/// its Options.
struct ForceNeeds {
  bool workspace = false;  ///< memory that is kept from one evaluation to the next
  bool hostWork = false;  ///< the host: no CUDA graph can hold them, nor can GPU events time them
  bool phases = false;  ///< they have phases that can be timed, as those with hostWork always do
  bool grows = false;  ///< their memory may turn out too small
  bool remembers = false;  ///< accelerations of the last evaluation, on which the next one depends
};

template <class Options>
constexpr ForceNeeds needsOf() {
  if constexpr (requires { Options::kNeeds; }) return Options::kNeeds;
  else return {};
}

/// Gives \p Options its clone().
template <class Options, class Base = StepOptions>
struct OptionsOf : Base {
  std::unique_ptr<StepOptions> clone() const override {
    return std::make_unique<Options>(static_cast<const Options&>(*this));
  }
};

/// Options of a program that has none.
struct NoOptions : OptionsOf<NoOptions> {};

/// Makes an option for a whole number, one of \p allowed; 0 is automatic.
Option listOption(const char* name, int& field, const char* help, std::vector<int> allowed);

/// Makes an option for a whole number from \p least to \p most, a multiple of \p step; 0 is automatic.
Option rangeOption(const char* name, int& field, const char* help, int least, int most,
                   int step = 1);

/// Makes an option for a power of two up to \p most; 0 is automatic.
Option powerOfTwoOption(const char* name, int& field, const char* help, int most);

Option numberOption(const char* name, double& field, const char* help, double least, double most);

/// Makes an option that is off unless it is given.
Option flagOption(const char* name, bool& field, const char* help);

/// Joins \p values, for example to "1, 2, 4 or 8".
std::string listed(const std::vector<std::string>& values);

/// Makes an option with words for the values of an enum. An empty std::optional is automatic.
template <class Field>
Option wordOption(const char* name, Field& field, const char* help,
                  std::vector<std::pair<const char*, std::type_identity_t<Field>>> words) {
  Option option = {.name = name, .help = help, .range = "", .values = {}, .read = {}, .value = {}};
  for (const auto& [word, value] : words) option.values.push_back(word);
  option.range = listed(option.values);
  option.read = [&field, words](const std::string& text) {
    for (const auto& [word, value] : words)
      if (word == text) return field = value, true;
    return false;
  };
  option.value = [&field, words]() -> std::optional<OptionValue> {
    for (const auto& [word, value] : words)
      if (value == field) return std::string(word);
    return std::nullopt;
  };
  return option;
}

}  // namespace nbody
