/// \file
/// Found in place of CUDA's header.
#error "the CPU executor does not support cuRAND"
