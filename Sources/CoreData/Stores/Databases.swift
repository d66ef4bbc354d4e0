import CoreDataStore

/// The stores of the SQLite driver. The linker finds the function there.
@_silgen_name("CoreDataSQLite_databases")
private func linkedDatabases() -> any DatabaseStores.Type

/// The stores in databases.
let databases = linkedDatabases()
