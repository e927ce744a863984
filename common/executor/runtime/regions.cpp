#include "executor/runtime/regions.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>

#include "executor/runtime/reports.hpp"

namespace nbody::executor::runtime {

void Region::reserve() {
  file_ = memfd_create("device memory", MFD_CLOEXEC);
  const auto map = [this](int access) {
    return static_cast<char*>(
        mmap(nullptr, kReserve, access, MAP_SHARED | MAP_NORESERVE, file_, 0));
  };
  if (file_ < 0 || ftruncate(file_, kReserve) != 0 || (begin_ = map(PROT_NONE)) == MAP_FAILED ||
      (alias_ = map(PROT_READ | PROT_WRITE)) == MAP_FAILED)
    refuse("no address space for device memory; NBODY_EXECUTOR_PROTECT=0 does without");
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
  if (room <= kReserve && used_ + before + room + kPage <= kReserve) {
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
  fallocate(file_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, begin - begin_, room);
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
