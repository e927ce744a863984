#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <mutex>
#include <nlohmann/json.hpp>
#include <random>
#include <utility>

#include "base/bad_input.hpp"
#include "base/text.hpp"
#include "bodies/units.hpp"
#include "bodies/vectors.hpp"
#include "cuda/device_array.hpp"
#include "cuda/launch.hpp"
#include "cuda/pinned.hpp"
#include "cuda/trouble.hpp"
#include "driver/run_options.hpp"
#include "driver/simulation.hpp"
#include "library/arrays.hpp"
#include "library/nbody_ladder.h"
#include "physics/force_error.hpp"
#include "physics/reference.hpp"

namespace nbody::library {

/// Arguments of nbody_accelerations().
struct Arrays {
  long long count;
  const void* positions;
  const void* masses;
  void* accelerations;
  void* potentials;
  void* stream;
};

}  // namespace nbody::library

struct nbody_method {
  virtual ~nbody_method() = default;
  virtual void compute(const nbody::library::Arrays& arrays) = 0;
  virtual void forget() = 0;
  virtual void reserve(long long count) = 0;

  std::mutex busy;  ///< locked while a thread computes
};

namespace nbody::library {

namespace {

constexpr const char* kReference = "reference";  ///< the direct sum in FP64 is a method too
constexpr int kHost = -1;  ///< place of host memory; GPUs have numbers from 0

/// Returns the number of the GPU that has the memory, or kHost.
int placeOf([[maybe_unused]] const void* memory) {
#ifdef NBODY_GPU
  cudaPointerAttributes found;
  const bool known = cudaPointerGetAttributes(&found, memory) == cudaSuccess;
  if (!known) static_cast<void>(cudaGetLastError());  // there is no GPU
  else if (found.type == cudaMemoryTypeDevice || found.type == cudaMemoryTypeManaged)
    return found.device;
#endif
  return kHost;
}

std::string placeName(int place) {
  return place == kHost ? "in host memory" : "on GPU " + std::to_string(place);
}

void requireCount(long long count) {
  if (count < 1 || count > kMaxBodies)
    throw BadInput(
        formatted("positions: %lld bodies; there must be from 1 to %lld", count, kMaxBodies));
}

/// Returns where all arrays are. Throws BadInput if they are not in one place, or one is missing.
int placeOf(const Arrays& arrays) {
  requireCount(arrays.count);
  const int place = placeOf(arrays.positions);
  const auto check = [&](const std::string& name, const void* memory) {
    if (memory == nullptr) throw BadInput(name + ": the pointer is null");
    if (const int other = placeOf(memory); other != place)
      throw BadInput(name + ": the array is " + placeName(other) + ", but the positions are " +
                     placeName(place));
  };
  check("positions", arrays.positions);
  check("masses", arrays.masses);
  check("accelerations", arrays.accelerations);
  if (arrays.potentials != nullptr) check("potentials", arrays.potentials);
  return place;
}

template <class Real>
void refuseBad(const Checks& found) {
  const double most = kMost<Real>;
  if (found.badPosition != kNone)
    throw BadInput(formatted("positions: body %u has a coordinate that is not from -%g to %g",
                             found.badPosition, most, most));
  if (found.badMass != kNone)
    throw BadInput(
        formatted("masses: body %u has a mass that is not from 0 to %g", found.badMass, most));
  if (!found.good()) throw BadInput("masses: all of them are 0");
}

/// Throws, with the reason, if arrays of Real cannot hold all of the accelerations.
template <class Real>
void refuseResults(const std::vector<Double4>& accelerations) {
  if (const std::string bad = badAccelerations(accelerations); !bad.empty())
    throw std::runtime_error("accelerations: " + bad);
  std::size_t large = 0, small = 0, first = accelerations.size();
  for (std::size_t i = 0; i < accelerations.size(); ++i) {
    const Double4& a = accelerations[i];
    const Real x = static_cast<Real>(a.x), y = static_cast<Real>(a.y), z = static_cast<Real>(a.z);
    if (fits(a, x, y, z)) continue;
    ++(length(a) > 1 ? large : small);
    first = std::min(first, i);
  }
  if (first == accelerations.size()) return;
  throw std::runtime_error(formatted(
      "accelerations: those of %zu of %zu bodies are too %s for %s precision, which holds %.2g to "
      "%.2g. Body %zu has %.2g. Use other units of length and mass%s",
      large + small, accelerations.size(),
      small == 0   ? "large"
      : large == 0 ? "small"
                   : "large or too small",
      sizeof(Real) == sizeof(float) ? "single" : "double", static_cast<double>(kLeast<Real>),
      static_cast<double>(kMost<Real>), first, length(accelerations[first]),
      sizeof(Real) == sizeof(float) ? ", or double precision" : ""));
}

template <class Real>
void write(const std::vector<double>& numbers, void* to) {
  std::transform(numbers.begin(), numbers.end(), static_cast<Real*>(to),
                 [](double number) { return static_cast<Real>(number); });
}

/// Returns the checks of a kernel that has found these magnitudes.
Checks checksOf(const Magnitudes& magnitudes) {
  Checks checks;
  checks.farthest = Checks::kZero - magnitudes.farthest;
  checks.heaviest = Checks::kZero - magnitudes.heaviest;
  checks.lightest = Checks::kZero + magnitudes.lightest;
  return checks;
}

/// Returns the magnitudes that a kernel has found. Some mass is above 0.
Magnitudes magnitudesOf(const Checks& found) {
  const auto exponent = [](unsigned check) {
    return static_cast<int>(Checks::kZero) - static_cast<int>(check);
  };
  Magnitudes magnitudes;
  if (found.farthest != kNone) magnitudes.farthest = exponent(found.farthest);
  magnitudes.heaviest = exponent(found.heaviest);
  magnitudes.lightest = -exponent(found.lightest);
  return magnitudes;
}

/// Reads bodies in host memory. Throws BadInput if they are bad.
template <class Real>
Bodies bodiesOf(const Arrays& arrays) {
  const Real* p = static_cast<const Real*>(arrays.positions);
  const Real* masses = static_cast<const Real*>(arrays.masses);
  Bodies bodies;
  Checks found;
  for (unsigned i = 0; i < arrays.count; ++i, p += 3) {
    const Real most = kMost<Real>;
    const bool near = std::abs(p[0]) <= most && std::abs(p[1]) <= most && std::abs(p[2]) <= most;
    const bool fine = masses[i] >= 0 && masses[i] <= most;
    if (!near && found.badPosition == kNone) found.badPosition = i;
    if (!fine && found.badMass == kNone) found.badMass = i;
    if (masses[i] > 0) found.heaviest = 0;
    bodies.positions.push_back({p[0], p[1], p[2], masses[i]});
  }
  refuseBad<Real>(found);
  return bodies;
}

void checkSoftening(double softening, bool doublePrecision) {
  const SofteningRange range = softeningRange(doublePrecision);
  if (!(softening >= range.least && softening <= range.most))
    throw BadInput(formatted("softening: must be from %g to %g in this precision, not %g",
                             range.least, range.most, softening));
}

/// Returns a method's name without its precision.
std::string nameOf(const LinkedMethod& method) {
  const std::string name = method.name;
  return name.ends_with("_fp64") ? name.substr(0, name.size() - 5) : name;
}

/// Returns the method of that name, with or without its number.
const LinkedMethod& find(const std::string& name, bool doublePrecision) {
  std::vector<const LinkedMethod*> found;
  std::vector<std::string> all, others;
  for (const LinkedMethod& method : linkedMethods()) {
    const std::string whole = nameOf(method);
    const bool fits = name == whole || (whole[0] < 'a' && name == whole.substr(3));
    const bool same = method.doublePrecision == doublePrecision;
    if (fits && same) found.push_back(&method);
    if (!method.doublePrecision) (fits ? others : all).push_back(whole);
  }
  if (found.size() == 1) return *found[0];
  if (found.size() > 1)
    throw BadInput("method: '" + name + "' is one of " + joined(others) + "; give its number");
  if (!others.empty())
    throw BadInput("method: " + name + " does not compute in " +
                   (doublePrecision ? "double" : "single") + " precision");
  throw BadInput("method: there is no '" + name + "'; there are " + joined(all));
}

/// Sets the options that \p text names: "order=5,tolerance=1e-4".
void readOptions(StepOptions& options, const std::string& text, const std::string& method) {
  std::istringstream words(text);
  for (std::string word; std::getline(words, word, ',');) {
    const std::size_t end = std::min(word.find('='), word.size());
    const std::string name = word.substr(0, end);
    const std::string value = word.substr(std::min(end + 1, word.size()));
    std::vector<std::string> known;
    const Option* found = nullptr;
    const std::vector<Option> list = options.list();
    for (const Option& option : list) {
      known.push_back(option.name);
      if (option.name == name) found = &option;
    }
    if (found == nullptr)
      throw BadInput(method + " has no option '" + name + "'; it has " +
                     (known.empty() ? "none" : joined(known)));
    if (!found->read(value))
      throw BadInput(name + ": must be " + found->range + ", not '" + value + "'");
  }
}

void requireGpu(const std::string& name) {
#ifdef NBODY_GPU
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  if (status == cudaSuccess && count > 0) return;
  const std::string advice = troubleOf(status, thisMachine());
  const std::string why = advice.empty() ? cudaGetErrorString(status) : advice;
#else
  if (std::getenv("NBODY_LADDER_EXECUTOR") != nullptr) return;
  const std::string why = "this library was built without CUDA";
#endif
  throw BadInput("method: " + name + " needs a GPU: " + why +
                 ". host_tree, reference and simd need none");
}

/// The process that uses the GPU or the executor; 0: none yet. Neither can be used by its children.
std::atomic<pid_t> user = 0;

bool forked() { return user != 0 && user != getpid(); }

void refuseAfterFork() {
  pid_t nobody = 0;
  user.compare_exchange_strong(nobody, getpid());
  if (forked())
    throw BadInput(
        "method: this process was forked from one that had used the GPU or the executor, which "
        "its children cannot use. Start them with spawn, in Python with "
        "multiprocessing.get_context(\"spawn\")");
}

#ifndef NBODY_GPU
std::mutex turns;  // the executor runs one kernel at a time
#endif

/// A call that uses a GPU.
class Turn {
 public:
  /// \param device  current until the turn ends; kHost: keeps the thread's
  explicit Turn(int device) {
    CUDA_CHECK(cudaGetDevice(&before_));
    if (device != kHost) CUDA_CHECK(cudaSetDevice(device));
  }
  ~Turn() {
    useStream(nullptr);
    static_cast<void>(cudaSetDevice(before_));
  }
  Turn(const Turn&) = delete;

