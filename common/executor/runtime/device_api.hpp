/// \file
/// CUDA's functions for devices: how many, what they can, waiting for all of one's work.
#pragma once

#include "executor/runtime/caller.hpp"
#include "executor/runtime/device_prop.hpp"
#include "executor/runtime/device_types.hpp"
#include "executor/runtime/errors.hpp"

cudaError_t cudaDeviceSynchronize();
cudaError_t cudaDeviceReset();

cudaError_t cudaGetDeviceCount(int* count);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaGetDevice(int* device);
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device);
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device);
cudaError_t cudaDeviceGetPCIBusId(char* name, int length, int device);
cudaError_t cudaSetDeviceFlags(unsigned flags);
cudaError_t cudaDriverGetVersion(int* version);
cudaError_t cudaRuntimeGetVersion(int* version);

// Accepted, and nothing comes of them.
cudaError_t cudaDeviceSetLimit(cudaLimit limit, std::size_t value);
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest);
cudaError_t cudaCtxResetPersistingL2Cache();
cudaError_t cudaProfilerStart();
cudaError_t cudaProfilerStop();

// Devices reach each other's memory, where there are several.
cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer);
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags);
cudaError_t cudaDeviceDisablePeerAccess(int peer);
cudaError_t cudaDeviceGetP2PAttribute(int* value, cudaDeviceP2PAttr attribute, int from, int to);
