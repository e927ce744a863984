// Kind: endless compilation
// Tries: twice as many instances at each level.
// Stopped by: the time or the memory of a compilation.

template <int Level, unsigned long Branch>
struct Tree {
  static constexpr unsigned long kSum =
      Tree<Level - 1, 2 * Branch>::kSum + Tree<Level - 1, 2 * Branch + 1>::kSum;
};
template <unsigned long Branch>
struct Tree<0, Branch> {
  static constexpr unsigned long kSum = Branch;
};
static_assert(Tree<28, 1>::kSum != 0);
