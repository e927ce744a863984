/// \file
/// How the functions of CUDA's language are defined.
#pragma once

/// Inlined always: a report names the kernel's line, not one of these headers; and no instrumented
/// copy of a function remains that the linker could take for the executor's own code.
#define NBODY_ALWAYS_INLINE __attribute__((always_inline)) inline
