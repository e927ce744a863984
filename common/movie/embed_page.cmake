# Writes OUTPUT, a C++ header, with the page PAGE of FOLDER as text: NAMEStart and NAMEEnd, between which something stands
# in place of the line <!-- MARK -->. STYLES and SCRIPTS are files, too; <!-- include FILE --> in the page names others.
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
string(REPLACE "<!-- ${MARK} -->\n" ")page\";\ninline constexpr std::string_view ${NAME}End = R\"page(" page "${page}")
file(WRITE ${OUTPUT} "#pragma once

#include <string_view>

namespace nbody {
inline constexpr std::string_view ${NAME}Start = R\"page(${page})page\";
}  // namespace nbody
")
