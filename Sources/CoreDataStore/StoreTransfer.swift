package import CoreDataModelFormat
package import CoreDataValues

/// The content of one store as the changes that fill another, empty store: every row under a new key, and the
/// members of the relationships. Values are copied as they are stored, without making objects.
package struct StoreTransfer {
    private let model: CompiledModel
    private let source: any StoreBackend
    /// The references of the copies in the change set, by the source row's root entity and key.
    private var references: [ObjectReference: ObjectReference] = [:]
    private var changes = ChangeSet()
    private var lastKey: Int64 = 0
    /// A closure that is called for each value that cannot be read. Without it the first such value ends the
    /// transfer with an error.
    private let leavingOut: ((String) -> Void)?

    package init(
        from source: any StoreBackend, _ model: CompiledModel, leavingOut: ((String) -> Void)? = nil
    ) {
        self.source = source
        self.model = model
        self.leavingOut = leavingOut
    }

    /// Reads the store and returns the changes.
    ///
    /// - Parameter entities: The entities that the store holds; nil for all.
    package mutating func changeSet(of entities: Set<EntityIndex>?) throws(StoreError) -> ChangeSet {
        let held = model.entities.filter { entities?.contains($0.index) ?? true }
        for entity in held where !entity.isAbstract {
            let query = FetchQuery(entity: entity.index, includesSubentities: false)
            for row in try rows(query) {
                add(try readable(row))
            }
        }
        for row in changes.inserted.rows { rename(row) }
        for entity in held where !entity.isAbstract { try addLinks(of: entity) }
        return changes
    }

    /// Reads rows. Reads them by their references if the store returns only these, as one of an app's own
    /// class may.
    private func rows(_ query: FetchQuery) throws(StoreError) -> [Snapshot] {
        switch try source.fetch(query) {
        case .rows(let rows): rows
        case .references(let references): try source.snapshots(for: references)
        case .count, .dictionaries: []
        }
    }

    private func rootReference(_ reference: ObjectReference) -> ObjectReference {
        ObjectReference(entity: model[reference.entity].root, key: reference.key)
    }

    /// Returns the row, without values that cannot be read if `leavingOut` reports them. Otherwise throws,
    /// since such a value must not get lost silently.
    private func readable(_ row: Snapshot) throws(StoreError) -> Snapshot {
        guard let column = row.unreadableColumns.first, let value = row.unreadableValue(column) else {
            return row
        }
        let entity = row.layout.entity
        if let leavingOut {
            let rest = row.clone()
            rest.setNull(column)
            leavingOut("\(entity.name)/p\(row.key).\(entity.columns[column].name): \(value.message)")
            return try readable(rest)
        }
        throw StoreError(
            value.reason == .missingFile ? .fileMissing : .corrupt,
            "\(entity.name).\(entity.columns[column].name) of p\(row.key) cannot be copied: \(value.message). "
                + "Bring the file back, or set the value to nil first.",
            path: value.path)
    }

    private mutating func add(_ row: Snapshot) {
        let copy = row.clone()
        lastKey -= 1
        copy.key = lastKey
        copy.version = 0
        references[rootReference(row.reference)] = copy.reference
        changes.inserted.append(copy)
    }

    /// Makes a row refer to the copies. A reference to a row that does not exist becomes null.
    private func rename(_ row: Snapshot) {
        for slot in row.layout.entity.columns {
            guard slot.isToOne, let column = slot.column, let destination = row.toOne(column) else {
                continue
            }
            if let copy = references[rootReference(destination)] {
                row.setToOne(column, copy)
            } else {
                row.setNull(column)
            }
        }
    }

    /// Adds the members of to-many relationships that are not stored in to-one columns of the members:
    /// relationships that are ordered, or have no to-one inverse.
    private mutating func addLinks(of entity: CompiledEntity) throws(StoreError) {
        let slots = entity.slots.filter { slot in
            guard let relationship = slot.relationship, relationship.isToMany, !slot.isTransient else {
                return false
            }
            return relationship.isOrdered || model.inverse(of: relationship)?.isToOne != true
        }
        if slots.isEmpty { return }
        let owners = references.filter { $0.value.entity == entity.index }.keys.map {
            ObjectReference(entity: entity.index, key: $0.key)
        }
        for slot in slots {
            for (key, members) in try source.related(slot.index, ofEach: owners) {
                guard let owner = references[ObjectReference(entity: entity.root, key: key)] else { continue }
                let copies = members.compactMap { references[rootReference($0)] }
                changes.links.append(LinkChange(owner: owner, slot: slot.index, before: [], after: copies))
            }
        }
    }
}
