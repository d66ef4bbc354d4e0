package import CoreDataStore

/// Returns the stores of the SQLite driver, which defines the function; the linker joins the two.
@_silgen_name("CoreDataSQLite_databases")
private func linkedDatabases() -> any DatabaseFileStores.Type

/// The stores in SQLite databases, whose driver is part of every program.
let sqliteStores = linkedDatabases()

/// Returns the stores in PostgreSQL databases, whose driver is part of programs with the product
/// `CoreDataPostgreSQL`.
///
/// Throws `NSPersistentStoreInvalidTypeError` in other programs.
package func postgreSQLStores() throws -> any DatabaseStores.Type {
    if let linked = linkedPostgreSQLStores { return linked }
    throw CoreDataError.error(
        NSPersistentStoreInvalidTypeError,
        reason: "This program has no driver for stores of type \"\(PostgreSQLStoreType)\": link the product "
            + "CoreDataPostgreSQL of the package OpenCoreData.")
}

/// The driver's stores, a class that is looked up by name: with a reference to it every program would need the
/// driver and the library that it uses.
private let linkedPostgreSQLStores: (any DatabaseStores.Type)? = {
    // In two steps, since a cast of the optional, when optimized, would read a type even for nil.
    guard let found = _typeByName("CoreDataPostgreSQL.PostgreSQLStores") else { return nil }
    return found as? any DatabaseStores.Type
}()
