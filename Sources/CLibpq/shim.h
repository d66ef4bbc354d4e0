#ifndef OPENCOREDATA_CLIBPQ_SHIM_H
#define OPENCOREDATA_CLIBPQ_SHIM_H

#include <arpa/inet.h>
#include <libpq-fe.h>
#include <stdint.h>
#include <string.h>

/* The place of a cell of a result in memory, and its length; without an address if the cell is null. */
struct opencoredata_cell {
    const void *start;
    int length;
};

/* Writes the places of a row's cells: one call per row instead of three per cell. */
static inline void opencoredata_cells(
    const PGresult *result, int row, int count, struct opencoredata_cell *cells) {
    for (int column = 0; column < count; column++) {
        if (PQgetisnull(result, row, column)) {
            cells[column].start = (void *)0;
            cells[column].length = 0;
        } else {
            cells[column].start = PQgetvalue(result, row, column);
            cells[column].length = PQgetlength(result, row, column);
        }
    }
}

/* Has the rows of the present query arrive in parts, so that memory does not grow with the result. A part
   has many rows if libpq can do that, otherwise one. */
static inline int opencoredata_stream_rows(PGconn *connection) {
#ifdef LIBPQ_HAS_CHUNK_MODE
    return PQsetChunkedRowsMode(connection, 256);
#else
    return PQsetSingleRowMode(connection);
#endif
}

/* Returns whether a result is such a part. */
static inline int opencoredata_is_part(const PGresult *result) {
    ExecStatusType status = PQresultStatus(result);
#ifdef LIBPQ_HAS_CHUNK_MODE
    if (status == PGRES_TUPLES_CHUNK) return 1;
#endif
    return status == PGRES_SINGLE_TUPLE;
}

/* Finds the places of the cells of a row that a binary COPY has sent. Returns 1 for a row, 0 for the end, and -1 if the
   bytes are not a row of so many columns. */
static inline int opencoredata_copied_cells(
    const char *bytes, int length, int is_first, int count, struct opencoredata_cell *cells) {
    const char *end = bytes + length;
    uint16_t columns;
    uint32_t size;
    /* A signature, flags, and the length of more that may follow. */
    if (is_first) {
        if (length < 19) return -1;
        memcpy(&size, bytes + 15, sizeof size);
        bytes += 19 + ntohl(size);
        if (bytes == end) return -1;
    }
    if (end - bytes < 2) return -1;
    memcpy(&columns, bytes, sizeof columns);
    bytes += 2;
    if (columns == 0xffff) return 0;
    if (ntohs(columns) != count) return -1;
    for (int column = 0; column < count; column++) {
        if (end - bytes < 4) return -1;
        memcpy(&size, bytes, sizeof size);
        bytes += 4;
        int32_t bytes_of_cell = (int32_t)ntohl(size);
        cells[column].start = bytes_of_cell < 0 ? (void *)0 : bytes;
        cells[column].length = bytes_of_cell < 0 ? 0 : bytes_of_cell;
        if (bytes_of_cell > end - bytes) return -1;
        bytes += cells[column].length;
    }
    return 1;
}

/* Takes the notices of the server, which libpq would print. An error that ends the session while no statement
   runs arrives as a notice, too, and sets the flag. */
static inline void opencoredata_take_notice(void *flag, const PGresult *result) {
    const char *severity = PQresultErrorField(result, PG_DIAG_SEVERITY_NONLOCALIZED);
    if (severity && (!strcmp(severity, "FATAL") || !strcmp(severity, "PANIC"))) *(int *)flag = 1;
}
static inline void opencoredata_take_notices(PGconn *connection, int *flag) {
    PQsetNoticeReceiver(connection, opencoredata_take_notice, flag);
}

#endif
