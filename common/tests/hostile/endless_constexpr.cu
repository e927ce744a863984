// Kind: endless compilation
// Tries: a constant expression that never finishes.
// Stopped by: the compiler's own bound, or the time of a compilation.

constexpr unsigned turned(unsigned turns) {
  unsigned sum = 0;
  for (unsigned i = 0; i < turns; ++i)
    for (unsigned j = 0; j < turns; ++j) sum += i * j;
  return sum;
}
static_assert(turned(1u << 31) != 1);
