/// \file
/// The options of step 09 and of 09_tuned.
#pragma once

#include <limits>

#include "driver/defaults.hpp"
#include "driver/step_options.hpp"

namespace nbody::inline NBODY_PRECISION::tensor {

enum class Products { accurate, always, never };

struct Options : OptionsOf<Options> {
  static constexpr ForceNeeds kNeeds = {.workspace = true};

  Products products = Products::accurate;
  bool ordered = false;  ///< the same bits in every run

  std::vector<Option> list() override {
    return {
        wordOption(
            "products",
            products,
            "between which tiles forces are products of matrices\n"
            "  accurate: far tiles whose bodies have, on average, at most 1/32768 of all mass,\n"
            "  so that the error is at most that of a plain FP32 sum\n"
            "  always: all far tiles\n"
            "  never: no tiles, for comparison",
            {{"accurate", Products::accurate},
             {"always", Products::always},
             {"never", Products::never}}),
        flagOption("ordered", ordered, "add in a fixed order, with the same bits in every run")};
  }

  /// Returns the error bound. Products round the pull of each body to 11 bits, by at most 2^-12.
  /// For 4,096 bodies of a cube this was at most 4.6e-5 of the sum, and 2e-6 in the median.
  ErrorBound errorBound() const override {
    return products == Products::always ? ErrorBound{1e-4, 1e-5} : ErrorBound{};
  }

  std::vector<Ablation> ablations() const override {
    const auto with = [this](const char* setting, Products products) {
      const std::shared_ptr<StepOptions> options = clone();
      dynamic_cast<Options&>(*options).products = products;
      return Ablation{setting, options, 5000};
    };
    return {with("without products of matrices", Products::never),
            with("with products of matrices", Products::always)};
  }

  /// Returns the largest share of all mass that the typical body of a tile may have for products.
  double largestShare() const {
    if (products == Products::accurate) return 1.0 / 32768;
    return products == Products::always ? std::numeric_limits<double>::max() : 0;
  }
};

namespace tuned {

struct Options : OptionsOf<Options, tensor::Options> {
  int storedMib = 0;  ///< memory for lists and stored sums of pairs of tiles; 0: chosen

  std::vector<Option> list() override {
    std::vector<Option> all = tensor::Options::list();
    all.push_back(powerOfTwoOption("stored-mib",
                                   storedMib,
                                   "MiB for lists of pairs, and for the sums of --ordered",
                                   kMaxMemoryMib));
    return all;
  }

  void resolve(const Workload&) override {
    if (storedMib == 0) storedMib = quarterOfFreeMemory();
  }
};

}  // namespace tuned

}  // namespace nbody::inline NBODY_PRECISION::tensor
