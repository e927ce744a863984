/// \file
/// Words for the executor's reports.
#pragma once

#include <string>
#include <vector>

#include "executor/threads.hpp"

namespace nbody::executor {

/// The last two parts of \p path, and the line: "01_naive/forces.cu:57". Or the place of a codeName().
std::string place(const char* path, int line);

/// "__syncthreads() at 01_naive/forces.cu:57"
std::string at(Site site);

/// "(1,2,3)"
std::string triple(uint3 index);

/// "0x0000ffff"
std::string hex(unsigned mask);

/// "'list of cells'": a name of several words in quotes. Without quotes: names of one word, and
/// descriptions such as "an array of 4096 bytes".
std::string inQuotes(const std::string& name);

/// Whether this is no name of an array, but says what it is.
bool isDescription(const std::string& name);

bool sameLine(Site a, Site b);

/// Threads of a block that do the same.
struct RankGroup {
  std::string what;
  std::vector<int> ranks;  ///< ascending
};

/// Adds \p rank to the group that does \p what.
void addToGroup(std::vector<RankGroup>& groups, const std::string& what, int rank);

/// One line a group: count, ranges of ranks, what they do.
std::string list(const std::vector<RankGroup>& groups);

}  // namespace nbody::executor
