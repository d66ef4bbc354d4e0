package import CoreDataValues

/// Why a store could not do what it was asked.
package struct StoreError: Error, Sendable {
    package enum Kind: Sendable {
        /// Rows changed behind the context's back.
        case conflicts([Conflict])
        /// Unique values that exist already.
        case constraints([ConstraintViolation])
        /// A feature this store does not have; the message names it.
        case unsupported
        /// A part of a query that the store's language has no words for, though it means something in memory.
        case inexpressible
        /// A value that does not fit the model; the message names the property.
        case invalidValue
        /// A delete rule, or a mandatory relationship, keeps rows from being deleted.
        case deleteDenied
        /// Somebody gave up waiting.
        case cancelled
        case fileMissing
        case notADatabase
        case corrupt
        case cannotOpen
        /// The file that the user must not read.
        case notReadable
        /// A new file that cannot be made where it is to lie.
        case cannotCreate
        case readOnly
        case busy
        /// A file that somebody else has changed since it was read.
        case overtaken
        case diskFull
        /// An error as callers are to see it, from code above the stores.
        case reported(any Error)
        /// Anything else the database said.
        case database
        /// Rows that a store of the new model must not have.
        case migrationViolation(MigrationViolation)
        /// The model does not fit the store; the differing entities by name.
        case incompatibleModel([String])
    }

    package var kind: Kind
    package var message: String
    package var path: String?
    /// Result code of the database, extended.
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

/// A row that is not what the context thinks it is.
package struct Conflict: @unchecked Sendable {
    package let reference: ObjectReference
    /// The version the context expected.
    package let expectedVersion: Int64
    /// What the store has now; nil if the row is gone.
    package let persisted: Snapshot?

    package init(reference: ObjectReference, expectedVersion: Int64, persisted: Snapshot?) {
        self.reference = reference
        self.expectedVersion = expectedVersion
        self.persisted = persisted
    }
}

/// Rows that share the value of a uniqueness constraint.
package struct ConstraintViolation: @unchecked Sendable {
    package let entity: EntityIndex
    /// The constraint, as slot indexes of the entity.
    package let slots: [Int]
    /// The values in question, in the order of the slots.
    package let values: [AttributeValue]
    /// The row that has the values in the store, if it is there already.
    package let existing: Snapshot?
    /// The rows of the change set that want them.
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

/// What tells a conflict from others: which rows, over what, at which version or with whom.
package struct ConflictMark: Equatable, Sendable {
    let rows: [ObjectReference]
    let slots: [Int]
    let opponent: Int64
}

extension StoreError {
    /// The conflicts that it names, to see whether they come back.
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
