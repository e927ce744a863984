/// \file
/// Function objects, and placeholders of which expressions make some.
#pragma once

#include <functional>
#include <type_traits>

namespace thrust {

#define NBODY_BINARY(name, expression)                                             \
  template <class T = void>                                                        \
  struct name {                                                                    \
    constexpr auto operator()(const T& a, const T& b) const { return expression; } \
  };                                                                               \
  template <>                                                                      \
  struct name<void> {                                                              \
    template <class A, class B>                                                    \
    constexpr auto operator()(const A& a, const B& b) const {                      \
      return expression;                                                           \
    }                                                                              \
  };
#define NBODY_UNARY(name, expression)                                  \
  template <class T = void>                                            \
  struct name {                                                        \
    constexpr auto operator()(const T& a) const { return expression; } \
  };                                                                   \
  template <>                                                          \
  struct name<void> {                                                  \
    template <class A>                                                 \
    constexpr auto operator()(const A& a) const {                      \
      return expression;                                               \
    }                                                                  \
  };
NBODY_BINARY(plus, a + b)
NBODY_BINARY(minus, a - b)
NBODY_BINARY(multiplies, a* b)
NBODY_BINARY(divides, a / b)
NBODY_BINARY(modulus, a % b)
NBODY_BINARY(equal_to, a == b)
NBODY_BINARY(not_equal_to, a != b)
NBODY_BINARY(greater, a > b)
NBODY_BINARY(less, a < b)
NBODY_BINARY(greater_equal, a >= b)
NBODY_BINARY(less_equal, a <= b)
NBODY_BINARY(logical_and, a&& b)
NBODY_BINARY(logical_or, a || b)
NBODY_BINARY(bit_and, a& b)
NBODY_BINARY(bit_or, a | b)
NBODY_BINARY(bit_xor, a ^ b)
NBODY_BINARY(maximum, a < b ? b : a)
NBODY_BINARY(minimum, b < a ? b : a)
NBODY_BINARY(project1st, (static_cast<void>(b), a))
NBODY_BINARY(project2nd, (static_cast<void>(a), b))
NBODY_UNARY(negate, -a)
NBODY_UNARY(square, a* a)
NBODY_UNARY(logical_not, !a)
NBODY_UNARY(identity, a)
#undef NBODY_BINARY
#undef NBODY_UNARY

template <class Argument, class Result>
struct unary_function {
  using argument_type = Argument;
  using result_type = Result;
};
template <class First, class Second, class Result>
struct binary_function {
  using first_argument_type = First;
  using second_argument_type = Second;
  using result_type = Result;
};

template <class Predicate>
auto not_fn(Predicate predicate) {
  return std::not_fn(predicate);
}

namespace detail {

/// An expression with placeholders, a function of what they stand for.
template <class Function>
struct Expression : Function {
  constexpr explicit Expression(Function function) : Function(function) {}
};
template <class Function>
constexpr Expression<Function> expression(Function function) {
  return Expression<Function>(function);
}

template <int Index>
struct Argument {
  template <class... T>
  constexpr decltype(auto) operator()(T&&... values) const {
    return std::get<Index>(std::forward_as_tuple(static_cast<T&&>(values)...));
  }
};

template <class T>
struct IsExpression : std::false_type {};
template <class F>
struct IsExpression<Expression<F>> : std::true_type {};

/// The value of a part of an expression: what a placeholder stands for, or a constant.
template <class Part, class... T>
constexpr decltype(auto) valueOf(const Part& part, T&... values) {
  if constexpr (IsExpression<Part>::value) return part(values...);
  else return part;
}

#define NBODY_EXPRESSION(operation)                                                     \
  template <class A,                                                                    \
            class B,                                                                    \
            class = std::enable_if_t<IsExpression<A>::value || IsExpression<B>::value>> \
  constexpr auto operator operation(const A& a, const B& b) {                           \
    return expression([a, b](auto&&... values) {                                        \
      return valueOf(a, values...) operation valueOf(b, values...);                     \
    });                                                                                 \
  }
NBODY_EXPRESSION(+)
NBODY_EXPRESSION(-)
NBODY_EXPRESSION(*)
NBODY_EXPRESSION(/)
NBODY_EXPRESSION(%)
NBODY_EXPRESSION(==)
NBODY_EXPRESSION(!=)
NBODY_EXPRESSION(<)
NBODY_EXPRESSION(>)
NBODY_EXPRESSION(<=)
NBODY_EXPRESSION(>=)
NBODY_EXPRESSION(&&)
NBODY_EXPRESSION(||)
#undef NBODY_EXPRESSION
template <class A>
constexpr auto operator-(const Expression<A>& a) {
  return expression([a](auto&&... values) { return -a(values...); });
}
template <class A>
constexpr auto operator!(const Expression<A>& a) {
  return expression([a](auto&&... values) { return !a(values...); });
}

}  // namespace detail

namespace placeholders {
inline constexpr detail::Expression<detail::Argument<0>> _1{detail::Argument<0>()};
inline constexpr detail::Expression<detail::Argument<1>> _2{detail::Argument<1>()};
inline constexpr detail::Expression<detail::Argument<2>> _3{detail::Argument<2>()};
}  // namespace placeholders

}  // namespace thrust
