// Snapshot files that are refused, each in one line that says what is wrong with it.
#include <sys/stat.h>

#include <nlohmann/json.hpp>

#include "base/bad_input.hpp"
#include "bodies/snapshot.hpp"
#include "made_bodies.hpp"
#include "test_folder.hpp"

using namespace nbody;

namespace {

void requireBad(const std::string& name, const std::string& content, const std::string& why) {
  const std::string message = messageOf([&] { SnapshotFile(name, content).read(); });
  INFO(content.substr(0, 60) << ": " << message);
  CHECK_THROWS_AS(SnapshotFile(name, content).read(), BadInput);
  CHECK(message.starts_with("cannot read " + name + ": "));
  CHECK(contains(message, why));
  CHECK_FALSE(contains(message, "\n"));
}

void requireBadFile(const std::string& path, const std::string& why) {
  const std::string message = messageOf([&] { SnapshotFile{path}; });
  CHECK_THROWS_AS(SnapshotFile(path), BadInput);
  CHECK(contains(message, "cannot read " + path + ": " + why));
}

}  // namespace

TEST_CASE("what is no readable file is refused") {
  TestFolder folder;
  requireBadFile(folder / "none", "No such file or directory");
  requireBadFile(folder / "", "it is a directory");
  writeContent(folder / "empty.csv", "");
  requireBadFile(folder / "empty.csv", "it is empty");
  REQUIRE(mkfifo((folder / "pipe").c_str(), 0600) == 0);
  requireBadFile(folder / "pipe", "it is a pipe or a device");  // without waiting for a writer
  requireBadFile("/dev/null", "it is a pipe or a device");
}

TEST_CASE("tipsy files that are not as long as their header says are refused with both lengths") {
  const bool isBig = GENERATE(true, false);
  const std::string whole = madeUpTipsy({.gas = 3, .dark = 4, .star = 5, .isBig = isBig});
  const std::string need =
      "truncated: its header's 3 gas, 4 dark and 5 star bodies need 540 bytes, the file has ";
  REQUIRE(whole.size() == 32 + 3 * 48 + 4 * 36 + 5 * 44);
  for (std::size_t size : {540 - 1, 540 - 3, 540 - 4, 540 - 5, 540 - 44, 33, 32, 31, 28})
    requireBad("a.tipsy", whole.substr(0, size), need + std::to_string(size));
  for (std::size_t more : {1, 4, 44})
    requireBad("a.tipsy", whole + std::string(more, 'x'), "too long: ");
  for (std::size_t size : {1, 7, 15, 27})
    requireBad("a.tipsy", whole.substr(0, size), "truncated: a tipsy header has 32 bytes");
}

TEST_CASE("CSV of lines that are too long is refused") {
  const std::string two = "1,2,3,4,5,6,7\n1,2,3,4,5,6,7\n";
  requireBad("a.csv", two + std::string(70000, '1'), "line 3 is longer than 65536");
  requireBad("a.csv", std::string(3'000'000, '\0'), "line 1 is longer than 65536");
}

TEST_CASE("files of other programs are refused by the name of their format") {
  const std::string rest(1000, '\0');
  const auto start = [&](std::string_view bytes) { return std::string(bytes) + rest; };
  using namespace std::string_view_literals;
  requireBad("a.hdf5", start("\x89HDF\r\n\x1a\n"), "its format is HDF5");
  requireBad("a.npy", start("\x93NUMPY\1"), "its format is numpy");
  requireBad("a", start("\0\1\0\0\1\0\0\0\1\0\0\0"sv), "its format is Gadget (format 1)");
  requireBad("a", start("\0\0\1\0\0\0\0\1\0\0\0\1"sv), "its format is Gadget (format 1)");
  // Three bodies of its third kind, where tipsy has the number of dimensions.
  requireBad("a", start("\0\1\0\0\1\0\0\0\1\0\0\0\3\0\0\0"sv), "its format is Gadget");
  requireBad("a", start("\x08\0\0\0HEAD"sv), "its format is Gadget (format 2)");
  requireBad("a", start("\x92\x09"), "its format is NEMO");
}

TEST_CASE("of many bad bodies, which threads read or write at once, the first is named") {
  TestFolder folder;
  std::vector<Double4> positions(70000, {1, 0, 0, 1});
  const auto write = [&] { writeSnapshot(folder / "a", bodiesAt(positions), 0, 0.01); };
  write();
  const std::string good = contentOf(folder / "a");
  std::string bad = good;
  for (int body : {30001, 30002, 50000, 69999})
    std::memcpy(&bad[32 + 36 * body + 4], "\0\0\xc0\x7f", 4);  // NaN, little-endian
  requireBad("a", bad, "body 30001: its x is not a number");
  positions[40001].y = positions[60000].y = 1e39;
  CHECK_THROWS_AS(write(), BadInput);
  CHECK(contains(messageOf(write), "body 40001 has 1e+39, too large for tipsy's single precision"));
  CHECK(contentOf(folder / "a") == good);  // nothing was written
  CHECK(folder.entries() == 1);
}

// The files that the fuzzers start from and those that they found. Each has its text, or its bytes in hexadecimal, and what is
// said of it if it is refused.
TEST_CASE("every file of snapshots.json is read, or refused in the words that it has there") {
  const auto formats = nlohmann::json::parse(contentOf(NBODY_TEST_DIR "/snapshots.json"));
  int files = 0;
  for (const auto& [format, all] : formats.items())
    for (const auto& [name, given] : all.items()) {
      std::string content = given.value("text", "");
      const std::string digits = given.value("hex", "");
      for (std::size_t at = 0; at < digits.size(); at += 2)
        content += static_cast<char>(std::stoi(digits.substr(at, 2), nullptr, 16));
      const auto read = [&] { SnapshotFile("file." + format, content).read(); };
      INFO(format << "/" << name);
      CHECK(name.starts_with("good-") == !given.contains("says"));
      if (!given.contains("says")) {
        CHECK(messageOf(read).empty());
        continue;
      }
      CHECK(messageOf(read) ==
            "cannot read file." + format + ": " + given["says"].get<std::string>());
      CHECK_THROWS_AS(read(), BadInput);
      ++files;
    }
  CHECK(files >= 70);
}
