import Synchronization

/// The model classes of all schemas, among which predicates look for the subclasses of one.
enum ModelTypes {
    private static let known = Mutex<[ObjectIdentifier: any PersistentModel.Type]>([:])

    /// Notes the classes of a schema.
    static func note(_ types: [any PersistentModel.Type]) {
        known.withLock { known in
            for type in types { known[ObjectIdentifier(type)] = type }
        }
    }

    /// Returns a class that has the entity with a name in some schema.
    static func named(_ entity: String) -> (any PersistentModel.Type)? {
        known.withLock { $0.values.first { Schema.entityName(for: $0) == entity } }
    }

    /// Returns a class, and behind it those of its subclasses that any schema has.
    static func family(of type: any PersistentModel.Type) -> [any PersistentModel.Type] {
        let others = known.withLock { Array($0.values) }
        return [type] + others.filter { $0 != type && Schema.lineage(of: $0).contains { $0 == type } }
    }
}
