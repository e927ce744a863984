/// \file
/// Nothing that the executor needs.
#pragma once

#include <type_traits>
