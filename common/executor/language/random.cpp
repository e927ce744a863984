// The parts of cuRAND's generators that are not in the kernel's code: Philox's rounds, and the start and
// the jumps of XORWOW.
#include "executor/language/random.hpp"

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "executor/checker/checker.hpp"

namespace nbody::executor {

/// Salmon, Moraes, Dror, Shaw: "Parallel random numbers: as easy as 1, 2, 3" (2011).
void philox(const unsigned (&counter)[4], const unsigned (&key)[2], unsigned (&numbers)[4]) {
  unsigned k0 = key[0], k1 = key[1];
  unsigned a = counter[0], b = counter[1], c = counter[2], d = counter[3];
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t first = std::uint64_t{0xd2511f53} * a,
                        second = std::uint64_t{0xcd9e8d57} * c;
    a = static_cast<unsigned>(second >> 32) ^ b ^ k0;
    b = static_cast<unsigned>(second);
    c = static_cast<unsigned>(first >> 32) ^ d ^ k1;
    d = static_cast<unsigned>(first);
    k0 += 0x9e3779b9;
    k1 += 0xbb67ae85;
  }
  numbers[0] = a, numbers[1] = b, numbers[2] = c, numbers[3] = d;
}

/// Fills the state with SplitMix64's numbers (Steele, Lea, Flood 2014).
XorwowState startXorwow(unsigned long long seed) {
  const auto next = [&seed] {
    std::uint64_t z = seed += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return static_cast<unsigned>((z ^ z >> 31) >> 32);
  };
  XorwowState state;
  for (unsigned& word : state.x) word = next();
  state.x[0] |= 1;  // not all may be 0
  state.weyl = next();
  return state;
}

namespace {

// The shift register's step is linear in its 160 bits, so a jump is a product with a matrix.

using Words = std::array<unsigned, 5>;
using Matrix = std::vector<Words>;  ///< 160 columns: what each bit becomes

Words stepped(Words x) {
  const unsigned t = x[0] ^ x[0] >> 2;
  return {x[1], x[2], x[3], x[4], (x[4] ^ x[4] << 4) ^ (t ^ t << 1)};
}

Words product(const Matrix& matrix, const Words& x) {
  Words sum{};
  for (int bit = 0; bit < 160; ++bit)
    if ((x[bit / 32] >> bit % 32 & 1) != 0)
      for (int word = 0; word < 5; ++word) sum[word] ^= matrix[bit][word];
  return sum;
}

/// Returns the matrices of 1, 2, 4, ... 2^130 steps.
const std::vector<Matrix>& jumps() {
  static const std::vector<Matrix> all = [] {
    std::vector<Matrix> made(1);
    for (int bit = 0; bit < 160; ++bit) {
      Words x{};
      x[bit / 32] = 1u << bit % 32;
      made[0].push_back(stepped(x));
    }
    for (int power = 1; power <= 130; ++power) {
      Matrix square;
      for (const Words& column : made.back()) square.push_back(product(made.back(), column));
      made.push_back(std::move(square));
    }
    return made;
  }();
  return all;
}

}  // namespace

void skipXorwow(XorwowState& state, unsigned long long steps, unsigned long long sequences) {
  if (steps == 0 && sequences == 0) return;
  constexpr int kSequence = 67;  // the binary logarithm of the distance of two sequences
  const bool inKernel = checker::isWatched();
  if (inKernel) checker::leaveThread();
  Words x;
  for (int i = 0; i < 5; ++i) x[i] = state.x[i];
  for (int bit = 0; bit < 64; ++bit) {
    if ((steps >> bit & 1) != 0) x = product(jumps()[bit], x);
    if ((sequences >> bit & 1) != 0) x = product(jumps()[kSequence + bit], x);
  }
  if (inKernel) checker::resumeThread();
  for (int i = 0; i < 5; ++i) state.x[i] = x[i];
  state.weyl += 362437u * static_cast<unsigned>(steps);
}

}  // namespace nbody::executor
