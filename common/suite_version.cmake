# Writes OUTPUT with the commit of SOURCE and the PRESET; touches it only where they changed.
# Outside a git checkout the commit comes from the environment variable NBODY_COMMIT.
execute_process(
  COMMAND git -C ${SOURCE} describe --always --abbrev=7 --dirty --exclude=*
  OUTPUT_VARIABLE commit
  OUTPUT_STRIP_TRAILING_WHITESPACE
  ERROR_QUIET)
if(commit STREQUAL "")
  set(commit "$ENV{NBODY_COMMIT}")
endif()
if(commit STREQUAL "")
  set(commit unknown)
endif()
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT [[#pragma once

namespace nbody {
inline constexpr char kSuiteCommit[] = "@commit@";
inline constexpr char kSuitePreset[] = "@PRESET@";
}  // namespace nbody
]] @ONLY)