 private:
#ifndef NBODY_GPU
  std::lock_guard<std::mutex> lock_{turns};
#endif
  int before_ = 0;
};

/// Device memory that does not depend on the number of bodies, and a stream.
struct Memory {
  Memory() {
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  }
  ~Memory() { static_cast<void>(cudaStreamDestroy(stream)); }
  Memory(const Memory&) = delete;

  int device = kHost;
  cudaStream_t stream = nullptr;  ///< for calls with arrays on the host
  DeviceArray<Checks> checks{2, "checks of the bodies"};
  int next = 0;  ///< index of the element whose bits are all set
  Pinned<Reported> reported;
};

template <class Real, class Real4>
class Method : public nbody_method {
 public:
  Method(const LinkedMethod& method, double softening, std::unique_ptr<StepOptions> options)
      : method_(method), softening_(softening), options_(std::move(options)) {}

  ~Method() override {
    if (!memory_) return;
    if (forked()) {  // the memory is the parent's
      static_cast<void>(simulation_.release());
      static_cast<void>(memory_.release());
      new DeviceArray<Real>(std::move(staged_));
      return;
    }
    try {
      const Turn turn(memory_->device);
      simulation_.reset();
      staged_ = {};
      memory_.reset();
    } catch (const CudaError&) {  // CUDA has ended with the process
    }
  }

