/// The plan of a lightweight migration of a store, for apps that want to know it before they migrate.
///
/// `NSPersistentStoreCoordinator.lightweightMigrationPlan(forStoreAt:type:configurationName:options:to:)`
/// makes one and changes nothing. An addition to Apple's API.
public struct StoreMigrationPlan: Sendable, Hashable {
    /// A version of a model, as its stores record it.
    public struct Version: Sendable, Hashable {
        /// The version identifiers of the model, sorted.
        public let identifiers: [String]
        /// The checksum of the model's version hashes.
        public let checksum: String
    }

    /// An entity and its change.
    public struct Entity: Sendable, Hashable {
        /// The change of an entity.
        public enum Change: Sendable, Hashable {
            /// The entity has not changed.
            case kept
            /// The entity, or a property of it, is of another version.
            case changed
            /// The entity has another name, and properties may have changed too.
            case renamed(from: String)
            /// The entity is new.
            case added
            /// The entity is removed with its objects.
            case removed
        }

        /// The name in the new model, or in the old one if the entity is removed.
        public let name: String
        /// The change of the entity.
        public let change: Change
        /// The number of objects it has now, without those of subentities.
        public let objectCount: Int
        /// The changes of the properties that the entity declares; empty for an entity that is added or
        /// removed.
        public let properties: [Property]
    }

    /// One change of a property.
    ///
    /// A property that is renamed and converted has two.
    public struct Property: Sendable, Hashable {
        /// The change of a property.
        public enum Change: Sendable, Hashable {
            /// The property is new.
            case added
            /// The property is removed with its values.
            case removed
            /// The property has another name.
            case renamed(from: String)
            /// The attribute has another type; types are named as in Xcode's editor.
            case converted(from: String, to: String)
            /// The property has become something else: "mandatory", "to-many", "ordered", …
            case became(String)
        }

        /// The name in the new model, or in the old one if the property is removed.
        public let name: String
        /// Whether the property is a relationship; otherwise it is an attribute.
        public let isRelationship: Bool
        /// The change.
        public let change: Change
    }

    /// A reason why no mapping can be inferred.
    public struct Obstacle: Sendable, Hashable {
        /// The name of the entity in the new model.
        public let entity: String
        /// The name of the property; nil if the reason concerns the entity as a whole.
        public let property: String?
        /// The reason, in words.
        public let reason: String
    }

    /// Objects of the store that break a rule of the new model, which stops the migration.
    ///
    /// Violations are missing mandatory values without a default, equal values that are to be unique, numbers
    /// that do not fit, and objects of an entity that has become abstract.
    public struct Violation: Sendable, Hashable {
        /// The name of the entity in the new model.
        public let entity: String
        /// The name of the property; several names for a uniqueness constraint over several, nil for the
        /// entity as a whole.
        public let property: String?
        /// The rule that is broken, in words.
        public let reason: String
        /// The number of objects that have to change before the store can be migrated; it includes all
        /// objects that share a value.
        public let objectCount: Int
    }

    /// The way of migrating.
    public enum Method: Sendable, Hashable {
        /// The store is of the new version.
        case notNeeded
        /// In SQL, in one transaction.
        case inPlace
        /// By copying every object to a new store, which takes the place of the old one.
        case copying(reason: String)
        /// No mapping can be inferred; the obstacles say why.
        case impossible
    }

    /// One SQL statement of a migration in place.
    public struct Statement: Sendable, Hashable {
        /// The purpose of the statement, in words.
        public let title: String
        /// The statement, with placeholders.
        public let sql: String
        /// The values of the placeholders, as texts.
        public let values: [String]
        /// The largest number of rows that the statement may write: all rows of its table, even if it has a
        /// condition.
        ///
        /// A new index counts one for each row; dropping a column rewrites every row.
        public let estimatedRowCount: Int
    }

    /// The present version of the store.
    public let source: Version
    /// The version of the new model.
    public let destination: Version
    /// The way of migrating.
    public let method: Method
    /// The entities of the new model by name, then those that are removed.
    public let entities: [Entity]
    /// The reasons why no mapping can be inferred; empty if one can.
    public let obstacles: [Obstacle]
    /// The objects that break a rule of the new model.
    public let violations: [Violation]
    /// The statements in the order in which they run; empty unless the migration runs in place.
    public let statements: [Statement]

    /// The largest number of rows that all statements may write; more than the store has if a table is
    /// written several times.
    public var estimatedRowCount: Int { statements.reduce(0) { $0 + $1.estimatedRowCount } }

    /// The number of objects that the store has now.
    public var objectCount: Int { entities.reduce(0) { $0 + $1.objectCount } }
}
