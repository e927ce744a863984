// Catch2 2 has no library with a main(); version 3 has.
#ifndef NBODY_CATCH2_3
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
#endif