  void compute(const Arrays& arrays) override {
    const int place = placeOf(arrays);
    const std::string name = nameOf(method_);
    if (arrays.potentials != nullptr && name != kReference)
      throw BadInput("potentials: " + name + " has none; " + kReference + " has");
    if (method_.onHost && place != kHost)
      throw BadInput("positions: the array is " + placeName(place) + ", but " + name +
                     " computes on the host");
    if (method_.onHost) return computeOnHost(arrays);
    if (memory_ && place != kHost && place != memory_->device)
      throw BadInput("positions: the array is " + placeName(place) + ", but this method is " +
                     placeName(memory_->device) + "; make a method for each GPU");
    refuseAfterFork();
    const Turn turn(memory_ ? memory_->device : place);
    if (!memory_) memory_ = std::make_unique<Memory>();
    try {
      if (place == kHost) computeFromHost(arrays);
      else computeInPlace(arrays);
    } catch (...) {
      simulation_.reset();  // the next call makes another one
      throw;
    }
  }

  void forget() override {
    isFirst_ = true;
    if (simulation_ && !method_.onHost) onDevice().forget();
  }

  /// Computes twice the forces of some other bodies, because the second time makes a graph.
  void reserve(long long count) override {
    if (method_.onHost) return;
    std::vector<Real> positions, masses, accelerations(3 * count);
    std::mt19937 random(1);
    for (long long i = 0; i < count; ++i) {
      for (int axis = 0; axis < 3; ++axis)
        positions.push_back(static_cast<Real>(random() * 0x1p-32));
      masses.push_back(static_cast<Real>(1 + i % 2));
    }
    for (int k = 0; k < 2; ++k)
      compute({count, positions.data(), masses.data(), accelerations.data(), nullptr, nullptr});
    forget();
  }

