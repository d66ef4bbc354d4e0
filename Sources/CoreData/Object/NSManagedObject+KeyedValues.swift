import CoreDataModelFormat
package import CoreDataPredicates
import CoreDataStore
package import CoreDataValues

// Objects and their IDs as predicates read them.

extension NSManagedObject: MethodReceiver {
    package final var identity: AnyHashable {
        RowIdentity(
            store: registry?.store(at: storeIndex).map { ObjectIdentifier($0) }, root: runtime.compiled.root,
            key: reference.key)
    }

    package final var rowReference: ObjectReference? { reference }

    package final func isOf(entity name: String) -> Bool { entity.isOf(name) }

    package final func expressionValue(forKey key: String) throws(EvaluationError) -> ExpressionValue {
        guard let slot = runtime.slot(named: key) else {
            // A class of the app's may answer, or trap. The mappings of migrations, which work with plain objects, are bad
            // input instead.
            if type(of: self) == NSManagedObject.self, unmodelledValue(forKey: key) == nil {
                throw .unknownKey(key, of: "the entity \(runtime.compiled.name)")
            }
            return ExpressionValue(boxing: value(forKey: key))
        }
        // A stored value is what its accessor yields; a transient one may be computed.
        if slot.isTransient, runtime.hasWrittenAccessors {
            return ExpressionValue(boxing: value(forKey: key))
        }
        fireIfNeeded()
        switch slot.kind {
        case .relationship(let relationship):
            guard relationship.isToMany else { return toOne(at: slot).map(ExpressionValue.object) ?? .null }
            return .collection(
                toMany(at: slot).array.map(ExpressionValue.object), isOrdered: relationship.isOrdered)
        case .attribute(let attribute):
            if let column = slot.column, let row, attribute.type != .transformable {
                return .value(row.value(column))
            }
            return ExpressionValue(boxing: primitive(at: slot))
        case .fetchedProperty:
            return ExpressionValue(boxing: primitive(at: slot))
        }
    }

    package final func call(_ name: String, _ arguments: [ExpressionValue]) throws -> ExpressionValue? {
        try ExposedMethods.value(of: name, arguments, on: self)
    }

    package final func memberCount(forKey key: String) -> Int? {
        guard let slot = runtime.slot(named: key), slot.isToMany else { return nil }
        return toMany(at: slot).count
    }

    package final func bareValue(for key: PropertyKey) -> BareValue {
        fireIfNeeded()
        guard let words, layoutID != Self.trackedLayoutID else { return .other }
        return place(of: key).value(in: words)
    }

    /// Of an object whose reads are not tracked.
    @inline(__always)
    private final func place(of key: PropertyKey) -> BarePlace {
        BarePlace.remembered(by: key, for: layoutID) ?? BarePlace.of(key, in: runtime.layout)
    }

    package final func meets(_ test: TextTest, for key: PropertyKey) -> Bool? {
        fireIfNeeded()
        guard let words, layoutID != Self.trackedLayoutID else { return nil }
        return place(of: key).meets(test, in: words)
    }
}

extension NSManagedObjectID: KeyedValues {
    package final var identity: AnyHashable {
        RowIdentity(
            store: persistentStore.map { ObjectIdentifier($0) }, root: runtime.compiled.root,
            key: reference.key)
    }

    package final var rowReference: ObjectReference? { reference }

    package final func isOf(entity name: String) -> Bool { entity.isOf(name) }

    package final func expressionValue(forKey key: String) throws(EvaluationError) -> ExpressionValue {
        switch key {
        case "entity": .object(entity)
        case "self": .object(self)
        default: throw .unknownKey(key, of: "an object ID, whose object has to be fetched first,")
        }
    }
}
