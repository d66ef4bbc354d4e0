#include "RawLoops.h"

#include <malloc.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define COLUMNS "ZRANK, ZQUANTITY, ZSERIAL, ZRATIO, ZWEIGHT, ZCREATED, ZISACTIVE, ZCODE, ZCITY, ZNOTE"

struct raw_store {
    sqlite3 *database;
    sqlite3_stmt *begin, *begin_immediate, *commit, *row, *rows, *keys, *insert, *update, *remove;
};

static sqlite3_stmt *prepare(sqlite3 *database, const char *sql) {
    sqlite3_stmt *statement = NULL;
    sqlite3_prepare_v3(database, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL);
    return statement;
}

/* Opens a connection for one thread with the settings that stores have; returns NULL on failure. */
static sqlite3 *open_database(const char *path) {
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX;
    sqlite3 *database = NULL;
    if (sqlite3_open_v2(path, &database, flags, NULL) != SQLITE_OK) {
        sqlite3_close(database);
        return NULL;
    }
    sqlite3_exec(
        database, "PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 10000", NULL, NULL, NULL);
    return database;
}

raw_store *raw_open(const char *path) {
    sqlite3 *database = open_database(path);
    if (!database) return NULL;
    raw_store *store = calloc(1, sizeof *store);
    store->database = database;
    store->begin = prepare(database, "BEGIN");
    store->begin_immediate = prepare(database, "BEGIN IMMEDIATE");
    store->commit = prepare(database, "COMMIT");
    store->row = prepare(database, "SELECT Z_PK, Z_ENT, Z_OPT, " COLUMNS " FROM ZITEM WHERE Z_PK = ?");
    store->rows = prepare(database, "SELECT Z_PK, Z_ENT, Z_OPT, " COLUMNS " FROM ZITEM");
    store->keys = prepare(database, "SELECT Z_PK FROM ZITEM");
    store->insert = prepare(
        database, "INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, " COLUMNS ") "
                  "VALUES (?, 1, 1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    store->update = prepare(
        database, "UPDATE ZITEM SET ZQUANTITY = ?, Z_OPT = Z_OPT + 1 WHERE Z_PK = ? AND Z_OPT = 1");
    store->remove = prepare(database, "DELETE FROM ZITEM WHERE Z_PK = ? AND Z_OPT = 1");
    return store;
}

void raw_close(raw_store *store) {
    sqlite3_stmt *statements[] = {store->begin, store->begin_immediate, store->commit, store->row,   store->rows,
                                  store->keys,  store->insert,          store->update, store->remove};
    for (size_t i = 0; i < sizeof statements / sizeof *statements; i++) sqlite3_finalize(statements[i]);
    sqlite3_close(store->database);
    free(store);
}

static bool run(sqlite3_stmt *statement) {
    int code = sqlite3_step(statement);
    sqlite3_reset(statement);
    return code == SQLITE_DONE;
}

void raw_begin(raw_store *store) { run(store->begin); }
void raw_commit(raw_store *store) { run(store->commit); }

/* MARK: Reading */

static uint64_t touch(sqlite3_stmt *statement) {
    uint64_t sum = 0;
    for (int column = 0; column < 6; column++) sum += (uint64_t)sqlite3_column_int64(statement, column);
    for (int column = 6; column < 9; column++) sum += (uint64_t)sqlite3_column_double(statement, column);
    sum += (uint64_t)sqlite3_column_int64(statement, 9);
    for (int column = 10; column < 13; column++) {
        const unsigned char *text = sqlite3_column_text(statement, column);
        int count = sqlite3_column_bytes(statement, column);
        if (count > 0) sum += text[0] + text[count - 1];
    }
    return sum;
}

uint64_t raw_fault(raw_store *store, int64_t key) {
    uint64_t sum = 0;
    sqlite3_bind_int64(store->row, 1, key);
    if (sqlite3_step(store->row) == SQLITE_ROW) sum = touch(store->row);
    sqlite3_reset(store->row);
    return sum;
}

uint64_t raw_scan(raw_store *store) {
    uint64_t sum = 0;
    while (sqlite3_step(store->rows) == SQLITE_ROW) sum += touch(store->rows);
    sqlite3_reset(store->rows);
    return sum;
}

