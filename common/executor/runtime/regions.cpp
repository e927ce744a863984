#include "executor/runtime/regions.hpp"

#include <sys/mman.h>
#include <sys/resource.h>

#include <algorithm>

#include "executor/runtime/reports.hpp"

namespace nbody::executor::runtime {

namespace {

/// Lowers \p most if the program's address space is limited. Each of a few regions, mapped twice,
/// must leave most addresses for the rest.
std::size_t reserveWithinLimit(std::size_t most) {
  constexpr std::size_t kShare = 32;
  rlimit limit;
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return most;
  return std::min(most, roundedUp(limit.rlim_cur / kShare, kPage));
}

}  // namespace

void Region::reserve() {
  // No file: limits on files, or on system calls that make some, need not know of this memory.
  const int kind = MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE;
  for (reserve_ = reserveWithinLimit(kMostReserve); reserve_ >= kLeastReserve; reserve_ /= 2) {
    void* alias = mmap(nullptr, reserve_, PROT_READ | PROT_WRITE, kind, -1, 0);
    if (alias == MAP_FAILED) continue;
    void* begin = mremap(alias, 0, reserve_, MREMAP_MAYMOVE);  // 0: the same pages once more
    if (begin != MAP_FAILED && mprotect(begin, reserve_, PROT_NONE) == 0) {
      alias_ = static_cast<char*>(alias);
      begin_ = static_cast<char*>(begin);
      return;
    }
    munmap(alias, reserve_);
  }
  refuse(
      "no address space is left for device memory; set NBODY_EXECUTOR_PROTECT=0, which needs none");
}

char* Region::takeOld(std::size_t bytes) {
  const auto position = old_.lower_bound(bytes);
  if (position == old_.end()) return nullptr;
  char* begin = position->second;
  old_.erase(position);
  return begin;
}

char* Region::take(std::size_t bytes, std::size_t redZone) {
  if (begin_ == nullptr) reserve();
  const std::size_t room = roundedUp(std::max<std::size_t>(bytes, 1), kPage);
  const std::size_t before = roundedUp(std::max(redZone, kPage), kPage);
  char* begin = nullptr;
  if (room <= reserve_ && used_ + before + room + kPage <= reserve_) {
    begin = begin_ + used_ + before;
    used_ += before + room;
  } else if ((begin = takeOld(room)) == nullptr) {
    return nullptr;
  }
  ranges_[begin] = room;
  if (isOpen_) mprotect(begin, room, PROT_READ | PROT_WRITE);
  return begin;
}

void Region::giveBack(char* begin, std::size_t) {
  const auto position = ranges_.find(begin);
  if (position == ranges_.end()) return;
  const std::size_t room = position->second;
  ranges_.erase(position);
  old_.emplace(room, begin);
  mprotect(begin, room, PROT_NONE);
  madvise(alias(begin), room, MADV_REMOVE);
}

void Region::setOpen(bool open) {
  if (isOpen_ == open) return;
  isOpen_ = open;  // also of what will be taken
  if (used_ == 0) return;
  const int access = open ? PROT_READ | PROT_WRITE : PROT_NONE;
  constexpr std::size_t kFew = 64;
  // One by one, freed arrays and the pages between them stay closed to kernels too.
  if (ranges_.size() <= kFew)
    for (const auto& [begin, bytes] : ranges_) mprotect(begin, bytes, access);
  else mprotect(begin_, used_, access);
}

}  // namespace nbody::executor::runtime
