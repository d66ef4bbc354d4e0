import CoreDataModelFormat
package import CoreDataPredicates
import CoreDataStore
package import CoreDataValues
import Synchronization

// Objects and their IDs as predicates read them.

extension NSManagedObject: KeyedValues {
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

    package final func bareValue(for key: PropertyKey) -> BareValue {
        let place = barePlace(of: key)
        guard let row, place.kind == .integer || place.kind == .double else { return .other }
        if row.isNull(place.column) {
            // A null that stands for a value that cannot be read has to be reported.
            return row.unreadableValue(place.column) == nil ? .null : .other
        }
        return place.kind == .integer
            ? .integer(row.integer(place.column)) : .double(row.double(place.column))
    }

    package final func withText(
        for key: PropertyKey, _ body: (UnsafeBufferPointer<UInt8>) -> Bool
    ) -> Bool? {
        let place = barePlace(of: key)
        guard place.kind == .text, let row, !row.isNull(place.column) else { return nil }
        return row.withBytes(place.column) { body($0.assumingMemoryBound(to: UInt8.self)) }
    }

    /// Where a key's value lies in the row, which the key remembers for one entity at a time.
    private final func barePlace(of key: PropertyKey) -> BarePlace {
        fireIfNeeded()
        let memo = BarePlace(bits: key.memo.load(ordering: .relaxed))
        if memo.layoutID == layoutID { return memo }
        let place = BarePlace(of: key.name, in: runtime, layoutID: layoutID)
        key.memo.store(place.bits, ordering: .relaxed)
        return place
    }
}

/// Where a value lies in the rows of an entity, in one word.
private struct BarePlace {
    enum Kind: UInt64 { case other, integer, double, text }

    let bits: UInt64

    var layoutID: UInt32 { UInt32(truncatingIfNeeded: bits >> 32) }
    var kind: Kind { Kind(rawValue: bits >> 30 & 3) ?? .other }
    var column: Int { Int(truncatingIfNeeded: bits & 0x3FFF_FFFF) }

    init(bits: UInt64) {
        self.bits = bits
    }

    init(of name: String, in runtime: EntityRuntime, layoutID: UInt32) {
        guard let column = runtime.slot(named: name)?.column, layoutID == runtime.layout.id else {
            bits = UInt64(layoutID) << 32
            return
        }
        let kind: Kind =
            switch runtime.layout.columns[column].type {
            case .integer16, .integer32, .integer64, .boolean: .integer
            case .double, .float: .double
            case .string: .text
            default: .other
            }
        bits = UInt64(layoutID) << 32 | kind.rawValue << 30 | UInt64(column)
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
