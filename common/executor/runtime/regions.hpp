/// \file
/// Address space for memory that host code may not touch: mapped twice, where the program sees it,
/// closed while host code runs, and at an alias through which copies go.
#pragma once

#include <cstddef>
#include <map>

namespace nbody::executor::runtime {

constexpr std::size_t kPage = 4096;

constexpr std::size_t roundedUp(std::size_t number, std::size_t to) {
  return (number + to - 1) / to * to;
}

class Region {
 public:
  /// A range of whole pages with a closed page or more before it, open where the region is. Null
  /// where there is no room left. Ranges that have been given back are used again at last.
  char* take(std::size_t bytes, std::size_t redZone);
  /// The range is closed, and its memory the system's again.
  void giveBack(char* begin, std::size_t bytes);

  bool holds(const void* pointer) const {
    const char* p = static_cast<const char*>(pointer);
    return begin_ != nullptr && p >= begin_ && p < begin_ + reserve_;
  }
  /// Address at which the host may always read and write what is at \p pointer.
  char* alias(const void* pointer) const {
    return alias_ + (static_cast<const char*>(pointer) - begin_);
  }
  void setOpen(bool open);

 private:
  static constexpr std::size_t kMostReserve = std::size_t{1} << 40;  // addresses, not memory
  static constexpr std::size_t kLeastReserve = std::size_t{1} << 24;

  void reserve();
  char* takeOld(std::size_t bytes);

  char* begin_ = nullptr;
  char* alias_ = nullptr;
  std::size_t reserve_ = 0;
  std::size_t used_ = 0;
  bool isOpen_ = false;
  std::map<char*, std::size_t> ranges_;  ///< in use, and their bytes
  std::multimap<std::size_t, char*> old_;  ///< given back, by their bytes
};

}  // namespace nbody::executor::runtime
