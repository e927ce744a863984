# Defines nbody_test() and add_step_tests(): test programs. CTest runs each of their test cases as a test.
include_guard(GLOBAL)

set(NBODY_TEST_DIR ${CMAKE_CURRENT_LIST_DIR}/tests)
include(${CMAKE_CURRENT_LIST_DIR}/python_test.cmake)

find_package(Catch2 REQUIRED)
if(NBODY_BACKEND STREQUAL gpu)
  find_program(NBODY_SANITIZER compute-sanitizer
    HINTS $ENV{CUDA_HOME}/bin $ENV{CUDA_PATH}/bin PATHS /usr/local/cuda/bin)
endif()
include(Catch)

# Catch2's main() and precompiled header for all tests.
add_library(nbody_test_main STATIC ${NBODY_TEST_DIR}/unit/catch.cpp)
target_link_libraries(nbody_test_main PUBLIC nbody_options Catch2::Catch2WithMain)
if(Catch2_VERSION VERSION_GREATER_EQUAL 3)
  target_compile_definitions(nbody_test_main PUBLIC NBODY_CATCH2_3)
endif()
target_include_directories(nbody_test_main INTERFACE ${NBODY_TEST_DIR}/unit ${NBODY_TEST_DIR}/kernels)
target_precompile_headers(nbody_test_main PRIVATE
  ${NBODY_TEST_DIR}/unit/catch.hpp <filesystem> <fstream> <memory> <random> <vector>)

# The tests start Python hundreds of times. With compiled modules, each start takes 0.25 s instead of 0.4 s.
execute_process(COMMAND ${Python3_EXECUTABLE} -m compileall -q ${NBODY_ROOT}/common OUTPUT_QUIET ERROR_QUIET)

if(NBODY_CHECK)
  add_custom_target(nbody_check_tests)  # all tests of a build for checking
endif()

# nbody_test(NAME file...): a test program of the files. CTest runs each of its test cases as a test.
function(nbody_test name)
  set(files ${ARGN})
  add_executable(${name} ${files})
  target_link_libraries(${name} PRIVATE nbody_test_main nbody_common nlohmann_json::nlohmann_json)
  target_compile_definitions(${name} PRIVATE NBODY_TEST_DIR="${NBODY_TEST_DIR}")
  target_precompile_headers(${name} REUSE_FROM nbody_test_main)
  set_target_properties(${name} PROPERTIES UNITY_BUILD ${NBODY_UNITY})
  nbody_kernel_files(${files})
  set(properties PROPERTIES SKIP_REGULAR_EXPRESSION "SKIPPED: " TIMEOUT 900)
  nbody_only_with_all(is_extra ${name})
  if(is_extra)
    list(APPEND properties LABELS all)
  endif()
  catch_discover_tests(${name} TEST_PREFIX "${name}: " ${properties})
endfunction()

# Catch2's names of tests under the executor's checks: force tests and one with leapfrog steps, of at most 1,000 bodies.
set(NBODY_CHECK_TESTS "forces *,bodies at the same place *,the forces of all *,leapfrog *")

# nbody_test_objects(NAME file...): tests that several programs share, compiled once.
function(nbody_test_objects name)
  if(NOT TARGET ${name})
    add_library(${name} OBJECT EXCLUDE_FROM_ALL ${ARGN})
    target_link_libraries(${name} PUBLIC nbody_test_main nbody_common nlohmann_json::nlohmann_json)
    target_precompile_headers(${name} REUSE_FROM nbody_test_main)
    set_target_properties(${name} PROPERTIES UNITY_BUILD ${NBODY_UNITY})
    target_compile_definitions(${name} PRIVATE NBODY_TEST_DIR="${NBODY_TEST_DIR}")
  endif()
endfunction()

# The tests that all steps share: of forces, once for each precision ("" or "_fp64"), and of a step's program.
function(add_shared_tests precision)
  nbody_test_objects(nbody_step_test${precision} ${NBODY_TEST_DIR}/kernels/step_test.cpp)
  if(precision)
    target_compile_definitions(nbody_step_test${precision} PRIVATE NBODY_FP64)
  endif()
  nbody_test_objects(nbody_program_test
    ${NBODY_TEST_DIR}/kernels/options_test.cpp
    ${NBODY_TEST_DIR}/kernels/program_files_test.cpp
    ${NBODY_TEST_DIR}/kernels/program_test.cpp)
