# Writes OUTPUT, a C++ header, with the player of SOURCE as text: kPlayerStart and kPlayerEnd, between which a movie's
# frames stand.
file(READ ${SOURCE}/player.html page)
file(READ ${SOURCE}/player.css style)
set(script "\"use strict\";\n")
foreach(part ${PARTS})
  file(READ ${SOURCE}/${part} text)
  string(APPEND script "\n// --- ${part}\n${text}")
endforeach()
string(REPLACE "/* player.css */" "${style}" page "${page}")
string(REPLACE "// the player's scripts" "${script}" page "${page}")
set(mark "<!-- frames -->\n")
string(FIND "${page}" "${mark}" place)
string(LENGTH "${mark}" length)
math(EXPR after "${place} + ${length}")
string(SUBSTRING "${page}" 0 ${place} start)
string(SUBSTRING "${page}" ${after} -1 end)
file(WRITE ${OUTPUT} "#pragma once

#include <string_view>

namespace nbody {
inline constexpr std::string_view kPlayerStart = R\"player(${start})player\";
inline constexpr std::string_view kPlayerEnd = R\"player(${end})player\";
}  // namespace nbody
")
