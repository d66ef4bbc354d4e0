#define _GNU_SOURCE
#include "interposer.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static char folder[PATH_MAX];
static size_t folder_length;
static enum interposer_fault fault;
static int number, failure, holding = -1, released = -1;
static atomic_int count;
static atomic_bool armed;

/* The C library's own function. */
#define REAL(name)                                                        \
    static __typeof__(name) *real;                                        \
    if (!real) real = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)

static ssize_t real_write(int descriptor, const void *bytes, size_t size) {
    REAL(write);
    return real(descriptor, bytes, size);
}

void interposer_arm(const char *path, enum interposer_fault what, int call, int error, int hold, int release) {
    snprintf(folder, sizeof folder, "%s/", path);
    folder_length = strlen(folder);
    fault = what;
    number = call;
    failure = error;
    holding = hold;
    released = release;
    atomic_store(&count, 0);
    atomic_store(&armed, true);
}

void interposer_disarm(void) { atomic_store(&armed, false); }
int interposer_count(void) { return atomic_load(&count); }
int interposer_fork(void) { return fork(); }
void interposer_exit(int code) { _exit(code); }

/* MARK: What counts */

static bool is_below(const char *path) { return strncmp(path, folder, folder_length) == 0; }

static bool is_folder(const char *path) {
    return strlen(path) == folder_length - 1 && strncmp(path, folder, folder_length - 1) == 0;
}

static bool path_of(int descriptor, char *path) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, path, PATH_MAX - 1);
    if (length < 0) return false;
    path[length] = 0;
    return true;
}

/* What a call meets. */
enum verdict { pass, refuse, halfway };

static enum verdict judge(bool takes_room) {
    int call = atomic_fetch_add(&count, 1) + 1;
    if (fault == interposer_none || call < number) return pass;
    if (fault == interposer_fill) return takes_room ? refuse : pass;
    if (call > number) return pass;
    switch (fault) {
    case interposer_die: _exit(interposer_died);
    case interposer_die_halfway: return halfway;
    case interposer_hold: {
        char byte = 0;
        real_write(holding, &byte, 1);
        while (read(released, &byte, 1) < 0 && errno == EINTR) {}
        return pass;
    }
    default: return refuse;
    }
}

static enum verdict at_path(int base, const char *path, bool takes_room) {
    if (!atomic_load(&armed) || !path) return pass;
    int error = errno;
    char whole[PATH_MAX * 2];
    bool is_inside = false;
    if (path[0] == '/') {
        is_inside = is_below(path);
    } else {
        char parent[PATH_MAX];
        bool known = base == AT_FDCWD ? getcwd(parent, sizeof parent) != NULL : path_of(base, parent);
        if (known) {
            snprintf(whole, sizeof whole, "%s/%s", parent, path);
            is_inside = is_below(whole);
        }
    }
    enum verdict verdict = is_inside ? judge(takes_room) : pass;
    if (verdict == halfway) _exit(interposer_died);
    errno = error;
    return verdict;
}

static enum verdict at_descriptor(int descriptor, bool takes_room) {
    if (!atomic_load(&armed)) return pass;
    int error = errno;
    char path[PATH_MAX];
    bool is_inside = path_of(descriptor, path) && (is_below(path) || is_folder(path));
    enum verdict verdict = is_inside ? judge(takes_room) : pass;
    errno = error;
    return verdict;
}

static int refused(void) {
    errno = failure;
    return -1;
}

#define AT_DESCRIPTOR(name, takes_room, descriptor, ...)                  \
    REAL(name);                                                           \
    switch (at_descriptor(descriptor, takes_room)) {                                  \
    case refuse: return refused();                                        \
    case halfway: _exit(interposer_died);                                 \
    default: return real(__VA_ARGS__);                                    \
    }

#define AT_PATH(name, takes_room, base, path, ...)                        \
    REAL(name);                                                           \
    return at_path(base, path, takes_room) == refuse ? refused() : real(__VA_ARGS__)

/* MARK: Writes */

#define WRITE(name, call_whole, call_half)                                \
    REAL(name);                                                           \
    switch (at_descriptor(descriptor, true)) {                            \
    case refuse: return refused();                                        \
    case halfway: call_half; _exit(interposer_died);                      \
    default: return call_whole;                                           \
    }

ssize_t write(int descriptor, const void *bytes, size_t size) {
    WRITE(write, real(descriptor, bytes, size), real(descriptor, bytes, size / 2))
}

ssize_t pwrite(int descriptor, const void *bytes, size_t size, off_t offset) {
    WRITE(pwrite, real(descriptor, bytes, size, offset), real(descriptor, bytes, size / 2, offset))
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t size, off64_t offset) {
    WRITE(pwrite64, real(descriptor, bytes, size, offset), real(descriptor, bytes, size / 2, offset))
}

ssize_t writev(int descriptor, const struct iovec *parts, int parts_count) {
    WRITE(writev, real(descriptor, parts, parts_count), real(descriptor, parts, parts_count / 2))
}

ssize_t copy_file_range(
    int source, off64_t *source_offset, int descriptor, off64_t *offset, size_t size, unsigned flags) {
    WRITE(copy_file_range, real(source, source_offset, descriptor, offset, size, flags),
          real(source, source_offset, descriptor, offset, size / 2, flags))
}

ssize_t sendfile(int descriptor, int source, off_t *offset, size_t size);
ssize_t sendfile(int descriptor, int source, off_t *offset, size_t size) {
    WRITE(sendfile, real(descriptor, source, offset, size), real(descriptor, source, offset, size / 2))
}