 private:
  DeviceSimulation& onDevice() { return dynamic_cast<DeviceSimulation&>(*simulation_); }

  void computeOnHost(const Arrays& arrays) {
    const Bodies bodies = bodiesOf<Real>(arrays);
    const int count = bodies.count();
    std::vector<Double4> found;
    if (method_.simulation == nullptr) {
      found = referenceAccelerations(bodies, softening_, sampleOf(count, count));
    } else {
      if (count != count_) simulation_ = method_.simulation(count, softening_, *options_);
      count_ = count;
      simulation_->upload(bodies);
      simulation_->computeForces();
      found = simulation_->accelerations();
    }
    refuseResults<Real>(found);
    std::vector<double> numbers;
    for (const Double4& a : found) numbers.insert(numbers.end(), {a.x, a.y, a.z});
    if (arrays.potentials != nullptr) {
      const std::vector<double> potentials = referencePotentials(bodies, softening_);
      for (double potential : potentials)
        if (!(std::abs(potential) <= kMost<Real>))
          throw std::runtime_error(formatted(
              "potentials: %g is too large for the arrays' precision; use other units", potential));
      write<Real>(potentials, arrays.potentials);
    }
    write<Real>(numbers, arrays.accelerations);
  }

  void computeFromHost(const Arrays& arrays) {
    useStream(memory_->stream);
    const std::size_t count = arrays.count, bytes = count * sizeof(Real);
    if (staged_.size() != 7 * count) staged_ = DeviceArray<Real>(7 * count, "arrays of the caller");
    Real *positions = staged_.data(), *masses = positions + 3 * count;
    Real* accelerations = masses + count;
    copyToDevice(positions, arrays.positions, 3 * bytes);
    copyToDevice(masses, arrays.masses, bytes);
    computeHere(positions, masses, static_cast<int>(count), accelerations);
    copyToHost(arrays.accelerations, accelerations, 3 * bytes);
  }

  /// Computes on the caller's stream.
  void computeInPlace(const Arrays& arrays) {
    useStream(arrays.stream == nullptr ? cudaStreamLegacy
                                       : static_cast<cudaStream_t>(arrays.stream));
    if (capturing()) throw BadInput("stream: it is being captured, and the forces cannot be");
    computeHere(static_cast<const Real*>(arrays.positions), static_cast<const Real*>(arrays.masses),
                static_cast<int>(arrays.count), static_cast<Real*>(arrays.accelerations));
  }

  void computeHere(const Real* positions, const Real* masses, int count, Real* accelerations) {
    if (!simulation_ || count != count_) {
      simulation_.reset();  // first, because memory may not be enough for both
      prepare(count, look(positions, masses, count));
    }
    const Reported& reported = *memory_->reported;
    for (;;) {
      const DeviceSimulation::Memory of = onDevice().memory();
      Checks* checks = memory_->checks.data() + memory_->next;
      Checks* next = memory_->checks.data() + (memory_->next ^= 1);
      const auto bring = [&] {
        memory_->reported.address()->badResult = kNone;
        unpack(static_cast<const Real4*>(of.accelerations), count, units_.acceleration(), checks,
               equalMasses_, limits_, next, memory_->reported.address(), accelerations);
      };
      const bool compare = method_.remembers && !std::exchange(isFirst_, false);
      pack(positions, masses, count, units_, static_cast<Real4*>(of.bodies), compare, checks);
      onDevice().computeForcesAtOnce();
      bring();
      if (simulation_->synchronize()) {
        bring();
        synchronizeDevice();
      }
      const Checks found = reported.checks;
      refuseBad<Real>(found);
      if (found.equalMasses() != equalMasses_ || !found.within(limits_)) {
        prepare(count, found);
        continue;
      }
      // Other bodies, or another order: the accelerations of the last call say nothing about them.
      constexpr int kFew = 16;
      if (compare && static_cast<int>(found.moved + 1) > count / kFew) {
        forget();
        continue;
      }
      if (reported.badResult == kNone) return;
      std::vector<Real4> all(count);
      copyToHost(all.data(), of.accelerations, count * sizeof(Real4));
      refuseResults<Real>(scaled(converted<Double4>(all), units_.acceleration()));
      throw std::runtime_error("accelerations: some are not finite");
    }
  }

