/// \file
/// Whether a run fits the machine.
#pragma once

#include "driver/run_options.hpp"
#include "driver/run_program.hpp"

namespace nbody {

/// Throws BadInput where \p needed bytes of the memory of \p where, "host" or "device", are more than
/// \p free.
/// \param option  that asks for \p bodies
void requireMemory(const std::string& option,
                   std::size_t bodies,
                   const char* where,
                   std::size_t needed,
                   std::size_t free);

/// Throws BadInput where the bodies need more memory of the host or the device than is free.
void checkMemory(const RunOptions& options, const Program& program);

}  // namespace nbody
