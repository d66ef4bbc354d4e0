#ifndef OPENCOREDATA_CRUNTIME_SHIM_H
#define OPENCOREDATA_CRUNTIME_SHIM_H

/* The Swift runtime's own entry point for weak loads: retains an object unless it is being deallocated. */
extern void *swift_tryRetain(void *object);

static inline void *opencoredata_try_retain(const void *object) { return swift_tryRetain((void *)object); }

#endif
