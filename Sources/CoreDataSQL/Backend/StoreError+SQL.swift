package import CoreDataStore

extension StoreError {
    /// Makes the store error for a database error.
    package init(_ error: SQLError, path: String?) {
        let kind: Kind =
            switch error.kind {
            case .busy: .busy
            case .corrupt: .corrupt
            case .notADatabase: .notADatabase
            case .readOnly: .readOnly
            case .cannotOpen: .cannotOpen
            case .moved: .overtaken
            case .cannotCreate: .cannotCreate
            case .diskFull: .diskFull
            case .undefined: .incompatibleModel([])
            case .interrupted: .cancelled
            case .serialization: .busy
            case .connectionLost: .connectionLost
            case .outcomeUnknown: .outcomeUnknown
            // Memory computes with numbers of any size.
            case .outOfRange: .inexpressible
            case .invalidValue: .invalidValue
            case .constraint, .other: .database
            }
        let message =
            error.kind == .undefined
            ? "another program has migrated or removed the store meanwhile: \(error.message)" : error.message
        self.init(kind, message, path: path, code: error.code, sql: error.sql)
    }
}
