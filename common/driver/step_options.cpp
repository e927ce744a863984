#include "driver/step_options.hpp"

#include <algorithm>
#include <type_traits>

#include "base/parallel.hpp"
#include "base/text.hpp"

namespace nbody {

namespace {

std::string decimal(double number) { return formatted("%.10g", number); }

/// A field for which \p allowed says which numbers may be given. A whole number of 0 is automatic.
template <class Number>
Option optionOf(const char* name, Number& field, const char* help, const std::string& range,
                const std::vector<Number>& values, std::function<bool(Number)> allowed) {
  Option option = {
      .name = name, .help = help, .range = range, .values = {}, .read = {}, .value = {}};
  for (Number value : values) option.values.push_back(decimal(value));
  option.read = [&field, allowed](const std::string& text) {
    const auto number = parse<Number>(text);
    if (!number || !allowed(*number)) return false;
    field = *number;
    return true;
  };
  option.value = [&field]() -> std::optional<OptionValue> {
    return std::is_integral_v<Number> && field == 0 ? std::nullopt
                                                    : std::optional<OptionValue>(field);
  };
  return option;
}

}  // namespace

std::string textOf(const Option& option) {
  const auto value = option.value();
  if (!value) return "";
  if (const int* number = std::get_if<int>(&*value)) return decimal(*number);
  if (const double* number = std::get_if<double>(&*value)) return decimal(*number);
  return std::get<std::string>(*value);
}

Workload workloadOf(const Bodies& bodies, int multiprocessors) {
  const auto& positions = bodies.positions;
  const bool equal =
      parallelAllOf(bodies.count(), [&](int i) { return positions[i].w == positions[0].w; });
  return {bodies.count(), equal, multiprocessors};
}

std::string listed(const std::vector<std::string>& values) {
  std::string text = values.front();
  for (std::size_t k = 1; k < values.size(); ++k)
    text += (k + 1 < values.size() ? ", " : " or ") + values[k];
  return text;
}

Option listOption(const char* name, int& field, const char* help, std::vector<int> allowed) {
  const auto among = [allowed](int number) {
    return std::find(allowed.begin(), allowed.end(), number) != allowed.end();
  };
  Option option = optionOf<int>(name, field, help, "", allowed, among);
  option.range = listed(option.values);
  return option;
}

Option rangeOption(const char* name, int& field, const char* help, int least, int most, int step) {
  const bool few = (most - least) / step < 32;
  std::vector<int> values;
  for (int value = least; value < most; value = few ? value + step : 2 * value)
    values.push_back(value);
  values.push_back(most);
  const std::string range = (step > 1 ? "a multiple of " + std::to_string(step) + " " : "") +
                            "from " + std::to_string(least) + " to " + std::to_string(most);
  return optionOf<int>(name, field, help, range, values, [=](int number) {
    return number >= least && number <= most && number % step == 0;
  });
}

Option powerOfTwoOption(const char* name, int& field, const char* help, int most) {
  std::vector<int> values;
  for (int value = 1; value <= most; value *= 2) values.push_back(value);
  Option option = listOption(name, field, help, values);
  option.range = "a power of two from 1 to " + std::to_string(most);
  return option;
}

Option numberOption(const char* name, double& field, const char* help, double least, double most) {
  std::vector<double> values;
  for (double value = least; value < most; value *= 4) values.push_back(value);
  values.push_back(most);
  const std::string range = "from " + decimal(least) + " to " + decimal(most);
  return optionOf<double>(name, field, help, range, values,
                          [=](double number) { return number >= least && number <= most; });
}

Option flagOption(const char* name, bool& field, const char* help) {
  Option option = wordOption(name, field, help, {{"off", false}, {"on", true}});
  option.flag = true;
  return option;
}

}  // namespace nbody
