#ifndef OPENCOREDATA_CSQLITE_SHIM_H
#define OPENCOREDATA_CSQLITE_SHIM_H

#define SQLITE_ENABLE_PREUPDATE_HOOK 1
#include <sqlite3.h>

/* `sqlite3_config` and `sqlite3_db_config` are variadic, which Swift cannot call. */
static inline int opencoredata_disable_memory_statistics(void) {
    return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

/* Has the next VACUUM leave nothing in the database, whatever is in it; or no longer. */
static inline int opencoredata_set_reset(sqlite3 *database, int resets) {
    return sqlite3_db_config(database, SQLITE_DBCONFIG_RESET_DATABASE, resets, (int *)0);
}

/* The destructor constants are casts that the importer does not see. */
static inline sqlite3_destructor_type opencoredata_static(void) { return SQLITE_STATIC; }
static inline sqlite3_destructor_type opencoredata_transient(void) { return SQLITE_TRANSIENT; }

#endif
