/// \file
/// The program's __device__, __constant__ and __managed__ variables, which the translator puts into
/// separate sections.
#pragma once

#include <functional>
#include <string>

#include "executor/runtime/allocations.hpp"

namespace nbody::executor::runtime {

/// Returns whether ladder-nvcc has linked the program. It puts a page before the variables and one
/// after them, so that they can be closed to the host.
bool isOwnProgram();

/// Opens __device__ and __constant__ variables to host code, or closes them if settings say so.
void setSymbolsOpen(bool open);

/// Calls \p visit for each allocation that a variable points to.
void forEachSymbolWord(const std::function<void(const Allocation&)>& visit);

/// Returns the name of the device variable at an address that the program has not asked for,
/// because & in host code gives no device address. Empty for all else, also for __managed__ ones.
std::string symbolNotAsked(const void* pointer);

/// Returns the name of the variable whose address the calling host thread has noted with
/// executor::noteHostAddress(), or the result of symbolNotAsked().
std::string symbolByHostAddress(const void* pointer);
/// Forgets the addresses noted so far.
void forgetHostAddresses();

/// Returns what a word is the address of if it is a function or a virtual table of the host's: see
/// checker::nameOfCode(). Empty if the device has that address too, so that the host has it from
/// there.
std::string hostCodeOf(const void* word);

bool isSymbol(const void* pointer);
/// Returns the name of the variable at an address; empty if there is none.
std::string symbolAt(const void* pointer);

}  // namespace nbody::executor::runtime
