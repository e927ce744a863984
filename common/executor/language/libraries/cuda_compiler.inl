/// \file
/// Ends what host_compiler.inl has begun.

#pragma pop_macro("__CUDACC__")
#pragma pop_macro("__NVCC__")
#pragma pop_macro("__CUDA_ARCH__")
#ifdef __CUDACC__
#pragma pop_macro("__host__")
#pragma pop_macro("__device__")
#endif
