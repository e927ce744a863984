// Kind: formula
// Tries: a cell that a spreadsheet computes where it takes semicolons or tabs for the ends of cells.
// Stopped by: a quote before whatever a formula begins with, behind such signs too.
#include "honest.hpp"

void answer(Call) { throw std::runtime_error("a;=1+1;b\t=2+2\tc|=3+3|\"=4+4\",@SUM(1)"); }
