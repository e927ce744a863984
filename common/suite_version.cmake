# Writes OUTPUT with the commit of SOURCE and the PRESET; touches it only where they changed.
# The environment variable NBODY_COMMIT says it where the files were copied from another checkout.
set(commit "$ENV{NBODY_COMMIT}")
if(commit STREQUAL "")
  execute_process(
    COMMAND git -C ${SOURCE} describe --always --abbrev=7 --dirty --exclude=*
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
