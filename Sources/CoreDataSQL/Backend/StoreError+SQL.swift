package import CoreDataStore

extension StoreError {
    /// What a database error means for a store.
    package init(_ error: SQLError, path: String?) {
        let kind: Kind =
            switch error.kind {
            case .busy: .busy
            case .corrupt: .corrupt
            case .notADatabase: .notADatabase
            case .readOnly: .readOnly
            case .cannotOpen: .cannotOpen
            case .cannotCreate: .cannotCreate
            case .diskFull: .diskFull
            case .interrupted: .cancelled
            case .constraint, .missingTable, .other: .database
            }
        self.init(kind, error.message, path: path, code: error.code, sql: error.sql)
    }
}
