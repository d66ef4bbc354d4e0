#ifndef OPENCOREDATA_CLIBPQ_SHIM_H
#define OPENCOREDATA_CLIBPQ_SHIM_H

#include <libpq-fe.h>

/* Where a cell of a result lies; without an address for null. */
struct opencoredata_cell {
    const void *start;
    int length;
};

/* Notes where the cells of a row lie: one call a row instead of three a cell. */
static inline void opencoredata_cells(const PGresult *result, int row, int count, struct opencoredata_cell *cells) {
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

/* Discards the notices of the server, which libpq would print. */
static inline void opencoredata_ignore_notice(void *context, const PGresult *result) {
    (void)context;
    (void)result;
}
static inline void opencoredata_ignore_notices(PGconn *connection) {
    PQsetNoticeReceiver(connection, opencoredata_ignore_notice, (void *)0);
}

#endif
