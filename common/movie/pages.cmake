# Makes the movies' player, whose text is also in the programs, and the page of the live view.

set(player ${CMAKE_CURRENT_SOURCE_DIR}/movie/player)
set(live ${CMAKE_CURRENT_SOURCE_DIR}/movie/live/page)
set(pages ${CMAKE_CURRENT_BINARY_DIR}/generated)

# Makes the file OUTPUT, and a header if one is named; see embed_page.cmake.
function(embed_page output header folder page styles scripts)
  file(GLOB inputs CONFIGURE_DEPENDS ${player}/* ${live}/*)
  add_custom_command(OUTPUT ${output} ${header}
    COMMAND ${CMAKE_COMMAND} -DFOLDER=${folder} -DPAGE=${page} "-DSTYLES=${styles}" "-DSCRIPTS=${scripts}"
            -DOUTPUT=${output} "-DHEADER=${header}" -P ${CMAKE_CURRENT_SOURCE_DIR}/movie/embed_page.cmake
    DEPENDS movie/embed_page.cmake ${inputs}
    VERBATIM)
  target_sources(nbody_texts PRIVATE ${output} ${header})
endfunction()

# Scripts of both pages. A class comes before the classes that extend it.
set(shared page.js sample.js camera.js webgl.js shaders.js renderer.js legend.js view.js input.js)
embed_page(${pages}/player.html ${pages}/player_source.hpp ${player} player.html player.css
  "frames.js;${shared};player.js;controls.js;still.js;main.js")
list(TRANSFORM shared PREPEND ../../player/)
embed_page(${pages}/live.html "" ${live} live.html "../../player/player.css;live.css;panel.css;figures.css"
  "${shared};connection.js;sky.js;drift.js;ladder.js;settings.js;recorder.js;readout.js;controls.js;main.js")
target_include_directories(nbody_texts PRIVATE ${pages})
