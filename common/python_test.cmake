# Defines python_test(), test_only_with_all() and test_in_ci().
include_guard(GLOBAL)
get_filename_component(NBODY_ROOT ${CMAKE_CURRENT_LIST_DIR}/.. ABSOLUTE)

# python_test(NAME MODULE argument...): the module is named from common/ on.
function(python_test name module)
  add_test(NAME ${name} COMMAND ${Python3_EXECUTABLE} -B -m common.tests ${module} ${ARGN}
    WORKING_DIRECTORY ${NBODY_ROOT})
  # Sets of texts have the same order in each run, so that a test does the same every day. Only one that hangs takes half an hour.
  set_tests_properties(${name} PROPERTIES
    SKIP_REGULAR_EXPRESSION "^SKIPPED: |\nSKIPPED: " ENVIRONMENT PYTHONHASHSEED=0 TIMEOUT 1800)
endfunction()

# test_only_with_all(NAME...): tests that take minutes, so that only `./run test --all` runs them.
function(test_only_with_all)
  set_tests_properties(${ARGN} PROPERTIES LABELS all TIMEOUT 3600 PROCESSORS 2)
endfunction()

# test_in_ci(NAME...): as test_only_with_all(), but .ci/run has them, too.
function(test_in_ci)
  test_only_with_all(${ARGN})
  set_tests_properties(${ARGN} PROPERTIES LABELS "all;ci")
endfunction()
