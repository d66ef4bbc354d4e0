#ifndef OPENCOREDATA_RAW_SERVER_LOOPS_H
#define OPENCOREDATA_RAW_SERVER_LOOPS_H

#include <RawLoops.h>

/* A connection to a store of items in a PostgreSQL database. */
typedef struct raw_server raw_server;

/* Opens the store in a schema; returns NULL on failure. */
raw_server *raw_server_open(const char *url, const char *schema);
void raw_server_close(raw_server *server);

/* Keeps this thread off the first processor, where `Scripts/bench` has the server: otherwise one loop may share the server's
   processor by chance, and be twice as fast as another one that does not. */
void raw_server_leave_its_processor(void);

/* Runs statements in one round trip; returns false if one fails. */
bool raw_server_run(raw_server *server, const char *sql);

/* Reads every column of one row by its key, with a prepared statement; returns a checksum. */
uint64_t raw_server_fault(raw_server *server, int64_t key);
/* Reads every column of the rows with the keys in one statement; returns a checksum. */
uint64_t raw_server_faults(raw_server *server, const int64_t *keys, size_t count);
/* Reads every column of every row, as one binary result; returns a checksum. */
uint64_t raw_server_scan(raw_server *server);

/* Write items in one transaction; return false if a statement fails. Rows travel as arrays, a thousand a statement, in one
   pipeline; a single item as parameters of its own, with the mark that a save leaves, or without if it is NULL. */
bool raw_server_insert(raw_server *server, const raw_item *items, size_t count);
bool raw_server_insert_one(raw_server *server, const raw_item *item, const unsigned char *mark);
bool raw_server_update(raw_server *server, const raw_item *items, size_t count);
/* Writes items with a binary COPY. */
bool raw_server_copy(raw_server *server, const raw_item *items, size_t count);

#endif
