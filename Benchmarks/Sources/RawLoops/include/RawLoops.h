#ifndef OPENCOREDATA_RAW_LOOPS_H
#define OPENCOREDATA_RAW_LOOPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One row of the benchmark's entity. */
typedef struct {
    int64_t key;
    int64_t rank;
    int64_t quantity;
    int64_t serial;
    double ratio;
    double weight;
    double created;
    int64_t is_active;
    const char *code;
    const char *city;
    const char *note;
} raw_item;

typedef struct raw_store raw_store;

/* Opens a store file with the settings the framework uses; NULL if it cannot. What is said of items below needs a store of
   items. */
raw_store *raw_open(const char *path);
void raw_close(raw_store *store);

void raw_begin(raw_store *store);
void raw_commit(raw_store *store);

/* Reads one row by its key, every column; returns a checksum. */
uint64_t raw_fault(raw_store *store, int64_t key);

/* Reads every row and column; returns a checksum. */
uint64_t raw_scan(raw_store *store);
/* The same, but copies every row to the heap, reads the copies and frees them. */
uint64_t raw_scan_copying(raw_store *store);
/* Reads every key. */
uint64_t raw_scan_keys(raw_store *store);

/* One transaction each; false if a statement fails. */
bool raw_insert(raw_store *store, const raw_item *items, size_t count);
bool raw_update(raw_store *store, const raw_item *items, size_t count);
bool raw_delete(raw_store *store, const raw_item *items, size_t count);

/* Runs one statement without values in a transaction of its own. */
bool raw_run(raw_store *store, const char *sql);

/* A value to bind, by SQLite's own type numbers. What `bytes` points to has to live as long as it is used. */
typedef struct {
    int type;
    int byte_count;
    union {
        int64_t integer;
        double real;
        const void *bytes;
    };
} raw_cell;

typedef struct raw_statement raw_statement;

/* NULL if SQLite does not understand the statement, or it belongs to a table that is not there. */
raw_statement *raw_prepare(raw_store *store, const char *sql);
void raw_finalize(raw_statement *statement);

/* Runs the statement once for each row of `columns` cells: in one transaction, or each in its own. */
bool raw_write(raw_statement *statement, const raw_cell *cells, size_t columns, size_t rows);
bool raw_write_each(raw_statement *statement, const raw_cell *cells, size_t columns, size_t rows);

/* Runs a query and reads every column of every row, each as what it is; the number of rows, -1 for a failure. */
int64_t raw_query(raw_statement *statement, const raw_cell *cells, size_t columns);

/* A store of accounts with entries. Its connection waits for others. */
typedef struct raw_bank raw_bank;

raw_bank *raw_open_bank(const char *path);
void raw_close_bank(raw_bank *bank);

/* In one transaction: looks for both accounts, writes their new balances and an entry for each. */
bool raw_transfer(raw_bank *bank, const char *from, const char *to, int64_t amount);

/* Sums a field of every struct, `rounds` times. */
int64_t raw_sum_serials(raw_item *const *items, size_t count, size_t rounds);

/* Nanoseconds of processor time of this process and of this thread, and of the wall clock. */
uint64_t raw_process_nanoseconds(void);
uint64_t raw_thread_nanoseconds(void);
uint64_t raw_wall_nanoseconds(void);

/* Bytes the allocator has handed out. */
size_t raw_heap_bytes(void);

/* Gives what is free back to the system and forgets earlier peaks; the resident bytes that are left. */
size_t raw_begin_peak(void);
/* The most bytes that were resident since. 0 where the system does not tell. */
size_t raw_peak_bytes(void);

#endif
