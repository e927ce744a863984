/// \file
/// GCC's headers, and the functions that both files of the checker's plugin use.
#pragma once

// clang-format off: GCC's headers need this order.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>
#include <gcc-plugin.h>
#include <plugin-version.h>
#include <tree.h>
#include <fold-const.h>
#include <stor-layout.h>
#include <tree-pass.h>
#include <context.h>
#include <basic-block.h>
#include <gimple.h>
#include <gimple-iterator.h>
#include <gimple-expr.h>
#include <tree-cfg.h>
#include <cfgloop.h>
#include <ssa.h>
#include <ssa-iterators.h>
#include <stringpool.h>
#include <gimplify.h>
#include <gimplify-me.h>
#include <gimple-fold.h>
#include <internal-fn.h>
#include <tree-dfa.h>
#include <tree-ssa-operands.h>
#include <attribs.h>
#include <asan.h>
// clang-format on

/// Returns all statements of the function. They may be changed while the caller visits them.
std::vector<gimple*> statementsOf(function* f);
/// Returns the statements that use the value.
std::vector<gimple*> usesOf(tree value);
/// Returns whether the statement calls a function whose name begins with \p begin.
bool isCallOf(gimple* statement, const char* begin);
/// Returns a number of 64 bits.
tree number(unsigned HOST_WIDE_INT bits);
/// Returns a call of the checker's function \p name. Its place is that of \p at, or of the whole function if that is null.
/// \p result: gets the number of 64 bits that the function returns, if it returns one.
gcall* callOf(const char* name, const std::vector<tree>& arguments, gimple* at, tree result = NULL_TREE);
/// Returns whether lanes exchange values here: whether this calls the function that all of CUDA's warp functions call.
bool isExchange(gimple* statement);
/// Returns whether the statement gives the same bits another type or name.
bool isConversion(gimple* statement);

/// Gives a function's result the pattern of a local variable, because the compiler may have put one there.
void fillResult(function* f);
/// Keeps the compiler's passes from choosing a value for variables that were never written.
void hideUndefined(function* f);
/// A GPU computes the address of an element that does not exist, as long as no statement uses it. So the check of an index
/// moves from the statement that computes an address to those that use it.
void checkIndicesAtUses(function* f);
/// Lets a shift by the number's width or more give 0 or the sign, as on a GPU. In C++ it is undefined.
void clampShifts(function* f);
/// Lets a conversion of a number out of range give the nearest integer, as on a GPU, or for a type of 8 or 16 bits the lower
/// bits of the nearest one with 32, as nvcc does. In C++ it is undefined.
void clampConversions(function* f);
/// Tells the checker of loads whose value is only compared, in functions with a compare-and-swap.
void tellComparedLoads(function* f);
/// Tells the checker before a store of `d[i] = min(d[i], x)` if it does not change d[i].
void tellKeptValues(function* f);
/// Follows undefined values of the function to the statements that use them, and tells the checker there.
void followUndefined(function* f);
