// bcryptprimitives.dll, from which Rust's standard library gets random bytes. Wine 8 lacks it.
#include <stddef.h>

int __stdcall SystemFunction036(void *bytes, unsigned long count);

__declspec(dllexport) int ProcessPrng(unsigned char *bytes, size_t count) {
  return SystemFunction036(bytes, (unsigned long)count);
}
