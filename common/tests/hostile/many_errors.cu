// Kind: endless source
// Tries: a million errors.
// Stopped by: the compiler is to stop at the first.
// Trusted: 0

#define TEN(x) x x x x x x x x x x
#define WRONG nonsense + ;
TEN(TEN(TEN(TEN(TEN(WRONG)))))
