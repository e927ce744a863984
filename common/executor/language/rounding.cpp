// Arithmetic in other rounding modes. Compiled with -frounding-math, and never instrumented.
#include "executor/language/rounding.hpp"

#include <cfenv>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace {

/// Sets another rounding mode of the processor during its life.
class Rounding {
 public:
#if defined(__x86_64__)
  // Sets only the vector registers' mode, which all arithmetic uses. fesetround() doubles an
  // operation's time.
  explicit Rounding(int mode) : before_(_mm_getcsr()) {
    constexpr int kShift = 3;  // FE_UPWARD has the bits of the x87's control word
    _mm_setcsr((before_ & ~_MM_ROUND_MASK) | static_cast<unsigned>(mode) << kShift);
  }
  ~Rounding() { _mm_setcsr(before_); }

 private:
  unsigned before_;
#else
  explicit Rounding(int mode) : before_(std::fegetround()) { std::fesetround(mode); }
  ~Rounding() { std::fesetround(before_); }

 private:
  int before_;
#endif
};

/// Calls a function in another rounding mode.
template <class T, class... Arguments>
T rounded(int mode, T (*function)(Arguments...), Arguments... arguments) {
  // Calls through a pointer that the compiler cannot follow, because it would move plain
  // arithmetic out from between the two switches.
  T (*volatile opaque)(Arguments...) = function;
  const Rounding rounding(mode);
  return opaque(arguments...);
}

}  // namespace

#define NBODY_UNBRACKETED(...) __VA_ARGS__
#define NBODY_ROUNDED(T, name, parameters, arguments, expression)                   \
  namespace of##name {                                                              \
    static T computed parameters { return expression; }                             \
  }                                                                                 \
  T name##_rz parameters noexcept {                                                 \
    return rounded(FE_TOWARDZERO, of##name::computed, NBODY_UNBRACKETED arguments); \
  }                                                                                 \
  T name##_ru parameters noexcept {                                                 \
    return rounded(FE_UPWARD, of##name::computed, NBODY_UNBRACKETED arguments);     \
  }                                                                                 \
  T name##_rd parameters noexcept {                                                 \
    return rounded(FE_DOWNWARD, of##name::computed, NBODY_UNBRACKETED arguments);   \
  }
NBODY_ROUNDED_FUNCTIONS(NBODY_ROUNDED)
