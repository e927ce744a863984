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
string(REPLACE "<!-- frames -->\n" ")player\";\ninline constexpr std::string_view kPlayerEnd = R\"player(" page "${page}")
file(WRITE ${OUTPUT} "#pragma once

#include <string_view>

namespace nbody {
inline constexpr std::string_view kPlayerStart = R\"player(${page})player\";
}  // namespace nbody
")