  /// Checks the bodies before the first forces. The options and units depend on the result.
  Checks look(const Real* positions, const Real* masses, int count) {
    DeviceArray<Checks>& checks = memory_->checks;
    fillDevice(checks.data(), 0xff, 2 * sizeof(Checks));
    DeviceArray<Real4> copies(count, "copies of the bodies");
    pack(positions, masses, count, Units(), copies.data(), false, checks.data());
    const Checks found = checks.download()[0];
    refuseBad<Real>(found);
    memory_->next = 1;
    return found;
  }

  /// Makes a simulation for bodies that \p found describes, unless there is one, and chooses units.
  void prepare(int count, const Checks& found) {
    const Magnitudes seen = magnitudesOf(found);
    units_ = unitsFor(seen, softening_, sizeof(Real) == sizeof(double));
    // Bodies may grow by so much before the units are chosen again: sums have more room than that.
    limits_ = checksOf({seen.farthest + 2, 0, seen.heaviest + 4, seen.lightest - 4});
    if (!simulation_ || count != count_ || found.equalMasses() != equalMasses_)
      make(count, found.equalMasses());
    onDevice().setSoftening(std::ldexp(softening_, -units_.length));
    forget();
  }

  void make(int count, bool equalMasses) {
    simulation_.reset();
    const auto options = options_->clone();
    options->resolve({count, equalMasses, multiprocessors()});
    simulation_ = method_.simulation(count, softening_, *options);
    count_ = count;
    equalMasses_ = equalMasses;
  }

