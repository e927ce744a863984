# Defines add_step() and what a step's CMakeLists.txt needs to configure alone or as part of the suite.
include_guard(GLOBAL)

get_filename_component(NBODY_ROOT ${CMAKE_CURRENT_LIST_DIR}/.. ABSOLUTE)

# --- The backend: one per build folder.

find_program(NBODY_NVCC nvcc HINTS $ENV{CUDA_HOME}/bin $ENV{CUDA_PATH}/bin PATHS /usr/local/cuda/bin)
execute_process(COMMAND nvidia-smi -L OUTPUT_VARIABLE nbody_gpus ERROR_QUIET RESULT_VARIABLE nbody_no_gpu)
if(nbody_no_gpu OR NOT nbody_gpus MATCHES "GPU 0")
  set(NBODY_GPU_SEEN OFF)
else()
  set(NBODY_GPU_SEEN ON)
endif()

if(NOT DEFINED NBODY_BACKEND)
  if(NBODY_NVCC AND NBODY_GPU_SEEN)
    set(NBODY_BACKEND gpu)
  else()
    set(NBODY_BACKEND cpu)
  endif()
endif()
set(NBODY_BACKEND ${NBODY_BACKEND} CACHE STRING "gpu: nvcc; cpu: the CPU executor")
if(NOT NBODY_BACKEND MATCHES "^(cpu|gpu)$")
  message(FATAL_ERROR "NBODY_BACKEND must be cpu or gpu; it is '${NBODY_BACKEND}'")
endif()

set(NBODY_CHECK "" CACHE STRING "race: the executor's checker; empty: none")
if(NOT NBODY_CHECK MATCHES "^(race|)$" OR (NBODY_CHECK AND NOT NBODY_BACKEND STREQUAL cpu))
  message(FATAL_ERROR "NBODY_CHECK must be race, with the CPU executor, or empty; it is '${NBODY_CHECK}'")
endif()

if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 11)
  message(FATAL_ERROR "g++ ${CMAKE_CXX_COMPILER_VERSION} is too old; 11 or newer is needed, for example with CXX=g++-11")
endif()

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)

if(NBODY_BACKEND STREQUAL gpu)
  if(NOT NBODY_NVCC)
    message(FATAL_ERROR "NBODY_BACKEND=gpu needs nvcc: put it on PATH or set CUDA_HOME")
  endif()
  option(NBODY_ALL_ARCHITECTURES "Build for all of the suite's GPU architectures that nvcc knows" OFF)
  if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
    include(${CMAKE_CURRENT_LIST_DIR}/architectures.cmake)
    nbody_choose_architectures(CMAKE_CUDA_ARCHITECTURES)
  endif()
  set(CMAKE_CUDA_ARCHITECTURES ${CMAKE_CUDA_ARCHITECTURES} CACHE STRING "GPU architectures to build for")
  if(NOT CMAKE_CUDA_COMPILER)
    set(CMAKE_CUDA_COMPILER ${NBODY_NVCC} CACHE FILEPATH "")
  endif()
  enable_language(CUDA)
  if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)  # CMake before 3.25.2 lacks it
    set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20)
  endif()
  find_package(CUDAToolkit 12.0 REQUIRED)
endif()

# --- Compiler options of all targets.

# Kernels and loops on the host have -O3, which comes after this. For all else, little optimisation is enough.
string(REPLACE -O3 -O1 CMAKE_CXX_FLAGS_RELEASE "${CMAKE_CXX_FLAGS_RELEASE}")
# The loops are written to be vectorised; errno of the square root would keep them scalar.
set(NBODY_HOST_LOOPS -O3 -fopenmp-simd -fno-math-errno)
# Not a step's own files, because a submission replaces single ones.
option(NBODY_UNITY "Compile files of common/ and of tests several at a time, because headers take most of the compilers' work" ON)
add_library(nbody_options INTERFACE)
target_compile_options(nbody_options INTERFACE
  # -Wno-restrict: g++ 12 and 13 report overlaps in std::string that do not exist (GCC bug 105329).
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>>
  # -ftz=true: without it rsqrtf spends instructions on denormals. -lineinfo: profilers show source lines.
  $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wall,-Wextra -ftz=true -lineinfo>)
