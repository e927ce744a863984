/// \file
/// CUDA's error codes: name, number and text, from the toolkit's driver_types.h and
/// cudaGetErrorString(), and functions that return errors.
#pragma once

#define NBODY_CUDA_ERRORS(X)                                                                      \
  X(cudaSuccess, 0, "no error")                                                                   \
  X(cudaErrorInvalidValue, 1, "invalid argument")                                                 \
  X(cudaErrorMemoryAllocation, 2, "out of memory")                                                \
  X(cudaErrorInitializationError, 3, "initialization error")                                      \
  X(cudaErrorCudartUnloading, 4, "driver shutting down")                                          \
  X(cudaErrorInvalidConfiguration, 9, "invalid configuration argument")                           \
  X(cudaErrorInvalidPitchValue, 12, "invalid pitch argument")                                     \
  X(cudaErrorInvalidSymbol, 13, "invalid device symbol")                                          \
  X(cudaErrorInvalidHostPointer, 16, "invalid host pointer")                                      \
  X(cudaErrorInvalidDevicePointer, 17, "invalid device pointer")                                  \
  X(cudaErrorInvalidTexture, 18, "invalid texture reference")                                     \
  X(cudaErrorInvalidChannelDescriptor, 20, "invalid channel descriptor")                          \
  X(cudaErrorInvalidMemcpyDirection, 21, "invalid copy direction for memcpy")                     \
  X(cudaErrorInvalidFilterSetting, 26, "linear filtering not supported for non-float type")       \
  X(cudaErrorInvalidNormSetting, 27,                                                              \
    "read as normalized float not supported for 32-bit non float type")                           \
  X(cudaErrorInsufficientDriver, 35,                                                              \
    "CUDA driver version is insufficient for CUDA runtime version")                               \
  X(cudaErrorDevicesUnavailable, 46, "CUDA-capable device(s) is/are busy or unavailable")         \
  X(cudaErrorMissingConfiguration, 52, "__global__ function call is not configured")              \
  X(cudaErrorInvalidDeviceFunction, 98, "invalid device function")                                \
  X(cudaErrorNoDevice, 100, "no CUDA-capable device is detected")                                 \
  X(cudaErrorInvalidDevice, 101, "invalid device ordinal")                                        \
  X(cudaErrorInvalidKernelImage, 200, "device kernel image is invalid")                           \
  X(cudaErrorNoKernelImageForDevice, 209,                                                         \
    "no kernel image is available for execution on the device")                                   \
  X(cudaErrorECCUncorrectable, 214, "uncorrectable ECC error encountered")                        \
  X(cudaErrorUnsupportedLimit, 215, "limit is not supported on this architecture")                \
  X(cudaErrorUnsupportedPtxVersion, 222,                                                          \
    "the provided PTX was compiled with an unsupported toolchain.")                               \
  X(cudaErrorOperatingSystem, 304, "OS call failed or operation not supported on this OS")        \
  X(cudaErrorInvalidResourceHandle, 400, "invalid resource handle")                               \
  X(cudaErrorIllegalState, 401, "the operation cannot be performed in the present state")         \
  X(cudaErrorSymbolNotFound, 500, "named symbol not found")                                       \
  X(cudaErrorNotReady, 600, "device not ready")                                                   \
  X(cudaErrorIllegalAddress, 700, "an illegal memory access was encountered")                     \
  X(cudaErrorLaunchOutOfResources, 701, "too many resources requested for launch")                \
  X(cudaErrorLaunchTimeout, 702, "the launch timed out and was terminated")                       \
  X(cudaErrorPeerAccessAlreadyEnabled, 704, "peer access is already enabled")                     \
  X(cudaErrorPeerAccessNotEnabled, 705, "peer access has not been enabled")                       \
  X(cudaErrorSetOnActiveProcess, 708, "cannot set while device is active in this process")        \
  X(cudaErrorAssert, 710, "device-side assert triggered")                                         \
  X(cudaErrorHostMemoryAlreadyRegistered, 712,                                                    \
    "part or all of the requested memory range is already mapped")                                \
  X(cudaErrorHostMemoryNotRegistered, 713,                                                        \
    "pointer does not correspond to a registered memory region")                                  \
  X(cudaErrorIllegalInstruction, 715, "an illegal instruction was encountered")                   \
  X(cudaErrorMisalignedAddress, 716, "misaligned address")                                        \
  X(cudaErrorLaunchFailure, 719, "unspecified launch failure")                                    \
  X(cudaErrorCooperativeLaunchTooLarge, 720, "too many blocks in cooperative launch")             \
  X(cudaErrorNotPermitted, 800, "operation not permitted")                                        \
  X(cudaErrorNotSupported, 801, "operation not supported")                                        \
  X(cudaErrorSystemDriverMismatch, 803,                                                           \
    "system has unsupported display driver / cuda driver combination")                            \
  X(cudaErrorCompatNotSupportedOnDevice, 804,                                                     \
    "forward compatibility was attempted on non supported HW")                                    \
  X(cudaErrorStreamCaptureUnsupported, 900, "operation not permitted when stream is capturing")   \
  X(cudaErrorStreamCaptureInvalidated, 901,                                                       \
    "operation failed due to a previous error during capture")                                    \
  X(cudaErrorStreamCaptureUnmatched, 903, "capture was not ended in the same stream as it began") \
  X(cudaErrorStreamCaptureUnjoined, 904, "capturing stream has unjoined work")                    \
  X(cudaErrorStreamCaptureImplicit, 906,                                                          \
    "operation would make the legacy stream depend on a capturing blocking stream")               \
  X(cudaErrorCapturedEvent, 907,                                                                  \
    "operation not permitted on an event last recorded in a capturing stream")                    \
  X(cudaErrorGraphExecUpdateFailure, 910,                                                         \
    "the graph update was not performed because it included changes which violated constraints "  \
    "specific to instantiated graph update")                                                      \
  X(cudaErrorUnknown, 999, "unknown error")

enum cudaError {
#define NBODY_ENUMERATOR(name, number, text) name = number,
  NBODY_CUDA_ERRORS(NBODY_ENUMERATOR)
#undef NBODY_ENUMERATOR
};
typedef enum cudaError cudaError_t;

/// Returns the last error of the calling host thread, and forgets it. An error that ended a kernel
/// is sticky: all later calls except this one return it again.
cudaError_t cudaGetLastError();
/// Returns the same error as cudaGetLastError(), but does not forget it.
cudaError_t cudaPeekAtLastError();
const char* cudaGetErrorName(cudaError_t error);
const char* cudaGetErrorString(cudaError_t error);
