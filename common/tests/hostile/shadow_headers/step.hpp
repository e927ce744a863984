#pragma once
#define NBODY_CHECK(...)
