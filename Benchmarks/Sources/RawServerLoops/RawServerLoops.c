/* For the sets of processors. */
#define _GNU_SOURCE

#include "RawServerLoops.h"

#include <arpa/inet.h>
#include <endian.h>
#include <postgresql/libpq-fe.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COLUMNS "ZRANK, ZQUANTITY, ZSERIAL, ZRATIO, ZWEIGHT, ZCREATED, ZISACTIVE, ZCODE, ZCITY, ZNOTE"
#define ROW "SELECT Z_PK, Z_ENT, Z_OPT, " COLUMNS " FROM ZITEM"
#define CHUNK 1000

enum { BYTES = 17, INT8 = 20, INT2 = 21, TEXT = 25, FLOAT8 = 701, UUID = 2950, INT8_ARRAY = 1016, INT2_ARRAY = 1005,
       TEXT_ARRAY = 1009, FLOAT8_ARRAY = 1022 };

struct raw_server {
    PGconn *connection;
};

void raw_server_leave_its_processor(void) {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 1) {
        CPU_CLR(0, &set);
        sched_setaffinity(0, sizeof set, &set);
    }
}

/* Makes a prepared statement. */
static bool prepare(PGconn *connection, const char *name, const char *sql, int count, const Oid *types) {
    PGresult *result = PQprepare(connection, name, sql, count, types);
    bool done = PQresultStatus(result) == PGRES_COMMAND_OK;
    PQclear(result);
    return done;
}

raw_server *raw_server_open(const char *url, const char *schema) {
    raw_server *server = calloc(1, sizeof *server);
    server->connection = PQconnectdb(url);
    char path[256];
    snprintf(path, sizeof path, "SET search_path TO \"%s\"", schema);
    const Oid mark[] = {UUID}, key[] = {INT8}, keys[] = {INT8_ARRAY}, updates[] = {INT8_ARRAY, INT8_ARRAY, INT8_ARRAY};
    const Oid cells[] = {INT8, INT8, INT8, INT8, FLOAT8, FLOAT8, FLOAT8, INT2, TEXT, TEXT, TEXT};
    const Oid columns[] = {INT8_ARRAY,   INT8_ARRAY,   INT8_ARRAY, INT8_ARRAY, FLOAT8_ARRAY, FLOAT8_ARRAY,
                           FLOAT8_ARRAY, INT2_ARRAY, TEXT_ARRAY, TEXT_ARRAY,   TEXT_ARRAY};
    PGconn *c = server->connection;
    if (PQstatus(c) == CONNECTION_OK && raw_server_run(server, path)
        && prepare(c, "row", ROW " WHERE Z_PK = $1", 1, key)
        && prepare(c, "rows", ROW " WHERE Z_PK = ANY($1)", 1, keys) && prepare(c, "scan", ROW, 0, NULL)
        && prepare(c, "one",
                   "INSERT INTO ZITEM (Z_ENT, Z_OPT, Z_PK, " COLUMNS
                   ") VALUES (1, 1, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
                   11, cells)
        && prepare(c, "mark", "INSERT INTO Z_SAVES (MARK) VALUES ($1)", 1, mark)
        && prepare(c, "insert",
                   "INSERT INTO ZITEM (Z_ENT, Z_OPT, Z_PK, " COLUMNS
                   ") SELECT 1, 1, * FROM unnest($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
                   11, columns)
        && prepare(c, "update",
                   "UPDATE ZITEM AS t SET ZQUANTITY = v.q, Z_OPT = v.o + 1 FROM unnest($1, $2, $3) AS v (k, o, q) "
                   "WHERE t.Z_PK = v.k AND t.Z_OPT = v.o",
                   3, updates))
        return server;
    raw_server_close(server);
    return NULL;
}

void raw_server_close(raw_server *server) {
    PQfinish(server->connection);
    free(server);
}

bool raw_server_run(raw_server *server, const char *sql) {
    PGresult *result = PQexec(server->connection, sql);
    ExecStatusType status = PQresultStatus(result);
    PQclear(result);
    return status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK;
}

/* MARK: Reading */

static uint64_t integer(const PGresult *result, int row, int column) {
    uint64_t bits;
    memcpy(&bits, PQgetvalue(result, row, column), sizeof bits);
    return be64toh(bits);
}

