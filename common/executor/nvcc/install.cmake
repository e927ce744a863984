# ladder-nvcc in the build folder, and the executor's installation: component "executor".

string(CONFIGURE [[{
  "compiler": ["@CMAKE_CXX_COMPILER@"],
  "headers": "@NBODY_COMMON@",
  "libraries": {
    "plain": "$<TARGET_FILE:nbody_executor_plain>",
    "check": "$<TARGET_FILE:nbody_executor_check>",
    "asan": "$<TARGET_FILE:nbody_executor_asan>"
  },
  "targets": {
    "plain": "@nbody_plain_target@", "check": "@nbody_check_target@", "asan": "@nbody_asan_target@",
    "objects": ["nbody_executor_first", "nbody_executor_last", "nbody_executor_heap"]
  },
  "objects": ["$<TARGET_OBJECTS:nbody_executor_first>", "$<TARGET_OBJECTS:nbody_executor_last>"],
  "heap": "$<TARGET_OBJECTS:nbody_executor_heap>",
  "links": ["$<TARGET_LINKER_FILE:Boost::context>", "-lpthread"]
}
]] executor_json @ONLY)
file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/executor.json CONTENT "${executor_json}")

file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/ladder-nvcc CONTENT "#!/bin/sh
PYTHONPYCACHEPREFIX='${CMAKE_BINARY_DIR}/pycache' exec python3 '${CMAKE_CURRENT_SOURCE_DIR}/ladder_nvcc.py' \\
  --executor '${CMAKE_BINARY_DIR}/executor.json' \"$@\"
"
  FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

# In place of the compiler for files with kernels: as CMAKE_CXX_COMPILER_LAUNCHER it hands all others through.
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/kernel-launcher @ONLY CONTENT [[#!/bin/sh
for word; do
  case $word in
    *.cu) PYTHONPYCACHEPREFIX='@CMAKE_BINARY_DIR@/pycache' exec python3 \
            '@CMAKE_CURRENT_SOURCE_DIR@/ladder_nvcc.py' --launcher "$@" ;;
  esac
done
exec "$@"
]])
file(CHMOD ${CMAKE_BINARY_DIR}/kernel-launcher
  PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(NBODY_KERNEL_LAUNCHER ${CMAKE_BINARY_DIR}/kernel-launcher)
