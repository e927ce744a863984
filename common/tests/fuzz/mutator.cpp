// A fuzzer for where clang's libFuzzer is missing: mutates the files of the folders it is given,
// the same way for the same seed. It takes libFuzzer's options -runs=N, -seed=N and
// -artifact_prefix=PATH and ignores its others.
#include <sanitizer/common_interface_defs.h>
#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

constexpr std::size_t kLongest = 4096;

std::string current;  // what is being read
std::string artifact = "crash";  // where it goes when the reader fails

void keepInput() {
  std::ofstream(artifact, std::ios::binary) << current;
  std::fprintf(stderr, "the input is in %s\n", artifact.c_str());
}

void onAbort(int) { keepInput(); }

class Mutator {
 public:
  Mutator(std::vector<std::string> seeds, std::uint64_t seed)
      : seeds_(std::move(seeds)), engine_(seed) {}

  std::string next() {
    std::string input = seeds_[below(seeds_.size())];
    for (std::size_t changes = 1 + below(6); changes > 0; --changes) change(input);
    if (input.size() > kLongest) input.resize(kLongest);
    return input;
  }

 private:
  std::size_t below(std::size_t bound) { return bound == 0 ? 0 : engine_() % bound; }

  void change(std::string& input) {
    static const std::string kWords[] = {"nan",
                                         "-inf",
                                         "1e400",
                                         "1e-400",
                                         "0x10",
                                         "-",
                                         "+",
                                         ",",
                                         "\n",
                                         "\r\n",
                                         " ",
                                         "\xEF\xBB\xBF",
                                         "x,y,z,vx,vy,vz,mass\n",
                                         "1,2,3,4,5,6,7\n",
                                         std::string("\3\0\0\0", 4),
                                         std::string("\0\0\0\3", 4),
                                         std::string(4, '\0'),
                                         "\xff\xff\xff\xff",
                                         "\xff\xff\xff\x7f",
                                         "\x7f\xff\xff\xff",
                                         std::string("\0\0\x80\x7f", 4),
                                         std::string("\x7f\xc0\0\0", 4),
                                         std::string("\0\0\0\x80", 4)};
    const std::size_t at = below(input.size() + 1);
    const std::string& word = kWords[below(std::size(kWords))];
    switch (below(8)) {
      case 0:
        if (at < input.size()) input[at] ^= static_cast<char>(1 << below(8));
        break;
      case 1:
        if (at < input.size()) input[at] = static_cast<char>(engine_());
        break;
      case 2:
        input.insert(at, word);
        break;
      case 3:
        input.replace(at, word.size(), word);
        break;
      case 4:
        input.erase(at, 1 + below(48));
        break;
      case 5:
        input.insert(at, input.substr(below(input.size()), below(100)));
        break;
      case 6:
        input.resize(at);
        break;
      default:
        input = input.substr(0, at) + tailOf(seeds_[below(seeds_.size())]);
    }
  }

  std::string tailOf(const std::string& seed) { return seed.substr(below(seed.size() + 1)); }

  std::vector<std::string> seeds_;
  std::mt19937_64 engine_;
};

std::vector<std::string> filesIn(const std::string& folder) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());  // the same order on every machine
  std::vector<std::string> contents;
  for (const auto& path : paths) {
    std::ifstream file(path, std::ios::binary);
    contents.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return contents;
}

void read(std::string input) {
  current = std::move(input);
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(current.data()), current.size());
}

}  // namespace

int main(int argc, char** argv) {
  long long runs = 0;
  std::uint64_t seed = 1;
  std::vector<std::string> seeds;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    const std::string value = argument.substr(argument.find('=') + 1);
    if (argument.starts_with("-runs=")) runs = std::atoll(value.c_str());
    if (argument.starts_with("-seed=")) seed = std::strtoull(value.c_str(), nullptr, 10);
    if (argument.starts_with("-artifact_prefix=")) artifact = value + "crash";
    if (argument.starts_with("-")) continue;
    for (std::string& content : filesIn(argument)) seeds.push_back(std::move(content));
  }
  if (seeds.empty()) {
    std::fprintf(stderr, "no files to mutate\n");
    return 2;
  }
  __sanitizer_set_death_callback(keepInput);
  std::signal(SIGABRT, onAbort);
  for (const std::string& content : seeds) read(content);
  Mutator mutator(seeds, seed);
  for (long long run = static_cast<long long>(seeds.size()); run < runs; ++run)
    read(mutator.next());
  std::printf("Done %lld runs\n", std::max<long long>(runs, seeds.size()));
}
