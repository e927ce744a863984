// Catch2 2 has no library with a main(), as version 3 has.
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
