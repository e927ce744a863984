// Launches and copies in streams: which orders make them right, and what is said without.
#include "checker_reports.hpp"
#include "executor/checker/checker.hpp"
#include "executor/runtime/kernels.hpp"

using namespace nbody;
namespace checker = executor::checker;

namespace {

__global__ void fillKernel(int* values, int value) { values[threadIdx.x] = value; }
constexpr int kFill = __LINE__ - 1;

__global__ void copyKernel(const int* from, int* to) { to[threadIdx.x] = from[threadIdx.x]; }
constexpr int kCopy = __LINE__ - 1;

__global__ void nothingKernel() {}

__global__ void addKernel(int* sum) { atomicAdd(sum, 1); }

/// Runs the kernel that \p work launches, in one block, and not as an operation of the runtime's
/// own streams; what else is in \p work runs as it is. Returns the reports.
std::string reportsOfOne(const std::function<void()>& work, int line) {
  const executor::runtime::BoundKernel kernel = executor::runtime::bind(work);
  if (kernel.kernel == nullptr) return "";
  const auto& [closure, bytes, runThread] = kernel.body;
  checker::setArguments(closure.get(), bytes);
  const executor::Grid grid{1, kBlock, 0, "unit/streams.cu", line, runThread, closure.get()};
  return reportsOf([&] { executor::runGrid(grid); });
}

/// Streams and what their operations follow, as a runtime has it.
class Streams {
 public:
  Streams() {  // what others have done is past
    runAlone([] { launch({1, 1}, nothingKernel); });
  }

  /// Runs \p work as the next operation of \p stream, after operation \p number of each stream in
  /// \p after.
  void run(std::uint32_t stream,
           std::vector<std::uint32_t> after,
           const std::function<void()>& work,
           int line = __builtin_LINE()) {
    checker::beginOperation(
        {"a copy", "unit/streams.cu", line, stream, ++last_[stream], std::move(after)});
    const std::string ofLaunch = reportsOfOne(work, line);
    reports_ += ofLaunch + checker::endOperation();
  }
  /// As no operation of any stream.
  void runAlone(const std::function<void()>& work, int line = __builtin_LINE()) {
    reports_ += reportsOfOne(work, line);
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
    const auto fill = [&] { launch(LaunchShape(1, kBlock), fillKernel, values.data(), 1); };
    const auto copy = [&] {
      launch(LaunchShape(1, kBlock), copyKernel, values.data(), other.data());
    };
    Streams wrong;
    wrong.run(1, {}, fill);
    wrong.run(2, {}, copy);
    INFO(wrong.reports());
    CHECK(wrong.reports().rfind("executor: race on global memory: values[", 0) == 0);
    CHECK(countOf(wrong.reports(), "executor: ") == 1);
    checkParts(wrong.reports(),
               {"  write by thread (",
                at(kFill, ", in the kernel launched at unit/streams.cu:"),
                "  read by thread (",
                at(kCopy, ", in the kernel launched at unit/streams.cu:"),
                "Nothing orders the two",
                "(64 times)"});
    Streams same;
    same.run(1, {}, fill);
    same.run(1, {}, copy);
    CHECK(same.reports() == "");
    Streams event;
    event.run(1, {}, fill);
    event.run(2, {0, 1}, copy);
    CHECK(event.reports() == "");
  });
}

TEST_CASE("an order through a third stream counts, one with an earlier operation does not") {
  auto values = zeros<int>(kBlock, "values"), other = zeros<int>(kBlock, "other");
  const auto fill = [&] { launch(LaunchShape(1, kBlock), fillKernel, values.data(), 1); };
  const auto copy = [&] {
    launch(LaunchShape(1, kBlock), copyKernel, values.data(), other.data());
  };
  const auto nothing = [&] { launch(LaunchShape(1, kBlock), fillKernel, other.data(), 1); };
  Streams third;
  third.run(1, {}, fill);
  third.run(3, {0, 1}, nothing);
  third.run(2, {0, 1, 0, 1}, copy);
  CHECK(third.reports() == "");
  Streams early;
  early.run(1, {}, nothing);
  early.run(1, {}, fill);
  early.run(2, {0, 1}, copy);
  CHECK(contains(early.reports(), "race on global memory: values["));
}

