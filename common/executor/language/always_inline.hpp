/// \file
/// Defines the macro with which all functions of CUDA's language begin.
#pragma once

/// Always inlines. A report then names the kernel's line instead of one of these headers, and there
/// is no instrumented copy of a function that the linker could use for the executor's own code.
#define NBODY_ALWAYS_INLINE __attribute__((always_inline)) inline
