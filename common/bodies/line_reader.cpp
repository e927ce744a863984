#include "bodies/line_reader.hpp"

#include <algorithm>
#include <cstring>
#include <string>

namespace nbody {

LineReader::LineReader(const InputFile& file) : file_(file) {
  constexpr std::int64_t kBuffer = 1 << 20;
  static_assert(kBuffer > kLongestLine);
  buffer_.resize(std::min(file.size(), kBuffer));
}

bool LineReader::next(std::string_view& line) {
  const void* newline = std::memchr(buffer_.data() + begin_, '\n', end_ - begin_);
  if (newline == nullptr && offset_ < file_.size()) {
    refill();
    newline = std::memchr(buffer_.data() + begin_, '\n', end_ - begin_);
  }
  if (begin_ == end_) return false;
  const char* first = buffer_.data() + begin_;
  const char* last = newline == nullptr ? buffer_.data() + end_ : static_cast<const char*>(newline);
  begin_ = last - buffer_.data() + (newline == nullptr ? 0 : 1);
  ++number_;
  line = {first, static_cast<std::size_t>(last - first)};
  if (line.size() > kLongestLine)
    file_.refuse("line " + std::to_string(number_) + " is longer than " +
                 std::to_string(kLongestLine) + " characters; this is no CSV of bodies");
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (number_ == 1 && line.starts_with("\xEF\xBB\xBF")) line.remove_prefix(3);
  return true;
}

/// Moves the begun line to the buffer's start and reads on behind it.
void LineReader::refill() {
  std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
  end_ -= begin_;
  begin_ = 0;
  const std::size_t more = std::min<std::int64_t>(buffer_.size() - end_, file_.size() - offset_);
  file_.read(offset_, buffer_.data() + end_, more);
  end_ += more;
  offset_ += more;
}

}  // namespace nbody