uint64_t raw_scan_keys(raw_store *store) {
    uint64_t sum = 0;
    while (sqlite3_step(store->keys) == SQLITE_ROW) sum += (uint64_t)sqlite3_column_int64(store->keys, 0);
    sqlite3_reset(store->keys);
    return sum;
}

static char *copy_text(sqlite3_stmt *statement, int column) {
    const unsigned char *text = sqlite3_column_text(statement, column);
    size_t count = (size_t)sqlite3_column_bytes(statement, column);
    char *copy = malloc(count + 1);
    if (count > 0) memcpy(copy, text, count);
    copy[count] = 0;
    return copy;
}

static raw_item *copy_row(sqlite3_stmt *statement) {
    raw_item *item = malloc(sizeof *item);
    item->key = sqlite3_column_int64(statement, 0) + sqlite3_column_int64(statement, 1)
                + sqlite3_column_int64(statement, 2);
    item->rank = sqlite3_column_int64(statement, 3);
    item->quantity = sqlite3_column_int64(statement, 4);
    item->serial = sqlite3_column_int64(statement, 5);
    item->ratio = sqlite3_column_double(statement, 6);
    item->weight = sqlite3_column_double(statement, 7);
    item->created = sqlite3_column_double(statement, 8);
    item->is_active = sqlite3_column_int64(statement, 9);
    item->code = copy_text(statement, 10);
    item->city = copy_text(statement, 11);
    item->note = copy_text(statement, 12);
    return item;
}

uint64_t raw_scan_copying(raw_store *store) {
    size_t count = 0, capacity = 1024;
    raw_item **items = malloc(capacity * sizeof *items);
    while (sqlite3_step(store->rows) == SQLITE_ROW) {
        if (count == capacity) items = realloc(items, (capacity *= 2) * sizeof *items);
        items[count++] = copy_row(store->rows);
    }
    sqlite3_reset(store->rows);
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        const raw_item *item = items[i];
        sum += (uint64_t)(item->rank + item->quantity + item->serial + item->is_active)
               + (uint64_t)(item->ratio + item->weight + item->created)
               + (uint64_t)(item->code[0] + item->city[0] + item->note[0]);
    }
    for (size_t i = 0; i < count; i++) {
        free((char *)items[i]->code);
        free((char *)items[i]->city);
        free((char *)items[i]->note);
        free(items[i]);
    }
    free(items);
    return sum;
}

/* MARK: Writing */

static void bind_text(sqlite3_stmt *statement, int position, const char *text) {
    sqlite3_bind_text(statement, position, text, (int)strlen(text), SQLITE_STATIC);
}

bool raw_insert(raw_store *store, const raw_item *items, size_t count) {
    if (!run(store->begin_immediate)) return false;
    sqlite3_stmt *statement = store->insert;
    for (size_t i = 0; i < count; i++) {
        const raw_item *item = &items[i];
        sqlite3_bind_int64(statement, 1, item->key);
        sqlite3_bind_int64(statement, 2, item->rank);
        sqlite3_bind_int64(statement, 3, item->quantity);
        sqlite3_bind_int64(statement, 4, item->serial);
        sqlite3_bind_double(statement, 5, item->ratio);
        sqlite3_bind_double(statement, 6, item->weight);
        sqlite3_bind_double(statement, 7, item->created);
        sqlite3_bind_int64(statement, 8, item->is_active);
        bind_text(statement, 9, item->code);
        bind_text(statement, 10, item->city);
        bind_text(statement, 11, item->note);
        if (!run(statement)) return false;
    }
    return run(store->commit);
}

bool raw_update(raw_store *store, const raw_item *items, size_t count) {
    if (!run(store->begin_immediate)) return false;
    for (size_t i = 0; i < count; i++) {
        sqlite3_bind_int64(store->update, 1, items[i].quantity + 1);
        sqlite3_bind_int64(store->update, 2, items[i].key);
        if (!run(store->update)) return false;
    }
    return run(store->commit);
}

