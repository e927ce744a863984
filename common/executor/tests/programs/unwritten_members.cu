// A struct may be copied although some of its members were never written: a mistake is only what a result depends on. And
// bytes of 254, with which local variables begin under the checker, are data like any other.
// only: check
// reports: uninitialised global memory: vectors\[4\], bytes 12 to 15\n.*:@used\n
// reports: uninitialised global memory: vectors\[5\], bytes 12 to 15\n.*:@captured\n
// reports: uninitialised global memory: vectors\[0\], bytes 12 to 15\n.*:@changed\n
// reports: uninitialised shared memory: tile\[31\], bytes 12 to 15\n.*:@ofTile\n
// reports: uninitialised global memory: empty\[0\], bytes 0 to 3\n.*:@moved\n
// reports: uninitialised global memory: empty\[0\], bytes \d+ to \d+\n.*:@throughLocal\n
// reports: uninitialised global memory: letters\[7\]\n.*:@letter\n
// reports: uninitialised global memory: pixels\[3\]\n.*:@alpha\n  and at line
// reports: uninitialised global memory: colours\[9\]\n.*:@colour\n
// reports: uninitialised global memory: copies\[7\]\n.*:@ofCopy\n
// reports: uninitialised global memory: records\[\d+\], bytes 0 to 3\n.*:@flag\n
// reports: uninitialised shared memory: small\[6\]\n.*:@ofSmall\n
// reports: uninitialised local array: other\[\d\]\n.*:@other\n
// reports: uninitialised local variable: .*v.y\n.*:@passed
// reports: uninitialised local variable: .*value.y\n.*:@found
// reports: uninitialised local variable: pair\n.*:@pair\n
// reports: uninitialised local variable: vector\n.*:@vector\n
// prints: 7 -16843010
// status: 1
#include <cstdio>
#include <cstring>

__global__ void fill(float4* vectors) {
  vectors[threadIdx.x].x = vectors[threadIdx.x].y = vectors[threadIdx.x].z = threadIdx.x;
}

__device__ float sumOf(float4 v) { return v.x + v.y + v.z; }
__device__ float member(const float4& v, int k) { return (&v.x)[k]; }

/// Nothing depends on w.
__global__ void unused(const float4* vectors, float4* others, float* result) {
  __shared__ float4 tile[32];
  const int i = threadIdx.x;
  float4 v = vectors[i];
  float sum = sumOf(v);
  for (int k = 0; k < 3; ++k) sum += member(v, k);
  v.x += 1;
  others[i] = v;
  others[i] = vectors[31 - i];
  tile[i] = __ldg(vectors + i);
  __syncthreads();
  const float4 pair[2] = {tile[31 - i], v};
  const auto add = [&](int k) { sum += pair[k].y; };
  add(i & 1);
  result[i] = sum;
}
__global__ void used(const float4* vectors, float* result) {
  const float4 v = vectors[threadIdx.x];  // @used
  if (threadIdx.x == 4) result[0] = member(v, 3);
}
__global__ void fillLetters(char* letters) {
  if (threadIdx.x % 4 != 3) letters[threadIdx.x] = 'a';
}
__global__ void letter(const char* letters, float* result) {
  if (threadIdx.x == 7) result[0] = letters[threadIdx.x];  // @letter
}
__global__ void captured(const float4* vectors, float* result) {
  const float4 v = vectors[threadIdx.x];  // @captured
  float sum = 0;
  const auto add = [&](float f) { sum += f * v.w; };
  if (threadIdx.x == 5) add(1), add(2);
  result[threadIdx.x] = sum;
}
__global__ void changed(float4* vectors) {
  float4 v = vectors[threadIdx.x];  // @changed
  v.w *= 2;
  vectors[threadIdx.x] = v;
}
__global__ void ofTile(const float4* vectors, float* result) {
  __shared__ float4 tile[32];
  tile[threadIdx.x].x = tile[threadIdx.x].y = tile[threadIdx.x].z = 1;
  __syncthreads();
  const float4 v = tile[31 - threadIdx.x];  // @ofTile
  result[threadIdx.x] = v.x + v.w;
}
/// A copy is a use if nothing has written any member of the struct.
__global__ void moved(const float4* empty, float4* others) {
  others[threadIdx.x] = empty[threadIdx.x];  // @moved
}
__global__ void throughLocal(const float4* empty, float4* others) {
  const float4 v = empty[threadIdx.x];  // @throughLocal
  others[31 - threadIdx.x] = v;
}

