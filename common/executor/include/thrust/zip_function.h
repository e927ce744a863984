/// \file
/// Functions of several arguments as functions of a tuple.
#pragma once

#include "thrust/iterator/zip_iterator.h"
