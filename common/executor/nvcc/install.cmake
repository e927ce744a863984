# ladder-nvcc in the build folder, and the installation of the executor: component "executor".

# Makes the text that ladder_nvcc.py reads. @HERE@ is the folder of the file.
function(nbody_executor_json result headers libraries objects plugin targets)
  list(JOIN NBODY_WRAPPED "\", \"" wrapped)
  list(JOIN NBODY_WRAPPED_HEAP "\", \"" wrapped_heap)
  string(JOIN "\n" text
    "{" "  \"compiler\": [\"${CMAKE_CXX_COMPILER}\"]," "  \"headers\": \"${headers}\"," "  \"libraries\": {"
    "    \"plain\": \"${libraries}/$<TARGET_FILE_NAME:nbody_executor_plain>\","
    "    \"check\": \"${libraries}/$<TARGET_FILE_NAME:nbody_executor_check>\"" "  }," "  \"targets\": ${targets},"
    "  \"objects\": [\"${objects}first_object.o\", \"${objects}last_object.o\"],"
    "  \"heap\": \"${objects}heap_object.o\","
    "  \"plugin\": \"${plugin}\","
    "  \"wrapped\": [\"${wrapped}\"," "    \"${wrapped_heap}\"],"
    "  \"links\": [\"$<TARGET_LINKER_FILE:Boost::context>\", \"-lpthread\"]" "}" "")
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

set(here ${CMAKE_CURRENT_BINARY_DIR})
set(objects ${here}/executor_objects)
foreach(part first last heap)
  add_custom_command(OUTPUT ${objects}/${part}_object.o
    COMMAND ${CMAKE_COMMAND} -E copy $<TARGET_OBJECTS:nbody_executor_${part}_code> ${objects}/${part}_object.o
    DEPENDS nbody_executor_${part}_code $<TARGET_OBJECTS:nbody_executor_${part}_code> VERBATIM)
  add_custom_target(nbody_executor_${part} ALL DEPENDS ${objects}/${part}_object.o)
endforeach()

set(targets "{\"plain\": \"nbody_executor_plain\", \"check\": \"nbody_executor_check\",
    \"objects\": [\"nbody_executor_first\", \"nbody_executor_last\", \"nbody_executor_heap\"]}")
nbody_executor_json(json ${NBODY_COMMON} ${here} ${objects}/ "${NBODY_CHECKER_PLUGIN}" "${targets}")
file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/executor.json CONTENT "${json}")
set(executable OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
# Quotes a path for sh, because it may have blanks and apostrophes.
function(nbody_for_sh result path)
  string(REPLACE "'" "'\\''" text "${path}")
  set(${result} "'${text}'" PARENT_SCOPE)
endfunction()
nbody_for_sh(python "${Python3_EXECUTABLE}")
nbody_for_sh(pycache "${CMAKE_BINARY_DIR}/pycache")
nbody_for_sh(ladder_nvcc "${CMAKE_CURRENT_SOURCE_DIR}/ladder_nvcc.py")
nbody_for_sh(executor_json "${CMAKE_BINARY_DIR}/executor.json")
nbody_for_sh(kernel_headers "${CMAKE_BINARY_DIR}/kernel-headers")

# Python's compiled modules go to the build folder, even if the environment forbids writing them. The system's packages
# are skipped (-S). So a start takes a third of the time. The grader's sandbox may hide the Python that
# configured the suite, and has another. The executor alone (without step.cmake) names none.
set(run_ladder_nvcc "python=${python}
[ -x \"$python\" ] || python=python3
export PYTHONDONTWRITEBYTECODE= PYTHONPYCACHEPREFIX=${pycache}
exec \"$python\" -S ${ladder_nvcc}")
file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/ladder-nvcc CONTENT "#!/bin/sh
${run_ladder_nvcc} --executor ${executor_json} \"$@\"
"
  FILE_PERMISSIONS ${executable})

# g++ and gcc find these for -lcudart in the folder that -L names. They are linker scripts that name the libraries for
# plain programs; ladder-nvcc links those for checking.
function(nbody_cudart folder libraries)
  foreach(name libcudart.so libcudart_static.a)
    file(GENERATE OUTPUT ${folder}/${name} CONTENT
      "INPUT(\"${libraries}$<TARGET_FILE_NAME:nbody_executor_plain>\" \"$<TARGET_LINKER_FILE:Boost::context>\" -lpthread -lstdc++ -lm)\n")
  endforeach()
endfunction()
nbody_cudart(${CMAKE_BINARY_DIR} ${here}/)

# Replaces the compiler for files with kernels: as CMAKE_CXX_COMPILER_LAUNCHER it passes on all other files.
set(headers "")
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  set(headers "export NBODY_KERNEL_HEADERS=${kernel_headers}")
endif()
string(CONFIGURE [[#!/bin/sh
case " $* " in
  *.cu\ *) ;;
  *) exec "$@" ;;
esac
@headers@
@run_ladder_nvcc@ --launcher "$@"
]] launcher @ONLY)
file(WRITE ${CMAKE_BINARY_DIR}/kernel-launcher "${launcher}")
file(CHMOD ${CMAKE_BINARY_DIR}/kernel-launcher PERMISSIONS ${executable})
set(NBODY_KERNEL_LAUNCHER ${CMAKE_BINARY_DIR}/kernel-launcher)

# The installed tree is the same: <prefix>/lib/ladder-nvcc has common/, the libraries and executor.json.
set(home lib/ladder-nvcc)
set(installed_plugin "")
if(NBODY_CHECKER_PLUGIN)
  set(installed_plugin @HERE@/checker_plugin.so)
  install(FILES ${NBODY_CHECKER_PLUGIN} DESTINATION ${home} COMPONENT executor)
endif()
nbody_executor_json(json @HERE@/common @HERE@ @HERE@/ "${installed_plugin}" "{}")
file(GENERATE OUTPUT ${here}/installed/executor.json CONTENT "${json}")
file(GENERATE OUTPUT ${here}/installed/ladder-nvcc CONTENT "#!/bin/sh
home=$(dirname \"$(readlink -f \"$0\")\")/../${home}
exec python3 -S \"$home/common/executor/ladder_nvcc.py\" --executor \"$home/executor.json\" \"$@\"
"
  FILE_PERMISSIONS ${executable})
install(PROGRAMS ${here}/installed/ladder-nvcc DESTINATION bin COMPONENT executor)
nbody_cudart(${here}/installed "")
install(FILES ${here}/installed/libcudart.so ${here}/installed/libcudart_static.a DESTINATION ${home} COMPONENT executor)
install(FILES ${here}/installed/executor.json ${objects}/first_object.o ${objects}/last_object.o
  ${objects}/heap_object.o DESTINATION ${home} COMPONENT executor)
if(TARGET nbody_options)
  set(if_built OPTIONAL)  # a build of the suite makes only its own mode
endif()
foreach(mode plain check)
  install(FILES $<TARGET_FILE:nbody_executor_${mode}> DESTINATION ${home} COMPONENT executor ${if_built})
endforeach()
install(DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} DESTINATION ${home}/common COMPONENT executor
  FILES_MATCHING PATTERN "*.hpp" PATTERN "*.inl" PATTERN "*.py" PATTERN "__pycache__" EXCLUDE PATTERN "tests" EXCLUDE)
install(DIRECTORY ${CMAKE_BINARY_DIR}/include DESTINATION ${home} COMPONENT executor)
install(DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}/include DESTINATION ${home}/common/executor COMPONENT executor)
install(FILES ${NBODY_COMMON}/../docs/pages/plain_cuda.md DESTINATION share/doc/ladder-nvcc COMPONENT executor)
