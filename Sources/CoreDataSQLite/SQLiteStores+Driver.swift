package import CoreDataSQL
package import CoreDataStore

/// Returns the stores of this driver. The framework declares the same function, and the linker connects both.
@_silgen_name("CoreDataSQLite_databases")
package func linkedDatabases() -> any DatabaseFileStores.Type { SQLiteStores.self }

extension SQLiteStores: DatabaseFileStores {
    package static func recordAssociations() throws(StoreError) -> AssociationTable {
        try AssociationTable(on: SQLiteConnection.scratch())
    }

    package static func reserve(
        _ path: String, timeout: Double
    ) throws(StoreError) -> any StoreReserving {
        try StoreReservation(path, timeout: timeout)
    }
}
