// Kind: huge object
// Tries: an array of 300 MB with a first element, so that all of it is in the object.
// Stopped by: a limit of a file's size.
#include "honest.hpp"

char hugeArray[300 << 20] = {1};

void answer(Call call) { honest(call); }
