/// A breach of one of the new model's rules by rows of a store.
package struct MigrationViolation: Sendable, Equatable {
    package enum Rule: Sendable, Equatable {
        case mandatory
        case unique
        case range
        case abstract
        /// Values that return from external files into the rows cannot be read.
        case unreadable
        /// A verified migration changed the number of objects or pairs.
        case count(before: Int, after: Int)
    }

    /// The entity's name in the new model.
    package let entity: String
    package let property: String?
    package let rule: Rule

    package init(entity: String, property: String?, rule: Rule) {
        self.entity = entity
        self.property = property
        self.rule = rule
    }

    package var name: String { property.map { "\(entity).\($0)" } ?? entity }

    /// The violation as a sentence, without the names.
    package var reason: String {
        switch rule {
        case .mandatory: "Validation error missing attribute values on mandatory destination attribute"
        case .unique:
            "constraint violation during attempted migration: objects share values that are to be unique"
        case .range: "Values do not fit the type of the destination attribute"
        case .abstract: "The destination entity is abstract and the source has objects of it"
        case .unreadable: "External files with values cannot be read"
        case .count(let before, let after):
            property == nil
                ? "There were \(before) objects before the migration, and \(after) after it"
                : "There were \(before) related pairs before the migration, and \(after) after it"
        }
    }
}

extension StoreError {
    package init(_ violation: MigrationViolation, path: String?) {
        self.init(.migrationViolation(violation), "\(violation.name): \(violation.reason)", path: path)
    }
}
