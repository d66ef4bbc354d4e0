#ifndef OPENCOREDATA_CSQLITE_SHIM_H
#define OPENCOREDATA_CSQLITE_SHIM_H

#define SQLITE_ENABLE_PREUPDATE_HOOK 1
#include <sqlite3.h>

/* Turns off SQLite's statistics of memory. Swift cannot call `sqlite3_config` and `sqlite3_db_config`, which
   are variadic. */
static inline int opencoredata_disable_memory_statistics(void) {
    return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

/* Turns a setting of a connection on or off. */
static inline int opencoredata_configure(sqlite3 *database, int setting, int isOn) {
    return sqlite3_db_config(database, setting, isOn, (int *)0);
}

/* Return the destructor constants, which are casts and so are not imported into Swift. */
static inline sqlite3_destructor_type opencoredata_static(void) { return SQLITE_STATIC; }
static inline sqlite3_destructor_type opencoredata_transient(void) { return SQLITE_TRANSIENT; }

#endif
