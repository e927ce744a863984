# nbody_test() and add_step_tests(): test programs, each test case of theirs a test of CTest's.
include_guard(GLOBAL)

set(NBODY_TEST_DIR ${CMAKE_CURRENT_LIST_DIR}/tests)

find_package(Catch2 REQUIRED)
if(NBODY_BACKEND STREQUAL gpu)
  find_program(NBODY_SANITIZER compute-sanitizer
    HINTS $ENV{CUDA_HOME}/bin $ENV{CUDA_PATH}/bin PATHS /usr/local/cuda/bin)
endif()
include(Catch)

if(Catch2_VERSION VERSION_GREATER_EQUAL 3)
  add_library(nbody_test_main INTERFACE)
  target_link_libraries(nbody_test_main INTERFACE Catch2::Catch2WithMain)
  target_compile_definitions(nbody_test_main INTERFACE NBODY_CATCH2_3)
else()
  add_library(nbody_test_main STATIC ${NBODY_TEST_DIR}/unit/catch_main.cpp)
  target_link_libraries(nbody_test_main PUBLIC Catch2::Catch2)
endif()
target_include_directories(nbody_test_main INTERFACE ${NBODY_TEST_DIR}/unit ${NBODY_TEST_DIR}/kernels)

if(NBODY_CHECK)
  add_custom_target(nbody_check_tests)  # all tests of a build for checking
endif()

# nbody_test(NAME [SOME_TIMED|ALL_TIMED] file...): a test program of the files; each of its test cases is a test of CTest's.
# Cases tagged [timed] have that label and run alone.
function(nbody_test name)
  cmake_parse_arguments(PARSE_ARGV 1 test "SOME_TIMED;ALL_TIMED" "" "")
  set(files ${test_UNPARSED_ARGUMENTS})
  add_executable(${name} ${files})
  target_link_libraries(${name} PRIVATE nbody_test_main nbody_common nlohmann_json::nlohmann_json)
  target_compile_definitions(${name} PRIVATE NBODY_TEST_DIR="${NBODY_TEST_DIR}")
  nbody_kernel_files(${files})
  set(properties PROPERTIES SKIP_REGULAR_EXPRESSION "SKIPPED: " TIMEOUT 300)
  if(NOT test_ALL_TIMED)
    catch_discover_tests(${name} TEST_PREFIX "${name}: " TEST_SPEC "~[timed]" ${properties})
  endif()
  if(test_SOME_TIMED OR test_ALL_TIMED)
    catch_discover_tests(${name} TEST_PREFIX "${name}: " TEST_SPEC "[timed]" ${properties} LABELS timed RUN_SERIAL ON)
  endif()
endfunction()

# The force tests, and one that takes leapfrog steps, of at most 1,000 bodies: what the executor's checks run, by
# Catch2's names.
set(NBODY_CHECK_TESTS "forces *,coincident bodies *,the forces of all *,leapfrog *")

# The tests that all steps share, compiled once for each precision, "" or "_fp64": of forces, and of a step's program.
function(add_shared_tests precision)
  if(TARGET nbody_step_test${precision})
    return()
  endif()
  add_library(nbody_step_test${precision} OBJECT ${NBODY_TEST_DIR}/kernels/step_test.cpp)
  add_library(nbody_program_test${precision} OBJECT EXCLUDE_FROM_ALL
    ${NBODY_TEST_DIR}/kernels/options_test.cpp ${NBODY_TEST_DIR}/kernels/program_files_test.cpp ${NBODY_TEST_DIR}/kernels/program_test.cpp)
  foreach(tests nbody_step_test${precision} nbody_program_test${precision})
    target_link_libraries(${tests} PUBLIC nbody_test_main nbody_common nlohmann_json::nlohmann_json)
    target_compile_definitions(${tests} PRIVATE
      NBODY_TEST_DIR="${NBODY_TEST_DIR}" $<$<BOOL:${precision}>:NBODY_FP64>)
  endforeach()
endfunction()

# In a build for checking: the force tests in three orders of threads, labelled "check".
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

# The tests that every step shares, linked with its forces.
function(add_step_tests name)
  string(REGEX MATCH "_fp64$" precision ${name})
  add_shared_tests("${precision}")
  if(NBODY_CHECK)
    add_step_checks(${name} "${precision}")
    return()
  endif()
  nbody_test(${name}_test ${NBODY_TEST_DIR}/kernels/step_program.cpp)
  target_link_libraries(${name}_test PRIVATE
    nbody_program_test${precision} nbody_step_test${precision} ${name}_simulation ${name}_forces)
  target_compile_definitions(${name}_test PRIVATE NBODY_STEP_PROGRAM="$<TARGET_FILE:${name}>")
  add_dependencies(${name}_test ${name})
  add_sanitizer_tests(${name})
endfunction()

# compute-sanitizer's tools over NAME_test, on a GPU; on any machine, whether it has tests for them.
function(add_sanitizer_tests name)
  if(NBODY_CHECK)
    return()
  endif()
  add_test(NAME "${name}: has tests for compute-sanitizer" COMMAND ${name}_test [sanitizer] --list-tests)
  set_tests_properties("${name}: has tests for compute-sanitizer" PROPERTIES
    PASS_REGULAR_EXPRESSION "[1-9][0-9]* matching test case")
  if(NBODY_SANITIZER)
    foreach(tool memcheck racecheck initcheck synccheck)
      add_test(NAME "${name}: compute-sanitizer's ${tool}"
        COMMAND ${Python3_EXECUTABLE} ${NBODY_ROOT}/common/tools sanitize
                --build ${CMAKE_BINARY_DIR} --program $<TARGET_FILE:${name}_test> --tool ${tool})
      set_tests_properties("${name}: compute-sanitizer's ${tool}" PROPERTIES LABELS sanitizer TIMEOUT 150)
    endforeach()
  endif()
endfunction()
