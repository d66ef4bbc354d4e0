import CoreDataStore

/// Returns the stores of the SQLite driver, where the linker finds the function.
@_silgen_name("CoreDataSQLite_databases")
private func linkedDatabases() -> any DatabaseStores.Type

/// The stores in databases.
let databases = linkedDatabases()
