/// \file
/// cooperative_groups: what reduce and scan do to two values.
#pragma once

namespace cooperative_groups {

#define NBODY_OPERATION(name, expression)                               \
  template <class T>                                                    \
  struct name {                                                         \
    T operator()(T a, T b) const { return static_cast<T>(expression); } \
  };
NBODY_OPERATION(plus, a + b)
NBODY_OPERATION(less, b < a ? b : a)
NBODY_OPERATION(greater, a < b ? b : a)
NBODY_OPERATION(bit_and, a& b)
NBODY_OPERATION(bit_xor, a ^ b)
NBODY_OPERATION(bit_or, a | b)
#undef NBODY_OPERATION

}  // namespace cooperative_groups
