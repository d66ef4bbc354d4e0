#ifndef OPENCOREDATA_RAW_LOOPS_H
#define OPENCOREDATA_RAW_LOOPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A row of the benchmark's entity. */
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

/* Opens a store file with the settings that the framework uses; returns NULL on failure. The functions on items below
   need a store of items. */
raw_store *raw_open(const char *path);
void raw_close(raw_store *store);

void raw_begin(raw_store *store);
void raw_commit(raw_store *store);

/* Reads every column of one row by its key; returns a checksum. */
uint64_t raw_fault(raw_store *store, int64_t key);

/* Reads every column of every row; returns a checksum. */
uint64_t raw_scan(raw_store *store);
/* Copies every row to the heap, reads the copies and frees them; returns a checksum. */
uint64_t raw_scan_copying(raw_store *store);
/* Reads every key; returns a checksum. */
uint64_t raw_scan_keys(raw_store *store);

/* Write items in one transaction per call; return false if a statement fails. */
bool raw_insert(raw_store *store, const raw_item *items, size_t count);
bool raw_update(raw_store *store, const raw_item *items, size_t count);
bool raw_delete(raw_store *store, const raw_item *items, size_t count);

/* Runs one statement without values in a transaction of its own; returns false if it fails. */
bool raw_run(raw_store *store, const char *sql);

/* A value to bind, with SQLite's number for its type. The memory at `bytes` has to live as long as the cell is used. */
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

/* Prepares a statement; returns NULL if its syntax is wrong or it names a table that does not exist. */
raw_statement *raw_prepare(raw_store *store, const char *sql);
void raw_finalize(raw_statement *statement);

/* Run the statement once for each row of `columns` cells: in one transaction, or in a transaction for each row. */
bool raw_write(raw_statement *statement, const raw_cell *cells, size_t columns, size_t rows);
bool raw_write_each(raw_statement *statement, const raw_cell *cells, size_t columns, size_t rows);

/* Runs a query and reads every column of every row by its type; returns the number of rows, or -1 on failure. */
int64_t raw_query(raw_statement *statement, const raw_cell *cells, size_t columns);

/* A store of accounts with entries. Its connection waits for locks of other connections. */
typedef struct raw_bank raw_bank;

raw_bank *raw_open_bank(const char *path);
void raw_close_bank(raw_bank *bank);

/* Finds both accounts, and writes their new balances and an entry for each, in one transaction. */
bool raw_transfer(raw_bank *bank, const char *from, const char *to, int64_t amount);

/* Returns the sum of a field over all structs, added up `rounds` times. */
int64_t raw_sum_serials(raw_item *const *items, size_t count, size_t rounds);

/* Return nanoseconds: the processor time of this process, that of this thread, and the wall clock's time. */
uint64_t raw_process_nanoseconds(void);
uint64_t raw_thread_nanoseconds(void);
uint64_t raw_wall_nanoseconds(void);

/* Returns the number of bytes that the allocator has handed out. */
size_t raw_heap_bytes(void);

/* Gives free memory back to the system and resets the peak; returns the bytes that are still resident. */
size_t raw_begin_peak(void);
/* Returns the peak of resident bytes since the reset; 0 where the system does not tell it. */
size_t raw_peak_bytes(void);

#endif
