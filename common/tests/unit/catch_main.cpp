// Catch2 2 has no library with a main(); version 3 has, and does not compile this file.
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
