/// \file
/// CUDA's functions for arrays and texture objects.
#pragma once

#include "executor/runtime/caller.hpp"
#include "executor/runtime/errors.hpp"
#include "executor/runtime/stream_types.hpp"
#include "executor/runtime/texture_types.hpp"

/// An array of \p width texels, or of \p height rows of them.
cudaError_t cudaMallocArray(cudaArray_t* array,
                            const cudaChannelFormatDesc* format,
                            std::size_t width,
                            std::size_t height = 0,
                            unsigned flags = cudaArrayDefault,
                            nbody::executor::Caller caller = {});
/// Extents in texels, 0 in a direction that the array does not have.
cudaError_t cudaMalloc3DArray(cudaArray_t* array,
                              const cudaChannelFormatDesc* format,
                              cudaExtent extent,
                              unsigned flags = cudaArrayDefault,
                              nbody::executor::Caller caller = {});
cudaError_t cudaFreeArray(cudaArray_t array);
cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* format,
                             cudaExtent* extent,
                             unsigned* flags,
                             cudaArray_t array);
cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* format, cudaArray_const_t array);

// Offsets and widths in bytes, heights in rows.
cudaError_t cudaMemcpyToArray(cudaArray_t to,
                              std::size_t toX,
                              std::size_t toY,
                              const void* from,
                              std::size_t bytes,
                              cudaMemcpyKind kind,
                              nbody::executor::Caller caller = {});
cudaError_t cudaMemcpyFromArray(void* to,
                                cudaArray_const_t from,
                                std::size_t fromX,
                                std::size_t fromY,
                                std::size_t bytes,
                                cudaMemcpyKind kind,
                                nbody::executor::Caller caller = {});
cudaError_t cudaMemcpy2DToArray(cudaArray_t to,
                                std::size_t toX,
                                std::size_t toY,
                                const void* from,
                                std::size_t fromPitch,
                                std::size_t width,
                                std::size_t height,
                                cudaMemcpyKind kind,
                                nbody::executor::Caller caller = {});
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to,
                                     std::size_t toX,
                                     std::size_t toY,
                                     const void* from,
                                     std::size_t fromPitch,
                                     std::size_t width,
                                     std::size_t height,
                                     cudaMemcpyKind kind,
                                     cudaStream_t stream = nullptr,
                                     nbody::executor::Caller caller = {});
cudaError_t cudaMemcpy2DFromArray(void* to,
                                  std::size_t toPitch,
                                  cudaArray_const_t from,
                                  std::size_t fromX,
                                  std::size_t fromY,
                                  std::size_t width,
                                  std::size_t height,
                                  cudaMemcpyKind kind,
                                  nbody::executor::Caller caller = {});
cudaError_t cudaMemcpy2DFromArrayAsync(void* to,
                                       std::size_t toPitch,
                                       cudaArray_const_t from,
                                       std::size_t fromX,
                                       std::size_t fromY,
                                       std::size_t width,
                                       std::size_t height,
                                       cudaMemcpyKind kind,
                                       cudaStream_t stream = nullptr,
                                       nbody::executor::Caller caller = {});
cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to,
                                     std::size_t toX,
                                     std::size_t toY,
                                     cudaArray_const_t from,
                                     std::size_t fromX,
                                     std::size_t fromY,
                                     std::size_t width,
                                     std::size_t height,
                                     cudaMemcpyKind kind = cudaMemcpyDeviceToDevice,
                                     nbody::executor::Caller caller = {});
/// Between arrays and memory with a pitch, in texels where an array takes part.
cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* parameters, nbody::executor::Caller caller = {});
cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* parameters,
                              cudaStream_t stream = nullptr,
                              nbody::executor::Caller caller = {});

cudaError_t cudaCreateTextureObject(cudaTextureObject_t* object,
                                    const cudaResourceDesc* resource,
                                    const cudaTextureDesc* texture,
                                    const cudaResourceViewDesc* view,
                                    nbody::executor::Caller caller = {});
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object);
cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc* resource,
                                             cudaTextureObject_t object);
cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc* texture, cudaTextureObject_t object);