endfunction()

# In builds with checks: the force tests in three orders of threads, with the label "check".
function(add_step_checks name precision)
  add_executable(${name}_test)
  target_link_libraries(${name}_test PRIVATE nbody_step_test${precision} ${name}_simulation ${name}_forces)
  add_dependencies(nbody_check_tests ${name}_test)
  foreach(order forward reverse random)
    add_test(NAME "${name}: force tests, ${order} order" COMMAND ${name}_test ${NBODY_CHECK_TESTS})
    set_tests_properties("${name}: force tests, ${order} order" PROPERTIES
      LABELS check TIMEOUT 300 ENVIRONMENT NBODY_EXECUTOR_ORDER=${order})
  endforeach()
endfunction()

# The tests that all steps share, linked with a step's forces.
function(add_step_tests name)
  string(REGEX MATCH "_fp64$" precision ${name})
  add_shared_tests("${precision}")
  if(NBODY_CHECK)
    add_step_checks(${name} "${precision}")
    return()
  endif()
  nbody_test(${name}_test ${NBODY_TEST_DIR}/kernels/step_program.cpp)
  target_link_libraries(${name}_test PRIVATE
    nbody_program_test nbody_step_test${precision} ${name}_simulation ${name}_forces)
  target_compile_definitions(${name}_test PRIVATE NBODY_STEP_PROGRAM="$<TARGET_FILE:${name}>")
  add_dependencies(${name}_test ${name})
  add_sanitizer_tests(${name})
endfunction()

# add_standalone_test(STEP): tests that standalone.cu, next to the step's forces.cu, computes the step's forces.
function(add_standalone_test name)
  if(NBODY_CHECK)
    return()
  endif()
  if(NBODY_BACKEND STREQUAL gpu)
    add_executable(${name}_standalone standalone.cu)
    set(program $<TARGET_FILE:${name}_standalone>)
  else()
    set(program ${CMAKE_CURRENT_BINARY_DIR}/standalone)
    set(source ${CMAKE_CURRENT_SOURCE_DIR}/standalone.cu)
    add_custom_command(OUTPUT ${program}
      COMMAND ${CMAKE_BINARY_DIR}/ladder-nvcc -o ${program} ${source}
      DEPENDS ${source} nbody_executor_plain nbody_executor_first nbody_executor_last
      VERBATIM)
    add_custom_target(${name}_standalone DEPENDS ${program})
  endif()
  nbody_test(${name}_standalone_test ${NBODY_TEST_DIR}/kernels/standalone_test.cpp)
  target_link_libraries(${name}_standalone_test PRIVATE ${name}_simulation ${name}_forces)
  target_compile_definitions(${name}_standalone_test PRIVATE NBODY_STANDALONE="${program}")
  add_dependencies(${name}_standalone_test ${name}_standalone)
endfunction()

# Runs compute-sanitizer's tools over NAME_test on a GPU. Checks on any machine that there are tests for them.
function(add_sanitizer_tests name)
  if(NBODY_CHECK)
    return()
  endif()
  add_test(NAME "${name}: has tests for compute-sanitizer" COMMAND ${name}_test [sanitizer] --list-tests)
  set_tests_properties("${name}: has tests for compute-sanitizer" PROPERTIES
    PASS_REGULAR_EXPRESSION "[1-9][0-9]* matching test case")
  nbody_only_with_all(is_extra ${name})
  if(is_extra)
    set_tests_properties("${name}: has tests for compute-sanitizer" PROPERTIES LABELS all)
  endif()
  if(NBODY_SANITIZER)
    foreach(tool memcheck racecheck initcheck synccheck)
      add_test(NAME "${name}: compute-sanitizer's ${tool}"
        COMMAND ${Python3_EXECUTABLE} ${NBODY_ROOT}/common/tools test --sanitize
                --build ${CMAKE_BINARY_DIR} --program $<TARGET_FILE:${name}_test> --tool ${tool})
      set_tests_properties("${name}: compute-sanitizer's ${tool}" PROPERTIES LABELS sanitizer TIMEOUT 150)
    endforeach()
    # It keeps the GPU busy for up to 50 s, so that several at a time would exceed the limit.
    set_tests_properties("${name}: compute-sanitizer's racecheck" PROPERTIES RESOURCE_LOCK gpu)
  endif()
endfunction()
