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
            case .interrupted: .cancelled
            case .serialization: .busy
            case .connectionLost: .connectionLost
            case .outcomeUnknown: .outcomeUnknown
            // Memory computes with numbers of any size.
            case .outOfRange: .inexpressible
            case .invalidValue: .invalidValue
            case .constraint, .other: .database
            }
        self.init(kind, error.message, path: path, code: error.code, sql: error.sql)
    }
}