if(NBODY_BACKEND STREQUAL cpu)
  # g++ does not know CUDA's pragmas (unroll); errno would cost a branch per square root.
  target_compile_options(nbody_options INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-Wno-unknown-pragmas -fno-math-errno>)
endif()

# --- Kernels: compiler options for the executor's checks. Only files with kernels are instrumented.

set(NBODY_KERNEL_OPTIONS "")
if(NBODY_BACKEND STREQUAL cpu)
  # Some compilers fortify by default: memcpy() becomes __memcpy_chk(), which no checker sees. An overflow and a null pointer
  # are undefined in C++, but g++ draws conclusions from them that nvcc does not.
  set(NBODY_KERNEL_OPTIONS -U_FORTIFY_SOURCE -fwrapv -fno-delete-null-pointer-checks)
  # An uninitialised sum starts at -1.7e38 (g++) or NaN (clang), not at a register's random value.
  include(CheckCXXCompilerFlag)
  check_cxx_compiler_flag(-ftrivial-auto-var-init=pattern NBODY_CAN_FILL_VARIABLES)
  if(NBODY_CAN_FILL_VARIABLES)
    list(APPEND NBODY_KERNEL_OPTIONS -ftrivial-auto-var-init=pattern)
  endif()
endif()
if(NBODY_CHECK STREQUAL race)
  # Host code that does not ask the checker is compiled as without it, so ccache has it once for both builds.
  list(APPEND NBODY_KERNEL_OPTIONS -DNBODY_CHECK_RACE)
  # Calls at a function's entry and exit would cost time without use.
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    # Has lines of statements, as -g does. Otherwise reads in a loop's body are reported at its first line.
    # Without -fno-tree-sra, a local float4 becomes four variables, and its store four accesses. Without
    # -flifetime-dse=1, a constructor hides that a member was never written.
    include(${CMAKE_CURRENT_LIST_DIR}/executor/nvcc/checker_plugin.cmake)
    list(APPEND NBODY_KERNEL_OPTIONS -O1 -g1 -gstatement-frontiers -fno-tree-sra -flifetime-dse=1
      -fsanitize=thread,bounds,alignment,return
      --param=tsan-instrument-func-entry-exit=0 --param=tsan-distinguish-volatile=1 --param=logical-op-non-short-circuit=0 -Wno-tsan)
    if(NBODY_CHECKER_PLUGIN)
      list(APPEND NBODY_KERNEL_OPTIONS -fplugin=${NBODY_CHECKER_PLUGIN})
    endif()
  else()
    # With DWARF 4 and no merging of equal accesses, addr2line finds the line of each. A read before a write counts.
    list(APPEND NBODY_KERNEL_OPTIONS -O1 -gdwarf-4 -fsanitize=thread,array-bounds,alignment,return
      -mllvm -tsan-instrument-func-entry-exit=0 -mllvm -tsan-instrument-read-before-write=1
      -mllvm -sink-common-insts=0 -mllvm -enable-tail-merge=0)
  endif()
elseif(NBODY_BACKEND STREQUAL cpu)
  list(APPEND NBODY_KERNEL_OPTIONS $<$<CONFIG:Release>:-O3>)
endif()

# nbody_kernel_files(file...): compiles the files with kernels, in the calling folder, with their options.
function(nbody_kernel_files)
  list(FILTER ARGN INCLUDE REGEX "\\.cu$")
  if(NBODY_BACKEND STREQUAL cpu)
    set_source_files_properties(${ARGN} PROPERTIES
      LANGUAGE CXX COMPILE_OPTIONS "${NBODY_KERNEL_OPTIONS}" SKIP_PRECOMPILE_HEADERS ON
      OBJECT_DEPENDS "${NBODY_CHECKER_PLUGIN}")
  endif()
endfunction()

# --- common/, once.

