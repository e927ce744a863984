#include <cmath>
#include <cstdlib>
#include <mutex>
#include <nlohmann/json.hpp>

#include "base/bad_input.hpp"
#include "base/text.hpp"
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

/// Returns where all arrays are. Throws BadInput if they are not in one place, or one is missing.
int placeOf(const Arrays& arrays) {
  if (arrays.count < 1 || arrays.count > kMaxBodies)
    throw BadInput(formatted("positions: %lld bodies; there must be from 1 to %lld", arrays.count,
                             kMaxBodies));
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
void refuseBad(const Findings& found) {
  const double most = kMostCoordinate<Real>;
  if (found.badPosition != kNone)
    throw BadInput(formatted("positions: body %u has a coordinate that is not from -%g to %g",
                             found.badPosition, most, most));
  if (found.badMass != kNone)
    throw BadInput(formatted("masses: body %u has a mass that is not from 0 to %g", found.badMass,
                             static_cast<double>(kMostMass<Real>)));
  if (!found.good()) throw BadInput("masses: all of them are 0");
}

/// Reads bodies in host memory. Throws BadInput if they are bad.
template <class Real>
Bodies bodiesOf(const Arrays& arrays) {
  const Real* p = static_cast<const Real*>(arrays.positions);
  const Real* masses = static_cast<const Real*>(arrays.masses);
  Bodies bodies;
  Findings found = {kNone, kNone, kNone, kNone};
  for (unsigned i = 0; i < arrays.count; ++i, p += 3) {
    const double most = kMostCoordinate<Real>;
    const bool near = std::abs(p[0]) <= most && std::abs(p[1]) <= most && std::abs(p[2]) <= most;
    const bool fine = masses[i] >= 0 && masses[i] <= kMostMass<Real>;
    if (!near && found.badPosition == kNone) found.badPosition = i;
    if (!fine && found.badMass == kNone) found.badMass = i;
    if (masses[i] > 0) found.massive = 0;
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

std::mutex turns;

/// A call that uses a GPU. Calls take turns, because the suite has one stream at a time.
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
  std::lock_guard<std::mutex> lock_{turns};
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
  DeviceArray<Findings> findings{2, "findings about the bodies"};
  int next = 0;  ///< index of the element whose bits are all set
  Pinned<Findings> told;
};

template <class Real, class Real4>
class Method : public nbody_method {
 public:
  Method(const LinkedMethod& method, double softening, std::unique_ptr<StepOptions> options)
      : method_(method), softening_(softening), options_(std::move(options)) {}

  ~Method() override {
    if (!memory_) return;
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

 private:
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
    Real* to = static_cast<Real*>(arrays.accelerations);
    for (const Double4& a : found)
      for (double number : {a.x, a.y, a.z}) *to++ = static_cast<Real>(number);
    if (arrays.potentials == nullptr) return;
    to = static_cast<Real*>(arrays.potentials);
    for (double number : referencePotentials(bodies, softening_)) *to++ = static_cast<Real>(number);
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
      make(count, look(positions, masses, count).equalMasses());
    }
    for (;;) {
      const Simulation::DeviceMemory of = *simulation_->deviceMemory();
      Findings* findings = memory_->findings.data() + memory_->next;
      Findings* next = memory_->findings.data() + (memory_->next ^= 1);
      const auto bring = [&] {
        unpack(static_cast<const Real4*>(of.accelerations), count, findings, equalMasses_, next,
               memory_->told.address(), accelerations);
      };
      pack(positions, masses, count, static_cast<Real4*>(of.bodies), findings);
      simulation_->computeForcesAtOnce();
      bring();
      if (simulation_->synchronize()) {
        bring();
        synchronizeDevice();
      }
      const Findings& found = *memory_->told;
      refuseBad<Real>(found);
      if (found.equalMasses() == equalMasses_) return;
      make(count, !equalMasses_);
    }
  }

  /// Checks the bodies before the first forces. The options depend on the result.
  Findings look(const Real* positions, const Real* masses, int count) {
    DeviceArray<Findings>& findings = memory_->findings;
    fillDevice(findings.data(), 0xff, 2 * sizeof(Findings));
    DeviceArray<Real4> copies(count, "copies of the bodies");
    pack(positions, masses, count, copies.data(), findings.data());
    const Findings found = findings.download()[0];
    refuseBad<Real>(found);
    memory_->next = 1;
    return found;
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
  if (!method.onHost) requireGpu(nameOf(method));
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

/// Runs \p work, and returns the status of what it throws.
template <class Work>
int statusOf(Work work) {
  try {
    work();
    return NBODY_OK;
  } catch (const std::exception& error) {
    lastError = oneLine(error.what());
    return dynamic_cast<const BadInput*>(&error) != nullptr ? NBODY_BAD_INPUT : NBODY_FAILED;
  }
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
  return statusOf([&] {
    if (method == nullptr) throw BadInput("method: the pointer is null");
    const std::unique_lock alone(method->busy, std::try_to_lock);
    if (!alone) throw BadInput("method: another thread is using it; make a method for each thread");
    method->compute({count, positions, masses, accelerations, potentials, stream});
  });
}

int nbody_error(nbody_precision precision, long long count, const void* positions,
                const void* masses, const void* accelerations, double softening, void* stream,
                nbody_errors* errors) {
  return statusOf([&] {
    const bool doublePrecision = isDouble(precision);
    checkSoftening(softening, doublePrecision);
    const auto errorIn = doublePrecision ? errorOf<double> : errorOf<float>;
    void* given = const_cast<void*>(accelerations);
    const auto error = errorIn({count, positions, masses, given, nullptr, stream}, softening);
    *errors = {error.sampled, error.median, error.p99, error.max};
  });
}

const char* nbody_methods() {
  static const std::string text = methodsAsJson();
  return text.c_str();
}

const char* nbody_last_error() { return lastError.c_str(); }

void nbody_free(nbody_method* method) { delete method; }
