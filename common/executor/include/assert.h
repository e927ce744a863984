/// \file
/// assert() for kernels and host code. Without #pragma once, because NDEBUG may change.
#undef assert
#ifdef NDEBUG
#define assert(expression) ((void)0)
#elif defined(__cplusplus)
namespace nbody::executor {
[[noreturn]] void assertFailed(const char* expression, const char* file, int line,
                               const char* function);
}
#define assert(expression)       \
  (static_cast<bool>(expression) \
       ? void(0)                 \
       : ::nbody::executor::assertFailed(#expression, __FILE__, __LINE__, __PRETTY_FUNCTION__))
#else
extern void __assert_fail(const char*, const char*, unsigned, const char*);
#define assert(expression) \
  ((expression) ? (void)0 : __assert_fail(#expression, __FILE__, __LINE__, __func__))
#ifndef static_assert
#define static_assert _Static_assert
#endif
#endif
