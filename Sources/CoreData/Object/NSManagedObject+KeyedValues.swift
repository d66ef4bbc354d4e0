import CoreDataModelFormat
package import CoreDataPredicates
import CoreDataStore
package import CoreDataValues

// The access of predicates to objects and their IDs.

extension NSManagedObject: MethodReceiver {
    package final var identity: AnyHashable {
        let address = currentRowAddress
        return RowIdentity(
            store: registry?.store(at: address.storeIndex).map { ObjectIdentifier($0) },
            root: runtime.root, key: address.reference.key)
    }

    package final var rowReference: ObjectReference? { currentRowAddress.reference }

    package final func isOf(entity name: String) -> Bool { entity.isOf(name) }

    package final func expressionValue(forKey key: String) throws(EvaluationError) -> ExpressionValue {
        guard let slot = runtime.slot(named: key) else {
            // An app's own class returns a value for the key or traps. In the mapping of a migration, which
            // works with plain objects, an unknown key is invalid input and must not trap.
            if type(of: self) == NSManagedObject.self, unmodelledValue(forKey: key) == nil {
                throw .unknownKey(key, of: "the entity \(runtime.name)")
            }
            return ExpressionValue(boxing: value(forKey: key))
        }
        // The stored value is used, which the accessor would return, too; only a transient one may be
        // computed.
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

    package final func memberCount(
        forKey key: String, meeting condition: BareCondition?, upTo limit: Int
    ) -> Int? {
        guard let slot = runtime.slot(named: key), slot.isToMany else { return nil }
        let members = toMany(at: slot)
        guard let condition else { return members.count }
        var count = 0
        var isKnown = true
        _ = members.array.allSatisfyBorrowed { member in
            guard let meets = member.meets(condition) else {
                isKnown = false
                return false
            }
            if meets { count += 1 }
            return count < limit
        }
        return isKnown ? count : nil
    }

    @inline(__always)
    package final func meets(_ condition: BareCondition) -> Bool? {
        fireIfNeeded()
        // Nil if reads are tracked, so that the general evaluation runs, which notes them.
        guard let words, layoutID != Self.trackedLayoutID else { return nil }
        return condition.holds(in: words, of: layoutID) { runtime.layout }
    }
}

extension NSManagedObjectID: KeyedValues {
    package final var identity: AnyHashable {
        RowIdentity(
            store: persistentStore.map { ObjectIdentifier($0) }, root: runtime.root,
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