static double real(const PGresult *result, int row, int column) {
    uint64_t bits = integer(result, row, column);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint64_t touch(const PGresult *result, int row) {
    uint64_t sum = 0;
    for (int column = 0; column < 6; column++) sum += integer(result, row, column);
    for (int column = 6; column < 9; column++) sum += (uint64_t)real(result, row, column);
    uint16_t flag;
    memcpy(&flag, PQgetvalue(result, row, 9), sizeof flag);
    sum += ntohs(flag);
    for (int column = 10; column < 13; column++) {
        const char *text = PQgetvalue(result, row, column);
        int count = PQgetlength(result, row, column);
        if (count > 0) sum += (unsigned char)text[0] + (unsigned char)text[count - 1];
    }
    return sum;
}

/* Reads every row of a result, and frees it. */
static uint64_t consume(PGresult *result) {
    uint64_t sum = 0;
    int rows = PQntuples(result);
    for (int row = 0; row < rows; row++) sum += touch(result, row);
    PQclear(result);
    return sum;
}

uint64_t raw_server_fault(raw_server *server, int64_t key) {
    uint64_t bits = htobe64((uint64_t)key);
    const char *values[] = {(const char *)&bits};
    const int lengths[] = {8}, formats[] = {1};
    return consume(PQexecPrepared(server->connection, "row", 1, values, lengths, formats, 1));
}

uint64_t raw_server_scan(raw_server *server) {
    return consume(PQexecPrepared(server->connection, "scan", 0, NULL, NULL, NULL, 1));
}

/* MARK: Writing */

typedef struct {
    char *bytes;
    size_t count, capacity;
} buffer;

static void append(buffer *buffer, const void *bytes, size_t count) {
    if (buffer->count + count > buffer->capacity) {
        buffer->capacity = 2 * (buffer->capacity + count);
        buffer->bytes = realloc(buffer->bytes, buffer->capacity);
    }
    memcpy(buffer->bytes + buffer->count, bytes, count);
    buffer->count += count;
}

static void append16(buffer *buffer, uint16_t value) {
    value = htons(value);
    append(buffer, &value, sizeof value);
}

static void append32(buffer *buffer, uint32_t value) {
    value = htonl(value);
    append(buffer, &value, sizeof value);
}

static void append64(buffer *buffer, uint64_t value) {
    value = htobe64(value);
    append(buffer, &value, sizeof value);
}

/* Appends a value with its length before it. */
static void append_cell(buffer *buffer, const raw_item *item, int column) {
    const int64_t integers[] = {item->key, item->rank, item->quantity, item->serial};
    const double reals[] = {item->ratio, item->weight, item->created};
    const char *texts[] = {item->code, item->city, item->note};
    if (column < 4) {
        append32(buffer, 8);
        append64(buffer, (uint64_t)integers[column]);
    } else if (column < 7) {
        uint64_t bits;
        memcpy(&bits, &reals[column - 4], sizeof bits);
        append32(buffer, 8);
        append64(buffer, bits);
    } else if (column == 7) {
        append32(buffer, 2);
        append16(buffer, (uint16_t)item->is_active);
    } else {
        size_t count = strlen(texts[column - 8]);
        append32(buffer, (uint32_t)count);
        append(buffer, texts[column - 8], count);
    }
}

static void begin_array(buffer *buffer, Oid type, size_t count) {
    buffer->count = 0;
    append32(buffer, 1);
    append32(buffer, 0);
    append32(buffer, type);
    append32(buffer, (uint32_t)count);
    append32(buffer, 1);
}

uint64_t raw_server_faults(raw_server *server, const int64_t *keys, size_t count) {
    buffer array = {0};
    begin_array(&array, INT8, count);
    for (size_t i = 0; i < count; i++) {
        append32(&array, 8);
        append64(&array, (uint64_t)keys[i]);
    }
    const char *values[] = {array.bytes};
    const int lengths[] = {(int)array.count}, formats[] = {1};
    uint64_t sum = consume(PQexecPrepared(server->connection, "rows", 1, values, lengths, formats, 1));
    free(array.bytes);
    return sum;
}

/* Sends the end of a pipeline, and reads all answers; returns whether all statements succeeded. */
static bool finish(PGconn *connection) {
    bool done = PQpipelineSync(connection);
    for (;;) {
        PGresult *result = PQgetResult(connection);
        if (!result) continue;
        ExecStatusType status = PQresultStatus(result);
        PQclear(result);
        if (status == PGRES_PIPELINE_SYNC) break;
        if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK) done = false;
        if (PQstatus(connection) != CONNECTION_OK) return false;
    }
    PQexitPipelineMode(connection);
    return done;
}

static void begin(PGconn *connection) {
    PQenterPipelineMode(connection);
    PQsendQueryParams(connection, "BEGIN", 0, NULL, NULL, NULL, NULL, 1);
}

