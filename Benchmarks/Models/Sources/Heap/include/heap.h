#include <stddef.h>

// Returns the bytes that are allocated on the heap: Swift's module for the C library lacks mallinfo2.
size_t heap_bytes(void);