struct Vector {
  float x, y;
};
struct Found {
  bool isAny;
  float4 value;
};
__device__ Found find(const float4* vectors, float x) {
  Found result;  // is in the memory of the caller's variable
  result.isAny = false;
  for (int k = 0; k < 4; ++k)
    if (vectors[k].x == x) result = {true, vectors[k]};
  return result;
}
__global__ void notFound(const float4* vectors, float* result) {
  const Found checked = find(vectors, threadIdx.x);
  result[threadIdx.x] = checked.isAny ? checked.value.y : 0;
  const Found unchecked = find(vectors, threadIdx.x);
  result[threadIdx.x] += unchecked.value.y;  // @found
}
__device__ __noinline__ Vector half(Vector v) { return {v.x / 2, v.x / 4}; }
__device__ __noinline__ float sumOf(Vector v) { return v.x + v.y; }  // @passed
/// One undefined value, which is stored and not used, hides no other.
__global__ void several(float* result) {
  const int i = threadIdx.x;
  float some[4], kept[4], other[4];
  for (int k = 0; k < 4; ++k) kept[k] = some[k];
  result[i] = other[i & 3];  // @other
  if (i > 40 && kept[i & 3] == 77) result[i] = 1;
  Vector v;
  v.x = i;
  result[i] += half(v).y;
  result[i] += sumOf(v);
}

/// Members of one or two bytes.
struct Record {
  short key;
  bool isSet;
  int value;
};
__global__ void fillSmall(uchar4* pixels, uchar3* colours, Record* records) {
  const int i = threadIdx.x;
  colours[i].x = colours[i].y = i;
  pixels[i].x = i, pixels[i].y = 254, pixels[i].z = 1;
  records[i].key = i, records[i].value = 2 * i;
}
__global__ void unusedSmall(const uchar4* pixels, const uchar3* colours, const Record* records, uchar4* copies, Record* others,
                            int* result) {
  __shared__ uchar4 small[32];
  const int i = threadIdx.x;
  const uchar4 p = pixels[i];
  Record r = records[31 - i];
  others[i] = r;
  r.isSet = r.key > 3;
  small[i] = p;
  __syncthreads();
  copies[i] = small[i];
  int sum = 0;
  for (int k = 0; k < 4; ++k) {  // a variable whose members are defined in some iterations
    uchar4 q = pixels[(i + k) % 32];
    if (k % 2 == 0) q.w = k;
    sum += q.x + q.y + (k % 2 == 0 ? q.w : 0);
  }
  const uchar3 colour = colours[31 - i];
  sum += colour.x + colour.y;
  result[i] = sum + p.x + p.y + p.z + r.key + r.value + r.isSet + others[i].key;
}
__global__ void usedSmall(const uchar4* pixels, const uchar3* colours, const uchar4* copies, const Record* records, int* result) {
  __shared__ uchar4 small[32];
  const int i = threadIdx.x;
  const uchar4 p = pixels[i];  // @alpha
  if (i == 3) result[i] = p.x + p.w;
  const uchar4 q = pixels[31 - i];
  if (i == 29 && q.w > 4) result[i] = 1;
  const uchar4 copy = copies[i];  // @ofCopy
  if (i == 7) result[i] = copy.w;
  const uchar3 colour = colours[i];  // @colour
  if (i == 9) result[i] = colour.z;
  const Record r = records[i];  // @flag
  if (r.isSet) result[i] = 2;
  small[i].x = 1;
  __syncthreads();
  const uchar4 s = small[i];  // @ofSmall
  if (i == 6) result[i] = s.z;
}

struct Settings {
  int numbers[3];
  float factor;
};
__device__ __noinline__ int pick(Settings s, int k) { return k < 3 ? s.numbers[k] : __float_as_int(s.factor); }
__device__ __noinline__ Settings reversed(Settings s) {
  Settings r;
  r.factor = __int_as_float(s.numbers[0]);
  for (int k = 0; k < 2; ++k) r.numbers[k] = s.numbers[2 - k];
  r.numbers[2] = __float_as_int(s.factor);
  return r;
}
__device__ __noinline__ void set(float* to, float value) { *to = value; }
/// All of it has bytes of 254.
__global__ void ofBytes(Settings s, const uchar4* pixels, const float* numbers, const Settings* array, int* result) {
  const int i = threadIdx.x;
  const Settings turned = reversed(s);
  int local[4];
  for (int k = 0; k < 4; ++k) local[k] = pick(turned, k);
  const uchar4 pixel = pixels[i];
  unsigned char bytes[4] = {pixel.w, pixel.z, pixel.y, pixel.x};
  unsigned word;
  memcpy(&word, bytes, 4);
  float pair[2];
  set(pair, numbers[i]), set(pair + 1, __uint_as_float(word));
  Settings copies[2];
  copies[0] = array[i], copies[1] = array[31 - i];
  const bool isSame = local[i & 3] == copies[i & 1].numbers[i % 3] && copies[i & 1].factor < 0;
  result[i] = isSame ? __float_as_int(pair[i & 1]) : 0;
}

