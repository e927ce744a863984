// A step's options by their texts, and kernels by numbers known when the program runs.
#include "driver/step_options.hpp"

#include "catch.hpp"
#include "driver/compiled_values.hpp"

using namespace nbody;

namespace {

enum class Colour { red, green };

struct Made : OptionsOf<Made> {
  int count = 0;
  int block = 0;
  int memory = 0;
  double angle = 0.5;
  Colour colour = Colour::red;
  std::optional<Colour> other;

  std::vector<Option> list() override {
    return {
        listOption("count", count, "a count", {1, 2, 4}),
        rangeOption("block", block, "a block", 32, 1024, 32),
        powerOfTwoOption("memory", memory, "a memory", 64),
        numberOption("angle", angle, "an angle", 0.001, 1.5),
        wordOption("colour", colour, "a colour", {{"red", Colour::red}, {"green", Colour::green}}),
        wordOption("other", other, "another", {{"red", Colour::red}})};
  }
};

}  // namespace

TEST_CASE("options that are automatic have no text, and their ranges are in words") {
  Made made;
  const std::vector<Option> list = made.list();
  const char* texts[] = {"", "", "", "0.5", "red", ""};
  const char* ranges[] = {"1, 2 or 4",
                          "a multiple of 32 from 32 to 1024",
                          "a power of two from 1 to 64",
                          "from 0.001 to 1.5",
                          "red or green",
                          "red"};
  for (std::size_t k = 0; k < list.size(); ++k) {
    CHECK(textOf(list[k]) == texts[k]);
    CHECK(list[k].range == ranges[k]);
    CHECK_FALSE(list[k].read("nonsense"));
  }
  CHECK_FALSE(list[1].read("48"));
  CHECK_FALSE(list[3].read("1.6"));
}

TEST_CASE("a number that no kernel is compiled for is refused") {
  using Built = CompiledValues<1, 8>;
  const auto times10 = [](auto number) { return 10 * number.value; };
  CHECK(Built::select(8, times10) == 80);
  CHECK_THROWS_AS(Built::select(2, times10), std::logic_error);
  CHECK_THROWS_WITH(Built::select(0, times10), "no kernel is compiled for 0");
  const auto sum = [](auto one, auto other) { return one.value + other.value; };
  CHECK(select<Built, Built>(8, 1, sum) == 9);
  CHECK_THROWS_AS((select<Built, Built>(8, 3, sum)), std::logic_error);
}