  const LinkedMethod& method_;
  double softening_;
  std::unique_ptr<StepOptions> options_;
  std::unique_ptr<Memory> memory_;
  DeviceArray<Real> staged_;  ///< positions, masses and accelerations of a caller on the host
  std::unique_ptr<Simulation> simulation_;
  int count_ = 0;  ///< number of its bodies
  Units units_;  ///< units of its bodies
  Checks limits_;  ///< magnitudes for which these units are right
  bool isFirst_ = true;  ///< no forces of the present bodies have been computed
  bool equalMasses_ = false;  ///< masses for which it was made
};

bool isDouble(int precision) {
  if (precision != NBODY_FP32 && precision != NBODY_FP64)
    throw BadInput(formatted("precision: must be NBODY_FP32 or NBODY_FP64, not %d", precision));
  return precision == NBODY_FP64;
}

nbody_method* newMethod(const std::string& name, bool doublePrecision, double softening,
                        const std::string& text) {
  const LinkedMethod& method = find(name, doublePrecision);
  checkSoftening(softening, doublePrecision);
  auto options = method.options();
  readOptions(*options, text, nameOf(method));
  if (!method.onHost) {
    refuseAfterFork();
    requireGpu(nameOf(method));
  }
  if (doublePrecision) return new Method<double, Double4>(method, softening, std::move(options));
  return new Method<float, float4>(method, softening, std::move(options));
}

std::string methodsAsJson() {
  auto all = nlohmann::json::object();
  for (const LinkedMethod& method : linkedMethods()) {
    const std::string name = nameOf(method);
    auto& about = all[name];
    about["precisions"].push_back(method.doublePrecision ? "fp64" : "fp32");
    about["needs_gpu"] = !method.onHost;
    about["potentials"] = name == kReference;
    about["options"] = nlohmann::json::object();
    for (const Option& option : method.options()->list())
      about["options"][option.name] = {
          {"help", option.help}, {"range", option.range}, {"default", textOf(option)}};
  }
  return all.dump();
}

template <class Real>
std::vector<Real> onHost(const void* memory, std::size_t count, cudaStream_t stream) {
  const Real* numbers = static_cast<const Real*>(memory);
  if (placeOf(memory) == kHost) return {numbers, numbers + count};
  std::vector<Real> copy(count);
  const std::size_t bytes = count * sizeof(Real);
  CUDA_CHECK(cudaMemcpyAsync(copy.data(), memory, bytes, cudaMemcpyDeviceToHost, stream));
  CUDA_CHECK(cudaStreamSynchronize(stream));
  return copy;
}

template <class Real>
ForceError errorOf(Arrays arrays, double softening) {
  placeOf(arrays);
  const cudaStream_t stream = static_cast<cudaStream_t>(arrays.stream);
  const auto positions = onHost<Real>(arrays.positions, 3 * arrays.count, stream);
  const auto masses = onHost<Real>(arrays.masses, arrays.count, stream);
  const auto given = onHost<Real>(arrays.accelerations, 3 * arrays.count, stream);
  arrays.positions = positions.data();
  arrays.masses = masses.data();
  std::vector<Double4> accelerations;
  for (std::size_t i = 0; i < given.size(); i += 3)
    accelerations.push_back({given[i], given[i + 1], given[i + 2], 0});
  const ForceError error = compareForces(bodiesOf<Real>(arrays), accelerations, softening, 0);
  if (std::isnan(error.median)) throw BadInput("accelerations: " + error.failure);
  return error;
}

thread_local std::string lastError;

int failed(int status, const char* what) {
  try {
    lastError = oneLine(what);
  } catch (...) {  // there is no memory for it
    lastError.clear();
  }
  return status;
}

/// Runs \p work, and returns the status of what it throws.
template <class Work>
int statusOf(Work work) noexcept {
  try {
    work();
    return NBODY_OK;
  } catch (const BadInput& error) {
    return failed(NBODY_BAD_INPUT, error.what());
  } catch (const std::exception& error) {
    return failed(NBODY_FAILED, error.what());
  } catch (...) {
    return failed(NBODY_FAILED, "an unknown exception");
  }
}

/// Calls work(*method), if no other thread is using the method.
template <class Work>
int statusAlone(nbody_method* method, Work work) {
  return statusOf([&] {
    if (method == nullptr) throw BadInput("method: the pointer is null");
    const std::unique_lock alone(method->busy, std::try_to_lock);
    if (!alone) throw BadInput("method: another thread is using it; make a method for each thread");
    work(*method);
  });
}

const bool kLinked =
    link({kReference, false, false, true, std::make_unique<NoOptions>, nullptr}) &&
    link({"reference_fp64", true, false, true, std::make_unique<NoOptions>, nullptr});

}  // namespace

}  // namespace nbody::library

using namespace nbody::library;
using nbody::BadInput;

nbody_method* nbody_new(const char* name, nbody_precision precision, double softening,
                        const char* options) {
  nbody_method* method = nullptr;
  statusOf([&] {
    const bool doublePrecision = isDouble(precision);
    method = newMethod(name ? name : "", doublePrecision, softening, options ? options : "");
  });
  return method;
}

int nbody_accelerations(nbody_method* method, long long count, const void* positions,
                        const void* masses, void* accelerations, void* potentials, void* stream) {
  return statusAlone(method, [&](nbody_method& alone) {
    alone.compute({count, positions, masses, accelerations, potentials, stream});
  });
}

int nbody_forget(nbody_method* method) {
  return statusAlone(method, [](nbody_method& alone) { alone.forget(); });
}

int nbody_reserve(nbody_method* method, long long count) {
  return statusAlone(method, [=](nbody_method& alone) {
    requireCount(count);
    alone.reserve(count);
  });
}

int nbody_error(nbody_precision precision, long long count, const void* positions,
                const void* masses, const void* accelerations, double softening, void* stream,
                nbody_errors* errors) {
  return statusOf([&] {
    const bool doublePrecision = isDouble(precision);
    checkSoftening(softening, doublePrecision);
    if (errors == nullptr) throw BadInput("errors: the pointer is null");
    const auto errorIn = doublePrecision ? errorOf<double> : errorOf<float>;
    void* given = const_cast<void*>(accelerations);
    const auto error = errorIn({count, positions, masses, given, nullptr, stream}, softening);
    *errors = {error.sampled, error.median, error.p99, error.max};
  });
}

const char* nbody_methods() {
  const char* found = nullptr;
  statusOf([&] {
    static const std::string text = methodsAsJson();
    found = text.c_str();
  });
  return found;
}

const char* nbody_last_error() { return lastError.c_str(); }

void nbody_free(nbody_method* method) {
  statusOf([=] { delete method; });
}