find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(Threads REQUIRED)
# Python itself, because a command that first chooses a version (pyenv) costs a tenth of a second for each file with kernels.
execute_process(COMMAND python3 -c "import sys; print(sys.executable)" COMMAND_ERROR_IS_FATAL ANY
  OUTPUT_VARIABLE Python3_EXECUTABLE OUTPUT_STRIP_TRAILING_WHITESPACE)
if(POLICY CMP0167)
  cmake_policy(SET CMP0167 NEW)  # takes Boost's own files, because CMake's are removed
endif()
if(NBODY_BACKEND STREQUAL cpu)
  find_package(Boost REQUIRED COMPONENTS context)
  # The executor makes this launcher, which passes all but files with kernels to the compiler.
  list(PREPEND CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_BINARY_DIR}/kernel-launcher)
endif()
# nbody_only_with_all(VARIABLE NAME): whether a program, library or test is built and tested only by `./run test --all`. The FP64
# programs of most steps have the same sources as those in FP32, and the library has all of them.
function(nbody_only_with_all variable name)
  if(name STREQUAL nbody_ladder OR name MATCHES "_fp64" AND NOT name MATCHES "^(02_tiled|07_device_tree)_")
    set(${variable} ON PARENT_SCOPE)
  else()
    set(${variable} OFF PARENT_SCOPE)
  endif()
endfunction()

option(NBODY_TESTS "Build the tests" ON)
if(NBODY_TESTS)
  include(${CMAKE_CURRENT_LIST_DIR}/test.cmake)  # first, because Catch2 takes longest to compile
endif()
add_subdirectory(${NBODY_ROOT}/common ${CMAKE_BINARY_DIR}/common)

enable_testing()
if(NBODY_TESTS)
  add_subdirectory(${NBODY_ROOT}/common/tests ${CMAKE_BINARY_DIR}/common/tests)
  # A copy for students does not have them, because some of their kernels answer exercises.
  if(NBODY_BACKEND STREQUAL cpu AND EXISTS ${NBODY_ROOT}/common/executor/tests)
    add_subdirectory(${NBODY_ROOT}/common/executor/tests ${CMAKE_BINARY_DIR}/common/executor/tests)
  endif()
endif()

# include_steps(TARGET USES step...): TARGET includes files of these steps, by the names of their folders.
function(include_steps target)
  cmake_parse_arguments(PARSE_ARGV 1 include "" "" "USES")
  list(TRANSFORM include_USES PREPEND ${NBODY_ROOT}/)
  target_include_directories(${target} PUBLIC ${include_USES} ${NBODY_ROOT})
endfunction()

# library_method(target...): the objects of these targets also compute forces for the library (common/library/), if all steps
# are built. It exports none of their names, so that they may be inlined as in a program.
function(library_method)
  set_target_properties(${ARGN} PROPERTIES
    POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden CUDA_VISIBILITY_PRESET hidden)
  set_property(GLOBAL APPEND PROPERTY NBODY_LIBRARY_METHODS ${ARGN})
endfunction()

# build_step(NAME file namespace definition...): the program NAME, from a file of the calling folder that computes forces in
# that namespace of nbody and the caller's step_USES and step_OBJECTS, and its tests. Its options are in the options.hpp next to
# that file.
function(build_step name forces namespace)
  add_library(${name}_forces OBJECT ${forces})
  nbody_kernel_files(${forces})
  cmake_path(GET forces PARENT_PATH folder)
  if(folder)
    target_include_directories(${name}_forces PUBLIC ${CMAKE_CURRENT_SOURCE_DIR}/${folder})
  endif()
  target_include_directories(${name}_forces PUBLIC ${CMAKE_CURRENT_SOURCE_DIR} ${NBODY_ROOT})
  if(step_USES)
    include_steps(${name}_forces USES ${step_USES})
  endif()
  target_link_libraries(${name}_forces PUBLIC nbody_common)
  target_compile_definitions(${name}_forces PUBLIC NBODY_STEP_NAME="${name}" ${ARGN})
  if(step_OBJECTS)
    string(REGEX MATCH "_fp64$" precision ${name})
    target_link_libraries(${name}_forces INTERFACE $<TARGET_OBJECTS:${step_OBJECTS}${precision}>)
  endif()

  # Separate from the forces, because the judge (judge.cmake) has its own simulation.
  add_library(${name}_simulation OBJECT ${NBODY_ROOT}/common/driver/step_simulation.cpp)
  target_compile_definitions(${name}_simulation PRIVATE NBODY_STEP_NAMESPACE=${namespace})
  target_link_libraries(${name}_simulation PRIVATE ${name}_forces)

  library_method(${name}_simulation ${name}_forces)

  add_executable(${name})
  target_link_libraries(${name} PRIVATE nbody_main ${name}_simulation ${name}_forces)
  if(NBODY_TESTS)
    add_step_tests(${name})
  endif()
