# Puts the page PAGE of FOLDER with all its parts into one file, OUTPUT. STYLES and SCRIPTS are files; <!-- include FILE
# --> in the page names others. HEADER, if given, is a C++ header with the same text, as kPlayerStart and kPlayerEnd: a
# program replaces the line <!-- frames --> between them.
file(READ ${FOLDER}/${PAGE} page)
string(REGEX MATCHALL "<!-- include [^ ]+ -->\n" includes "${page}")
foreach(include ${includes})
  string(REGEX REPLACE "<!-- include ([^ ]+) -->\n" "\\1" name "${include}")
  file(READ ${FOLDER}/${name} text)
  string(REPLACE "${include}" "${text}" page "${page}")
endforeach()
set(style "")
foreach(name ${STYLES})
  file(READ ${FOLDER}/${name} text)
  string(APPEND style "${text}")
endforeach()
set(script "\"use strict\";\n")
foreach(name ${SCRIPTS})
  file(READ ${FOLDER}/${name} text)
  string(APPEND script "\n// --- ${name}\n${text}")
endforeach()
string(REPLACE "/* styles */\n" "${style}" page "${page}")
string(REPLACE "// scripts\n" "${script}" page "${page}")
file(WRITE ${OUTPUT} "${page}")
if(NOT HEADER)
  return()
endif()
string(REPLACE "<!-- frames -->\n" ")page\";\ninline constexpr std::string_view kPlayerEnd = R\"page(" page "${page}")
file(WRITE ${HEADER} "#pragma once

#include <string_view>

namespace nbody {
inline constexpr std::string_view kPlayerStart = R\"page(${page})page\";
}  // namespace nbody
")
