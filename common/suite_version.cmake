# Writes OUTPUT with the commit of SOURCE, a folder of the suite, and the PRESET. Touches it only if they changed.
# The environment variable NBODY_COMMIT names the commit if the files were copied from another checkout.
set(commit "$ENV{NBODY_COMMIT}")
file(REAL_PATH ${SOURCE}/.. suite)
set(git git -c safe.directory=${suite} -C ${SOURCE})  # the checkout may be another user's
# A copy of the suite in another repository must not report that repository's commit.
execute_process(
  COMMAND ${git} rev-parse --show-toplevel
  OUTPUT_VARIABLE top
  OUTPUT_STRIP_TRAILING_WHITESPACE
  ERROR_QUIET)
if(commit STREQUAL "" AND top STREQUAL suite)
  execute_process(
    COMMAND ${git} describe --always --abbrev=7 --dirty --exclude=*
    OUTPUT_VARIABLE commit
    OUTPUT_STRIP_TRAILING_WHITESPACE
    ERROR_QUIET)
endif()
if(commit STREQUAL "")
  set(commit unknown)
endif()
set(text "namespace nbody {
extern const char* const kSuiteCommit = \"${commit}\";
extern const char* const kSuitePreset = \"${PRESET}\";
}  // namespace nbody
")
set(before "")
if(EXISTS ${OUTPUT})
  file(READ ${OUTPUT} before)
endif()
if(NOT text STREQUAL before)
  file(WRITE ${OUTPUT} "${text}")
endif()