endfunction()

include(${CMAKE_CURRENT_LIST_DIR}/grader/judge/judge.cmake)

# add_step_library(NAME file...): the library of the calling folder's other programs and tests.
function(add_step_library name)
  add_library(${name} OBJECT ${ARGN})
  nbody_kernel_files(${ARGN})
  target_include_directories(${name} PUBLIC ${CMAKE_CURRENT_SOURCE_DIR} ${NBODY_ROOT})
  target_compile_options(${name} PRIVATE $<$<AND:$<CONFIG:Release>,$<COMPILE_LANGUAGE:CXX>>:-O3>)
  target_link_libraries(${name} PUBLIC nbody_common)
endfunction()

# add_step_program(NAME MAIN LIBRARY): a program of the calling folder, next to its step.
function(add_step_program name main library)
  add_executable(${name} ${main})
  target_link_libraries(${name} PRIVATE ${library} nlohmann_json::nlohmann_json)
endfunction()

# build_both(NAME file namespace): the program NAME and, in double precision, NAME_fp64, as with build_step(). If step_FP32 is
# set, only NAME.
function(build_both name forces namespace)
  build_step(${name} ${forces} ${namespace})
  if(NOT step_FP32)
    build_step(${name}_fp64 ${forces} ${namespace} NBODY_FP64)
  endif()
endfunction()

# add_other_forces(NAME file NAMESPACE name [USES step...] [OBJECTS library]): the programs NAME and NAME_fp64 from another file
# of the calling folder that computes forces, with their tests.
function(add_other_forces name forces)
  cmake_parse_arguments(PARSE_ARGV 2 step "" "NAMESPACE;OBJECTS" "USES")
  build_both(${name} ${forces} ${step_NAMESPACE})
endfunction()

# add_step(NAME NAMESPACE name [PARENT step DIFF_BUDGET lines] [USES step...] [TUNED] [FP32] [OBJECTS library])
#
# Makes the program NAME from the calling folder's forces.cu, NAME_fp64 in double precision, the tests of both, and the grader's
# programs (judge.cmake). NAMESPACE: what the step defines is in this namespace of nbody. DIFF_BUDGET: the most lines that
# `diff` may show between PARENT's forces.cu and the step's. TUNED: also the programs NN_tuned and NN_tuned_fp64 from tuned.cu,
# whose namespace is `tuned` within the step's, with tests. FP32: only in single precision. USES: other steps whose files it
# includes. OBJECTS: an object library that its programs share; those in double precision share library_fp64.
function(add_step name)
  cmake_parse_arguments(PARSE_ARGV 1 step "TUNED;FP32" "NAMESPACE;PARENT;DIFF_BUDGET;OBJECTS" "USES")
  build_both(${name} forces.cu ${step_NAMESPACE})
  add_judge(${name} ${step_NAMESPACE})
  if(step_TUNED)
    string(SUBSTRING ${name} 0 2 number)
    build_both(${number}_tuned tuned.cu ${step_NAMESPACE}::tuned)
  endif()
  if(NBODY_TESTS AND step_DIFF_BUDGET)
    add_test(NAME "${name}: the diff from ${step_PARENT} keeps its budget"
      COMMAND ${Python3_EXECUTABLE} ${NBODY_ROOT}/common/tools tools.ladder.step_diff
              ${NBODY_ROOT}/${step_PARENT}/forces.cu ${CMAKE_CURRENT_SOURCE_DIR}/forces.cu
              ${step_DIFF_BUDGET})
  endif()
endfunction()
