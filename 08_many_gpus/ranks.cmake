# Programs on several ranks, which mpirun starts: those of steps 08 and 11.
set(MPI_CXX_SKIP_MPICXX ON)  # without the C++ bindings, which MPI has dropped
find_package(MPI COMPONENTS CXX)
if(NOT MPI_CXX_FOUND)
  message(STATUS "08_many_gpus and 11_distributed_tree are left out: no MPI (Debian and Ubuntu: libopenmpi-dev openmpi-bin)")
  return()
endif()
if(NBODY_BACKEND STREQUAL gpu)
  find_path(NBODY_NCCL_INCLUDE nccl.h HINTS ${CUDAToolkit_INCLUDE_DIRS})
  find_library(NBODY_NCCL_LIBRARY nccl HINTS ${CUDAToolkit_LIBRARY_DIR} ${CUDAToolkit_LIBRARY_ROOT}/lib)
  if(NOT (NBODY_NCCL_INCLUDE AND NBODY_NCCL_LIBRARY))
    message(STATUS "08_many_gpus and 11_distributed_tree without NCCL: bodies travel by MPI (Ubuntu: libnccl-dev)")
  endif()
endif()

# Open MPI refuses to run as root, which containers do, and to start more ranks than cores. Waiting ranks yield their
# core. If a rank ends the run, mpirun kills the others at once instead of after a second or two.
set(NBODY_MPI_ENVIRONMENT
  OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
  OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_odls_base_sigkill_timeout=0)
if(NBODY_CHECK STREQUAL race)
  # Work begins only when the host waits for it, so MPI that reads too early finds closed pages. This works only if each
  # process accesses its own memory, hence no single copy.
  list(APPEND NBODY_MPI_ENVIRONMENT
    NBODY_EXECUTOR_LAZY=1 NBODY_EXECUTOR_PROTECT=1 OMPI_MCA_btl_vader_single_copy_mechanism=none)
endif()

# The part that all of these programs share, once for each precision.
set(ranks ${NBODY_ROOT}/common/ranks)
set(step_08 ${NBODY_ROOT}/08_many_gpus)
foreach(precision "" _fp64)
  if(TARGET ranks${precision})
    continue()
  endif()
  add_library(ranks${precision} OBJECT
    ${ranks}/communicator.cpp
    ${ranks}/rank_files.cpp
    ${ranks}/rank_simulation.cpp
    ${step_08}/mpi_transport.cpp
    ${step_08}/nccl_transport.cpp)
  target_include_directories(ranks${precision} PUBLIC ${step_08} ${NBODY_ROOT})
  target_link_libraries(ranks${precision} PUBLIC nbody_common MPI::MPI_CXX)
  if(precision)
    target_compile_definitions(ranks${precision} PUBLIC NBODY_FP64)
  endif()
  if(NBODY_CHECK STREQUAL race)
    target_compile_options(ranks${precision} PRIVATE -g1)  # reports name the line that gives memory to MPI
  endif()
  if(NBODY_NCCL_INCLUDE AND NBODY_NCCL_LIBRARY)
    target_compile_definitions(ranks${precision} PRIVATE NBODY_NCCL)
    target_include_directories(ranks${precision} SYSTEM PRIVATE ${NBODY_NCCL_INCLUDE})
    target_link_libraries(ranks${precision} PUBLIC ${NBODY_NCCL_LIBRARY})
  endif()
endforeach()

# add_rank_programs(NAME USES step... FILES file...): the programs NAME and NAME_fp64, from files of the calling folder.
function(add_rank_programs step)
  cmake_parse_arguments(PARSE_ARGV 1 program "" "" "USES;FILES")
  nbody_kernel_files(${program_FILES})
  foreach(precision "" _fp64)
    set(name ${step}${precision})
    add_library(${name}_simulation OBJECT ${program_FILES})
    set_target_properties(${name}_simulation PROPERTIES UNITY_BUILD ${NBODY_UNITY})
    target_include_directories(${name}_simulation PUBLIC ${CMAKE_CURRENT_SOURCE_DIR})
    include_steps(${name}_simulation USES ${program_USES})
    target_compile_definitions(${name}_simulation PUBLIC NBODY_STEP_NAME="${name}")
    target_link_libraries(${name}_simulation PUBLIC ranks${precision} $<TARGET_OBJECTS:ranks${precision}>)
    add_executable(${name} ${NBODY_ROOT}/common/ranks/rank_main.cpp)
    target_link_libraries(${name} PRIVATE ${name}_simulation)
  endforeach()
endfunction()

# add_rank_tests(NAME PRECISION RANKS number... [FILES file...] [CASES names]): the force tests on these numbers of ranks, and
# the test cases of the files.
function(add_rank_tests name precision)
  cmake_parse_arguments(PARSE_ARGV 2 rank "" "CASES" "RANKS;FILES")
  set(listener ${step_08}/tests/ranks_listener.cpp)
  set_source_files_properties(${listener} ${rank_FILES} PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
  add_shared_tests("${precision}")
  add_executable(${name}_test ${listener} ${rank_FILES})
  target_link_libraries(${name}_test PRIVATE nbody_step_test${precision} ${name}_simulation)
  foreach(ranks ${rank_RANKS})
    set(test "${name}: force tests on ${ranks} ranks")
    add_test(NAME ${test}
      COMMAND ${MPIEXEC_EXECUTABLE} -np ${ranks} $<TARGET_FILE:${name}_test> ${NBODY_CHECK_TESTS}${rank_CASES})
    set(environment ${NBODY_MPI_ENVIRONMENT})
    set(share PROCESSORS 2)
    if(ranks EQUAL 3)  # ./run test has this number; a fixed order of threads that is none of the usual ones
      list(APPEND environment NBODY_EXECUTOR_ORDER=random:1)
      set(share COST 98)  # begins early: with two processors it would wait until no other test is left, and run alone
    endif()
    set_tests_properties(${test} PROPERTIES ${share} TIMEOUT 900 ENVIRONMENT "${environment}")
    if(NBODY_CHECK)
      set_tests_properties(${test} PROPERTIES LABELS check)
    elseif(precision OR NOT ranks EQUAL 3)
      set_tests_properties(${test} PROPERTIES LABELS all)  # each takes up to half a minute
    endif()
  endforeach()
  if(NBODY_CHECK)
    add_dependencies(nbody_check_tests ${name}_test)
  endif()
  add_sanitizer_tests(${name})
endfunction()
