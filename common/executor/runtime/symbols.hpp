/// \file
/// The program's __device__, __constant__ and __managed__ variables, which the translator puts into
/// separate sections.
#pragma once

#include <functional>
#include <string>

#include "executor/runtime/allocations.hpp"

namespace nbody::executor::runtime {

/// Whether ladder-nvcc has linked the program: it puts a page before and one behind the variables,
/// so that the host can be kept out.
bool isOwnProgram();

/// Lets host code reach __device__ and __constant__ variables, or keeps it out where settings say
/// so.
void setSymbolsOpen(bool open);

/// Makes the variables known to the checker, at the first call.
void adoptSymbols();

/// Calls \p visit for each allocation that a variable points to.
void forEachSymbolWord(const std::function<void(const Allocation&)>& visit);

/// The program has asked for the address that a variable has on the device.
void giveAddress(const void* variable);
/// The name of the variable of the device at an address that the program has not asked for so: what
/// host code gets by & is no address of the device. Empty for all else, __managed__ ones too.
std::string symbolNotAsked(const void* pointer);

/// The argument of the calling host thread's next call is the address of a variable as host code
/// sees it.
void noteHostAddress(const void* variable);
void forgetHostAddresses();
/// The name of such a variable, or as symbolNotAsked() gives it.
std::string symbolByHostAddress(const void* pointer);

bool isSymbol(const void* pointer);
/// The name of the variable at an address; empty where there is none.
std::string symbolAt(const void* pointer);

}  // namespace nbody::executor::runtime
