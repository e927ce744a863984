# CUDA's headers without any contents of ours, in the build folder's include/: those whose contents are in other
# headers, and those that the executor does not support.

# nbody_headers(TEXT name...): makes headers. @name@ in the text is the header's name, @file@ that without its folder.
function(nbody_headers text)
  foreach(name ${ARGN})
    get_filename_component(file ${name} NAME)
    string(CONFIGURE "${text}" content @ONLY)
    file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/include/${name} CONTENT "${content}")
  endforeach()
endfunction()
# nbody_forward(HEADER name...): makes headers that include HEADER, and Thrust's own header of that name.
function(nbody_forward header)
  foreach(name ${ARGN})
    set(next "")
    if(name MATCHES "^thrust/")
      set(next "#include_next <${name}>\n")
    endif()
    nbody_headers("#pragma once\n#include \"${header}\"\n${next}" ${name})
  endforeach()
endfunction()
# nbody_unsupported(WHAT name...): makes headers that cause an error, which names what is missing.
function(nbody_unsupported what)
  nbody_headers("#error \"the CPU executor does not support ${what}\"\n" ${ARGN})
endfunction()

nbody_forward(cuda_runtime.h
  builtin_types.h channel_descriptor.h cuda.h cuda_device_runtime_api.h cuda_profiler_api.h cuda_runtime_api.h
  device_atomic_functions.h device_double_functions.h device_functions.h device_launch_parameters.h device_types.h
  driver_functions.h driver_types.h host_defines.h math_functions.h sm_20_intrinsics.h sm_30_intrinsics.h sm_32_intrinsics.h
  sm_35_intrinsics.h sm_60_atomic_functions.h sm_61_intrinsics.h surface_functions.h
  surface_indirect_functions.h surface_types.h texture_fetch_functions.h texture_indirect_functions.h texture_types.h
  vector_functions.h vector_types.h)
nbody_forward(nvtx3/nvToolsExt.h nvToolsExt.h)
nbody_forward(executor/language/small_floats.hpp cuda_fp16.h cuda_bf16.h)
nbody_forward(executor/language/groups/partitions.hpp cooperative_groups.h)
nbody_forward(executor/language/groups/collectives.hpp
  cooperative_groups/memcpy_async.h cooperative_groups/reduce.h cooperative_groups/scan.h)
nbody_forward(executor/language/wmma.hpp mma.h)
nbody_forward(executor/language/complex.hpp cuComplex.h)
nbody_forward(executor/language/random.hpp curand_kernel.h curand_normal.h curand_philox4x32_x.h curand_uniform.h)
nbody_forward(executor/language/sync/barrier.hpp cuda/barrier cuda/std/barrier)
nbody_forward(executor/language/sync/latch.hpp cuda/latch cuda/semaphore cuda/std/latch cuda/std/semaphore)
nbody_forward(executor/language/sync/pipeline.hpp cuda/pipeline cuda_pipeline.h)
nbody_forward(executor/language/sync/standard.hpp cuda/atomic cuda/std/atomic)
nbody_forward(cub/device.cuh cub/device/device_merge_sort.cuh cub/device/device_radix_sort.cuh cub/device/device_reduce.cuh cub/device/device_scan.cuh)
nbody_forward(cub/collectives.cuh cub/block/block_reduce.cuh cub/block/block_scan.cuh cub/warp/warp_reduce.cuh cub/warp/warp_scan.cuh)
nbody_forward(executor/language/libraries/thrust_policies.hpp
  thrust/execution_policy.h thrust/iterator/detail/device_system_tag.h)
nbody_forward(executor/language/libraries/thrust_memory.hpp thrust/mr/device_memory_resource.h thrust/universal_allocator.h)
nbody_headers("#pragma once\n#include_next <@name@>\n#include \"executor/language/libraries/thrust_copies.hpp\"\n"
  thrust/system/detail/adl/copy.h)
nbody_headers("#pragma once\n#include <thrust/execution_policy.h>\n" thrust/system/cuda/execution_policy.h)

# Surrounds the text of cuda_runtime.h, so that macros of one capital letter, such as -DT=float, have no effect in it.
foreach(letter A B C D E F G H I J K L M N O P Q R S T U V W X Y Z)
  string(APPEND away "#pragma push_macro(\"${letter}\")\n#undef ${letter}\n")
  string(APPEND back "#pragma pop_macro(\"${letter}\")\n")
endforeach()
file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/include/nbody/letters_away.inl CONTENT "${away}")
file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/include/nbody/letters_back.inl CONTENT "${back}")

# CCCL's own headers if they are installed; otherwise the standard library's, in namespace cuda::std.
nbody_headers([[#pragma once
#if __has_include_next(<@name@>)
#include <cuda/__cccl_config>
#include_next <@name@>
#else
#include <@file@>

#include "executor/language/sync/standard.hpp"
#endif
]]
  cuda/std/array cuda/std/cfloat cuda/std/chrono cuda/std/climits cuda/std/cmath cuda/std/complex cuda/std/cstddef
  cuda/std/cstdint cuda/std/cstring cuda/std/functional cuda/std/initializer_list cuda/std/iterator cuda/std/limits
  cuda/std/numeric cuda/std/optional cuda/std/ratio cuda/std/tuple cuda/std/type_traits cuda/std/utility
  cuda/std/variant)

nbody_unsupported("cuBLAS" cublas.h cublas_v2.h)
nbody_unsupported("cuBLASLt" cublasLt.h)
nbody_unsupported("cuDNN" cudnn.h)
nbody_unsupported("CUPTI" cupti.h)
nbody_unsupported("cuFFT" cufft.h cufftXt.h cufftw.h)
nbody_unsupported("this part of cuRAND: kernels may include curand_kernel.h" curand.h curand_discrete.h curand_lognormal.h
  curand_mrg32k3a.h curand_mtgp32.h curand_mtgp32_host.h curand_mtgp32_kernel.h curand_poisson.h)
nbody_unsupported("cuSOLVER" cusolverDn.h cusolverMg.h cusolverRf.h cusolverSp.h)
nbody_unsupported("cuSPARSE" cusparse.h cusparse_v2.h)
nbody_unsupported("CUDA's driver API" cudaProfiler.h cudaTypedefs.h)
nbody_unsupported("floating-point numbers of 8 bits or fewer" cuda_fp4.h cuda_fp6.h cuda_fp8.h)
nbody_unsupported("graphics" cudaEGL.h cudaGL.h cudaVDPAU.h cuda_d3d11_interop.h cuda_egl_interop.h cuda_gl_interop.h)
nbody_unsupported("NCCL" nccl.h)
nbody_unsupported("NVML" nvml.h)
nbody_unsupported("NVRTC: kernels compiled while a program runs" nvrtc.h)
nbody_unsupported("this part of CUB" cub/block/block_load.cuh cub/block/block_radix_sort.cuh cub/block/block_store.cuh
  cub/device/device_histogram.cuh
  cub/device/device_partition.cuh cub/device/device_run_length_encode.cuh cub/device/device_segmented_reduce.cuh
  cub/device/device_select.cuh cub/iterator/constant_input_iterator.cuh cub/iterator/counting_input_iterator.cuh
  cub/iterator/discard_output_iterator.cuh cub/iterator/transform_input_iterator.cuh)