static bool commit(PGconn *connection) {
    PQsendQueryParams(connection, "COMMIT", 0, NULL, NULL, NULL, NULL, 1);
    return finish(connection);
}

static void send_prepared(PGconn *connection, const char *name, const buffer *buffers, int count) {
    const char *values[11];
    int lengths[11], formats[11];
    for (int i = 0; i < count; i++) {
        values[i] = buffers[i].bytes;
        lengths[i] = (int)buffers[i].count;
        formats[i] = 1;
    }
    PQsendQueryPrepared(connection, name, count, values, lengths, formats, 1);
}

static void release(buffer *buffers, int count) {
    for (int i = 0; i < count; i++) free(buffers[i].bytes);
}

bool raw_server_insert(raw_server *server, const raw_item *items, size_t count) {
    static const Oid types[] = {INT8, INT8, INT8, INT8, FLOAT8, FLOAT8, FLOAT8, INT2, TEXT, TEXT, TEXT};
    buffer columns[11] = {0};
    begin(server->connection);
    for (size_t start = 0; start < count; start += CHUNK) {
        size_t end = start + CHUNK < count ? start + CHUNK : count;
        for (int column = 0; column < 11; column++) {
            begin_array(&columns[column], types[column], end - start);
            for (size_t i = start; i < end; i++) append_cell(&columns[column], &items[i], column);
        }
        send_prepared(server->connection, "insert", columns, 11);
    }
    release(columns, 11);
    return commit(server->connection);
}

bool raw_server_insert_one(raw_server *server, const raw_item *item, const unsigned char *mark) {
    buffer cells[11] = {0};
    begin(server->connection);
    const char *values[11];
    int lengths[11], formats[11];
    for (int column = 0; column < 11; column++) {
        append_cell(&cells[column], item, column);
        values[column] = cells[column].bytes + 4;
        lengths[column] = (int)cells[column].count - 4;
        formats[column] = 1;
    }
    PQsendQueryPrepared(server->connection, "one", 11, values, lengths, formats, 1);
    release(cells, 11);
    if (mark) {
        const char *value = (const char *)mark;
        int length = 16;
        PQsendQueryPrepared(server->connection, "mark", 1, &value, &length, formats, 1);
    }
    return commit(server->connection);
}

bool raw_server_update(raw_server *server, const raw_item *items, size_t count) {
    buffer columns[3] = {0};
    begin(server->connection);
    for (size_t start = 0; start < count; start += CHUNK) {
        size_t end = start + CHUNK < count ? start + CHUNK : count;
        for (int column = 0; column < 3; column++) begin_array(&columns[column], INT8, end - start);
        for (size_t i = start; i < end; i++) {
            const int64_t cells[] = {items[i].key, 1, items[i].quantity + 1};
            for (int column = 0; column < 3; column++) {
                append32(&columns[column], 8);
                append64(&columns[column], (uint64_t)cells[column]);
            }
        }
        send_prepared(server->connection, "update", columns, 3);
    }
    release(columns, 3);
    return commit(server->connection);
}

bool raw_server_copy(raw_server *server, const raw_item *items, size_t count) {
    static const char head[] = "PGCOPY\n\377\r\n\0\0\0\0\0\0\0\0\0";
    if (PQresultStatus(PQexec(server->connection, "COPY ZITEM (Z_ENT, Z_OPT, Z_PK, " COLUMNS
                                                  ") FROM STDIN (FORMAT binary)"))
        != PGRES_COPY_IN)
        return false;
    buffer rows = {0};
    append(&rows, head, 19);
    for (size_t i = 0; i < count; i++) {
        append16(&rows, 13);
        for (int column = 0; column < 2; column++) {
            append32(&rows, 8);
            append64(&rows, 1);
        }
        for (int column = 0; column < 11; column++) append_cell(&rows, &items[i], column);
        if (rows.count > 64 << 10) {
            if (PQputCopyData(server->connection, rows.bytes, (int)rows.count) != 1) return false;
            rows.count = 0;
        }
    }
    append16(&rows, 0xffff);
    bool done = PQputCopyData(server->connection, rows.bytes, (int)rows.count) == 1
                && PQputCopyEnd(server->connection, NULL) == 1;
    free(rows.bytes);
    for (PGresult *result; (result = PQgetResult(server->connection));) {
        done = done && PQresultStatus(result) == PGRES_COMMAND_OK;
        PQclear(result);
    }
    return done;
}
