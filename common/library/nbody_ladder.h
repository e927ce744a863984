/* The steps of N-Body Ladder as a library: gravitational accelerations from arrays on the host or on a GPU. G is 1.

   docs/pages/library.md describes it, with examples. Every function may be called from any thread. */
#ifndef NBODY_LADDER_H
#define NBODY_LADDER_H

#ifdef __cplusplus
extern "C" {
#endif

/* A method with its options, its softening and its memory, which it keeps between calls. */
typedef struct nbody_method nbody_method;

enum nbody_precision { NBODY_FP32 = 32, NBODY_FP64 = 64 };  /* type of all arrays: float or double */

/* Status of a call. */
enum nbody_status {
  NBODY_OK = 0,
  NBODY_FAILED = 1,  /* an error of CUDA or of the machine, or the arrays cannot hold the result: the accelerations
                        are then undefined */
  NBODY_BAD_INPUT = 2  /* an error of the caller; nothing has been written */
};

/* Makes a method.
   name       as nbody_methods() lists it, with or without its number: "10_fast_multipole" or "fast_multipole"
   softening  length epsilon, above 0, in the unit of the positions
   options    "tolerance=1e-4,order=5", or NULL
   Returns NULL if there is no such method; nbody_last_error() says why. */
nbody_method* nbody_new(const char* name, enum nbody_precision precision, double softening, const char* options);

/* Computes the accelerations of count bodies. All arrays are in host memory, or all on one GPU, which all
   later calls must use too. The bodies keep their order, and count may change from call to call.

   The work runs on the stream, and the call returns when it is done. Only one thread at a time may use a method.

   Any units will do, because the method computes in units of its own if yours are far from 1. If an acceleration is
   then too large or too small for the arrays, the call fails.

   07_tuned and 10_tuned decide by the accelerations of the last call how exact they must be: body i is taken
   for the body i of the last call, a little later. If bodies are somewhere else, the call notices and computes twice.
   Use one method for each set of bodies, and nbody_forget() if you change more than their positions.

   positions      x, y, z of each body; 3 count numbers
   masses         count numbers, not negative
   accelerations  out: x, y, z of each body, in length per time squared; 3 count numbers
   potentials     out: count numbers, or NULL; only for a method that has potentials
   stream         cudaStream_t of arrays on a GPU; NULL is the legacy default stream */
int nbody_accelerations(nbody_method* method, long long count, const void* positions, const void* masses,
                        void* accelerations, void* potentials, void* stream);

/* Makes the next accelerations independent of the last ones, as those of a new method. It keeps the memory. Returns
   a status. */
int nbody_forget(nbody_method* method);

/* Computes accelerations of count other bodies, so that the next call allocates no memory and loads no kernel. A method
   for a GPU takes the current one if it has none yet. The next call still allocates if its bodies need longer lists of
   cells, and 05_triangular_map if all masses are equal. Returns a status. */
int nbody_reserve(nbody_method* method, long long count);

/* Relative errors |a - a_FP64| / |a_FP64| over a sample of the bodies. */
struct nbody_errors {
  int sampled;  /* bodies compared with a direct sum in FP64 */
  double median, p99, max;
};

/* Compares accelerations, from any source, with a direct sum in FP64. For the arrays see nbody_accelerations(). */
int nbody_error(enum nbody_precision precision, long long count, const void* positions, const void* masses,
                const void* accelerations, double softening, void* stream, struct nbody_errors* errors);

/* Returns the methods as JSON: name, precisions, whether it needs a GPU, whether it has potentials, and its options.
   NULL if there is no memory. */
const char* nbody_methods(void);

/* Returns what went wrong in the last failed call of this thread, in one line. */
const char* nbody_last_error(void);

/* Frees a method, which no thread may be using. NULL is allowed. */
void nbody_free(nbody_method* method);

#ifdef __cplusplus
}
#endif

#endif