bool raw_delete(raw_store *store, const raw_item *items, size_t count) {
    if (!run(store->begin_immediate)) return false;
    for (size_t i = 0; i < count; i++) {
        sqlite3_bind_int64(store->remove, 1, items[i].key);
        if (!run(store->remove)) return false;
    }
    return run(store->commit);
}

bool raw_run(raw_store *store, const char *sql) {
    sqlite3_stmt *statement = prepare(store->database, sql);
    bool is_done = run(store->begin_immediate) && run(statement) && run(store->commit);
    sqlite3_finalize(statement);
    return is_done;
}

/* MARK: Any statement */

struct raw_statement {
    raw_store *store;
    sqlite3_stmt *statement;
};

raw_statement *raw_prepare(raw_store *store, const char *sql) {
    sqlite3_stmt *prepared = prepare(store->database, sql);
    if (!prepared) {
        fprintf(stderr, "%s: %s\n", sqlite3_errmsg(store->database), sql);
        return NULL;
    }
    raw_statement *statement = malloc(sizeof *statement);
    *statement = (raw_statement){store, prepared};
    return statement;
}

void raw_finalize(raw_statement *statement) {
    sqlite3_finalize(statement->statement);
    free(statement);
}

static void bind(sqlite3_stmt *statement, const raw_cell *cells, size_t columns) {
    for (size_t i = 0; i < columns; i++) {
        const raw_cell *cell = &cells[i];
        int position = (int)i + 1;
        switch (cell->type) {
            case SQLITE_INTEGER: sqlite3_bind_int64(statement, position, cell->integer); break;
            case SQLITE_FLOAT: sqlite3_bind_double(statement, position, cell->real); break;
            case SQLITE_TEXT:
                sqlite3_bind_text(statement, position, cell->bytes, cell->byte_count, SQLITE_STATIC);
                break;
            case SQLITE_BLOB:
                sqlite3_bind_blob(statement, position, cell->bytes, cell->byte_count, SQLITE_STATIC);
                break;
            default: sqlite3_bind_null(statement, position);
        }
    }
}

bool raw_write(raw_statement *statement, const raw_cell *cells, size_t columns, size_t rows) {
    if (!run(statement->store->begin_immediate)) return false;
    for (size_t row = 0; row < rows; row++) {
        bind(statement->statement, cells + row * columns, columns);
        if (!run(statement->statement)) return false;
    }
    return run(statement->store->commit);
}

bool raw_write_each(raw_statement *statement, const raw_cell *cells, size_t columns, size_t rows) {
    for (size_t row = 0; row < rows; row++) {
        if (!raw_write(statement, cells + row * columns, columns, 1)) return false;
    }
    return true;
}

int64_t raw_query(raw_statement *statement, const raw_cell *cells, size_t columns) {
    sqlite3_stmt *query = statement->statement;
    bind(query, cells, columns);
    int64_t rows = 0;
    volatile uint64_t sum = 0;
    int code;
    while ((code = sqlite3_step(query)) == SQLITE_ROW) {
        rows++;
        int count = sqlite3_column_count(query);
        for (int column = 0; column < count; column++) {
            switch (sqlite3_column_type(query, column)) {
                case SQLITE_INTEGER: sum += (uint64_t)sqlite3_column_int64(query, column); break;
                case SQLITE_FLOAT: sum += (uint64_t)sqlite3_column_double(query, column); break;
                case SQLITE_TEXT: sum += sqlite3_column_text(query, column)[0]; break;
                case SQLITE_BLOB: sum += (uint64_t)sqlite3_column_bytes(query, column); break;
                default: break;
            }
        }
    }
    sqlite3_reset(query);
    return code == SQLITE_DONE ? rows : -1;
}

/* MARK: Transfers */

struct raw_bank {
    sqlite3 *database;
    sqlite3_stmt *begin, *commit, *account, *balance, *key, *last_key, *entry;
};

