// Arithmetic in the processor's other rounding modes. Compiled with -frounding-math, and never
// instrumented.
#include "executor/language/rounding.hpp"

#include <cfenv>

namespace {

/// A call of a function with the processor in another rounding mode.
class RoundedCall {
 public:
  explicit RoundedCall(int mode) : mode_(mode) {}

  template <class T, class... Arguments>
  T operator()(T (*function)(Arguments...), Arguments... arguments) const {
    // Through a pointer that the compiler cannot follow: it would move plain arithmetic out from
    // between the two switches.
    T (*volatile opaque)(Arguments...) = function;
    const int before = std::fegetround();
    std::fesetround(mode_);
    const T result = opaque(arguments...);
    std::fesetround(before);
    return result;
  }

 private:
  int mode_;
};

}  // namespace

#define NBODY_UNBRACKETED(...) __VA_ARGS__
#define NBODY_ROUNDED(T, name, parameters, arguments, expression)                       \
  namespace of##name {                                                                  \
    static T computed parameters { return expression; }                                 \
  }                                                                                     \
  T name##_rz parameters noexcept {                                                     \
    return RoundedCall(FE_TOWARDZERO)(of##name::computed, NBODY_UNBRACKETED arguments); \
  }                                                                                     \
  T name##_ru parameters noexcept {                                                     \
    return RoundedCall(FE_UPWARD)(of##name::computed, NBODY_UNBRACKETED arguments);     \
  }                                                                                     \
  T name##_rd parameters noexcept {                                                     \
    return RoundedCall(FE_DOWNWARD)(of##name::computed, NBODY_UNBRACKETED arguments);   \
  }
NBODY_ROUNDED_FUNCTIONS(NBODY_ROUNDED)
