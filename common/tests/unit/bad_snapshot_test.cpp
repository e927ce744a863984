// Snapshot files that are refused, each in one line that says what is wrong with it.
#include <sys/stat.h>

#include <nlohmann/json.hpp>

#include "base/bad_input.hpp"
#include "bodies/snapshot.hpp"
#include "made_bodies.hpp"
#include "test_folder.hpp"

using namespace nbody;

namespace {

/// A tipsy file of \p options by the script.
std::string tipsy(const std::string& options) {
  TestFolder folder;
  writeByScript(folder / "a", options);
  return contentOf(folder / "a");
}

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

/// \p content with the words from \p at on in the other order.
std::string swapped(std::string content, std::size_t at) {
  for (; at + 4 <= content.size(); at += 4)
    std::reverse(content.begin() + at, content.begin() + at + 4);
  return content;
}

// Little-endian, as this machine.
template <class Number>
std::string with(std::string content, std::size_t at, Number value) {
  std::memcpy(content.data() + at, &value, sizeof value);
  return content;
}

constexpr char kBody[] = "1,2,3,4,5,6,7\n";

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
  const std::string order = GENERATE("big", "little");
  const std::string whole = tipsy("--gas 3 --dark 4 --star 5 --order " + order);
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

TEST_CASE("tipsy headers that cannot be are refused") {
  const std::string good = tipsy("--dark 4 --order little");
  const int most = std::numeric_limits<int>::max();
  requireBad("a", with(good, 8, 5),
             "its header has 0 gas, 4 dark and 0 star bodies, but says that they are 5");
  requireBad("a", with(good, 16, -1), "-1 gas");
  requireBad("a", with(with(good, 8, most), 20, most), "need 77309411324 bytes, the file has 176");
  requireBad("a", with(good, 12, 2), "it is a tipsy file with 2 dimensions, not 3");
  requireBad("a", with(tipsy("--dark 4 --order big"), 12, 0x02000000),
             "it is a tipsy file with 2 dimensions, not 3");
  requireBad("a", with(good, 0, double{INFINITY}), "time is not finite");
  requireBad("a", with(good, 0, 1e200), "time of 1e+200 is not from");
  requireBad("a", tipsy("--order big"), "no bodies");
  requireBad("a", tipsy("--star 1 --order big"), "one body");
}

TEST_CASE("tipsy files of mixed endianness are refused") {
  const std::string order = GENERATE("big", "little");
  const std::string good = tipsy("--gas 2 --dark 3 --star 4 --order " + order);
  requireBad("a", swapped(good, 32), "mixed endianness");  // all bodies
  requireBad("a", swapped(good, 32 + 2 * 48), "mixed endianness");  // those after the gas
  std::string header = good;
  std::reverse(header.begin() + 12, header.begin() + 16);
  requireBad("a", header, "mixed endianness");  // the dimensions alone
}

TEST_CASE("bodies without forces are refused by their number") {
  const std::string good = tipsy("--dark 4 --order little");
  const std::size_t third = 32 + 2 * 36;
  requireBad("a", with(good, third + 8, NAN), "body 2: its y is not a number");
  requireBad("a", with(good, third + 20, -INFINITY), "body 2: its vy is infinite");
  requireBad("a", with(good, third, NAN), "body 2: its mass is not a number");
  requireBad("a", with(good, third, -2.0f), "body 2: its mass is negative, -2");
  std::string massless = good;
  for (int i = 0; i < 4; ++i) massless = with(massless, 32 + 36 * i, 0.0f);
  requireBad("a", massless, "the masses of all its bodies are 0");
  CHECK(SnapshotFile("a", with(good, third, 0.0f)).read().count() == 4);  // one has no mass
}

TEST_CASE("CSV that is not seven numbers a line is refused by its line") {
  const std::string two = std::string(kBody) + kBody;
  const std::string columns = "x,y,z,vx,vy,vz,mass\n";
  requireBad("a.csv", two + "1,2,3,4,5,6\n" + kBody, "line 3: 6 columns, not the 7 of x,y,z,vx,");
  requireBad("a.csv", "\n" + two + "1,2,3,4,5,6,7,8\n", "line 4: 8 columns");
  requireBad("a.csv", two + "1 2\n", "line 3: 1 column,");
  requireBad("a.csv", "1 2 3 4 5 6 7\n", "line 1: its columns are separated by spaces; use commas");
  requireBad("a.csv", "x;y;z;vx;vy;vz;mass\n", "line 1: its columns are separated by semicolons");
  requireBad("a.csv", "1\t2\t3\t4\t5\t6\t7\n", "line 1: its columns are separated by tabs");
  for (const std::string word : {"three", "", "0x10", "3 4", "+-4", "1e400"})
    requireBad("a.csv", two + "1,2," + word + ",4,5,6,7\n",
               "line 3: '" + word + "' is not a number");
  requireBad("a.csv", two + "1,2,\x01\xff,4,5,6,7\n", "line 3: '?\?' is not a number");
  requireBad("a.csv", columns + two + columns, "line 4: 'x' is not");
  requireBad("a.csv", "x,y,z,vx,vy,v,m\n" + two,
             "line 1: no column is named vz in 'x,y,z,vx,vy,v,m'");
  requireBad("a.csv", "m,x,y,z,vx,vy,vz,mass\n" + two,
             "line 1: more than one column is named mass");
  const std::string more = "id,vx,vy,vz,x,y,z,m\n";
  requireBad("a.csv", more + "a,1,2,3,4,5,6,b\n", "line 2: 'b' is not a number");
  requireBad("a.csv", more + "a,1,2,3,4,5,6\n1,2,3\n",
             "line 2: 7 columns, not the 8 of the header");
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

TEST_CASE("CSV without bodies or with impossible ones is refused") {
  requireBad("a.csv", "x,y,z,vx,vy,vz,mass\n", "no bodies");
  requireBad("a.csv", " \n\n", "no bodies");
  requireBad("a.csv", kBody, "one body");
  const std::string body = kBody;
  requireBad("a.csv", body + "nan,2,3,4,5,6,7\n", "body 1 (line 2): its x is not a number");
  requireBad("a.csv", "nan,2,3,4,5,6,7\n" + body, "body 0 (line 1): its x is not a number");
  requireBad("a.csv", body + "1,2,3,-inf,5,6,7\n", "body 1 (line 2): its vx is infinite");
  requireBad("a.csv", body + "1,2,3,4,5,6,-1e-9\n", "its mass is negative, -1e-09");
  requireBad("a.csv", "1,2,3,4,5,6,0\n1,2,3,4,5,6,0\n", "the masses of all its bodies are 0");
}

TEST_CASE("of many bad bodies, which threads read at once, the first is named") {
  TestFolder folder;
  std::vector<Double4> positions(70000, {1, 0, 0, 1});
  const auto write = [&] { writeSnapshot(folder / "a", bodiesAt(positions), 0, 0.01); };
  write();
  std::string bad = contentOf(folder / "a");
  for (int body : {30001, 30002, 50000, 69999}) bad = with(bad, 32 + 36 * body + 4, NAN);
  requireBad("a", bad, "body 30001: its x is not a number");
  positions[40001].y = positions[60000].y = 1e39;
  CHECK(contains(messageOf(write), "body 40001 has 1e+39"));
}

TEST_CASE("a number too large for tipsy is refused and nothing is written") {
  TestFolder folder;
  const Bodies bodies = bodiesAt({{1, 0, 0, 1}, {1e39, 0, 0, 1}});
  const auto write = [&] { writeSnapshot(folder / "a.tipsy", bodies, 0, 0.01); };
  CHECK_THROWS_AS(write(), BadInput);
  CHECK(contains(messageOf(write), "body 1 has 1e+39, too large for tipsy's single precision"));
  CHECK(folder.entries() == 0);
}

// The files that the fuzzers start from and those that they found. Each has its text, or its bytes in hexadecimal.
TEST_CASE("every file of snapshots.json is read or refused as its name says") {
  const auto formats = nlohmann::json::parse(contentOf(NBODY_TEST_DIR "/snapshots.json"));
  int files = 0;
  for (const auto& [format, all] : formats.items())
    for (const auto& [name, given] : all.items()) {
      std::string content = given.value("text", "");
      const std::string digits = given.value("hex", "");
      for (std::size_t at = 0; at < digits.size(); at += 2)
        content += static_cast<char>(std::stoi(digits.substr(at, 2), nullptr, 16));
      const auto read = [&] { SnapshotFile("file." + format, content).read(); };
      INFO(format << "/" << name << ": " << messageOf(read));
      if (name.starts_with("good-")) CHECK_NOTHROW(read());
      else CHECK_THROWS_AS(read(), BadInput);
      ++files;
    }
  CHECK(files >= 60);
}
