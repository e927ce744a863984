/// \file
/// Interface of the scheduler for a kernel's code: its indices, and waits for other threads. CUDA's
/// functions are built on it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <typeinfo>

#include "executor/language/always_inline.hpp"
#include "executor/language/vector_types.hpp"

// The scheduler sets these at every switch; no kernel writes them. They are variables, not macros,
// because programs have members and locals of these names. They have constant initial values, so
// that a kernel reads them without a call.
inline thread_local uint3 threadIdx{};
inline thread_local uint3 blockIdx{};
inline thread_local dim3 blockDim{};
inline thread_local dim3 gridDim{};
inline constexpr int warpSize = 32;

namespace nbody::executor {

/// State that the scheduler also sets for the running CUDA thread of this OS thread.
struct CurrentThread {
  int lane;  ///< within the warp, 0 to 31
  bool inKernel;  ///< false: host code
};
inline thread_local CurrentThread currentThread{};

/// A line of a kernel that waits for other threads; line 0: unknown.
struct Site {
  const char* function;
  const char* file;
  int line;
};
/// Parameters that receive the caller's file and line, so that no macros are needed.
#define NBODY_SITE const char *file = __builtin_FILE(), int line = __builtin_LINE()

template <class T, class = void>
struct IsComplete : std::false_type {};
template <class T>
struct IsComplete<T, std::enable_if_t<(sizeof(T) > 0)>> : std::negation<std::is_void<T>> {};

/// A parameter of a kernel. The page of accesses names the array that it points to.
struct Parameter {
  const char* name;
  const void* value = nullptr;  ///< null if it is no pointer
  const char* type = "";  ///< mangled name of the type to which it points
  std::size_t bytes = 0;  ///< of that type; 0: unknown
  char kind = 'c';  ///< f: floating-point, i: signed, u: unsigned, b: bool, c: any other type

  template <class T>
  Parameter(const char* name, const T& given) : name(name) {
    if constexpr (std::is_pointer_v<T>) {
      using Element = std::remove_cv_t<std::remove_pointer_t<T>>;
      if constexpr (!std::is_function_v<Element>) value = const_cast<const Element*>(given);
      if constexpr (IsComplete<Element>::value) {
        type = typeid(Element).name();
        bytes = sizeof(Element);
        kind = std::is_same_v<Element, bool>       ? 'b'
               : std::is_floating_point_v<Element> ? 'f'
               : !std::is_integral_v<Element>      ? 'c'
               : std::is_signed_v<Element>         ? 'i'
                                                   : 'u';
      }
    }
  }
};

enum class WarpOperation : std::uint8_t { sync, shuffle, ballot, gather };

/// Combines the lanes' values: reads values[l] and writes results[l] for each lane l of \p lanes.
using Gather = void (*)(const std::uint64_t* values, unsigned lanes, std::uint64_t* results);

/// Adds \p value to \p sum, or combines them in another way.
using Fold = void (*)(std::uint64_t* sum, std::uint64_t value);

/// Waits until every thread of the block has reached this barrier. Returns how many of them have a
/// true predicate.
int waitForBlock(Site site, bool predicate = false);

/// Waits until every lane of \p mask that still runs has reached the same operation. Returns lane
/// \p source's \p value from a shuffle, the lanes with a non-zero value from a ballot, the caller's
/// result from a gather, for which \p source is the number of lanes whose values it needs.
std::uint64_t waitForWarp(Site site, WarpOperation operation, unsigned mask, std::uint64_t value,
                          int source, Gather gather = nullptr);

/// Waits until no thread of the block can continue otherwise. Returns the lanes of the caller's
/// warp that have reached the same line at the same place by then, which a GPU calls active threads.
/// The lanes that are behind continue first, so that lanes meet again after a branch or a loop.
unsigned converge(Site site);

// Marks of the running thread's place. The translator inserts them (translate/places.py). Numbers
// follow the order of the source.

/// Begins the statement \p number, which \p loops loops repeat, the innermost one with this number.
void setPlace(unsigned number, unsigned loops, unsigned loop);
/// Begins an iteration of the loop \p number, which is in \p outer other ones.
void setIteration(unsigned number, unsigned outer);
constexpr bool atPlace(unsigned number, unsigned loops, unsigned loop) {
  if (!__builtin_is_constant_evaluated()) setPlace(number, loops, loop);
  return true;
}
constexpr bool nextIteration(unsigned number, unsigned outer) {
  if (!__builtin_is_constant_evaluated()) setIteration(number, outer);
  return true;
}
/// The call of a function, until its end.
class CallOf {
 public:
  explicit CallOf(unsigned number);
  ~CallOf();
  CallOf(const CallOf&) = delete;

