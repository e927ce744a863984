# Makes the movies' player, whose text is also in the programs. embed_page() makes the page of the live view, too.

set(player ${CMAKE_CURRENT_SOURCE_DIR}/movie/player)
set(pages ${CMAKE_CURRENT_BINARY_DIR}/generated)

# Makes the file OUTPUT, and a header if one is named; see embed_page.cmake.
function(embed_page output header folder page styles scripts)
  file(GLOB inputs CONFIGURE_DEPENDS ${player}/* ${folder}/*)
  add_custom_command(OUTPUT ${output} ${header}
    COMMAND ${CMAKE_COMMAND} -DFOLDER=${folder} -DPAGE=${page} "-DSTYLES=${styles}" "-DSCRIPTS=${scripts}"
            -DOUTPUT=${output} "-DHEADER=${header}" -P ${CMAKE_CURRENT_SOURCE_DIR}/movie/embed_page.cmake
    DEPENDS movie/embed_page.cmake ${inputs}
    VERBATIM)
  target_sources(nbody_texts PRIVATE ${output} ${header})
endfunction()

# Scripts of both pages. A class comes before the classes that extend it.
set(player_scripts page.js sample.js camera.js webgl.js shaders.js renderer.js legend.js view.js input.js)
embed_page(${pages}/player.html ${pages}/player_source.hpp ${player} player.html player.css
  "frames.js;${player_scripts};player.js;controls.js;main.js")
target_include_directories(nbody_texts PRIVATE ${pages})
