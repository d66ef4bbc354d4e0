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

/* An executor as the Swift runtime passes it on. */
typedef struct {
    const void *identity;
    const void *implementation;
} opencoredata_executor;

extern __attribute__((swiftcall)) opencoredata_executor swift_task_getCurrentExecutor(void);

/* The executor of the actor whose code runs on this thread, as far as a task runs it. */
static inline const void *opencoredata_current_executor(void) { return swift_task_getCurrentExecutor().identity; }

/* What the Swift runtime calls before it ends a program because code of an actor runs elsewhere; by default it asks the
   executor, which ends the program. */
typedef __attribute__((swiftcall)) void (*opencoredata_isolation_default)(opencoredata_executor);
typedef __attribute__((swiftcall)) void (*opencoredata_isolation_check)(
    opencoredata_executor, opencoredata_isolation_default);

extern opencoredata_isolation_check swift_task_checkIsolated_hook;

/* The executor that a thread passes for is its value for the key. One copy a source file that calls these: one does. */
static inline opencoredata_thread_key *opencoredata_passed_for(void) {
    static opencoredata_thread_key key;
    return &key;
}

static inline opencoredata_isolation_check *opencoredata_next_isolation_check(void) {
    static opencoredata_isolation_check check;
    return &check;
}

static __attribute__((swiftcall)) void opencoredata_check_isolation(
    opencoredata_executor executor, opencoredata_isolation_default original) {
    if (!opencoredata_current_executor() && executor.identity == pthread_getspecific(*opencoredata_passed_for())) return;
    opencoredata_isolation_check next = *opencoredata_next_isolation_check();
    if (next) return next(executor, original);
    original(executor);
}

/* Has threads pass for the executors that are their values for the key. To be called once. */
static inline void opencoredata_pass_for_executors(opencoredata_thread_key key) {
    *opencoredata_passed_for() = key;
    *opencoredata_next_isolation_check() = swift_task_checkIsolated_hook;
    swift_task_checkIsolated_hook = opencoredata_check_isolation;
}

#endif
