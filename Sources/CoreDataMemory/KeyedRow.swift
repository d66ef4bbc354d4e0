import CoreDataModelFormat
import CoreDataPredicates
import CoreDataStore
import CoreDataValues

/// The rows that a query reads: a copy of the tables as they were when the query began.
final class RowReader {
    let tables: MemoryTables
    /// The identity of the store, which tells its rows from those of other stores.
    let store: ObjectIdentifier?

    init(_ tables: MemoryTables, store: ObjectIdentifier? = nil) {
        self.tables = tables
        self.store = store
    }

    func value(_ reference: ObjectReference) -> ExpressionValue {
        tables.row(reference).map { .object(KeyedRow($0, self)) } ?? .null
    }
}

/// A row as an object that predicates can read, including its relationships.
final class KeyedRow: KeyedValues {
    let row: Snapshot
    private let reader: RowReader

    init(_ row: Snapshot, _ reader: RowReader) {
        self.row = row
        self.reader = reader
    }

    private var entity: CompiledEntity { row.layout.entity }

    var identity: AnyHashable {
        RowIdentity(store: reader.store, root: entity.root, key: row.key)
    }

    var rowReference: ObjectReference? { row.reference }

    func isOf(entity name: String) -> Bool {
        reader.tables.model.entity(named: name)?.includes(entity.index) ?? false
    }

    func meets(_ condition: BareCondition) -> Bool? {
        let layout = row.layout
        return condition.holds(in: row.words, of: layout.id) { layout }
    }

    func expressionValue(forKey key: String) -> ExpressionValue {
        guard let slot = entity.slot(named: key) else {
            switch key {
            case "objectID": return .object(self)
            case "entity": return .object(KeyedEntity(entity: entity, model: reader.tables.model))
            // The key is a property of another subentity, which this row does not have.
            default: return .null
            }
        }
        if let column = slot.column {
            guard slot.isToOne else { return .value(row.value(column)) }
            return row.toOne(column).map(reader.value) ?? .null
        }
        guard let relationship = slot.relationship else { return .null }
        let members = reader.tables.related(slot.index, of: row.reference).map(reader.value)
        return .collection(members.filter { !$0.isNull }, isOrdered: relationship.isOrdered)
    }
}

/// An entity as an object that predicates can read: `entity`, `entity.name`.
private final class KeyedEntity: KeyedValues {
    let entity: CompiledEntity
    let model: CompiledModel

    init(entity: CompiledEntity, model: CompiledModel) {
        self.entity = entity
        self.model = model
    }

    var identity: AnyHashable { AnyHashable(entity.name) }
    var rowReference: ObjectReference? { nil }
    var entityName: String? { entity.name }

    func isOf(entity name: String) -> Bool { model.entity(named: name)?.includes(entity.index) ?? false }

    func expressionValue(forKey key: String) -> ExpressionValue {
        switch key {
        case "name": .value(.string(entity.name))
        case "managedObjectClassName": .value(.string(entity.className ?? "NSManagedObject"))
        case "isAbstract", "abstract": .value(.boolean(entity.isAbstract))
        case "superentity":
            entity.superentity.map { .object(KeyedEntity(entity: model[$0], model: model)) } ?? .null
        default: .null
        }
    }
}
