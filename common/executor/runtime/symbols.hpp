/// \file
/// The program's __device__, __constant__ and __managed__ variables, which the translator puts into
/// sections of their own.
#pragma once

#include <string>

namespace nbody::executor::runtime {

/// Whether ladder-nvcc has linked the program: it puts a page before and one behind the variables,
/// so that the host can be kept out.
bool isOwnProgram();

/// Lets host code reach __device__ and __constant__ variables, or keeps it out where settings say
/// so.
void setSymbolsOpen(bool open);

/// Makes the variables known to the checker, at the first call.
void adoptSymbols();

bool isSymbol(const void* pointer);
/// The name of the variable at an address; empty where there is none.
std::string symbolAt(const void* pointer);

}  // namespace nbody::executor::runtime