raw_bank *raw_open_bank(const char *path) {
    sqlite3 *database = open_database(path);
    if (!database) return NULL;
    sqlite3_busy_timeout(database, 60000);
    raw_bank *bank = calloc(1, sizeof *bank);
    bank->database = database;
    bank->begin = prepare(database, "BEGIN IMMEDIATE");
    bank->commit = prepare(database, "COMMIT");
    bank->account = prepare(database, "SELECT Z_PK, Z_OPT, ZBALANCE FROM ZACCOUNT WHERE ZNAME = ?");
    bank->balance = prepare(
        database, "UPDATE ZACCOUNT SET ZBALANCE = ?, Z_OPT = Z_OPT + 1 WHERE Z_PK = ? AND Z_OPT = ?");
    bank->key = prepare(database, "UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX + 2 WHERE Z_ENT = 2");
    bank->last_key = prepare(database, "SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = 2");
    bank->entry = prepare(
        database, "INSERT INTO ZENTRY (Z_PK, Z_ENT, Z_OPT, ZACCOUNT, ZAMOUNT) VALUES (?, 2, 1, ?, ?)");
    return bank;
}

void raw_close_bank(raw_bank *bank) {
    sqlite3_stmt *statements[] = {bank->begin, bank->commit,   bank->account, bank->balance,
                                  bank->key,   bank->last_key, bank->entry};
    for (size_t i = 0; i < sizeof statements / sizeof *statements; i++) sqlite3_finalize(statements[i]);
    sqlite3_close(bank->database);
    free(bank);
}

static bool change_balance(raw_bank *bank, const char *name, int64_t key, int64_t amount) {
    sqlite3_bind_text(bank->account, 1, name, -1, SQLITE_STATIC);
    if (sqlite3_step(bank->account) != SQLITE_ROW) return false;
    int64_t account = sqlite3_column_int64(bank->account, 0);
    int64_t version = sqlite3_column_int64(bank->account, 1);
    int64_t balance = sqlite3_column_int64(bank->account, 2);
    sqlite3_reset(bank->account);
    sqlite3_bind_int64(bank->balance, 1, balance + amount);
    sqlite3_bind_int64(bank->balance, 2, account);
    sqlite3_bind_int64(bank->balance, 3, version);
    if (!run(bank->balance)) return false;
    sqlite3_bind_int64(bank->entry, 1, key);
    sqlite3_bind_int64(bank->entry, 2, account);
    sqlite3_bind_int64(bank->entry, 3, amount);
    return run(bank->entry);
}

bool raw_transfer(raw_bank *bank, const char *from, const char *to, int64_t amount) {
    if (!run(bank->begin) || !run(bank->key)) return false;
    if (sqlite3_step(bank->last_key) != SQLITE_ROW) return false;
    int64_t key = sqlite3_column_int64(bank->last_key, 0);
    sqlite3_reset(bank->last_key);
    return change_balance(bank, from, key - 1, -amount) && change_balance(bank, to, key, amount)
           && run(bank->commit);
}

/* MARK: Structs, clocks, heap */

int64_t raw_sum_serials(raw_item *const *items, size_t count, size_t rounds) {
    int64_t sum = 0;
    for (size_t round = 0; round < rounds; round++) {
        for (size_t i = 0; i < count; i++) sum += ((volatile const raw_item *)items[i])->serial;
    }
    return sum;
}

static uint64_t nanoseconds(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

uint64_t raw_process_nanoseconds(void) { return nanoseconds(CLOCK_PROCESS_CPUTIME_ID); }
uint64_t raw_thread_nanoseconds(void) { return nanoseconds(CLOCK_THREAD_CPUTIME_ID); }
uint64_t raw_wall_nanoseconds(void) { return nanoseconds(CLOCK_MONOTONIC); }

size_t raw_heap_bytes(void) {
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

/* Returns the value of a line of /proc/self/status, in bytes. */
static size_t status(const char *name) {
    FILE *file = fopen("/proc/self/status", "r");
    if (!file) return 0;
    char line[256];
    size_t kilobytes = 0, length = strlen(name);
    while (fgets(line, sizeof line, file)) {
        if (strncmp(line, name, length) == 0) kilobytes = strtoull(line + length, NULL, 10);
    }
    fclose(file);
    return kilobytes * 1024;
}

size_t raw_begin_peak(void) {
    malloc_trim(0);
    FILE *file = fopen("/proc/self/clear_refs", "w");
    if (file) {
        fputs("5", file);
        fclose(file);
    }
    return status("VmRSS:");
}

size_t raw_peak_bytes(void) { return status("VmHWM:"); }