int ftruncate(int descriptor, off_t size) { AT_DESCRIPTOR(ftruncate, true, descriptor, descriptor, size) }
int ftruncate64(int descriptor, off64_t size) { AT_DESCRIPTOR(ftruncate64, true, descriptor, descriptor, size) }
int truncate(const char *path, off_t size) { AT_PATH(truncate, true, AT_FDCWD, path, path, size); }

/* posix_fallocate hands its error back. */
int posix_fallocate(int descriptor, off_t offset, off_t size) {
    REAL(posix_fallocate);
    switch (at_descriptor(descriptor, true)) {
    case refuse: return failure;
    case halfway: _exit(interposer_died);
    default: return real(descriptor, offset, size);
    }
}

int fsync(int descriptor) { AT_DESCRIPTOR(fsync, true, descriptor, descriptor) }
int fdatasync(int descriptor) { AT_DESCRIPTOR(fdatasync, true, descriptor, descriptor) }

/* MARK: Locks */

int flock(int descriptor, int operation) {
    REAL(flock);
    if (operation & LOCK_UN) return real(descriptor, operation);
    switch (at_descriptor(descriptor, false)) {
    case refuse: return refused();
    case halfway: _exit(interposer_died);
    default: return real(descriptor, operation);
    }
}

static bool is_lock(int command, void *argument) {
    return (command == F_SETLK || command == F_SETLKW || command == F_OFD_SETLK || command == F_OFD_SETLKW)
        && ((struct flock *)argument)->l_type != F_UNLCK;
}

#define FCNTL(name)                                                       \
    int name(int descriptor, int command, ...) {                          \
        REAL(name);                                                       \
        va_list arguments;                                                \
        va_start(arguments, command);                                     \
        void *argument = va_arg(arguments, void *);                       \
        va_end(arguments);                                                \
        if (is_lock(command, argument)) {                                 \
            switch (at_descriptor(descriptor, false)) {                   \
            case refuse: return refused();                                \
            case halfway: _exit(interposer_died);                         \
            default: break;                                               \
            }                                                             \
        }                                                                 \
        return real(descriptor, command, argument);                       \
    }

FCNTL(fcntl)
FCNTL(fcntl64)

/* MARK: Names */

static bool exists(int base, const char *path) {
    int error = errno;
    bool result = path && faccessat(base, path, F_OK, 0) == 0;
    errno = error;
    return result;
}

#define OPEN(name)                                                        \
    int name(const char *path, int flags, ...) {                          \
        REAL(name);                                                       \
        mode_t mode = 0;                                                  \
        if (flags & (O_CREAT | __O_TMPFILE)) {                            \
            va_list arguments;                                            \
            va_start(arguments, flags);                                   \
            mode = va_arg(arguments, mode_t);                             \
            va_end(arguments);                                            \
        }                                                                 \
        if (flags & (O_CREAT | O_TRUNC) && at_path(AT_FDCWD, path, !exists(AT_FDCWD, path)) == refuse) \
            return refused();                                             \
        return real(path, flags, mode);                                   \
    }

#define OPENAT(name)                                                      \
    int name(int base, const char *path, int flags, ...) {                \
        REAL(name);                                                       \
        mode_t mode = 0;                                                  \
        if (flags & (O_CREAT | __O_TMPFILE)) {                            \
            va_list arguments;                                            \
            va_start(arguments, flags);                                   \
            mode = va_arg(arguments, mode_t);                             \
            va_end(arguments);                                            \
        }                                                                 \
        if (flags & (O_CREAT | O_TRUNC) && at_path(base, path, !exists(base, path)) == refuse) \
            return refused();                                             \
        return real(base, path, flags, mode);                             \
    }

OPEN(open)
OPEN(open64)
OPENAT(openat)
OPENAT(openat64)

int mkstemp(char *pattern);
int mkstemp(char *pattern) { AT_PATH(mkstemp, true, AT_FDCWD, pattern, pattern); }
int mkstemp64(char *pattern);
int mkstemp64(char *pattern) { AT_PATH(mkstemp64, true, AT_FDCWD, pattern, pattern); }
int mkostemp(char *pattern, int flags);
int mkostemp(char *pattern, int flags) { AT_PATH(mkostemp, true, AT_FDCWD, pattern, pattern, flags); }

int rename(const char *former, const char *path) { AT_PATH(rename, true, AT_FDCWD, path, former, path); }
int renameat(int former_base, const char *former, int base, const char *path) {
    AT_PATH(renameat, true, base, path, former_base, former, base, path);
}
int link(const char *former, const char *path) { AT_PATH(link, true, AT_FDCWD, path, former, path); }
int linkat(int former_base, const char *former, int base, const char *path, int flags) {
    AT_PATH(linkat, true, base, path, former_base, former, base, path, flags);
}
int symlink(const char *target, const char *path) { AT_PATH(symlink, true, AT_FDCWD, path, target, path); }
int unlink(const char *path) { AT_PATH(unlink, false, AT_FDCWD, path, path); }
int unlinkat(int base, const char *path, int flags) { AT_PATH(unlinkat, false, base, path, base, path, flags); }
int remove(const char *path) { AT_PATH(remove, false, AT_FDCWD, path, path); }
int rmdir(const char *path) { AT_PATH(rmdir, false, AT_FDCWD, path, path); }
int mkdir(const char *path, mode_t mode) { AT_PATH(mkdir, true, AT_FDCWD, path, path, mode); }
int mkdirat(int base, const char *path, mode_t mode) { AT_PATH(mkdirat, true, base, path, base, path, mode); }
int chmod(const char *path, mode_t mode) { AT_PATH(chmod, false, AT_FDCWD, path, path, mode); }
int fchmod(int descriptor, mode_t mode) { AT_DESCRIPTOR(fchmod, false, descriptor, descriptor, mode) }
