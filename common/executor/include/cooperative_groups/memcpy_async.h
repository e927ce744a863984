/// \file
/// CUDA's asynchronous copies by groups.
#pragma once

#include "executor/language/groups/copies.hpp"