 private:
  std::size_t marks_ = 0, first_ = 0;  ///< of the caller
};

/// Waits for the threads \p first to \p first + \p size - 1 of the block, which are whole warps.
/// All must pass the same numbers. Returns their values, folded in the order of arrival.
std::uint64_t waitForGroup(unsigned first, unsigned size, std::uint64_t value, Fold fold,
                           Site site = {"a wait for several warps", "", 0});

/// Waits until \p holds(\p data), which another thread of the block causes.
void waitUntil(Site site, bool (*holds)(const void* data), const void* data);
/// Waits until \p holds().
template <class Holds>
void waitUntil(Site site, const Holds& holds) {
  const auto call = [](const void* data) { return (*static_cast<const Holds*>(data))(); };
  waitUntil(site, call, &holds);
}

/// Waits until every thread of the grid has arrived. The launch must be cooperative.
void waitForGrid(Site site);

/// Lets other threads of the block continue. A thread that spins must call this.
void yieldThread();

/// Counts an atomic of the calling thread, which may be spinning: every few thousand atomics the
/// other threads get a turn. \p changes: it changed a value, so that the thread does more than wait.
/// Does nothing in host code.
void countAtomic(bool changes = false);
/// Tells of an attempt to take a lock: to replace a word's value by another one. With the checker, a
/// thread that holds a lock lets others run before it tries to take a second one. So two threads that
/// take two locks in opposite orders do wait for each other.
void beforeLock(const volatile void* address);
/// Tells that the attempt has succeeded, and that the word now has this value.
void afterLock(const volatile void* address, const void* value, std::size_t bytes);
/// Does so in a loop that may wait for another thread. The translator inserts it.
constexpr bool takeTurns() {
  if (!__builtin_is_constant_evaluated()) countAtomic();
  return true;
}

/// Returns the dynamic shared memory of the calling CUDA thread's block, and its bytes.
void* dynamicSharedBytes();
std::size_t dynamicSharedSize();
/// Returns the shared address of the block with these lower 32 bits.
const void* sharedAt(std::uint32_t low);

/// Ends the block: only \p count lanes of a warp have reached \p site, which needs all 32.
[[noreturn]] void failForLanes(Site site, int count);

/// The checker follows values in registers, so that most types do not go through memory here.
template <class T>
NBODY_ALWAYS_INLINE std::uint64_t toBits(T value) {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= 8);
  if constexpr (sizeof(T) == 8) return __builtin_bit_cast(std::uint64_t, value);
  if constexpr (sizeof(T) == 4) return __builtin_bit_cast(std::uint32_t, value);
  if constexpr (std::is_integral_v<T>)
    return std::make_unsigned_t<std::conditional_t<std::is_same_v<T, bool>, unsigned char, T>>(
        value);
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  return bits;
}
template <class T>
NBODY_ALWAYS_INLINE T fromBits(std::uint64_t bits) {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= 8);
  if constexpr (sizeof(T) == 8) return __builtin_bit_cast(T, bits);
  if constexpr (sizeof(T) == 4) return __builtin_bit_cast(T, static_cast<std::uint32_t>(bits));
  if constexpr (std::is_integral_v<T>) return static_cast<T>(bits);
  T value;
  std::memcpy(static_cast<void*>(&value), &bits, sizeof value);
  return value;
}

