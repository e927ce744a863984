/// \file
/// Words of the executor's reports.
#pragma once

#include <string>
#include <vector>

#include "executor/threads.hpp"

namespace nbody::executor {

/// Returns the end of \p path, and the line: "01_naive/forces.cu:57"; or the place of a codeName().
std::string place(const char* path, int line);

/// Returns "__syncthreads() at 01_naive/forces.cu:57".
std::string at(Site site);

/// Returns whether a path or a "file:line" is in the executor itself, not in its tests or a program.
bool isOfExecutor(const std::string& place);

/// Returns "(1,2,3)".
std::string triple(uint3 index);

/// Returns "0x0000ffff".
std::string hex(unsigned mask);

/// Returns a name of several words in quotes: "'list of cells'". Names of one word, and
/// descriptions such as "an array of 4096 bytes", stay without quotes.
std::string inQuotes(const std::string& name);

/// Returns whether this is not the name of an array but describes it.
bool isDescription(const std::string& name);

bool sameLine(Site a, Site b);

/// Returns the text as a string of JSON.
std::string inJson(const std::string& text);

/// Threads of a block that do the same.
struct RankGroup {
  std::string what;
  std::vector<int> ranks;  ///< ascending
};

/// Adds \p rank to the group that does \p what.
void addToGroup(std::vector<RankGroup>& groups, const std::string& what, int rank);

/// Returns a line per group: count, ranges of ranks, what they do.
std::string list(const std::vector<RankGroup>& groups);

}  // namespace nbody::executor
