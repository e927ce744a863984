// Launches and copies in streams: which orders make them right, and what is said without.
#include "checker_reports.hpp"
#include "executor/checker/checker.hpp"

using namespace nbody;
namespace checker = executor::checker;

namespace {

// Functions that a block's threads run. They are not __global__: a launch of the runtime is its own
// operation, and the operations here are the tests'.
__device__ void fill(int* values, int value) { values[threadIdx.x] = value; }
constexpr int kFill = __LINE__ - 1;

__device__ void copy(const int* from, int* to) { to[threadIdx.x] = from[threadIdx.x]; }
constexpr int kCopy = __LINE__ - 1;

__device__ void nothing() {}

__device__ void add(int* sum) { atomicAdd(sum, 1); }

/// Runs a block at once, as a launch at unit/streams.cu:1.
template <class... Parameters, class... Arguments>
void runBlock(void (*function)(Parameters...), Arguments... arguments) {
  const auto body = [=] { function(arguments...); };
  using Body = decltype(body);
  const auto runThread = [](const void* b) { (*static_cast<Body*>(b))(); };
  checker::setArguments(&body, sizeof body);
  executor::runGrid({dim3(1), dim3(kBlock), 0, "unit/streams.cu", 1, runThread, &body});
}

/// Streams and what their operations follow, as a runtime has it.
class Streams {
 public:
  Streams() { runBlock(nothing); }  // what others have done is past

  /// Runs \p work as the next operation of \p stream, after operation \p number of each stream in
  /// \p after.
  void run(std::uint32_t stream, std::vector<std::uint32_t> after,
           const std::function<void()>& work, int line = __builtin_LINE()) {
    checker::beginOperation(
        {"a copy", "unit/streams.cu", line, stream, ++last_[stream], std::move(after)});
    const std::string ofLaunch = reportsOf(work);
    reports_ += ofLaunch + checker::endOperation();
  }
  const std::string& reports() const { return reports_; }

 private:
  std::uint32_t last_[4] = {};
  std::string reports_;
};

}  // namespace

TEST_CASE("launches of two streams without an order race") {
  auto values = zeros<int>(kBlock, "values"), other = zeros<int>(kBlock, "other");
  inEveryOrder([&] {
    const auto filling = [&] { runBlock(fill, values.data(), 1); };
    const auto copying = [&] { runBlock(copy, values.data(), other.data()); };
    Streams wrong;
    wrong.run(1, {}, filling);
    wrong.run(2, {}, copying);
    INFO(wrong.reports());
    CHECK(wrong.reports().rfind("executor: race on global memory: values[", 0) == 0);
    CHECK(countOf(wrong.reports(), "executor: ") == 1);
    checkParts(wrong.reports(),
               {"  write by thread (", at(kFill, ", in the kernel launched at unit/streams.cu:"),
                "  read by thread (", at(kCopy, ", in the kernel launched at unit/streams.cu:"),
                "Nothing fixes the order of these two", "(64 times)"});
    Streams same;
    same.run(1, {}, filling);
    same.run(1, {}, copying);
    CHECK(same.reports() == "");
    Streams event;
    event.run(1, {}, filling);
    event.run(2, {0, 1}, copying);
    CHECK(event.reports() == "");
  });
}

TEST_CASE("an order through a third stream counts, one with an earlier operation does not") {
  auto values = zeros<int>(kBlock, "values"), other = zeros<int>(kBlock, "other");
  const auto filling = [&] { runBlock(fill, values.data(), 1); };
  const auto copying = [&] { runBlock(copy, values.data(), other.data()); };
  const auto fillingOther = [&] { runBlock(fill, other.data(), 1); };
  Streams third;
  third.run(1, {}, filling);
  third.run(3, {0, 1}, fillingOther);
  third.run(2, {0, 1, 0, 1}, copying);
  CHECK(third.reports() == "");
  Streams early;
  early.run(1, {}, fillingOther);
  early.run(1, {}, filling);
  early.run(2, {0, 1}, copying);
  CHECK(contains(early.reports(), "race on global memory: values["));
}

TEST_CASE("a write after reads of another stream's races, two reads do not") {
  auto values = zeros<int>(kBlock, "values"), other = zeros<int>(2 * kBlock, "other");
  Streams reads;
  reads.run(1, {}, [&] { runBlock(copy, values.data(), other.data()); });
  reads.run(2, {}, [&] { runBlock(copy, values.data(), other.data() + kBlock); });
  CHECK(reads.reports() == "");
  Streams write;
  write.run(1, {}, [&] { runBlock(copy, values.data(), other.data()); });
  write.run(2, {}, [&] { runBlock(fill, values.data(), 1); });
  CHECK(contains(write.reports(), "race on global memory: values["));
}

TEST_CASE("atomics of two streams do not race") {
  auto sum = zeros<int>(1, "sum");
  Streams streams;
  streams.run(1, {}, [&] { runBlock(add, sum.data()); });
  streams.run(2, {}, [&] { runBlock(add, sum.data()); });
  CHECK(streams.reports() == "");
}

TEST_CASE("a launch without an operation follows all and comes before all") {
  auto values = zeros<int>(kBlock, "values");
  const auto filling = [&] { runBlock(fill, values.data(), 1); };
  Streams streams;
  streams.run(1, {}, filling);
  requireQuiet(filling);
  streams.run(2, {}, filling);
  CHECK(streams.reports() == "");
}

TEST_CASE("thousands of operations in two streams are told apart") {
  auto one = zeros<int>(kBlock, "one"), two = zeros<int>(kBlock, "two");
  Streams streams;
  for (int i = 0; i < 3000; ++i) {
    streams.run(1, {}, [&] { runBlock(fill, one.data(), 1); });
    streams.run(2, {}, [&] { runBlock(fill, two.data(), 1); });
  }
  CHECK(streams.reports() == "");
  streams.run(2, {}, [&] { runBlock(fill, one.data(), 2); });
  CHECK(contains(streams.reports(), "race on global memory: one["));
}
