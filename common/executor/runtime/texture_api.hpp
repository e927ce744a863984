/// \file
/// CUDA's functions for arrays and texture objects.
#pragma once

#include "executor/runtime/caller.hpp"
#include "executor/runtime/errors.hpp"
#include "executor/runtime/stream_types.hpp"
#include "executor/runtime/texture_types.hpp"

/// An array of \p width texels, or of \p height rows of them.
cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* format,
                            std::size_t width, std::size_t height = 0,
                            unsigned flags = cudaArrayDefault, nbody::executor::Caller caller = {});
cudaError_t cudaFreeArray(cudaArray_t array);

// Offsets and widths in bytes, heights in rows.
cudaError_t cudaMemcpyToArray(cudaArray_t to, std::size_t toX, std::size_t toY, const void* from,
                              std::size_t bytes, cudaMemcpyKind kind,
                              nbody::executor::Caller caller = {});
cudaError_t cudaMemcpy2DToArray(cudaArray_t to, std::size_t toX, std::size_t toY, const void* from,
                                std::size_t fromPitch, std::size_t width, std::size_t height,
                                cudaMemcpyKind kind, nbody::executor::Caller caller = {});

cudaError_t cudaCreateTextureObject(cudaTextureObject_t* object, const cudaResourceDesc* resource,
                                    const cudaTextureDesc* texture,
                                    const cudaResourceViewDesc* view,
                                    nbody::executor::Caller caller = {});
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object);