TEST_CASE("a write after reads of another stream's races, two reads do not") {
  auto values = zeros<int>(kBlock, "values"), other = zeros<int>(2 * kBlock, "other");
  Streams reads;
  reads.run(
      1, {}, [&] { launch(LaunchShape(1, kBlock), copyKernel, values.data(), other.data()); });
  reads.run(2, {}, [&] {
    launch(LaunchShape(1, kBlock), copyKernel, values.data(), other.data() + kBlock);
  });
  CHECK(reads.reports() == "");
  Streams write;
  write.run(
      1, {}, [&] { launch(LaunchShape(1, kBlock), copyKernel, values.data(), other.data()); });
  write.run(2, {}, [&] { launch(LaunchShape(1, kBlock), fillKernel, values.data(), 1); });
  CHECK(contains(write.reports(), "race on global memory: values["));
}

TEST_CASE("atomics of two streams do not race") {
  auto sum = zeros<int>(1, "sum");
  Streams streams;
  streams.run(1, {}, [&] { launch(LaunchShape(1, kBlock), addKernel, sum.data()); });
  streams.run(2, {}, [&] { launch(LaunchShape(1, kBlock), addKernel, sum.data()); });
  CHECK(streams.reports() == "");
}

TEST_CASE("copies and fills race with launches and with each other") {
  auto values = zeros<int>(kBlock, "values"), other = zeros<int>(kBlock, "other");
  const auto fill = [&] { launch(LaunchShape(1, kBlock), fillKernel, values.data(), 1); };
  const auto read = [&] { checker::accessRange(values.data() + 3, 8, false); };
  const auto write = [&] { checker::accessRange(values.data(), 16, true); };
  Streams afterLaunch;
  afterLaunch.run(1, {}, fill);
  afterLaunch.run(2, {}, read, 77);
  INFO(afterLaunch.reports());
  checkParts(afterLaunch.reports(),
             {"executor: race on global memory: values[3]",
              "  write by thread (3,0,0) of block (0,0,0)",
              at(kFill, ", in the kernel launched at"),
              "  read by a copy at unit/streams.cu:77\n",
              "(2 times)"});
  Streams beforeLaunch;
  beforeLaunch.run(1, {}, write, 78);
  beforeLaunch.run(2, {}, [&] { launch(LaunchShape(1, kBlock), fillKernel, values.data(), 2); });
  checkParts(beforeLaunch.reports(), {"  write by a copy at unit/streams.cu:78\n", "(4 times)"});
  Streams copies;
  copies.run(1, {}, write, 79);
  copies.run(2, {}, read, 80);
  checkParts(copies.reports(), {"write by a copy at unit/streams.cu:79", "(once)"});
  Streams right;
  right.run(1, {}, write);
  right.run(2, {0, 1}, fill);
  right.run(1, {0, 0, 1}, read);
  CHECK(right.reports() == "");
}

TEST_CASE("a launch without an operation follows all and comes before all") {
  auto values = zeros<int>(kBlock, "values");
  const auto fill = [&] { launch(LaunchShape(1, kBlock), fillKernel, values.data(), 1); };
  Streams streams;
  streams.run(1, {}, fill);
  streams.runAlone(fill);
  streams.run(2, {}, fill);
  CHECK(streams.reports() == "");
}

TEST_CASE("thousands of operations in two streams are told apart") {
  auto one = zeros<int>(kBlock, "one"), two = zeros<int>(kBlock, "two");
  Streams streams;
  for (int i = 0; i < 3000; ++i) {
    streams.run(1, {}, [&] { launch(LaunchShape(1, kBlock), fillKernel, one.data(), 1); });
    streams.run(2, {}, [&] { launch(LaunchShape(1, kBlock), fillKernel, two.data(), 1); });
  }
  CHECK(streams.reports() == "");
  streams.run(2, {}, [&] { launch(LaunchShape(1, kBlock), fillKernel, one.data(), 2); });
  CHECK(contains(streams.reports(), "race on global memory: one["));
}
