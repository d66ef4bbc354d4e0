#ifndef OPENCOREDATA_CRUNTIME_SHIM_H
#define OPENCOREDATA_CRUNTIME_SHIM_H

#include <pthread.h>

/* The Swift runtime's own entry point for weak loads: retains an object unless it is being deallocated. */
extern void *swift_tryRetain(void *object);

static inline void *opencoredata_try_retain(const void *object) { return swift_tryRetain((void *)object); }

/* What an unowned reference does: the memory of an object stays where it is until it is released as often,
   though the object itself may die. */
extern void *swift_unownedRetain(void *object);
extern void swift_unownedRelease(void *object);

static inline void opencoredata_keep_memory(const void *object) { swift_unownedRetain((void *)object); }
static inline void opencoredata_release_memory(const void *object) { swift_unownedRelease((void *)object); }

/* A value that each thread has for itself. Foundation's thread dictionaries cost a hundred times as much. */
typedef pthread_key_t opencoredata_thread_key;

static inline int opencoredata_make_thread_key(opencoredata_thread_key *key) { return pthread_key_create(key, 0); }

static inline const void *opencoredata_thread_value(opencoredata_thread_key key) { return pthread_getspecific(key); }

static inline void opencoredata_set_thread_value(opencoredata_thread_key key, const void *value) {
    pthread_setspecific(key, value);
}

#endif
