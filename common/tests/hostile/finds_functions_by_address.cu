// Kind: gap
// Tries: to find mprotect() in the system's library without naming it: from a function that it may
//   call down to the library's first page, and through its table of names.
// Stopped by: nothing yet: the device's memory is in the submission's own process.
// Calls: checked
// Most: 100
#include <elf.h>

#include "host_sum.hpp"

static const char* libraryAround(const void* function) {
  auto page = reinterpret_cast<std::uintptr_t>(function) & ~std::uintptr_t{4095};
  while (std::memcmp(reinterpret_cast<const void*>(page), ELFMAG, SELFMAG) != 0) page -= 4096;
  return reinterpret_cast<const char*>(page);
}

static const void* find(const char* library, const char* name) {
  const auto* header = reinterpret_cast<const Elf64_Ehdr*>(library);
  const auto* part = reinterpret_cast<const Elf64_Phdr*>(library + header->e_phoff);
  while (part->p_type != PT_DYNAMIC) ++part;
  const Elf64_Sym* symbols = nullptr;
  const char* names = nullptr;
  for (auto* d = reinterpret_cast<const Elf64_Dyn*>(library + part->p_vaddr); d->d_tag != 0; ++d) {
    if (d->d_tag == DT_SYMTAB) symbols = reinterpret_cast<const Elf64_Sym*>(d->d_un.d_ptr);
    if (d->d_tag == DT_STRTAB) names = reinterpret_cast<const char*>(d->d_un.d_ptr);
  }
  for (int k = 1; k < 5000; ++k)
    if (std::strcmp(names + symbols[k].st_name, name) == 0) return library + symbols[k].st_value;
  throw std::runtime_error("no such function");
}

void answer(Call call) {
  const int count = static_cast<int>(call.bodies.size());
  readAll(call);
  CUDA_CHECK(cudaStreamSynchronize(stream()));
  const auto open = reinterpret_cast<int (*)(std::uintptr_t, std::size_t, int)>(const_cast<void*>(
      find(libraryAround(reinterpret_cast<const void*>(&std::puts)), "mprotect")));
  const auto first = reinterpret_cast<std::uintptr_t>(call.bodies.data()) & ~std::uintptr_t{4095};
  const auto end = reinterpret_cast<std::uintptr_t>(call.bodies.data() + count);
  if (open(first, (end - first + 4095) & ~std::uintptr_t{4095}, 1) != 0)
    throw std::runtime_error("not opened");
  hostAnswer(call, call.bodies.data());
}
