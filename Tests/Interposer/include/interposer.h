#ifndef INTERPOSER_H
#define INTERPOSER_H

/*
 * Stands between a program and the system calls that change files: what is linked into an executable is found before the C
 * library's own, by every library that the program loads. A call counts if it concerns a file below one folder. Until a
 * folder is named nothing counts, and everything goes through.
 */

/* What happens at the call with the number that was asked for, counted from 1. */
enum interposer_fault {
    /* Nothing: calls are counted. */
    interposer_none,
    /* The process ends before the call. */
    interposer_die,
    /* The process ends when half of the bytes are written; other calls than writes are as with `interposer_die`. */
    interposer_die_halfway,
    /* The call fails, once. */
    interposer_fail,
    /* The disk is full from the call on: every call fails that takes room; locks and removals succeed. */
    interposer_fill,
    /* The process waits before the call until somebody lets it go on. */
    interposer_hold,
};

/* The exit code of a process that has come to its end as asked. */
enum { interposer_died = 99 };

/*
 * Counts from now on.
 *
 * error: what a failing call leaves in errno.
 * holding, released: file descriptors; a byte is written to the first when the process waits, and it goes on when one can
 * be read from the second.
 */
void interposer_arm(const char *folder, enum interposer_fault fault, int number, int error, int holding, int released);

/* Lets everything through again. */
void interposer_disarm(void);

/* How many calls have counted. */
int interposer_count(void);

/* Starts a copy of this process, which must have one thread. As fork(2). */
int interposer_fork(void);

/* Ends the process at once, without any of its last words. */
void interposer_exit(int code) __attribute__((noreturn));

#endif
