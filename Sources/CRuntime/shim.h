#ifndef OPENCOREDATA_CRUNTIME_SHIM_H
#define OPENCOREDATA_CRUNTIME_SHIM_H

#include <execinfo.h>
#include <pthread.h>

/* Returns the addresses to which the calls of this thread return, the innermost first. */
static inline int opencoredata_backtrace(void **frames, int count) { return backtrace(frames, count); }

/* Retains an object, and returns null if it is being deallocated: the Swift runtime's function for weak
   loads. */
extern void *swift_tryRetain(void *object);

static inline void *opencoredata_try_retain(const void *object) { return swift_tryRetain((void *)object); }

/* Keeps the memory of an object, as an unowned reference does, until it is released as often; the object
   itself may be destroyed before. */
extern void *swift_unownedRetain(void *object);
extern void swift_unownedRelease(void *object);

static inline void opencoredata_keep_memory(const void *object) { swift_unownedRetain((void *)object); }
static inline void opencoredata_release_memory(const void *object) { swift_unownedRelease((void *)object); }

/* The key of a thread-local value. Foundation's thread dictionaries cost a hundred times as much. */
typedef pthread_key_t opencoredata_thread_key;

static inline int opencoredata_make_thread_key(opencoredata_thread_key *key) { return pthread_key_create(key, 0); }

static inline const void *opencoredata_thread_value(opencoredata_thread_key key) { return pthread_getspecific(key); }

static inline void opencoredata_set_thread_value(opencoredata_thread_key key, const void *value) {
    pthread_setspecific(key, value);
}

/* An executor, in the form in which the Swift runtime passes it. */
typedef struct {
    const void *identity;
    const void *implementation;
} opencoredata_executor;

extern __attribute__((swiftcall)) opencoredata_executor swift_task_getCurrentExecutor(void);

/* Returns the executor of the actor whose code the current task runs on this thread; null without a task. */
static inline const void *opencoredata_current_executor(void) { return swift_task_getCurrentExecutor().identity; }

/* The check of the Swift runtime that code of an actor runs where it must. The runtime calls the hook, if one
   is set, before it ends the program; the default asks the executor, which ends the program. */
typedef __attribute__((swiftcall)) void (*opencoredata_isolation_default)(opencoredata_executor);
typedef __attribute__((swiftcall)) void (*opencoredata_isolation_check)(
    opencoredata_executor, opencoredata_isolation_default);

extern opencoredata_isolation_check swift_task_checkIsolated_hook;

/* Returns the key whose thread-local value is the executor that a thread passes for. Each source file that
   calls these functions has its own copy of the variable; only one file does. */
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

/* Makes each thread pass for the executor that is its value for the key. Must be called once only. */
static inline void opencoredata_pass_for_executors(opencoredata_thread_key key) {
    *opencoredata_passed_for() = key;
    *opencoredata_next_isolation_check() = swift_task_checkIsolated_hook;
    swift_task_checkIsolated_hook = opencoredata_check_isolation;
}

#endif
