/// \file
/// A stack for signal handlers, so that they run after the code's own stack has overflowed.
#pragma once

#include <signal.h>
#include <sys/mman.h>

#include <cstddef>

namespace nbody::executor {

/// The signal stack of the OS thread that creates it, until it is destroyed.
class SignalStack {
 public:
  SignalStack() {
    void* pages = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED) return;
    stack_.ss_sp = pages;
    stack_.ss_size = kBytes;
    sigaltstack(&stack_, nullptr);
  }
  ~SignalStack() {
    if (stack_.ss_sp == nullptr) return;
    void* const pages = stack_.ss_sp;
    stack_.ss_flags = SS_DISABLE;
    sigaltstack(&stack_, nullptr);
    munmap(pages, kBytes);
  }
  SignalStack(const SignalStack&) = delete;

 private:
  static constexpr std::size_t kBytes = 256 * 1024;  // addr2line's output is read on it
  stack_t stack_ = {};
};

}  // namespace nbody::executor
