# add_judge(): adds the programs that grade a step's submission. A submission computes forces in its own process,
# NAME_submission. The judges ask it for forces and check them. They are the step's program, its tests and its timed
# runs, linked with the simulation of judged_simulation.cpp.
include_guard(GLOBAL)

set(NBODY_JUDGE ${NBODY_ROOT}/common/grader/judge)

# Compiled once for all steps.
function(add_judge_objects)
  if(TARGET nbody_pipe_protocol)
    return()
  endif()
  add_library(nbody_pipe_protocol OBJECT EXCLUDE_FROM_ALL ${NBODY_JUDGE}/pipe_protocol.cpp)
  target_link_libraries(nbody_pipe_protocol PUBLIC nbody_common)
  add_library(nbody_timed_runs OBJECT EXCLUDE_FROM_ALL ${NBODY_JUDGE}/timed_runs.cpp)
  target_link_libraries(nbody_timed_runs PUBLIC nbody_common)
  # Code linked with a submission's process: no reference, no baseline, and no scenes from which to recognise inputs.
  add_library(nbody_submission OBJECT EXCLUDE_FROM_ALL
    ${NBODY_JUDGE}/pipe_protocol.cpp
    ${NBODY_ROOT}/common/cuda/check.cpp
    ${NBODY_ROOT}/common/cuda/device_array.cpp
    ${NBODY_ROOT}/common/driver/step_options.cpp
    ${NBODY_ROOT}/common/measure/timing.cpp)
  set_target_properties(nbody_submission PROPERTIES UNITY_BUILD ${NBODY_UNITY})
  target_link_libraries(nbody_submission PUBLIC nbody_options)
  if(NBODY_CHECK STREQUAL race)
    target_compile_definitions(nbody_submission PRIVATE NBODY_CHECK_RACE)
  endif()
  foreach(end First Last)
    add_library(nbody_device_${end} OBJECT EXCLUDE_FROM_ALL ${NBODY_JUDGE}/device_page.cpp)
    target_compile_definitions(nbody_device_${end} PRIVATE NBODY_DEVICE_PAGE=nbodyDevice${end})
  endforeach()
  add_executable(first_process EXCLUDE_FROM_ALL ${NBODY_ROOT}/common/grader/sandbox/first_process.cpp)
  set_target_properties(first_process PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
  if(NBODY_TESTS)
    add_library(nbody_law_test OBJECT EXCLUDE_FROM_ALL ${NBODY_JUDGE}/law_test.cpp)
    target_link_libraries(nbody_law_test PUBLIC nbody_test_main nbody_common)
  endif()
endfunction()

function(add_judge name namespace)
  add_judge_objects()
  add_executable(${name}_submission EXCLUDE_FROM_ALL ${NBODY_JUDGE}/submission_main.cpp)
  add_dependencies(${name}_submission first_process)
  if(NBODY_BACKEND STREQUAL gpu)
    target_link_libraries(${name}_submission PRIVATE nbody_pipe_protocol ${name}_forces)
  else()
    target_sources(${name}_submission PRIVATE $<TARGET_OBJECTS:nbody_device_First>
      $<TARGET_OBJECTS:${name}_forces> $<TARGET_OBJECTS:nbody_device_Last>)
    target_include_directories(${name}_submission PRIVATE
      $<TARGET_PROPERTY:${name}_forces,INTERFACE_INCLUDE_DIRECTORIES>)
    target_compile_definitions(${name}_submission PRIVATE
      $<TARGET_PROPERTY:${name}_forces,INTERFACE_COMPILE_DEFINITIONS>)
    target_link_libraries(${name}_submission PRIVATE nbody_submission nbody_executor)
    if(step_OBJECTS)
      target_sources(${name}_submission PRIVATE $<TARGET_OBJECTS:${step_OBJECTS}>)
    endif()
  endif()
  if(NBODY_CHECK STREQUAL race)
    get_target_property(kernel_files ${name}_forces SOURCES)
    list(FILTER kernel_files INCLUDE REGEX "\\.cu$")
    set_property(SOURCE ${kernel_files} APPEND PROPERTY COMPILE_OPTIONS -include ${NBODY_JUDGE}/kernel_headers.hpp)
  endif()

  add_library(${name}_judged OBJECT EXCLUDE_FROM_ALL ${NBODY_JUDGE}/judged_simulation.cpp)
  target_link_libraries(${name}_judged PRIVATE ${name}_forces)
  target_compile_definitions(${name}_judged PRIVATE NBODY_STEP_NAMESPACE=${namespace})
  target_compile_definitions(${name}_submission PRIVATE NBODY_STEP_NAMESPACE=${namespace})
  add_executable(${name}_judge EXCLUDE_FROM_ALL)
  target_link_libraries(${name}_judge PRIVATE nbody_main)
  add_executable(${name}_judge_timed EXCLUDE_FROM_ALL ${NBODY_JUDGE}/timed_main.cpp)
  target_link_libraries(${name}_judge_timed PRIVATE nbody_timed_runs nlohmann_json::nlohmann_json)
  set(judges ${name}_judge ${name}_judge_timed)
  if(NBODY_TESTS)
    add_executable(${name}_judge_test EXCLUDE_FROM_ALL)
    target_link_libraries(${name}_judge_test PRIVATE nbody_step_test nbody_law_test)
    list(APPEND judges ${name}_judge_test)
  endif()
  foreach(judge ${judges})
    target_link_libraries(${judge} PRIVATE ${name}_judged nbody_pipe_protocol ${name}_forces)
  endforeach()
  if(NBODY_CHECK STREQUAL race)
    foreach(part ${name}_submission ${name}_judged ${judges})
      target_compile_definitions(${part} PRIVATE NBODY_CHECK_RACE)
    endforeach()
  endif()
endfunction()
