/// \file
/// From here to cuda_compiler.inl no macro says that a compiler for CUDA is at work: the configurations of
/// NVIDIA's libraries would choose code for the device alone.

#ifdef __CUDACC__
// The translator reads these words, so no library may define them as nothing.
#pragma push_macro("__host__")
#pragma push_macro("__device__")
#define __host__ __host__
#define __device__ __device__
#endif
#pragma push_macro("__CUDACC__")
#pragma push_macro("__NVCC__")
#pragma push_macro("__CUDA_ARCH__")
#undef __CUDACC__
#undef __NVCC__
#undef __CUDA_ARCH__
#pragma push_macro("NBODY_HOST_COMPILER")
#define NBODY_HOST_COMPILER
