/// \file
/// Ends what host_compiler.inl has begun.

#ifndef NBODY_HOST_COMPILER
#error "host_compiler.inl comes before cuda_compiler.inl"
#endif
#pragma pop_macro("NBODY_HOST_COMPILER")
#pragma pop_macro("__CUDACC__")
#pragma pop_macro("__NVCC__")
#pragma pop_macro("__CUDA_ARCH__")
#ifdef __CUDACC__
#pragma pop_macro("__host__")
#pragma pop_macro("__device__")
#endif
