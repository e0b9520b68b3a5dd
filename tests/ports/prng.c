// bcryptprimitives.dll, which Rust's standard library asks for random bytes and Wine 8 lacks.
#include <stddef.h>

int __stdcall SystemFunction036(void *bytes, unsigned long count);

__declspec(dllexport) int ProcessPrng(unsigned char *bytes, size_t count) {
  return SystemFunction036(bytes, (unsigned long)count);
}
