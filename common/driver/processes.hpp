/// \file
/// The processes that run one program together. Every program but step 08's is one process.
#pragma once

#include <cstddef>
#include <functional>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace nbody {

/// A failure that all processes know of; the first one reports it.
struct AgreedFailure : std::runtime_error {
  AgreedFailure(const std::string& what, int status) : std::runtime_error(what), status(status) {}
  int status;  ///< the exit status: 2 for bad input, 1 for any other failure
};

/// Every process runs the same main(). Only the first reads and writes files and prints, unless a
/// function says otherwise. Facts that only one process finds out are shared here: whether input is bad,
/// whether an output cannot be written, whether a body is no longer finite, whether the check failed.
class Processes {
 public:
  virtual ~Processes() = default;
  virtual int rank() const { return 0; }
  virtual int size() const { return 1; }
  bool isFirst() const { return rank() == 0; }

  /// Returns the first process's value, on all processes.
  template <class T>
  void broadcast(T& value) const {
    static_assert(std::is_trivially_copyable_v<T>);
    broadcast(&value, sizeof value);
  }

  /// Does \p work, in which no process waits for another. If it throws in one process, all throw AgreedFailure with
  /// the message of the first process that has thrown.
  void agree(const std::function<void()>& work) const;

  /// Does \p work on the first process only; if it throws, all throw, as in agree().
  void agreeOnFirst(const std::function<void()>& work) const {
    agree([&] {
      if (isFirst()) work();
    });
  }

  /// Ends all processes at once, because this one cannot go on.
  [[noreturn]] virtual void abort(const std::string& why) const { throw std::runtime_error(why); }

 protected:
  virtual void broadcast([[maybe_unused]] void* value, [[maybe_unused]] std::size_t bytes) const {}
  /// Returns the text of the first process that has one, on all processes; empty if none has.
  virtual std::string firstNonEmpty(std::string text) const { return text; }
};

/// A program that is one process.
inline const Processes kOneProcessAlone;

}  // namespace nbody
