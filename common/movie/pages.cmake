# The movies' player and the page of the live view, as text in the programs.

set(player ${CMAKE_CURRENT_SOURCE_DIR}/movie/player)
set(live ${CMAKE_CURRENT_SOURCE_DIR}/movie/live/page)

# The header OUTPUT, of what embed_page.cmake says.
function(embed_page output folder page name mark styles scripts)
  set(header ${CMAKE_CURRENT_BINARY_DIR}/generated/${output})
  file(GLOB inputs CONFIGURE_DEPENDS ${player}/* ${live}/*)
  add_custom_command(OUTPUT ${header}
    COMMAND ${CMAKE_COMMAND} -DFOLDER=${folder} -DPAGE=${page} -DNAME=${name} -DMARK=${mark} "-DSTYLES=${styles}"
            "-DSCRIPTS=${scripts}" -DOUTPUT=${header} -P ${CMAKE_CURRENT_SOURCE_DIR}/movie/embed_page.cmake
    DEPENDS movie/embed_page.cmake ${inputs}
    VERBATIM)
  target_sources(nbody_texts PRIVATE ${header})
endfunction()

# Of both; a class stands before those that extend it.
set(shared page.js sample.js camera.js webgl.js shaders.js renderer.js legend.js view.js input.js)
embed_page(player_source.hpp ${player} player.html kPlayer frames player.css
  "frames.js;${shared};player.js;controls.js;still.js;main.js")
list(TRANSFORM shared PREPEND ../../player/)
embed_page(live_source.hpp ${live} live.html kLive player "../../player/player.css;live.css;panel.css;figures.css"
  "${shared};connection.js;sky.js;drift.js;ladder.js;knobs.js;recorder.js;readout.js;controls.js;main.js")
target_include_directories(nbody_texts PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/generated)