/// Returns lane \p source's \p value. A value of more than 8 bytes is sent in pieces.
template <class T>
NBODY_ALWAYS_INLINE T shuffle(Site site, unsigned mask, T value, int source) {
  static_assert(std::is_trivially_copyable_v<T>);
  if constexpr (sizeof(T) <= 8) {
    return fromBits<T>(waitForWarp(site, WarpOperation::shuffle, mask, toBits(value), source));
  } else {
    char* bytes = reinterpret_cast<char*>(&value);
    for (std::size_t at = 0; at < sizeof value; at += 8) {
      const std::size_t length = sizeof value - at < 8 ? sizeof value - at : 8;
      std::uint64_t bits = 0;
      std::memcpy(&bits, bytes + at, length);
      bits = waitForWarp(site, WarpOperation::shuffle, mask, bits, source);
      std::memcpy(bytes + at, &bits, length);
    }
    return value;
  }
}

/// Returns the lanes of \p mask whose \p predicate holds.
inline unsigned ballot(Site site, unsigned mask, bool predicate) {
  return static_cast<unsigned>(waitForWarp(site, WarpOperation::ballot, mask, predicate, 0));
}

// Threads that meet and work on all their values. Reductions, scans and shuffles over groups are
// made of this, with values of any size.

constexpr unsigned kMostMembers = 1024;  ///< a whole block

/// Threads that meet: lanes of the caller's warp, or if there are none, `count` threads of the
/// block from rank `first` on.
struct Members {
  unsigned lanes;
  unsigned first, count;
};

inline unsigned laneOfCaller() { return static_cast<unsigned>(currentThread.lane); }
/// Returns the caller's rank in its block, x fastest.
inline unsigned rankInBlock() {
  return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}
inline unsigned threadsInBlock() { return blockDim.x * blockDim.y * blockDim.z; }

/// A thread's part in a meeting. The others use its address, because it is on the stack of a
/// waiting thread.
template <class T, class Work>
struct Contribution {
  T value;
  const Work* work;
  unsigned rank;  ///< in the block
  unsigned expected;
  unsigned arrived = 1;  ///< only in the first: number of threads that have arrived
  Contribution* next = nullptr;

  static Contribution* at(std::uint64_t address) {
    return reinterpret_cast<Contribution*>(address);
  }

  /// Lets the last lane of waitForWarp() work on all values, by lane.
  static void gather(const std::uint64_t* addresses, unsigned lanes, std::uint64_t*) {
    T* values[32];
    int count = 0;
    const Work* work = nullptr;
    for (unsigned lane = 0; lane < 32; ++lane) {
      if ((lanes >> lane & 1) == 0) continue;
      values[count++] = &at(addresses[lane])->value;
      work = at(addresses[lane])->work;
    }
    (*work)(values, count);
  }

  /// Makes a list of the threads that have arrived in waitForGroup(); the last one works on all
  /// values, by rank.
  static void fold(std::uint64_t* first, std::uint64_t address) {
    Contribution& head = *at(*first);
    at(address)->next = head.next;
    head.next = at(address);
    if (++head.arrived != head.expected) return;
    T* byRank[kMostMembers] = {};
    for (Contribution* c = &head; c != nullptr; c = c->next) byRank[c->rank] = &c->value;
    int count = 0;
    for (T* value : byRank)
      if (value != nullptr) byRank[count++] = value;
    (*head.work)(byRank, count);
  }
};

/// Waits for all of \p members. One of them then calls work(values, count), which may change the
/// values, in the order of their ranks. Returns the caller's value. In a warp, the result needs
/// \p needed values.
template <class T, class Work>
T meet(Site site, Members members, T value, const Work& work, unsigned needed = 0) {
  Contribution<T, Work> own{value, &work, rankInBlock(), members.count};
  const auto address = reinterpret_cast<std::uint64_t>(&own);
  if (members.lanes != 0)
    waitForWarp(site, WarpOperation::gather, members.lanes, address, static_cast<int>(needed),
                &own.gather);
  else waitForGroup(members.first, members.count, address, &own.fold, site);
  return own.value;
}

/// Returns \p operation over the values of all of \p members, to each of them.
template <class T, class Operation>
T reduceMembers(Site site, Members members, T value, const Operation& operation) {
  const auto work = [&operation](T* const* values, int count) {
    T result = *values[0];
    for (int i = 1; i < count; ++i) result = operation(result, *values[i]);
    for (int i = 0; i < count; ++i) *values[i] = result;
  };
  return meet(site, members, value, work, members.count);
}

}  // namespace nbody::executor
