package import CoreDataValues

/// The error of a store that could not do what it was asked.
package struct StoreError: Error, Sendable {
    package enum Kind: Sendable {
        /// Rows that have changed since the context read them.
        case conflicts([Conflict])
        /// Unique values that exist already.
        case constraints([ConstraintViolation])
        /// A feature this store does not have; the message names it.
        case unsupported
        /// A part of a query that the store's language cannot express, though it can be evaluated in memory.
        case inexpressible
        /// A value that does not fit the model; the message names the property.
        case invalidValue
        /// A delete rule, or a mandatory relationship, keeps rows from being deleted.
        case deleteDenied
        /// The caller cancelled the fetch.
        case cancelled
        case fileMissing
        case notADatabase
        case corrupt
        case cannotOpen
        /// A file that the user has no permission to read.
        case notReadable
        /// A new file that cannot be created in its place.
        case cannotCreate
        case readOnly
        case busy
        /// A file that another process or another store object has changed since it was read.
        case overtaken
        case diskFull
        /// The connection to the server was lost. Nothing was changed.
        case connectionLost
        /// The connection to the server was lost while it was asked to commit: it may have done so.
        case outcomeUnknown
        /// An error thrown by code above the stores, which callers get unchanged.
        case reported(any Error)
        /// Any other error of the database.
        case database
        /// Rows that break a rule of the new model.
        case migrationViolation(MigrationViolation)
        /// The entities whose stored tables do not fit the model, by name.
        case incompatibleModel([String])
    }

    package var kind: Kind
    package var message: String
    package var path: String?
    /// SQLite's extended result code; nil if the error is none of SQLite.
    package var code: Int?
    package var sql: String?

    package init(_ kind: Kind, _ message: String, path: String? = nil, code: Int? = nil, sql: String? = nil) {
        self.kind = kind
        self.message = message
        self.path = path
        self.code = code
        self.sql = sql
    }
}

/// A row whose version in the store is not the one that the context read.
package struct Conflict: @unchecked Sendable {
    package let reference: ObjectReference
    /// The version the context expected.
    package let expectedVersion: Int64
    /// The row that the store has now; nil if it is gone.
    package let persisted: Snapshot?

    package init(reference: ObjectReference, expectedVersion: Int64, persisted: Snapshot?) {
        self.reference = reference
        self.expectedVersion = expectedVersion
        self.persisted = persisted
    }
}

/// Rows that share the values of a uniqueness constraint.
package struct ConstraintViolation: @unchecked Sendable {
    package let entity: EntityIndex
    /// The constraint, as slot indexes of the entity.
    package let slots: [Int]
    /// The values in question, in the order of the slots.
    package let values: [AttributeValue]
    /// The row of the store that has the values; nil if only new rows share them.
    package let existing: Snapshot?
    /// The rows of the change set that would have the values.
    package let proposed: [ObjectReference]

    package init(
        entity: EntityIndex,
        slots: [Int],
        values: [AttributeValue],
        existing: Snapshot?,
        proposed: [ObjectReference]
    ) {
        self.entity = entity
        self.slots = slots
        self.values = values
        self.existing = existing
        self.proposed = proposed
    }
}

/// The identity of a conflict: its rows, the constraint, and the version or row that they conflict with.
package struct ConflictMark: Equatable, Sendable {
    let rows: [ObjectReference]
    let slots: [Int]
    let opponent: Int64
}

extension StoreError {
    /// The identities of the error's conflicts, by which a save notices that conflicts recur after they were
    /// resolved.
    package var conflictMarks: [ConflictMark] {
        switch kind {
        case .conflicts(let conflicts):
            conflicts.map {
                ConflictMark(rows: [$0.reference], slots: [], opponent: $0.persisted?.version ?? 0)
            }
        case .constraints(let violations):
            violations.map {
                ConflictMark(rows: $0.proposed, slots: $0.slots, opponent: $0.existing?.key ?? 0)
            }
        default: []
        }
    }
}