/// A struct that nothing has written is like a number: to store it for others is a mistake.
__global__ void fresh(short2* pairs, float4* vectors, uchar4* pixels, bool isWritten) {
  short2 pair;
  float4 vector;
  uchar4 pixel;
  __shared__ float4 tile[1];
  tile[0] = vector;
  if (isWritten) vector.x = 1;
  pixel.x = pixel.y = pixel.z = pixel.w = 254;
  pixels[threadIdx.x] = pixel;
  if (!isWritten) pairs[threadIdx.x] = pair;  // @pair
  vectors[threadIdx.x] = vector;  // @vector
}

static void runSmall(int* result) {
  uchar4 *pixels, *copies;
  uchar3* colours;
  Record *records, *others;
  cudaMalloc(&pixels, 32 * sizeof(uchar4));
  cudaMalloc(&copies, 32 * sizeof(uchar4));
  cudaMalloc(&colours, 32 * sizeof(uchar3));
  cudaMalloc(&records, 32 * sizeof(Record));
  cudaMalloc(&others, 32 * sizeof(Record));
  fillSmall<<<1, 32>>>(pixels, colours, records);
  unusedSmall<<<1, 32>>>(pixels, colours, records, copies, others, result);
  usedSmall<<<1, 32>>>(pixels, colours, copies, records, result);
  for (void* array : {(void*)pixels, (void*)colours, (void*)copies, (void*)records, (void*)others}) cudaFree(array);
}

int main() {
  float4 *vectors, *others, *empty;
  char* letters;
  float* result;
  int* bytes;
  cudaMalloc(&vectors, 32 * sizeof(float4));
  cudaMalloc(&others, 32 * sizeof(float4));
  cudaMalloc(&empty, 32 * sizeof(float4));
  cudaMalloc(&letters, 32);
  cudaMalloc(&result, 32 * sizeof(float));
  cudaMalloc(&bytes, 32 * sizeof(Settings));
  cudaMemset(bytes, 254, 32 * sizeof(Settings));
  Settings settings;
  memset(&settings, 254, sizeof settings);
  float sum;
  int number;
  fill<<<1, 32>>>(vectors);
  unused<<<1, 32>>>(vectors, others, result);
  cudaMemcpy(&sum, result + 1, sizeof sum, cudaMemcpyDeviceToHost);
  ofBytes<<<1, 32>>>(settings, reinterpret_cast<uchar4*>(bytes), reinterpret_cast<float*>(bytes),
                     reinterpret_cast<Settings*>(bytes), reinterpret_cast<int*>(result));
  cudaMemcpy(&number, result + 5, sizeof number, cudaMemcpyDeviceToHost);
  printf("%g %d\n", sum, number);
  used<<<1, 32>>>(vectors, result);
  fillLetters<<<1, 32>>>(letters);
  letter<<<1, 32>>>(letters, result);
  captured<<<1, 32>>>(vectors, result);
  changed<<<1, 32>>>(vectors);
  ofTile<<<1, 32>>>(vectors, result);
  moved<<<1, 32>>>(empty, others);
  throughLocal<<<1, 32>>>(empty, others);
  several<<<1, 32>>>(result);
  notFound<<<1, 32>>>(vectors, result);
  fresh<<<1, 1>>>(reinterpret_cast<short2*>(bytes), vectors, reinterpret_cast<uchar4*>(result), true);
  fresh<<<1, 1>>>(reinterpret_cast<short2*>(bytes), vectors, reinterpret_cast<uchar4*>(result), false);
  runSmall(reinterpret_cast<int*>(result));
  for (void* array : {(void*)vectors, (void*)others, (void*)empty, (void*)letters, (void*)result, (void*)bytes}) cudaFree(array);
}
