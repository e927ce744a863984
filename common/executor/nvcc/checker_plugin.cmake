# NBODY_CHECKER_PLUGIN: the plugin made from these files for this build's g++. Empty for another compiler, or if
# the headers for plugins are missing. It is compiled now, because all files with kernels depend on it.
get_property(known GLOBAL PROPERTY NBODY_CHECKER_PLUGIN SET)
if(NOT known)
  set(plugin "")
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    set(names checker_plugin.hpp checker_plugin.cpp undefined_values.cpp)
    list(TRANSFORM names PREPEND ${CMAKE_CURRENT_LIST_DIR}/ OUTPUT_VARIABLE sources)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${sources})
    execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=plugin OUTPUT_VARIABLE folder OUTPUT_STRIP_TRAILING_WHITESPACE)
    if(EXISTS ${folder}/include/gcc-plugin.h)
      set(plugin ${CMAKE_BINARY_DIR}/checker_plugin.so)
      foreach(source ${sources})
        if(${source} IS_NEWER_THAN ${plugin})  # files with kernels are compiled again if it changes
          list(FILTER sources INCLUDE REGEX cpp$)
          execute_process(COMMAND ${CMAKE_CXX_COMPILER} -std=c++14 -O1 -fno-rtti -fPIC -shared -isystem ${folder}/include ${sources}
            -o ${plugin} COMMAND_ERROR_IS_FATAL ANY)
          break()
        endif()
      endforeach()
    else()
      string(REGEX MATCH "^[0-9]+" version ${CMAKE_CXX_COMPILER_VERSION})
      message(WARNING "Checked builds will not see structs that are passed or returned by value, unless the function is inlined: "
        "g++'s headers for plugins are missing (Debian: gcc-${version}-plugin-dev). clang++ needs none.")
    endif()
  endif()
  set_property(GLOBAL PROPERTY NBODY_CHECKER_PLUGIN "${plugin}")
endif()
get_property(NBODY_CHECKER_PLUGIN GLOBAL PROPERTY NBODY_CHECKER_PLUGIN)
