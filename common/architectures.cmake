# Chooses the GPU architectures if CMAKE_CUDA_ARCHITECTURES is not set: those of this machine's GPUs, or with
# NBODY_ALL_ARCHITECTURES all of the suite that nvcc knows. Must be included before CUDA is enabled.
include_guard(GLOBAL)

set(NBODY_ARCHITECTURES 60 70 75 80 86 89 90 100 120)

# nbody_known_architectures(RESULT): the suite's architectures that nvcc can compile for.
function(nbody_known_architectures result)
  execute_process(COMMAND ${NBODY_NVCC} --list-gpu-arch OUTPUT_VARIABLE listed ERROR_QUIET)
  string(REGEX MATCHALL "compute_[0-9]+" listed "${listed}")
  set(known "")
  foreach(architecture ${NBODY_ARCHITECTURES})
    if(compute_${architecture} IN_LIST listed)
      list(APPEND known ${architecture})
    endif()
  endforeach()
  set(${result} ${known} PARENT_SCOPE)
endfunction()

# nbody_seen_architectures(RESULT): those of this machine's GPUs. CMake's "native" needs CMake 3.24.
function(nbody_seen_architectures result)
  execute_process(COMMAND nvidia-smi --query-gpu=compute_cap --format=csv,noheader OUTPUT_VARIABLE seen ERROR_QUIET)
  string(REGEX MATCHALL "[0-9]+\\.[0-9]" seen "${seen}")
  list(TRANSFORM seen REPLACE "\\." "")
  list(REMOVE_DUPLICATES seen)
  set(${result} ${seen} PARENT_SCOPE)
endfunction()

function(nbody_choose_architectures result)
  nbody_known_architectures(known)
  if(NOT known)
    message(FATAL_ERROR "'${NBODY_NVCC} --list-gpu-arch' lists none of ${NBODY_ARCHITECTURES}; CUDA 12.0 or newer "
      "is needed")
  endif()
  list(GET known 0 oldest)
  list(GET known -1 newest)
  if(NBODY_ALL_ARCHITECTURES)
    # Machine code for each, and PTX for the newest, which drivers compile for later GPUs.
    list(POP_BACK known)
    list(TRANSFORM known APPEND -real)
    set(${result} ${known} ${newest} PARENT_SCOPE)
    return()
  endif()
  set(seen "")
  if(NBODY_GPU_SEEN)
    nbody_seen_architectures(seen)
  endif()
  set(chosen "")
  foreach(architecture ${seen})
    if(architecture LESS oldest)
      message(FATAL_ERROR "this GPU has architecture ${architecture}, but this nvcc compiles for ${oldest} or newer: "
        "install a CUDA 12 toolkit, which compiles for 60 or newer, or use -DNBODY_BACKEND=cpu")
    elseif(architecture GREATER newest)
      list(APPEND chosen ${newest})  # its PTX is compiled by the driver
    else()
      list(APPEND chosen ${architecture}-real)
    endif()
  endforeach()
  if(NOT chosen)
    set(chosen 75)  # its PTX is compiled by the driver of any later GPU
  endif()
  list(REMOVE_DUPLICATES chosen)
  set(${result} ${chosen} PARENT_SCOPE)
endfunction()
