/// \file
/// Random numbers: a linear congruential engine and distributions.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace thrust {

namespace random {

/// x <- Factor x mod Modulus. Skips any number of steps in the logarithm of it.
template <std::uint64_t Factor, std::uint64_t Modulus>
class multiplicative_engine {
 public:
  using result_type = std::uint32_t;
  static constexpr result_type min = 1;
  static constexpr result_type max = static_cast<result_type>(Modulus - 1);
  static constexpr result_type default_seed = 1;

  explicit multiplicative_engine(result_type seed = default_seed) { this->seed(seed); }
  void seed(result_type value = default_seed) {
    state_ = value % Modulus;
    if (state_ == 0) state_ = 1;
  }
  result_type operator()() { return static_cast<result_type>(state_ = state_ * Factor % Modulus); }
  void discard(unsigned long long steps) {
    std::uint64_t power = Factor;
    for (; steps != 0; steps >>= 1, power = power * power % Modulus)
      if ((steps & 1) != 0) state_ = state_ * power % Modulus;
  }
  friend bool operator==(const multiplicative_engine& a, const multiplicative_engine& b) {
    return a.state_ == b.state_;
  }

 private:
  std::uint64_t state_;
};
using minstd_rand0 = multiplicative_engine<16807, 2147483647>;
using minstd_rand = multiplicative_engine<48271, 2147483647>;
using default_random_engine = minstd_rand;

/// From \p a to below \p b.
template <class T = double>
class uniform_real_distribution {
 public:
  using result_type = T;
  explicit uniform_real_distribution(T a = 0, T b = 1) : a_(a), b_(b) {}
  template <class Engine>
  T operator()(Engine& engine) const {
    const double share = (static_cast<double>(engine()) - Engine::min) /
                         (static_cast<double>(Engine::max) - Engine::min + 1);
    const T result = static_cast<T>(share) * (b_ - a_) + a_;
    return result < b_ ? result : std::nextafter(b_, a_);
  }
  T a() const { return a_; }
  T b() const { return b_; }

 private:
  T a_, b_;
};

/// From \p a to \p b, both among them.
template <class T = int>
class uniform_int_distribution {
 public:
  using result_type = T;
  explicit uniform_int_distribution(T a = 0, T b = std::numeric_limits<T>::max()) : a_(a), b_(b) {}
  template <class Engine>
  T operator()(Engine& engine) const {
    const uniform_real_distribution<double> real(static_cast<double>(a_),
                                                 static_cast<double>(b_) + 1);
    return static_cast<T>(std::floor(real(engine)));
  }
  T a() const { return a_; }
  T b() const { return b_; }

 private:
  T a_, b_;
};

/// By the method of Box and Muller.
template <class T = double>
class normal_distribution {
 public:
  using result_type = T;
  explicit normal_distribution(T mean = 0, T deviation = 1) : mean_(mean), deviation_(deviation) {}
  template <class Engine>
  T operator()(Engine& engine) const {
    const uniform_real_distribution<double> real(0, 1);
    const double radius = std::sqrt(-2 * std::log(1 - real(engine)));
    return static_cast<T>(mean_ +
                          deviation_ * radius * std::cos(6.28318530717958648 * real(engine)));
  }

 private:
  T mean_, deviation_;
};

}  // namespace random

using random::default_random_engine;
using random::minstd_rand;
using random::minstd_rand0;
using random::normal_distribution;
using random::uniform_int_distribution;
using random::uniform_real_distribution;

}  // namespace thrust
