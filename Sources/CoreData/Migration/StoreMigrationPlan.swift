/// What a lightweight migration of a store would do: for whoever wants to know before it is done. An addition to Apple's
/// API; `NSPersistentStoreCoordinator.lightweightMigrationPlan(forStoreAt:type:configurationName:options:to:)` makes one
/// and changes nothing.
public struct StoreMigrationPlan: Sendable, Hashable {
    /// A version of a model, as its stores tell of it.
    public struct Version: Sendable, Hashable {
        public let identifiers: [String]
        public let checksum: String
    }

    /// An entity, and what becomes of it.
    public struct Entity: Sendable, Hashable {
        public enum Change: Sendable, Hashable {
            case kept
            /// It, or a property of it, is of another version.
            case changed
            /// Properties may have changed too.
            case renamed(from: String)
            case added
            /// Its objects go.
            case removed
        }

        /// In the new model, or in the old one if it is removed.
        public let name: String
        public let change: Change
        /// The objects it has now, without those of subentities.
        public let objectCount: Int
        /// What changes among the properties that it declares; empty for an entity that is added or removed.
        public let properties: [Property]
    }

    /// One change of a property. A property that is renamed and converted has two.
    public struct Property: Sendable, Hashable {
        public enum Change: Sendable, Hashable {
            case added
            case removed
            case renamed(from: String)
            /// The types as Xcode's editor names them.
            case converted(from: String, to: String)
            /// What it has become: "mandatory", "to-many", "ordered", …
            case became(String)
        }

        public let name: String
        public let isRelationship: Bool
        public let change: Change
    }

    /// Why no mapping can be inferred.
    public struct Obstacle: Sendable, Hashable {
        public let entity: String
        public let property: String?
        public let reason: String
    }

    /// Objects of the store that break a rule of the new model, which stops the migration: mandatory values that are
    /// missing and have no default, values that are to be unique, numbers that do not fit, objects of an entity that has
    /// become abstract.
    public struct Violation: Sendable, Hashable {
        /// As in the new model.
        public let entity: String
        /// Several for a uniqueness constraint over several; nil for the entity as a whole.
        public let property: String?
        public let reason: String
        /// The objects that have to change before the store can be migrated; of those that share a value, all.
        public let objectCount: Int
    }

    public enum Method: Sendable, Hashable {
        /// The store is of the new version.
        case notNeeded
        /// In SQL, in one transaction.
        case inPlace
        /// Every object is copied to a new store, which takes the place of the old one.
        case copying(reason: String)
        /// The obstacles say why.
        case impossible
    }

    public struct Statement: Sendable, Hashable {
        /// What it is for.
        public let title: String
        public let sql: String
        /// What its placeholders stand for, as texts.
        public let values: [String]
        /// The rows of the table that it writes: as many as it writes at most, whatever its condition leaves out. A new
        /// index counts one for each row; dropping a column writes every row anew.
        public let estimatedRowCount: Int
    }

    /// Of the store as it is.
    public let source: Version
    public let destination: Version
    public let method: Method
    /// Entities of the new model by name, then those that are removed.
    public let entities: [Entity]
    public let obstacles: [Obstacle]
    public let violations: [Violation]
    /// What is run, in its order; empty unless the migration runs in place.
    public let statements: [Statement]

    /// The rows that all statements write, at most. More than the store has where a table is written several times.
    public var estimatedRowCount: Int { statements.reduce(0) { $0 + $1.estimatedRowCount } }

    public var objectCount: Int { entities.reduce(0) { $0 + $1.objectCount } }
}
