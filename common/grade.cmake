# add_examination(): the programs by which a step's hand-in is graded. A hand-in computes forces in a process of its own,
# NAME_hand_in; the others ask it for them and judge what comes back. They are the step's program, its tests and its timed
# runs, but that their makeStepSimulation() is that of examined_simulation.cpp.
include_guard(GLOBAL)

set(NBODY_EXAMINE ${NBODY_ROOT}/common/examine)

# What asks: compiled once for all steps.
function(add_examiner)
  if(TARGET nbody_examiner)
    return()
  endif()
  add_library(nbody_wire OBJECT EXCLUDE_FROM_ALL ${NBODY_EXAMINE}/wire.cpp)
  target_link_libraries(nbody_wire PUBLIC nbody_common)
  add_library(nbody_examiner INTERFACE)
  target_compile_definitions(nbody_examiner INTERFACE makeStepSimulation=makeExaminedSimulation)
  if(NBODY_TESTS)
    add_library(nbody_examiner_test OBJECT EXCLUDE_FROM_ALL ${NBODY_TEST_DIR}/step_test.cpp)
    target_link_libraries(nbody_examiner_test PUBLIC nbody_examiner nbody_test_main nbody_common)
  endif()
endfunction()

function(add_examination name)
  add_examiner()
  add_executable(${name}_hand_in EXCLUDE_FROM_ALL ${NBODY_EXAMINE}/hand_in_main.cpp)
  target_link_libraries(${name}_hand_in PRIVATE nbody_wire ${name}_forces)
  if(NBODY_CHECK)
    # A definition in a hand-in of what the checker defines is an error, and not taken in its place.
    set_target_properties(${name}_hand_in PROPERTIES LINK_LIBRARY_OVERRIDE "WHOLE_ARCHIVE,nbody_common")
  endif()

  add_library(${name}_examined OBJECT EXCLUDE_FROM_ALL ${NBODY_EXAMINE}/examined_simulation.cpp)
  target_link_libraries(${name}_examined PUBLIC nbody_examiner nbody_common)
  target_compile_definitions(${name}_examined PUBLIC NBODY_STEP_NAME="${name}")
  set(examiners ${name}_examine ${name}_examine_timed)
  add_executable(${name}_examine EXCLUDE_FROM_ALL ${NBODY_ROOT}/common/program/step_main.cpp)
  add_executable(${name}_examine_timed EXCLUDE_FROM_ALL ${NBODY_EXAMINE}/timed_main.cpp)
  target_link_libraries(${name}_examine_timed PRIVATE CLI11::CLI11 nlohmann_json::nlohmann_json)
  if(NBODY_TESTS)
    add_executable(${name}_examine_test EXCLUDE_FROM_ALL)
    target_link_libraries(${name}_examine_test PRIVATE nbody_examiner_test)
    list(APPEND examiners ${name}_examine_test)
  endif()
  foreach(examiner ${examiners})
    target_link_libraries(${examiner} PRIVATE ${name}_examined nbody_wire ${name}_forces)
  endforeach()
endfunction()
