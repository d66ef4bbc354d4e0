package import CoreDataModelFormat
package import CoreDataStore
package import CoreDataValues

extension MemoryTables {
    /// Applies the changes of one save. If rows do not have the versions that the changes are based on,
    /// throws an error that lists these conflicts, and changes nothing.
    package mutating func commit(_ changes: ChangeSet) throws(StoreError) -> CommitReceipt {
        let conflicts = conflicts(with: changes)
        if !conflicts.isEmpty {
            throw StoreError(.conflicts(conflicts), "\(conflicts.count) rows changed since they were read")
        }
        var permanent: ReferenceMap = [:]
        for reference in changes.inserted.references where reference.isTemporary {
            permanent[reference] = ObjectReference(entity: reference.entity, key: allocateKey())
        }
        var touched: Set<ObjectReference> = []
        for row in changes.inserted.rows { put(row, version: 1, permanent, &touched) }
        for update in changes.updated {
            put(update.proposed, version: update.version + 1, permanent, &touched)
        }
        for deletion in changes.deleted { delete(deletion.reference, &touched) }
        for link in changes.links { apply(link, permanent, &touched) }
        let derived = derive(touched)
        return CommitReceipt(permanent: permanent, derived: derived)
    }

    // MARK: Versions

    private func conflicts(with changes: ChangeSet) -> [Conflict] {
        let moved = changes.allExpected.compactMap { expected -> Conflict? in
            let persisted = row(expected.reference)
            guard persisted?.version != expected.version else { return nil }
            return Conflict(
                reference: expected.reference, expectedVersion: expected.version, persisted: persisted)
        }
        // Deleted rows that this save inserts again under their old keys, although another context already
        // did so.
        let revived = changes.inserted.rows.compactMap { row -> Conflict? in
            guard row.key > 0, let persisted = self.row(row.reference) else { return nil }
            return Conflict(reference: row.reference, expectedVersion: row.version, persisted: persisted)
        }
        return moved + revived
    }

    // MARK: Rows

    /// Stores a copy of a row with its new version, since the context may go on changing its own row.
    private mutating func put(
        _ row: Snapshot, version: Int64, _ permanent: ReferenceMap,
        _ touched: inout Set<ObjectReference>
    ) {
        let own = row.clone()
        own.key = permanent[row.reference]?.key ?? row.key
        own.version = version
        own.renameReferences(permanent)
        noteKey(own.key)
        let former = self.row(own.reference)
        set(own)
        moveMember(from: former, to: own, &touched)
        touched.insert(own.reference)
    }

    private mutating func delete(_ reference: ObjectReference, _ touched: inout Set<ObjectReference>) {
        guard let former = remove(reference) else { return }
        moveMember(from: former, to: nil, &touched)
        for slot in former.layout.entity.slots where slot.isToMany {
            removeMembers(of: former.reference, slot.index)
        }
        touched.remove(former.reference)
    }

    /// Adds a row that was read from a file, and adds it to the members of the to-many inverses of its to-one
    /// relationships.
    package mutating func load(_ row: Snapshot) {
        var touched: Set<ObjectReference> = []
        set(row)
        noteKey(row.key)
        moveMember(from: nil, to: row, &touched)
    }

    private mutating func moveMember(
        from former: Snapshot?, to row: Snapshot?, _ touched: inout Set<ObjectReference>
    ) {
        guard let entity = (row ?? former)?.layout.entity, let member = (row ?? former)?.reference else {
            return
        }
        for slot in entity.columns {
            guard let column = slot.column, let relationship = slot.relationship else { continue }
            let (before, after) = (former?.toOne(column), row?.toOne(column))
            guard before != after else { continue }
            touched.formUnion([before, after].compactMap { $0 })
            guard let inverse = model.inverse(of: relationship), inverse.isToMany else { continue }
            if let before { leave(member, before, inverse.index) }
            if let after { join(member, after, inverse) }
        }
    }

    // MARK: Members

    /// Applies new members of a to-many relationship. Both sides of a many-to-many report each pair; adding
    /// it twice does no harm.
    private mutating func apply(
        _ change: LinkChange, _ permanent: ReferenceMap,
        _ touched: inout Set<ObjectReference>
    ) {
        func current(_ reference: ObjectReference) -> ObjectReference { permanent[reference] ?? reference }
        let owner = current(change.owner)
        let slot = model.slot(change.slot, of: owner.entity)
        guard let relationship = slot.relationship else { return }
        let (before, after) = (change.before.map(current), change.after.map(current))
        let inverse = model.inverse(of: relationship)
        touched.insert(owner)
        // Members with a to-one inverse refer to the owner in their rows, so only their order is kept here.
        if inverse?.isToOne != true {
            for member in Set(before).subtracting(after) {
                leave(member, owner, slot.index)
                if let inverse { leave(owner, member, inverse.index) }
                touched.insert(member)
            }
            let known = Set(before)
            for member in after where !known.contains(member) {
                join(member, owner, slot)
                if let inverse { join(owner, member, inverse) }
                touched.insert(member)
            }
        }
        if relationship.isOrdered { arrange(after, owner, slot.index) }
    }

    /// Sets the members of a to-many relationship as they were read from a file.
    package mutating func setMembers(
        _ references: [ObjectReference], of owner: ObjectReference, _ slot: PropertySlot
    ) {
        for member in references { join(member, owner, slot) }
        if slot.relationship?.isOrdered == true { arrange(references, owner, slot.index) }
    }
}
