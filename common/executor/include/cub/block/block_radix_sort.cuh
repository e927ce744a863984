/// \file
/// CUB's radix sort of a block's values, Items a thread.
#pragma once

#include "cub/detail/collective.cuh"
#include "cub/operators.cuh"
#include "executor/language/libraries/ranges.hpp"

namespace cub {

template <class Key, int X, int Items, class Value = NullType>
class BlockRadixSort {
 public:
  using TempStorage = detail::Storage<X>;
  BlockRadixSort() = default;
  explicit BlockRadixSort(TempStorage& storage) : storage_(&storage) {}

  NBODY_ALWAYS_INLINE void Sort(Key (&keys)[Items],
                                int beginBit = 0,
                                int endBit = 8 * sizeof(Key),
                                NBODY_SITE) {
    Value unused[Items];
    run(keys, unused, beginBit, endBit, false, {"cub::BlockRadixSort", file, line});
  }
  NBODY_ALWAYS_INLINE void Sort(Key (&keys)[Items],
                                Value (&values)[Items],
                                int beginBit = 0,
                                int endBit = 8 * sizeof(Key),
                                NBODY_SITE) {
    run(keys, values, beginBit, endBit, false, {"cub::BlockRadixSort", file, line});
  }
  NBODY_ALWAYS_INLINE void SortDescending(Key (&keys)[Items],
                                          int beginBit = 0,
                                          int endBit = 8 * sizeof(Key),
                                          NBODY_SITE) {
    Value unused[Items];
    run(keys, unused, beginBit, endBit, true, {"cub::BlockRadixSort", file, line});
  }
  NBODY_ALWAYS_INLINE void SortDescending(Key (&keys)[Items],
                                          Value (&values)[Items],
                                          int beginBit = 0,
                                          int endBit = 8 * sizeof(Key),
                                          NBODY_SITE) {
    run(keys, values, beginBit, endBit, true, {"cub::BlockRadixSort", file, line});
  }

 private:
  struct Pairs {
    Key keys[Items];
    Value values[Items];
  };

  NBODY_ALWAYS_INLINE void run(Key (&keys)[Items],
                               Value (&values)[Items],
                               int beginBit,
                               int endBit,
                               bool descends,
                               detail::Site site) {
    Pairs own;
    for (int i = 0; i < Items; ++i) own.keys[i] = keys[i], own.values[i] = values[i];
    const auto work = [=](Pairs* const* all, int count) {
      std::vector<Key> k;
      std::vector<Value> v;
      for (int i = 0; i < count * Items; ++i) {
        k.push_back(all[i / Items]->keys[i % Items]);
        v.push_back(all[i / Items]->values[i % Items]);
      }
      const auto order =
          nbody::executor::radixOrder(k.begin(), count * Items, beginBit, endBit, descends);
      for (int i = 0; i < count * Items; ++i) {
        all[i / Items]->keys[i % Items] = k[order[i]];
        all[i / Items]->values[i % Items] = v[order[i]];
      }
    };
    own = detail::meetBy(
        storage_, site, detail::wholeBlock(), nbody::executor::rankInBlock(), own, work);
    for (int i = 0; i < Items; ++i) keys[i] = own.keys[i], values[i] = own.values[i];
  }

  TempStorage* storage_ = nullptr;
};

}  // namespace cub
